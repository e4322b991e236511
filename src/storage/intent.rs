//! What a change of several notes is about to do, written before the first of them is touched: where the process is killed
//! on the way, the next write finishes it.

use std::{fs, path::PathBuf};

use serde::{Deserialize, Serialize};

use super::{
    file::{Replacement, read_state},
    journal::{self, Record},
    lock::WriteLock,
    note_change::{NoteRun, NoteStep},
    place::{Place, sync_dir},
    store::Store,
};
use crate::{digest, error::MemoryError, whole::beside};

/// A change of several notes on its way.
#[derive(Debug, Serialize, Deserialize)]
struct Intent {
    notes: Vec<Intended>,
}

/// One note of it.
#[derive(Debug, Serialize, Deserialize)]
struct Intended {
    record: Record,
    /// What it is to hold; `None` takes it out.
    after: Option<String>,
}

fn path(place: &Place) -> PathBuf {
    place.state("intent.json")
}

/// Writes down what the steps are about to do, synced.
pub(super) fn write(
    place: &Place,
    records: &[Record],
    steps: &[NoteStep],
) -> Result<(), MemoryError> {
    let path = path(place);
    place.create_parent(&path)?;
    let notes = records
        .iter()
        .zip(steps)
        .map(|(record, step)| Intended { record: record.clone(), after: step.after.clone() });
    let intent = Intent { notes: notes.collect() };
    let write = || {
        let temporary = beside(&path, &serde_json::to_vec(&intent)?)?;
        temporary.as_file().sync_all()?;
        temporary.persist(&path).map_err(|failed| failed.error)?;
        sync_dir(path.parent().unwrap_or(&place.dir))
    };
    write().map_err(MemoryError::writing(&path))
}

/// Takes it back for good: one that came again after a power cut would undo what was done since.
pub(super) fn clear(place: &Place) -> Result<(), MemoryError> {
    let path = path(place);
    match fs::remove_file(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        removed => removed.map_err(MemoryError::writing(&path))?,
    }
    sync_dir(path.parent().unwrap_or(&place.dir)).map_err(MemoryError::writing(&path))
}

impl Store {
    /// Returns whether a change of notes was interrupted, which the next write finishes.
    pub fn is_interrupted(&self) -> bool {
        fs::symlink_metadata(path(&self.place)).is_ok()
    }

    /// Takes the write lock, and finishes a change of notes that was interrupted.
    pub(super) fn lock(&self, reports: &mut Vec<String>) -> Result<WriteLock, MemoryError> {
        let lock = WriteLock::take(&self.place)?;
        if self.is_interrupted() {
            self.finish(reports)?;
        }
        Ok(lock)
    }

    fn finish(&self, reports: &mut Vec<String>) -> Result<(), MemoryError> {
        let found = read_state(&self.place, &path(&self.place)).map_err(|error| error.to_string());
        let intent = found.and_then(|found| {
            let bytes = found.map(|(bytes, _)| bytes).unwrap_or_default();
            serde_json::from_slice::<Intent>(&bytes).map_err(|error| error.to_string())
        });
        let intent = match intent {
            Ok(intent) => intent,
            Err(why) => {
                reports.push(format!(
                    "a change of notes was interrupted and cannot be finished: {why}"
                ));
                return clear(&self.place);
            }
        };
        let records: Vec<_> = intent.notes.iter().map(|note| note.record.clone()).collect();
        let run = records.first().map(|record| record.run.clone()).unwrap_or_default();
        // A change may have several parts, and this one may not have been announced yet.
        let known = journal::read(&self.place)?;
        let new: Vec<_> = records.iter().filter(|one| !known.contains(one)).cloned().collect();
        if !new.is_empty() {
            journal::append_all(&self.place, &new)?;
        }
        let mut left = 0;
        for note in &intent.notes {
            left += usize::from(!self.finish_note(note, reports)?);
        }
        reports.push(match left {
            0 => format!("{run}, a change of {} notes, was interrupted: it is finished now", records.len()),
            left => format!("{run}, a change of {} notes, was interrupted: it is finished now but for {left} that changed since", records.len()),
        });
        clear(&self.place)
    }

    /// Makes one note what it was to be; false where it is neither what it was nor what it was to be.
    fn finish_note(&self, note: &Intended, reports: &mut Vec<String>) -> Result<bool, MemoryError> {
        let Intended { record, after } = note;
        let hash = |id: &str| {
            let seen = self.see_note(id)?;
            let hash = if seen.exists() { digest::hex(&seen.bytes) } else { String::new() };
            Ok::<_, MemoryError>((seen, hash))
        };
        let (seen, now) = hash(&record.target)?;
        if now == record.after {
            return Ok(true);
        }
        let old = record.effects.first().and_then(|effect| effect.old.as_ref());
        let moves = old.filter(|old| **old != record.target && !seen.exists());
        let (seen, now, from) = match moves {
            Some(old) => {
                let (seen, now) = hash(old)?;
                (seen, now, Some(old.clone()))
            }
            None => (seen, now, None),
        };
        if now != record.before {
            return Ok(false);
        }
        let tmp = self.place.state("tmp/x");
        self.place.create_parent(&tmp)?;
        let path = self.note_path(&record.target)?;
        self.place.create_parent(&path)?;
        let tmp = tmp.parent().unwrap_or(&self.place.dir);
        let prepare = |text: &String| {
            let prepared = Replacement::prepare_in(tmp, "note-", &seen, text.as_bytes());
            prepared.map_err(MemoryError::writing(&path))
        };
        let replacement = after.as_ref().map(prepare).transpose()?;
        let id = record.target.clone();
        let step = NoteStep { id, seen, after: after.clone(), from, reason: None };
        self.place_note(&NoteRun::of(record), &step, replacement, reports)
    }
}
