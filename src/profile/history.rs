//! Taking changes back.

use super::{EditRequest, Profile};
use crate::{
    error::MemoryError,
    memory::{Document, Edit, Entry, EntryId, apply, differences},
    storage::{Kind, Plan, Record, file_hash},
    tool::{Edited, Refusal},
};

/// A change that was taken back.
#[derive(Clone, Debug)]
pub struct Undone {
    /// The change.
    pub record: Record,
    /// Whether the file is what it was before, byte for byte.
    pub exact: bool,
    /// What could not be taken back, one line each.
    pub could_not: Vec<String>,
    /// The file now.
    pub edited: Edited,
}

/// An archived text that is back.
#[derive(Clone, Debug)]
pub struct Restored {
    /// The archived note.
    pub archive: String,
    /// The file now.
    pub edited: Edited,
}

impl Profile {
    /// Takes back the change `run`, or the last one that was not taken back yet.
    ///
    /// To the byte where the file has not moved since; else entry by entry.
    pub fn undo(&self, run: Option<&str>) -> Result<Undone, Refusal> {
        self.check_write()?;
        let record = self.undoable(run)?;
        let target = record.target();
        let change = self.change(target);
        let mut reached = None;
        let (written, (exact, could_not)) = self.store.change(&change, |seen| {
            // Another process may have taken it back while this one waited for the lock.
            self.undoable(Some(&record.run))?;
            let exact = self.exactly(&record, &seen.document);
            let (document, could_not) = match exact {
                Some(document) => (document, Vec::new()),
                None => self.one_by_one(&record, &seen.document),
            };
            let is_exact =
                could_not.is_empty() && file_hash(document.text().as_bytes()) == record.before;
            let steps = differences(seen.document.entries(), document.entries());
            reached = Some(document.text() != seen.document.text());
            let text = document.text().to_owned();
            let undoes = Some(record.run.clone());
            Ok((Plan { text, steps, kind: Kind::Undo, undoes }, (is_exact, could_not)))
        })?;
        if reached == Some(false) {
            let what =
                format!("nothing of {} can be taken back: {}", record.run, could_not.join("; "));
            return Err(MemoryError::not_found(
                what,
                "restore what you miss from the archive, by its id",
            )
            .into());
        }
        let edited = Edited {
            run: written.run,
            warnings: written.reports,
            ..self.edited(target, &written.seen)
        };
        Ok(Undone { record, exact, could_not, edited })
    }

    /// Returns the change to take back.
    fn undoable(&self, run: Option<&str>) -> Result<Record, MemoryError> {
        let records = self.store.journal()?;
        let is_undone = |record: &Record| {
            records.iter().any(|later| later.undoes.as_ref() == Some(&record.run))
        };
        let can = |record: &&Record| {
            matches!(record.kind, Kind::Edit | Kind::Restore) && !is_undone(record)
        };
        let found = match run {
            None => records.iter().rev().find(can),
            Some(run) => records.iter().find(|record| record.run == run).filter(can),
        };
        found.cloned().ok_or_else(|| match run {
            None => MemoryError::not_found("there is no change to take back", "look at the history"),
            Some(run) => MemoryError::not_found(
                format!("`{run}` names no change that can be taken back"),
                "look at the history; an undo and a hand edit are not taken back, but what they took out can be restored",
            ),
        })
    }

    /// Returns the file as it was before `record`; `None` where it has moved since.
    fn exactly(&self, record: &Record, document: &Document) -> Option<Document> {
        if file_hash(document.text().as_bytes()) != record.after {
            return None;
        }
        let mut text = document.text().to_owned();
        for effect in record.effects.iter().rev() {
            let old = match &effect.archive {
                Some(id) => Some(self.store.archived(id).ok()?.text),
                None => None,
            };
            let inverse: crate::memory::Inverse = effect.inverse.as_ref()?.into();
            text = inverse.apply(&text, old.as_deref())?;
        }
        (file_hash(text.as_bytes()) == record.before).then(|| Document::of(text))
    }

    /// Takes back the effects of `record` on a file that has moved; returns it, and what could not be done.
    fn one_by_one(&self, record: &Record, document: &Document) -> (Document, Vec<String>) {
        let mut document = document.clone();
        let mut could_not = Vec::new();
        let (target, limit) = (record.target(), self.config.limits.of(record.target()));
        for effect in record.effects.iter().rev() {
            let old = effect.archive.as_deref().map(|id| self.archived_entry(id)).transpose();
            let edit = match (old, &effect.new) {
                (Err(error), _) => {
                    could_not.push(error.to_string());
                    continue;
                }
                (Ok(None), Some(new)) => Edit::Remove { old_text: new.clone() },
                (Ok(Some(entry)), None) => Edit::Add { entry },
                (Ok(Some(entry)), Some(new)) => Edit::Replace { old_text: new.clone(), entry },
                (Ok(None), None) => continue,
            };
            match apply(&document, &[edit], target, limit) {
                Ok(outcome) => document = outcome.document,
                Err(error) => {
                    let name = effect.old.as_ref().or(effect.new.as_ref());
                    could_not.push(format!("{}: {error}", name.map_or("entry", String::as_str)));
                }
            }
        }
        (document, could_not)
    }

    /// Brings an archived text back as an entry: `id` is an archived note's, or an entry's that left last.
    pub fn restore(&self, id: &str) -> Result<Restored, Refusal> {
        self.check_write()?;
        let archive = match EntryId::parse(id) {
            Some(id) => self.last_archived(&id)?,
            None => id.to_owned(),
        };
        let archived = self.store.archived(&archive)?;
        let target = archived.origin;
        let entry = self.archived_entry(&archive)?;
        let request =
            EditRequest { target, edits: vec![Edit::Add { entry }], expected_sha256: None };
        Ok(Restored { archive: archived.id, edited: self.make(&request, Kind::Restore)? })
    }

    fn archived_entry(&self, id: &str) -> Result<Entry, MemoryError> {
        let archived = self.store.archived(id)?;
        Entry::parse(&archived.text)
            .map_err(|error| MemoryError::Edit { target: archived.origin, source: error.into() })
    }

    fn last_archived(&self, id: &EntryId) -> Result<String, MemoryError> {
        let records = self.store.journal()?;
        let mut effects = records.iter().rev().flat_map(|record| record.effects.iter().rev());
        let found = effects.find(|effect| effect.old.as_deref() == Some(id.as_str()));
        found.and_then(|effect| effect.archive.clone()).ok_or_else(|| {
            MemoryError::not_found(
                format!("nothing was archived of `{id}`"),
                "the history names every archived note",
            )
        })
    }
}
