//! What hands and editors did to a file since it was last seen.

use std::collections::HashSet;

use super::{
    archive::{self, Reason},
    base,
    effects::{archive_steps, discard},
    file::Seen,
    journal::{self, Author, Kind},
    lock::WriteLock,
    store::{Change, Plan, Store, new_run},
};
use crate::{
    error::MemoryError,
    memory::{Document, Edit, Entry, EntryId, Target, apply, differences},
};

impl Store {
    /// Reads the file after taking over what hands and editors did to it since it was last seen.
    pub(super) fn absorb(
        &self,
        change: &Change,
        lock: &WriteLock,
        reports: &mut Vec<String>,
    ) -> Result<Seen, MemoryError> {
        loop {
            let seen = self.read(change.target)?;
            seen.check_writable()?;
            self.note_hand_edit(change, &seen)?;
            if !self.merge_late(change, &seen, lock, reports)? {
                return Ok(seen);
            }
        }
    }

    /// Journals what a hand edit changed against the copy last seen, and archives what it took out.
    fn note_hand_edit(&self, change: &Change, seen: &Seen) -> Result<(), MemoryError> {
        let target = change.target;
        let hash = base::hash(&seen.bytes);
        let copies = base::copies(&self.place, target);
        if copies.iter().any(|copy| copy.hash == hash) {
            if copies.len() > 1 {
                self.void_interrupted(target, &hash)?;
                base::forget_others(&self.place, target, &hash);
            }
            return Ok(());
        }
        let base = copies.first();
        let before = base.and_then(base::Copy::document);
        let before = before.as_ref().map_or(&[][..], Document::entries);
        let steps = differences(before, seen.document.entries());
        if !steps.is_empty() {
            let hand = Change { by: Author::Hand, client: None, ..change.clone() };
            let effects = archive_steps(&self.place, &hand, Kind::Hand, &steps)?;
            let hashes = (base.map(|copy| copy.hash.clone()).unwrap_or_default(), hash.clone());
            journal::append(
                &self.place,
                &hand.record(&new_run(change), Kind::Hand, hashes, effects, None),
            )?;
        }
        if seen.exists() || base.is_some() {
            let path = self.place.state("base");
            base::keep(&self.place, target, &seen.bytes).map_err(MemoryError::writing(path))?;
            base::forget_others(&self.place, target, &hash);
        }
        Ok(())
    }

    /// Notes that the last announced change of `target` did not happen, where the file is not what it would have left.
    fn void_interrupted(&self, target: Target, hash: &str) -> Result<(), MemoryError> {
        let records = self.journal()?;
        let Some(last) = records.iter().rfind(|record| record.target() == target) else {
            return Ok(());
        };
        if last.after == hash {
            return Ok(());
        }
        journal::void(&self.place, &last.run)?;
        discard(&self.place, &last.effects);
        Ok(())
    }

    /// Brings in what an editor wrote into replaced files: new entries that fit are added, others archived.
    ///
    /// Returns whether the file was changed by it.
    fn merge_late(
        &self,
        change: &Change,
        seen: &Seen,
        lock: &WriteLock,
        reports: &mut Vec<String>,
    ) -> Result<bool, MemoryError> {
        let late = base::late(&self.place, change.target);
        if late.is_empty() {
            return Ok(false);
        }
        let target = change.target;
        let records = self.journal()?;
        let effects = records.iter().flat_map(|record| &record.effects);
        let known: HashSet<_> =
            effects.flat_map(|effect| effect.old.iter().chain(&effect.new)).collect();
        let mut document = seen.document.clone();
        let (mut steps, mut archived) = (Vec::new(), Vec::new());
        for late in &late {
            let found = Document::parse(&late.bytes);
            for entry in found.entries() {
                let id = EntryId::of(target, entry);
                if known.contains(&id.as_str().to_owned()) || document.entries().contains(entry) {
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
                    archived.push(archive::put(
                        &self.place,
                        &id,
                        text,
                        Reason::LateWrite,
                        by,
                        change.now,
                    )?);
                }
            }
        }
        let count = steps.len();
        if count > 0 {
            let plan =
                Plan { text: document.text().to_owned(), steps, kind: Kind::Late, undoes: None };
            let hand = Change { by: Author::Hand, client: None, ..change.clone() };
            if self.commit(&hand, &plan, seen, lock)?.is_none() {
                for note in &archived {
                    archive::discard(&self.place, note);
                }
                return Ok(true);
            }
        }
        let run = new_run(change);
        for late in &late {
            late.done(&self.place, target, &run);
        }
        if count + archived.len() > 0 {
            let kept = if archived.is_empty() {
                String::new()
            } else {
                format!(", archived {}", archived.join(", "))
            };
            let name = target.file_name();
            reports.push(format!(
                "an editor wrote into a {name} that had been replaced: added {count} entries{kept}"
            ));
        }
        Ok(count > 0)
    }
}
