//! A file in a person's editor: what is saved is merged with what was written meanwhile.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::{EditRequest, Profile};
use crate::{
    error::MemoryError,
    memory::{Document, Edit, EditError, Entry, EntryId, Target, apply, differences, rebase},
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

    /// Keeps the file where it holds something that is not saved; returns where it is.
    pub fn keep(self) -> Option<PathBuf> {
        let written = std::fs::read(self.path()).ok()?;
        if written == self.base.bytes {
            return None;
        }
        self.file.keep().ok().map(|(_, path)| path)
    }
}

impl Profile {
    /// Copies the file of `target` for an editor.
    pub fn draft(&self, target: Target) -> Result<Draft, MemoryError> {
        self.check_write()?;
        let base = self.store.read(target)?;
        base.check_writable()?;
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
        let new = differences(before, saved.entries()).into_iter().filter_map(|step| step.new);
        let edits = new.map(|entry| Edit::Add { entry }).collect();
        let mut warnings = self.scan(&EditRequest { target, edits, expected_sha256: None })?;
        let mut reports = Vec::new();
        let (written, both) = self.store.change(&self.change(target), &mut reports, |seen| {
            let refused = |source| MemoryError::Edit { target, source };
            let (document, steps, both) = if seen.bytes == draft.base.bytes {
                (saved.clone(), differences(before, saved.entries()), false)
            } else {
                let edits = rebase(before, saved.entries(), seen.document.entries());
                let merged = apply(&seen.document, &edits, target, usize::MAX).map_err(refused)?;
                if !merged.is_changed() {
                    let what = format!(
                        "{} was changed meanwhile, and what you moved cannot be moved there",
                        target.file_name()
                    );
                    return Err(MemoryError::Conflict { what });
                }
                let gone =
                    differences(before, saved.entries()).into_iter().filter_map(|step| step.old);
                let both = gone.into_iter().any(|old| !seen.document.entries().contains(&old));
                (merged.document, merged.steps, both)
            };
            let (current, needed) = (seen.document.usage(limit), document.usage(limit));
            if needed.used > limit && needed.used >= current.used {
                return Err(refused(EditError::LimitExceeded { needed }));
            }
            Ok((
                Plan { text: document.text().to_owned(), steps, kind: Kind::Edit, undoes: None },
                both,
            ))
        })?;
        warnings.extend(reports);
        if both {
            warnings.push(
                "an entry that you changed was changed meanwhile too: look at both".to_owned(),
            );
        }
        if let Some(open) = saved.entries().iter().find(|entry| Entry::leaves_a_fence_open(entry)) {
            warnings.push(format!(
                "{} opens a code fence and never closes it",
                EntryId::of(target, open)
            ));
        }
        Ok(Edited { run: written.run, warnings, ..self.edited(target, &written.seen) })
    }
}
