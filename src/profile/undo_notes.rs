//! Taking changes of notes back, and archived notes out of the archive.

use jiff::Timestamp;

use super::{Profile, Undone};
use crate::{
    digest,
    error::MemoryError,
    notes::{Key, Note},
    storage::{Kind, NoteRun, NoteStep, Reason, Record, Seen, note_file},
};

impl Profile {
    /// Returns whose change of notes it is.
    pub(super) fn run_of(&self, kind: Kind) -> NoteRun {
        NoteRun {
            by: self.author(),
            client: self.client().map(str::to_owned),
            now: Timestamp::now(),
            kind,
            undoes: None,
            name: None,
        }
    }

    /// Takes the change of these notes back, each to the byte where it has not moved since; where nothing of it can be, says why.
    pub(super) fn undo_notes(
        &self,
        records: &[Record],
    ) -> Result<Result<Undone, Vec<String>>, MemoryError> {
        let Some(first) = records.first() else { return Ok(Err(Vec::new())) };
        let run = NoteRun { undoes: Some(first.run.clone()), ..self.run_of(Kind::Undo) };
        let mut warnings = Vec::new();
        let (done, could_not) = self.store.change_notes(&run, &mut warnings, || {
            // Another process may have taken it back while this one waited for the lock.
            self.undoable(Some(&first.run))?;
            let (mut steps, mut could_not) = (Vec::new(), Vec::new());
            for (number, record) in records.iter().enumerate().rev() {
                match self.note_as_before(record, number, records)? {
                    Ok(step) => steps.push(step),
                    Err(why) => could_not.push(format!("{}: {why}", record.target)),
                }
            }
            Ok((steps, could_not))
        })?;
        if done.is_none() {
            return Ok(Err(could_not));
        }
        Ok(Ok(Undone {
            run: first.run.clone(),
            target: first.target.clone(),
            exact: could_not.is_empty(),
            could_not,
            edited: None,
            parts: records.len(),
            warnings,
        }))
    }

    /// Returns the step that makes a note what it was before `record`, one of the `records` of its change, or why there is
    /// none.
    fn note_as_before(
        &self,
        record: &Record,
        number: usize,
        records: &[Record],
    ) -> Result<Result<NoteStep, String>, MemoryError> {
        let Some(effect) = record.effects.first() else {
            return Ok(Err("it is not known what was changed".to_owned()));
        };
        if note_file(self.store.place(), &record.target).is_none() {
            return Ok(Err("it was erased, or no note may stand there any more".to_owned()));
        }
        let seen = self.store.see_note(&record.target)?;
        if !is_as_left(&seen, record) {
            let why =
                if seen.exists() { "it was changed since" } else { "it is not there any more" };
            return Ok(Err(why.to_owned()));
        }
        let before = || {
            let archived = effect.archive.as_deref().map(|id| self.store.archived(id));
            let text = match archived {
                Some(archived) => archived.ok()?.text,
                None => String::from_utf8(self.store.note_before(&record.run, number)?).ok()?,
            };
            (digest::hex(&text) == record.before).then_some(text)
        };
        let reason = Some(Reason::Undone);
        let id = record.target.clone();
        let Some(old) = &effect.old else {
            return Ok(Ok(NoteStep { id, seen, after: None, from: None, reason }));
        };
        let Some(text) = before() else {
            return Ok(Err("its text before is not kept any more".to_owned()));
        };
        let reason = reason.filter(|_| effect.archive.is_some());
        if effect.new.is_none()
            && let Some(other) = self.other_of_key(&id, &text)?
            && !self.goes_back(&other, records)?
        {
            return Ok(Err(format!("{other} has its key now")));
        }
        if effect.new.is_none() || *old == id {
            return Ok(Ok(NoteStep { id, seen, after: Some(text), from: None, reason }));
        }
        if self.store.see_note(old)?.exists() {
            return Ok(Err(format!("there is another note at {old}")));
        }
        // It is the very note that moved, so no other has its key.
        Ok(Ok(NoteStep { id: old.clone(), seen, after: Some(text), from: Some(id), reason }))
    }

    /// Returns whether the note `id` becomes what it was before `records` too: it got the key by the same change.
    fn goes_back(&self, id: &str, records: &[Record]) -> Result<bool, MemoryError> {
        let Some(record) = records.iter().find(|record| record.target == id) else {
            return Ok(false);
        };
        Ok(is_as_left(&self.store.see_note(id)?, record))
    }

    /// Returns another note that has the key which the note `id` has by `text`.
    fn other_of_key(&self, id: &str, text: &str) -> Result<Option<String>, MemoryError> {
        let Some((layer, _)) = note_file(self.store.place(), id) else { return Ok(None) };
        let note = Note::read(id, layer, text, Timestamp::UNIX_EPOCH);
        let Some(key) = note.fields.key.as_deref().and_then(|key| Key::parse(key).ok()) else {
            return Ok(None);
        };
        Ok(self.find_key(layer, &key)?.filter(|other| other != id))
    }

    /// Puts an archived note back where it was.
    pub(super) fn restore_note(
        &self,
        id: &str,
        text: &str,
        warnings: &mut Vec<String>,
    ) -> Result<(), MemoryError> {
        let run = self.run_of(Kind::Restore);
        let restored = self.store.change_notes(&run, warnings, || {
            let seen = self.store.see_note(id)?;
            if seen.exists() && seen.bytes != text.as_bytes() {
                let what = format!("{id} is there again and says something else, so it");
                return Err(MemoryError::Conflict { what });
            }
            if let Some(other) = self.other_of_key(id, text)? {
                return Err(MemoryError::Conflict {
                    what: format!("{id}: its key is that of {other} now, so it"),
                });
            }
            let step = NoteStep {
                id: id.to_owned(),
                after: Some(text.to_owned()),
                from: None,
                reason: None,
                seen,
            };
            Ok((if step.seen.exists() { Vec::new() } else { vec![step] }, ()))
        });
        restored.map(drop)
    }
}

/// Returns whether a note is what the change left, gone where it left nothing.
fn is_as_left(seen: &Seen, record: &Record) -> bool {
    let now = if seen.exists() { digest::hex(&seen.bytes) } else { String::new() };
    now == record.after
}
