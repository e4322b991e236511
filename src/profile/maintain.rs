//! Maintenance: what has stopped being true, and what has reached its age.

use jiff::{Span, Timestamp, tz::Offset};
use serde_json::{Value, json};

use super::{Meant, Profile};
use crate::{
    config::Then,
    error::MemoryError,
    notes::{Layer, Note},
    recall::Progress,
    storage::{Kind, NoteStep, Reason, read_note, read_text, scan},
};

/// What a maintenance did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Maintained {
    /// Notes that had stopped being true, and are in the archive.
    pub expired: Vec<String>,
    /// Notes that had reached their age, and are in the archive.
    pub archived: Vec<String>,
    /// How many had reached their age, and are gone.
    pub erased: usize,
    /// What the caller should know beside, one line each.
    pub warnings: Vec<String>,
}

/// How long after one maintenance the next is due.
const DAY: std::time::Duration = std::time::Duration::from_secs(24 * 60 * 60);

impl Maintained {
    /// Returns it as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "success": true,
            "expired": self.expired,
            "archived": self.archived,
            "erased": self.erased,
            "warnings": self.warnings,
        })
    }
}

impl Profile {
    /// Applies expiry and the retention limits of the configuration; a second time at once does nothing.
    pub fn maintain(&self, progress: &mut dyn FnMut(Progress)) -> Result<Maintained, MemoryError> {
        self.check_write()?;
        let now = Timestamp::now();
        let mut done = Maintained::default();
        let living: Vec<_> =
            Layer::FOLDERS.into_iter().filter(|layer| *layer != Layer::Archive).collect();
        let notes = self.read_all(&living);
        let expired: Vec<_> = notes.iter().filter(|note| note.is_expired(now)).collect();
        done.expired = self.put_away(&expired, &Reason::Expired, &mut done.warnings)?;
        let mut goes = Vec::new();
        for (layer, retention) in &self.config.retention {
            let Some(before) = back(&retention.after.0, now) else { continue };
            let Ok(layer) = layer.parse::<Layer>() else { continue };
            let notes = self.read_all(&[layer]);
            let old: Vec<_> = notes.iter().filter(|note| note.updated < before).collect();
            match retention.then {
                Then::Archive if layer == Layer::Archive => {}
                Then::Archive => {
                    let ids = self.put_away(&old, &Reason::Retention, &mut done.warnings)?;
                    done.archived.extend(ids);
                }
                Then::Erase => goes.extend(old.iter().filter_map(|note| {
                    let text = read_text(self.store.place(), &note.id)?;
                    Some(Meant::of(note.id.clone(), note.layer, text.as_bytes(), note.text()))
                })),
            }
        }
        if !goes.is_empty() {
            let erased = self.erase(&goes, progress)?;
            done.erased = erased.count;
            done.warnings.extend(erased.warnings.into_iter().chain(erased.left));
        }
        Ok(done)
    }

    /// Does the same where this value may write and it was not done for a day.
    pub fn maintain_daily(&self) {
        let due = self.store.place().state("maintained");
        let age = std::fs::metadata(&due).and_then(|found| found.modified()).ok();
        let is_done = age.is_some_and(|at| at.elapsed().is_ok_and(|age| age < DAY));
        if is_done || !self.may_write() || !self.store.place().dir.is_dir() {
            return;
        }
        // What fails is tried again tomorrow, or told by a maintenance by hand.
        let _ = std::fs::write(&due, "");
        let _ = self.maintain(&mut |_| {});
    }

    fn read_all(&self, layers: &[Layer]) -> Vec<Note> {
        let place = self.store.place();
        let files = scan(place, layers).files;
        files
            .iter()
            .filter_map(|file| Some(read_note(place, &file.id, file.layer).ok()??.note))
            .collect()
    }

    /// Moves notes to the archive; returns those that went.
    fn put_away(
        &self,
        notes: &[&Note],
        reason: &Reason,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<String>, MemoryError> {
        let run = self.run_of(Kind::Edit);
        let (_, ids) = self.store.change_notes(&run, warnings, || {
            let (mut steps, mut ids) = (Vec::new(), Vec::new());
            for note in notes {
                let seen = self.store.see_note(&note.id)?;
                // A note that is marked read-only is meant to stay.
                if !seen.exists() || seen.check_writable().is_err() {
                    continue;
                }
                ids.push(note.id.clone());
                let (id, reason) = (note.id.clone(), Some(reason.clone()));
                steps.push(NoteStep { id, seen, after: None, from: None, reason });
            }
            Ok((steps, ids))
        })?;
        Ok(ids)
    }
}

/// Returns the time so long before `now`.
fn back(text: &str, now: Timestamp) -> Option<Timestamp> {
    let span: Span = text.parse().ok()?;
    Offset::UTC.to_timestamp(Offset::UTC.to_datetime(now).checked_sub(span).ok()?).ok()
}
