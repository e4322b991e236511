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
    place::{Place, sync_dir},
    undo,
};
use crate::{
    digest,
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
    /// Names the change, where it is a part of one; a name is made where it is left out.
    pub run: Option<String>,
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
    pub fn has_late_bytes(&self, target: Target, seen: &Seen) -> bool {
        base::late(&self.place, target, seen).is_ok_and(|late| !late.is_empty())
    }

    /// Returns the bytes before the change `run`, where they are kept.
    pub fn bytes_before(&self, run: &str) -> Option<Vec<u8>> {
        undo::bytes(&self.place, run)
    }

    /// Takes over what hands and editors did to the file of `change.target`, and changes nothing else.
    pub fn settle(&self, change: &Change) -> Result<Vec<String>, MemoryError> {
        if !self.read(change.target)?.exists()
            && base::copies(&self.place, change.target).is_ok_and(|copies| copies.is_empty())
        {
            return Ok(Vec::new());
        }
        let mut reports = Vec::new();
        let lock = self.lock(&mut reports)?;
        self.absorb(change, &lock, Instant::now() + PATIENCE, &mut reports)?;
        Ok(reports)
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
    /// the last time comes back. Every refusal leaves the file as it was. What else is found on the way goes to `reports`.
    pub fn change<T>(
        &self,
        change: &Change,
        reports: &mut Vec<String>,
        mut decide: impl FnMut(&Seen) -> Result<(Plan, T), MemoryError>,
    ) -> Result<(Written, T), MemoryError> {
        let lock = self.lock(reports)?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let seen = self.absorb(change, &lock, deadline, reports)?;
            let (plan, decided) = decide(&seen)?;
            if plan.text.as_bytes() == seen.bytes {
                return Ok((Written { seen, run: None }, decided));
            }
            if let Some(run) = self.commit(change, &plan, &seen, &lock, reports)? {
                // The change is made: what goes wrong from here on is told and does not undo it.
                let after = self.absorb(change, &lock, deadline, reports);
                let seen = after.unwrap_or_else(|error| {
                    reports.push(error.chain());
                    seen.holding(plan.text.as_bytes())
                });
                return Ok((Written { seen, run: Some(run) }, decided));
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
        reports: &mut Vec<String>,
    ) -> Result<Option<String>, MemoryError> {
        let (target, bytes) = (change.target, plan.text.as_bytes());
        let run = change.run.clone().unwrap_or_else(|| new_run(change.now));
        let after = digest::hex(bytes);
        let effects = archive_steps(&self.place, change, plan.kind, &plan.steps)?;
        let mut announced = false;
        let placed = (|| {
            self.place.create_parent(&self.place.dir.join(target.file_name()))?;
            let writing = MemoryError::writing(&seen.path);
            let replacement = Replacement::prepare(target, seen, bytes).map_err(writing)?;
            let base = self.place.state("base");
            base::keep(&self.place, target, bytes).map_err(MemoryError::writing(base))?;
            if plan.kind == Kind::Edit && plan.steps.iter().all(|step| step.inverse.is_none()) {
                undo::keep(&self.place, &run, &seen.bytes);
            }
            if Fingerprint::at(&seen.path).map_err(MemoryError::reading(&seen.path))?
                != seen.fingerprint
            {
                return Ok(Placed::Moved);
            }
            let hashes = (digest::hex(&seen.bytes), after.clone());
            let record =
                change.record(&run, plan.kind, hashes, effects.clone(), plan.undoes.clone());
            journal::append(&self.place, &record)?;
            announced = true;
            base::link(&self.place, target, &run, seen);
            replacement.place(seen).map_err(MemoryError::writing(&seen.path))
        })();
        match placed {
            Ok(Placed::Done) => {}
            Ok(Placed::Displaced(other)) => {
                if base::keep_displaced(&self.place, target, &run, other.path()).is_err()
                    && let Ok((_, path)) = other.keep()
                {
                    reports.push(format!(
                        "what an editor saved in the same moment is in {}",
                        path.display()
                    ));
                }
            }
            Ok(Placed::Moved) | Err(_) => {
                if announced {
                    journal::void(&self.place, &run)?;
                }
                base::forget(&self.place, target, &after);
                discard(&self.place, &effects);
                return placed.map(|_| None);
            }
        }
        if let Err(error) = sync_dir(seen.dir()) {
            reports.push(format!(
                "{} cannot be synced: {error}; a power cut may undo the change",
                seen.dir().display()
            ));
        }
        base::forget_others(&self.place, target, &after);
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
pub fn new_run(now: Timestamp) -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let seed = format!("{} {} {count}", now.as_nanosecond(), std::process::id());
    format!("r-{}", digest::short(seed, 12))
}
