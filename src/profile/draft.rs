//! A file in a person's editor: what is saved is merged with what was written meanwhile.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::Profile;
use crate::{
    error::MemoryError,
    memory::{Document, Entry, Target, apply, differences, rebase},
    storage::{Kind, Plan, Seen},
    tool::{Edited, Refusal},
};

/// A copy of a bounded file for an editor.
#[derive(Debug)]
pub struct Draft {
    target: Target,
    base: Seen,
    file: NamedTempFile,
}

impl Draft {
    /// Returns the file to edit.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Keeps the file although the draft was not saved; returns where it is.
    fn keep(self) -> Option<PathBuf> {
        self.file.keep().ok().map(|(_, path)| path)
    }
}

impl Profile {
    /// Copies the file of `target` for an editor.
    pub fn draft(&self, target: Target) -> Result<Draft, MemoryError> {
        let base = self.store.read(target)?;
        if let Err(error) = std::str::from_utf8(&base.bytes) {
            return Err(MemoryError::NotUtf8 {
                path: self.store.path(target)?,
                at: error.valid_up_to(),
            });
        }
        let prefix = format!("carnet-{target}-");
        let made = tempfile::Builder::new().prefix(&prefix).suffix(".md").tempfile();
        let written = made.and_then(|mut file| file.write_all(&base.bytes).map(|()| file));
        let file = written.map_err(MemoryError::writing(std::env::temp_dir()))?;
        Ok(Draft { target, base, file })
    }

    /// Saves the draft: whole where the file has not moved, else entry by entry. What it takes out is archived.
    pub fn save(&self, draft: Draft) -> Result<Edited, Refusal> {
        match self.try_save(&draft) {
            Ok(edited) => Ok(edited),
            Err(error) => Err(Refusal { kept: draft.keep(), ..error.into() }),
        }
    }

    fn try_save(&self, draft: &Draft) -> Result<Edited, MemoryError> {
        let (target, limit) = (draft.target, self.config.limits.of(draft.target));
        // By its name: an editor may have put another file there.
        let bytes = std::fs::read(draft.path()).map_err(MemoryError::reading(draft.path()))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            MemoryError::NotUtf8 { path: draft.path().to_owned(), at }
        })?;
        if text.as_bytes() == draft.base.bytes {
            let seen = self.store.read(target)?;
            return Ok(self.edited(target, &seen));
        }
        let saved = Document::of(text);
        let before = draft.base.document.entries();
        let (written, ()) = self.store.change(&self.change(target), |seen| {
            let (text, steps) = if seen.bytes == draft.base.bytes {
                (saved.text().to_owned(), differences(before, saved.entries()))
            } else {
                let edits = rebase(before, saved.entries(), seen.document.entries());
                let merged = apply(&seen.document, &edits, target, usize::MAX)
                    .map_err(|source| MemoryError::Edit { target, source })?;
                (merged.document.text().to_owned(), merged.steps)
            };
            Ok((Plan { text, steps, kind: Kind::Edit, undoes: None }, ()))
        })?;
        let mut edited = Edited {
            run: written.run,
            warnings: written.reports,
            ..self.edited(target, &written.seen)
        };
        if edited.usage.used > limit {
            edited.warnings.push(format!(
                "{} is over its limit: the snapshot leaves entries out",
                target.file_name()
            ));
        }
        if let Some(open) = saved.entries().iter().find(|entry| Entry::leaves_a_fence_open(entry)) {
            let id = crate::memory::EntryId::of(target, open);
            edited.warnings.push(format!("{id} opens a code fence and never closes it"));
        }
        Ok(edited)
    }
}
