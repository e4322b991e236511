//! Taking changes back.

use std::collections::HashSet;

use super::{EditRequest, Profile};
use crate::{
    digest,
    error::MemoryError,
    memory::{Document, Edit, Entry, EntryError, EntryId, Target, apply, differences, preview},
    storage::{Kind, Origin, Plan, Record},
    tool::{Edited, Refusal},
};

/// A change that was taken back.
#[derive(Clone, Debug)]
pub struct Undone {
    /// The change.
    pub run: String,
    /// The file or note it was about, the first one of several.
    pub target: String,
    /// Whether everything is what it was before, byte for byte.
    pub exact: bool,
    /// What could not be taken back, one line each.
    pub could_not: Vec<String>,
    /// A bounded file now, where one was changed.
    pub edited: Option<Edited>,
    /// How many files and notes it was about.
    pub parts: usize,
    /// What the caller should know beside, one line each.
    pub warnings: Vec<String>,
}

impl Undone {
    /// Adds another part of the same change.
    fn add(&mut self, other: Self) {
        self.exact &= other.exact;
        self.could_not.extend(other.could_not);
        self.warnings.extend(other.warnings);
        self.edited = self.edited.take().or(other.edited);
        self.parts += other.parts;
    }
}

/// An archived text that is back.
#[derive(Clone, Debug)]
pub enum Restored {
    /// As an entry of a bounded file.
    Entry {
        /// The archived note.
        archive: String,
        /// The file now.
        edited: Edited,
    },
    /// As the note it was.
    Note {
        /// The archived note.
        archive: String,
        /// The note.
        id: String,
        /// What the caller should know beside, one line each.
        warnings: Vec<String>,
    },
}

/// Changes tried at most when the last ones cannot be taken back.
const TRIED: usize = 20;

impl Profile {
    /// Takes back the change `run`, or the last one that can be: an edit, a restore, or what a hand changed.
    ///
    /// To the byte where the file has not moved since; else entry by entry.
    pub fn undo(&self, run: Option<&str>) -> Result<Undone, Refusal> {
        self.check_write()?;
        let mut reports = self.settle();
        let mut refused = Vec::new();
        for records in self.undoable(run)?.iter().take(TRIED) {
            let Some(first) = records.first() else { continue };
            match self.undo_run(records)? {
                Ok(mut undone) => {
                    reports.extend(refused);
                    reports.append(&mut undone.warnings);
                    return Ok(Undone { warnings: reports, ..undone });
                }
                Err(could_not) => {
                    refused.push(format!(
                        "nothing of {} can be taken back: {}",
                        first.run,
                        could_not.join("; ")
                    ));
                }
            }
        }
        let hint = "restore what you miss from the archive, by its id";
        let error = MemoryError::not_found(refused.join("; "), hint);
        Err(Refusal { warnings: reports, ..error.into() })
    }

    /// Takes over what hands did to both files, so that their changes are known too; returns what there is to tell.
    fn settle(&self) -> Vec<String> {
        let settle = |target| match self.store.settle(&self.change(target)) {
            Ok(reports) => reports,
            // A file that cannot be written is no reason not to change the other.
            Err(error) => vec![error.chain()],
        };
        Target::ALL.into_iter().flat_map(settle).collect()
    }

    /// Takes one change back: of each file it was about, and of its notes.
    fn undo_run(&self, records: &[Record]) -> Result<Result<Undone, Vec<String>>, MemoryError> {
        let (files, notes): (Vec<&Record>, Vec<&Record>) =
            records.iter().partition(|record| record.target().is_some());
        let mut done: Option<Undone> = None;
        let mut could_not = Vec::new();
        let notes: Vec<Record> = notes.into_iter().cloned().collect();
        let of_notes = (!notes.is_empty()).then(|| self.undo_notes(&notes));
        let of_files = files.into_iter().rev().map(|record| self.undo_one(record));
        for undone in of_notes.into_iter().chain(of_files) {
            match (undone?, &mut done) {
                (Err(why), _) => could_not.extend(why),
                (Ok(undone), None) => done = Some(undone),
                (Ok(undone), Some(all)) => all.add(undone),
            }
        }
        Ok(match done {
            None => Err(could_not),
            Some(mut undone) => {
                undone.exact &= could_not.is_empty();
                undone.could_not.extend(could_not);
                Ok(undone)
            }
        })
    }

    /// Takes the change of one file back; where nothing of it can be, says why.
    fn undo_one(&self, record: &Record) -> Result<Result<Undone, Vec<String>>, MemoryError> {
        let target = record.target().unwrap_or(Target::Memory);
        let mut reports = Vec::new();
        let (written, (exact, could_not)) =
            self.store.change(&self.change(target), &mut reports, |seen| {
                // Another process may have taken it back while this one waited for the lock.
                self.undoable(Some(&record.run))?;
                let exact = self.exactly(record, &seen.document);
                let is_exact = exact.is_some();
                let (document, could_not) = match exact {
                    Some(document) => (document, Vec::new()),
                    None => self.one_by_one(record, &seen.document),
                };
                let steps = differences(seen.document.entries(), document.entries());
                let (text, undoes) = (document.text().to_owned(), Some(record.run.clone()));
                Ok((Plan { text, steps, kind: Kind::Undo, undoes }, (is_exact, could_not)))
            })?;
        if written.run.is_none() {
            return Ok(Err(could_not));
        }
        let edited = Edited { run: written.run, ..self.edited(target, &written.seen) };
        Ok(Ok(Undone {
            run: record.run.clone(),
            target: record.target.clone(),
            exact,
            could_not,
            edited: Some(edited),
            parts: 1,
            warnings: reports,
        }))
    }

    /// Returns the changes that can be taken back, the last one first; or the one that is named. Each may be about several
    /// notes.
    pub(super) fn undoable(&self, run: Option<&str>) -> Result<Vec<Vec<Record>>, MemoryError> {
        let records = self.store.journal()?;
        // A change of several files is taken back file by file, and of its notes at once.
        let undone: HashSet<_> = records
            .iter()
            .filter_map(|record| Some((record.undoes.as_deref()?, record.target())))
            .collect();
        let can = |record: &&Record| {
            // What a file held when carnet first saw it is nobody's change.
            let found = record.kind == Kind::Hand && record.before.is_empty();
            let is_undone = undone.contains(&(record.run.as_str(), record.target()));
            record.kind != Kind::Undo && !found && !is_undone
        };
        let mut runs: Vec<Vec<Record>> = Vec::new();
        for record in
            records.iter().filter(|record| run.is_none_or(|run| record.run == run)).filter(can)
        {
            let is_of = |run: &&mut Vec<Record>| run.iter().any(|other| other.run == record.run);
            match runs.iter_mut().rev().find(is_of) {
                Some(run) => run.push(record.clone()),
                None => runs.push(vec![record.clone()]),
            }
        }
        if !runs.is_empty() {
            runs.reverse();
            return Ok(runs);
        }
        let undone = |run: &str| undone.iter().any(|(undone, _)| *undone == run);
        Err(match run {
            None => {
                MemoryError::not_found("there is no change to take back", "look at the history")
            }
            Some(run) if undone(run) => {
                let hint = "restore what you miss from the archive, by its id";
                MemoryError::not_found(format!("`{run}` was taken back already"), hint)
            }
            Some(run) => {
                let what = format!("`{}` names no change that can be taken back", preview(run, 40));
                MemoryError::not_found(
                    what,
                    "look at the history: each change but an undo has a name there",
                )
            }
        })
    }

    /// Returns the file as it was before `record`; `None` where it has moved since.
    fn exactly(&self, record: &Record, document: &Document) -> Option<Document> {
        if digest::hex(document.text().as_bytes()) != record.after {
            return None;
        }
        let spliced = || {
            let mut text = document.text().to_owned();
            for effect in record.effects.iter().rev() {
                let old = match &effect.archive {
                    Some(id) => Some(self.store.archived(id).ok()?.text),
                    None => None,
                };
                let inverse: crate::memory::Inverse = effect.inverse.as_ref()?.into();
                text = inverse.apply(&text, old.as_deref())?;
            }
            Some(text)
        };
        let kept = || String::from_utf8(self.store.bytes_before(&record.run)?).ok();
        let is_before = |text: &String| digest::hex(text.as_bytes()) == record.before;
        spliced().filter(is_before).or_else(|| kept().filter(is_before)).map(Document::of)
    }

    /// Takes back the effects of `record` on a file that has moved; returns it, and what could not be done.
    ///
    /// The limit is compared with the end; where that is too full, with each effect.
    fn one_by_one(&self, record: &Record, document: &Document) -> (Document, Vec<String>) {
        let limit = self.config.limits.of(record.target().unwrap_or(Target::Memory));
        let (whole, could_not) = self.take_back(record, document, usize::MAX);
        let used = whole.usage(limit).used;
        if used <= limit || used <= document.usage(limit).used {
            return (whole, could_not);
        }
        self.take_back(record, document, limit)
    }

    fn take_back(
        &self,
        record: &Record,
        document: &Document,
        limit: usize,
    ) -> (Document, Vec<String>) {
        let target = record.target().unwrap_or(Target::Memory);
        let mut document = document.clone();
        let mut could_not = Vec::new();
        for effect in record.effects.iter().rev() {
            // By its whole text: an id that is gone might be quoted in another entry.
            let text = |id: &String| {
                let is_it = |entry: &&Entry| EntryId::of(target, entry).as_str() == id;
                document.entries().iter().find(is_it).map(|entry| entry.as_str().to_owned())
            };
            let old = effect.archive.as_deref().map(|id| self.archived_entry(id)).transpose();
            let name = effect.new.as_ref().or(effect.old.as_ref()).cloned().unwrap_or_default();
            let edit = match (old, effect.new.as_ref().map(text)) {
                (Err(error), _) => Err(error.chain()),
                (Ok(_), Some(None)) => Err("it is not there any more".to_owned()),
                (Ok(None), Some(Some(old_text))) => Ok(Edit::Remove { old_text }),
                (Ok(Some(entry)), None) => Ok(Edit::Add { entry }),
                (Ok(Some(entry)), Some(Some(old_text))) => Ok(Edit::Replace { old_text, entry }),
                (Ok(None), None) => continue,
            };
            let applied = edit.and_then(|edit| {
                apply(&document, &[edit], target, limit).map_err(|error| error.to_string())
            });
            match applied {
                Ok(outcome) => document = outcome.document,
                Err(why) => could_not.push(format!("{name}: {why}")),
            }
        }
        (document, could_not)
    }

    /// Brings an archived text back as what it was: `id` is an archived note's, or an entry's that left last.
    pub fn restore(&self, id: &str) -> Result<Restored, Refusal> {
        self.check_write()?;
        let mut reports = self.settle();
        let archive = match EntryId::parse(id) {
            Some(id) => self.last_archived(&id)?,
            None => id.to_owned(),
        };
        let archived = self.store.archived(&archive)?;
        let target = match &archived.origin {
            Origin::File(target) => *target,
            Origin::Note(id) => {
                self.restore_note(id, &archived.text, &mut reports)?;
                let (archive, id) = (archived.id, id.clone());
                return Ok(Restored::Note { archive, id, warnings: reports });
            }
        };
        let entry = self.archived_entry(&archive)?;
        let request =
            EditRequest { target, edits: vec![Edit::Add { entry }], expected_sha256: None };
        reports.append(&mut self.scan(&request)?);
        let mut edited = self.make(&request, Kind::Restore)?;
        reports.append(&mut edited.warnings);
        let edited = Edited { warnings: reports, ..edited };
        Ok(Restored::Entry { archive: archived.id, edited })
    }

    /// Returns an archived text as an entry; one that was in a file may hold a separator in a closed fence.
    fn archived_entry(&self, id: &str) -> Result<Entry, MemoryError> {
        let archived = self.store.archived(id)?;
        let Origin::File(target) = archived.origin else {
            let what = format!("`{id}` was a note, and no entry");
            return Err(MemoryError::bad_request(what, "restore it as the note it was"));
        };
        let empty = || MemoryError::Edit { target, source: EntryError::Empty.into() };
        Entry::found(&archived.text).ok_or_else(empty)
    }

    /// Returns the note to which the entry `id` went last.
    pub(super) fn last_archived(&self, id: &EntryId) -> Result<String, MemoryError> {
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
