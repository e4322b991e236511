//! Read, decide, replace: every write of a bounded file.

use std::{
    collections::HashSet,
    path::PathBuf,
    time::{Duration, Instant},
};

use jiff::Timestamp;

use super::{
    archive::{self, Archived, Reason},
    base,
    file::{self, Fingerprint, Placed, Replacement, Seen},
    journal::{self, Author, Effect, Kind, Record},
    lock::WriteLock,
    place::Place,
};
use crate::{
    error::MemoryError,
    memory::{Document, Edit, Entry, EntryId, Step, Target, apply, differences},
};

/// How long a file that keeps moving is tried again.
const PATIENCE: Duration = Duration::from_secs(5);

/// The bounded files of a profile.
#[derive(Debug)]
pub struct Store {
    place: Place,
}

/// Whose change it is, and when.
#[derive(Clone, Debug)]
pub struct Change {
    /// The file.
    pub target: Target,
    /// Its limit, for what an editor wrote late.
    pub limit: usize,
    /// Whose change it is.
    pub by: Author,
    /// What the agent calls itself.
    pub client: Option<String>,
    /// When.
    pub now: Timestamp,
}

/// What a decision wants the file to hold.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The whole text.
    pub text: String,
    /// What comes and goes with it.
    pub steps: Vec<Step>,
    /// What kind of change it is.
    pub kind: Kind,
    /// The change that it takes back.
    pub undoes: Option<String>,
}

/// What a change did.
#[derive(Clone, Debug)]
pub struct Written {
    /// The file as it is now.
    pub seen: Seen,
    /// Names the change; `None` where nothing was written.
    pub run: Option<String>,
    /// What else was found on the way, one line each.
    pub reports: Vec<String>,
}

impl Store {
    /// Returns the store in `place`.
    pub fn new(place: Place) -> Self {
        Self { place }
    }

    /// Returns where it is.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Reads the file of `target`, without a lock; a missing one reads as empty.
    pub fn read(&self, target: Target) -> Result<Seen, MemoryError> {
        file::read(self.place.bounded(target)?)
    }

    /// Returns the path of the file of `target`, symbolic links followed.
    pub fn path(&self, target: Target) -> Result<PathBuf, MemoryError> {
        self.place.bounded(target)
    }

    /// Returns whether an editor has written into a file of `target` that had been replaced.
    pub fn has_late_bytes(&self, target: Target) -> bool {
        !base::late(&self.place, target).is_empty()
    }

    /// Returns all journalled changes, oldest first.
    pub fn journal(&self) -> Result<Vec<Record>, MemoryError> {
        journal::read(&self.place)
    }

    /// Returns the entries of `document` from the one first seen longest ago; those never seen come first.
    pub fn oldest_first(&self, target: Target, document: &Document) -> Vec<Entry> {
        let records = self.journal().unwrap_or_default();
        let seen = journal::first_seen(&records);
        let mut entries: Vec<_> = document.distinct().into_iter().cloned().collect();
        entries.sort_by_key(|entry| seen.get(EntryId::of(target, entry).as_str()).copied());
        entries
    }

    /// Returns the entry that took the place of `id`.
    pub fn successor(&self, id: &EntryId) -> Option<String> {
        journal::successor(&self.journal().unwrap_or_default(), id)
    }

    /// Reads an archived note.
    pub fn archived(&self, id: &str) -> Result<Archived, MemoryError> {
        archive::get(&self.place, id)
    }

    /// Changes the file of `change.target` as `decide` plans on what the file holds now.
    ///
    /// `decide` is asked again where the file moves before the new one stands; what it returns beside the plan of
    /// the last time comes back. Every refusal leaves the file as it was.
    pub fn change<T>(
        &self,
        change: &Change,
        mut decide: impl FnMut(&Seen) -> Result<(Plan, T), MemoryError>,
    ) -> Result<(Written, T), MemoryError> {
        let lock = WriteLock::take(&self.place)?;
        let deadline = Instant::now() + PATIENCE;
        let mut reports = Vec::new();
        loop {
            let seen = self.absorb(change, &lock, &mut reports)?;
            let (plan, decided) = decide(&seen)?;
            if plan.text.as_bytes() == seen.bytes {
                return Ok((Written { seen, run: None, reports }, decided));
            }
            if let Some(run) = self.commit(change, &plan, &seen, &lock)? {
                let seen = self.absorb(change, &lock, &mut reports)?;
                return Ok((Written { seen, run: Some(run), reports }, decided));
            }
            if Instant::now() > deadline {
                return Err(MemoryError::Conflict { what: seen.path.display().to_string() });
            }
        }
    }

    /// Reads the file after taking over what hands and editors did to it since it was last seen.
    fn absorb(
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
            let effects = self.effects(&hand, Kind::Hand, &steps)?;
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
        self.discard(&last.effects);
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
                archived.iter().for_each(|note| archive::discard(&self.place, note));
                return Ok(true);
            }
        }
        let run = new_run(change);
        late.iter().for_each(|late| late.done(&self.place, target, &run));
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

    /// Makes the file hold what `plan` says; returns the name of the change, or `None` where the file has moved.
    fn commit(
        &self,
        change: &Change,
        plan: &Plan,
        seen: &Seen,
        _lock: &WriteLock,
    ) -> Result<Option<String>, MemoryError> {
        let bytes = plan.text.as_bytes();
        let run = new_run(change);
        let after = base::hash(bytes);
        let effects = self.effects(change, plan.kind, &plan.steps)?;
        let mut announced = false;
        let placed = (|| {
            self.place.create_parent(&self.place.dir.join(change.target.file_name()))?;
            let writing = MemoryError::writing(&seen.path);
            let replacement = Replacement::prepare(seen, bytes).map_err(writing)?;
            base::keep(&self.place, change.target, bytes)
                .map_err(MemoryError::writing(self.place.state("base")))?;
            if Fingerprint::at(&seen.path).map_err(MemoryError::reading(&seen.path))?
                != seen.fingerprint
            {
                return Ok(Placed::Moved);
            }
            let hashes = (base::hash(&seen.bytes), after.clone());
            journal::append(
                &self.place,
                &change.record(&run, plan.kind, hashes, effects.clone(), plan.undoes.clone()),
            )?;
            announced = true;
            base::link(&self.place, change.target, &run, seen);
            replacement.place(seen).map_err(MemoryError::writing(&seen.path))
        })();
        match placed {
            Ok(Placed::Done) => {}
            Ok(Placed::Displaced(other)) => {
                let kept = base::keep_displaced(&self.place, change.target, &run, other.path());
                kept.map_err(MemoryError::writing(self.place.state("base")))?;
            }
            Ok(Placed::Moved) | Err(_) => {
                self.discard(&effects);
                base::forget(&self.place, change.target, &after);
                if announced {
                    journal::void(&self.place, &run)?;
                }
                return placed.map(|_| None);
            }
        }
        base::forget_others(&self.place, change.target, &after);
        Ok(Some(run))
    }

    /// Archives what the steps take out, and returns them as the journal tells them.
    fn effects(
        &self,
        change: &Change,
        kind: Kind,
        steps: &[Step],
    ) -> Result<Vec<Effect>, MemoryError> {
        let mut effects = Vec::with_capacity(steps.len());
        for step in steps {
            let id = |entry: &Entry| EntryId::of(change.target, entry);
            let reason = match (kind, &step.new) {
                (Kind::Undo, _) => Reason::Undone,
                (Kind::Hand, _) => Reason::HandEdit,
                (_, Some(_)) => Reason::Replaced,
                (_, None) => Reason::Removed,
            };
            let put = |old: &Entry| {
                let text = old.as_str().as_bytes();
                archive::put(&self.place, &id(old), text, reason, change.by.as_str(), change.now)
            };
            let archive =
                step.old.as_ref().map(put).transpose().inspect_err(|_| self.discard(&effects))?;
            let unchanged = step.duplicate && step.inverse.is_none();
            if !unchanged {
                let name = |entry: &Entry| id(entry).to_string();
                effects.push(Effect {
                    new: step.new.as_ref().map(name),
                    old: step.old.as_ref().map(name),
                    archive,
                    inverse: step.inverse.as_ref().map(Into::into),
                });
            }
        }
        Ok(effects)
    }

    fn discard(&self, effects: &[Effect]) {
        for note in effects.iter().filter_map(|effect| effect.archive.as_deref()) {
            archive::discard(&self.place, note);
        }
    }
}

impl Change {
    fn record(
        &self,
        run: &str,
        kind: Kind,
        (before, after): (String, String),
        effects: Vec<Effect>,
        undoes: Option<String>,
    ) -> Record {
        Record {
            run: run.to_owned(),
            at: self.now,
            by: self.by,
            client: self.client.clone(),
            kind,
            target: self.target.to_string(),
            before,
            after,
            effects,
            undoes,
        }
    }
}

/// Returns a name for a change that no other change has.
fn new_run(change: &Change) -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let seed = format!("{} {} {count}", change.now.as_nanosecond(), std::process::id());
    let hash = blake3::hash(seed.as_bytes()).to_hex();
    format!("r-{}", hash.get(..12).unwrap_or_default())
}
