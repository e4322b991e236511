//! What hands and editors did to a file since it was last seen.

use std::{collections::HashSet, time::Instant};

use super::{
    archive::{self, Reason},
    base,
    effects::{archive_steps, discard},
    file::Seen,
    journal::{self, Author, Effect, Kind, Record},
    lock::WriteLock,
    store::{Change, Plan, Store, new_run},
    undo,
};
use crate::{
    digest,
    error::MemoryError,
    memory::{Document, Edit, Entry, EntryId, Step, Target, apply, differences},
};

impl Store {
    /// Reads the file after taking over what hands and editors did to it since it was last seen.
    pub(super) fn absorb(
        &self,
        change: &Change,
        lock: &WriteLock,
        deadline: Instant,
        reports: &mut Vec<String>,
    ) -> Result<Seen, MemoryError> {
        loop {
            let seen = self.read(change.target)?;
            seen.check_writable()?;
            self.note_hand_edit(change, &seen, reports)?;
            if !self.merge_late(change, &seen, lock, reports)? {
                return Ok(seen);
            }
            if Instant::now() > deadline {
                return Err(MemoryError::Conflict { what: seen.path.display().to_string() });
            }
        }
    }

    /// Returns what a hand edit changed since the file was last seen, as steps; `None` where nobody touched it.
    pub fn hand_edit(&self, target: Target, seen: &Seen) -> Option<Vec<Step>> {
        let hash = digest::hex(&seen.bytes);
        let copies = base::copies(&self.place, target).ok()?;
        let known = copies.iter().any(|copy| copy.hash == hash);
        let before = copies.first().filter(|_| !known)?.bytes(&self.place).ok()??;
        Some(differences(Document::parse(&before).entries(), seen.document.entries()))
    }

    /// Journals what a hand edit changed against the copy last seen, and archives what it took out.
    fn note_hand_edit(
        &self,
        change: &Change,
        seen: &Seen,
        reports: &mut Vec<String>,
    ) -> Result<(), MemoryError> {
        let target = change.target;
        let hash = digest::hex(&seen.bytes);
        let reading = |source| MemoryError::Read { path: self.place.state("base"), source };
        let copies = base::copies(&self.place, target).map_err(reading)?;
        let mut whole = Vec::new();
        for copy in &copies {
            whole.extend(copy.bytes(&self.place).map_err(reading)?.map(|bytes| (copy, bytes)));
        }
        if whole.iter().any(|(copy, _)| copy.hash == hash) {
            if copies.len() > 1 {
                self.void_interrupted(target, seen, &hash)?;
                base::forget_others(&self.place, target, &hash);
            }
            return Ok(());
        }
        let base = whole.first().map(|(copy, _)| *copy);
        let before = whole.first().map(|(_, bytes)| bytes.clone()).unwrap_or_default();
        let steps = differences(Document::parse(&before).entries(), seen.document.entries());
        // A process that was killed right after it had journalled the edit did not come to keep the copy.
        let records = self.journal()?;
        let last = records.iter().rfind(|record| record.target() == Some(target));
        if !steps.is_empty() && last.is_none_or(|last| last.after != hash || !self.has_notes(last))
        {
            let hand = Change { by: Author::Hand, client: None, ..change.clone() };
            let run = new_run(change.now);
            let effects = archive_steps(&self.place, &hand, Kind::Hand, &steps)?;
            if base.is_some() {
                undo::keep(&self.place, &run, &before);
            }
            let hashes = (base.map(|copy| copy.hash.clone()).unwrap_or_default(), hash.clone());
            let record = hand.record(&run, Kind::Hand, hashes, effects.clone(), None);
            journal::append(&self.place, &record)
                .inspect_err(|_| discard(&self.place, &effects))?;
            let gone: Vec<_> =
                effects.iter().filter_map(|effect| effect.archive.as_deref()).collect();
            if !gone.is_empty() {
                let name = target.file_name();
                reports.push(format!("a hand edit of {name} took out {}", gone.join(", ")));
            }
        }
        if seen.exists() || base.is_some() {
            let path = self.place.state("base");
            base::keep(&self.place, target, &seen.bytes).map_err(MemoryError::writing(path))?;
            base::forget_others(&self.place, target, &hash);
        }
        Ok(())
    }

    /// Returns whether every note that a change wrote is there.
    fn has_notes(&self, record: &Record) -> bool {
        let notes = record.effects.iter().filter_map(|effect| effect.archive.as_deref());
        notes.into_iter().all(|note| archive::get(&self.place, note).is_ok())
    }

    /// Notes that the last announced change of `target` did not happen, where the file is what it was before.
    fn void_interrupted(&self, target: Target, seen: &Seen, hash: &str) -> Result<(), MemoryError> {
        let records = self.journal()?;
        let last = records.iter().rfind(|record| record.target() == Some(target));
        let Some(last) = last.filter(|last| last.before == hash && last.after != hash) else {
            return Ok(());
        };
        journal::void(&self.place, &last.run)?;
        // A note goes only where its text is still in the file.
        let ids: HashSet<_> = seen
            .document
            .entries()
            .iter()
            .map(|entry| EntryId::of(target, entry).to_string())
            .collect();
        let is_there = |effect: &&Effect| effect.old.as_ref().is_some_and(|old| ids.contains(old));
        let effects: Vec<_> = last.effects.iter().filter(is_there).cloned().collect();
        discard(&self.place, &effects);
        Ok(())
    }

    /// Brings in what an editor wrote into replaced files: new entries that fit are added, others archived.
    ///
    /// Returns whether the file must be read again.
    fn merge_late(
        &self,
        change: &Change,
        seen: &Seen,
        lock: &WriteLock,
        reports: &mut Vec<String>,
    ) -> Result<bool, MemoryError> {
        let reading = MemoryError::reading(self.place.state("base"));
        let late = base::late(&self.place, change.target, seen).map_err(reading)?;
        if late.is_empty() {
            return Ok(false);
        }
        let target = change.target;
        let hand = Change { by: Author::Hand, client: None, ..change.clone() };
        let records = self.journal()?;
        let mut known = HashSet::new();
        for record in &records {
            for effect in &record.effects {
                known.extend(effect.new.clone());
                match &effect.old {
                    // An editor that empties a file before it fills it has not taken anything out.
                    Some(old) if record.kind == Kind::Hand => drop(known.remove(old)),
                    old => known.extend(old.clone()),
                }
            }
        }
        let mut document = seen.document.clone();
        let (mut steps, mut archived) = (Vec::new(), Vec::new());
        for late in &late {
            let found = Document::parse(&late.bytes);
            for entry in found.entries() {
                let id = EntryId::of(target, entry);
                if known.contains(&id.to_string()) || document.entries().contains(entry) {
                    continue;
                }
                let added = Entry::parse(entry.as_str()).ok().filter(|_| found.is_utf8()).and_then(
                    |entry| apply(&document, &[Edit::Add { entry }], target, change.limit).ok(),
                );
                if let Some(outcome) = added {
                    document = outcome.document;
                    steps.extend(outcome.steps);
                } else {
                    let text =
                        if found.is_utf8() { entry.as_str().as_bytes() } else { &late.bytes };
                    let by = Author::Hand.as_str();
                    let note = archive::put_entry(
                        &self.place,
                        &id,
                        text,
                        &Reason::LateWrite,
                        by,
                        change.now,
                    )?;
                    let (old, archive) = (Some(id.to_string()), Some(note));
                    archived.push(Effect { old, archive, ..Effect::default() });
                }
            }
        }
        let count = steps.len();
        if count > 0 {
            let plan =
                Plan { text: document.text().to_owned(), steps, kind: Kind::Late, undoes: None };
            if self.commit(&hand, &plan, seen, lock, reports)?.is_none() {
                discard(&self.place, &archived);
                return Ok(true);
            }
        }
        if !archived.is_empty() {
            let hash = digest::hex(document.text().as_bytes());
            let record = hand.record(
                &new_run(change.now),
                Kind::Late,
                (hash.clone(), hash),
                archived.clone(),
                None,
            );
            journal::append(&self.place, &record)?;
        }
        let run = new_run(change.now);
        for late in &late {
            late.done(target, &run);
        }
        if count + archived.len() > 0 {
            let notes: Vec<_> =
                archived.iter().filter_map(|effect| effect.archive.as_deref()).collect();
            let kept = if notes.is_empty() {
                String::new()
            } else {
                format!(", archived {}", notes.join(", "))
            };
            let (name, noun) = (target.file_name(), if count == 1 { "entry" } else { "entries" });
            reports.push(format!(
                "an editor wrote into a {name} that had been replaced: added {count} {noun}{kept}"
            ));
        }
        Ok(count > 0)
    }
}
