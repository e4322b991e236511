//! Read, decide, replace: every write of a bounded file.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use jiff::Timestamp;

use super::{
    archive::{self, Archived},
    base,
    effects::{archive_steps, discard},
    file::{self, Fingerprint, Placed, Replacement, Seen},
    journal::{self, Author, Effect, Kind, Record},
    lock::WriteLock,
    place::Place,
};
use crate::{
    error::MemoryError,
    memory::{Document, Entry, EntryId, Step, Target},
};

/// How long a file that keeps moving is tried again.
const PATIENCE: Duration = Duration::from_secs(5);

/// The bounded files of a profile.
#[derive(Debug)]
pub struct Store {
    pub(super) place: Place,
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

    /// Makes the file hold what `plan` says; returns the name of the change, or `None` where the file has moved.
    pub(super) fn commit(
        &self,
        change: &Change,
        plan: &Plan,
        seen: &Seen,
        _lock: &WriteLock,
    ) -> Result<Option<String>, MemoryError> {
        let bytes = plan.text.as_bytes();
        let run = new_run(change);
        let after = base::hash(bytes);
        let effects = archive_steps(&self.place, change, plan.kind, &plan.steps)?;
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
                discard(&self.place, &effects);
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
}

impl Change {
    pub(super) fn record(
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
pub(super) fn new_run(change: &Change) -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let seed = format!("{} {} {count}", change.now.as_nanosecond(), std::process::id());
    let hash = blake3::hash(seed.as_bytes()).to_hex();
    format!("r-{}", hash.get(..12).unwrap_or_default())
}
