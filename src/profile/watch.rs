//! Following the files: the indexes are kept up to date for as long as a process lives.

use std::{
    fs::{self, DirBuilder},
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::Profile;
use crate::{
    error::MemoryError,
    index::{Index, Manifest},
    notes::Layer,
    recall::{Difference, Progress, compare, compare_some, update},
    storage::{Changes, IndexLock, Mark, Place, Watcher},
};

/// What a watch has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watched {
    /// The indexes hold everything; changes are heard of as they happen, or looked for where `polling`.
    Ready {
        /// Whether the files are polled.
        polling: bool,
        /// Notes that the indexes hold.
        notes: usize,
    },
    /// So many notes were indexed, and so many taken out.
    Updated {
        /// Notes indexed.
        indexed: usize,
        /// Notes taken out.
        removed: usize,
    },
    /// Something is not as it should be.
    Warning(String),
}

/// How long the loop waits before it looks whether it should end.
const TICK: Duration = Duration::from_millis(200);

/// How often everything is compared, whatever was heard, and how often where nothing is heard.
const COMPARED: Duration = Duration::from_secs(300);
const POLLED: Duration = Duration::from_secs(2);

/// How long nothing must have happened before the vector index is brought up to date.
const IDLE: Duration = Duration::from_secs(1);

impl Profile {
    /// Keeps the indexes up to date until `stop` is set; `say` hears what happens.
    ///
    /// The index lock is held all that time: recall then trusts the indexes and scans nothing.
    pub fn watch(
        &self,
        stop: &AtomicBool,
        poll: bool,
        progress: &mut dyn FnMut(Progress),
        say: &mut dyn FnMut(Watched),
    ) -> Result<(), MemoryError> {
        let place = self.store.place();
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&place.dir)
            .map_err(MemoryError::writing(&place.dir))?;
        let mut follower = Follower {
            profile: self,
            lock: self.lock_index()?,
            watcher: Watcher::open(place, poll),
            root: inode(&place.dir),
            holds: false,
            builder: None,
            covered: false,
            told: Vec::new(),
        };
        let done = follower.run(stop, progress, say);
        follower.end_builder();
        Mark::clear(place);
        done
    }
}

/// The thread that builds the vector index; it returns why it could not.
type Builder = JoinHandle<Result<(), String>>;

/// A watch under way.
struct Follower<'p> {
    profile: &'p Profile,
    lock: IndexLock,
    watcher: Watcher,
    /// The inode of the profile's directory, by which one that was deleted and made again is told.
    root: Option<u64>,
    /// Whether the indexes hold everything that was heard of.
    holds: bool,
    /// The thread that brings the vector index up to date, and what stops it.
    builder: Option<(Builder, Arc<AtomicBool>)>,
    /// Whether the vector index covers the vectors.
    covered: bool,
    /// Warnings that were given already.
    told: Vec<String>,
}

impl Follower<'_> {
    fn run(
        &mut self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(Progress),
        say: &mut dyn FnMut(Watched),
    ) -> Result<(), MemoryError> {
        let place = self.profile.store.place();
        self.mark(say);
        self.compare_all(progress, say);
        let notes = self.index().map_or(0, |index| index.manifest.len());
        say(Watched::Ready { polling: self.watcher.is_polling(), notes });
        let (mut marked, mut compared, mut heard) =
            (Instant::now(), Instant::now(), Instant::now());
        while !stop.load(Ordering::Relaxed) {
            let mut changes = self.watcher.next(Instant::now() + TICK);
            if let Some(why) = self.watcher.take_reason() {
                self.warn(vec![format!("the files are looked at every two seconds: {why}")], say);
            }
            let all = if self.watcher.is_polling() || !self.holds { POLLED } else { COMPARED };
            if inode(&place.dir) != self.root || self.lock.is_lost(place) {
                self.begin_again(say)?;
                changes = Some(Changes::Anything);
            } else if self.is_damaged() {
                self.make_anew(progress, say);
            } else if compared.elapsed() > all {
                changes = Some(Changes::Anything);
            }
            match changes {
                None => {
                    if heard.elapsed() > IDLE {
                        self.build(say);
                    }
                    if marked.elapsed() > Mark::RENEWED {
                        self.mark(say);
                        marked = Instant::now();
                    }
                    continue;
                }
                // What was deleted is not made again.
                Some(_) if self.root.is_none() => continue,
                Some(changes) => {
                    let held = self.index().filter(|_| self.holds);
                    let at = self.watcher.heard();
                    if let (Changes::Notes(ids), Some(index)) = (&changes, held) {
                        let difference = compare_some(place, &index, ids);
                        self.update(Some(&index), &difference, (&changes, at), progress, say);
                    } else {
                        // What could not be written before is still to be.
                        self.compare_all(progress, say);
                        compared = Instant::now();
                    }
                }
            }
            (marked, heard) = (Instant::now(), Instant::now());
        }
        Ok(())
    }

    fn index(&self) -> Option<Arc<Index>> {
        let root = self.profile.store.place().index()?;
        Index::open(&root).ok().flatten().map(Arc::new)
    }

    /// Returns whether a recall has found damage, or the indexes were taken away.
    fn is_damaged(&self) -> bool {
        let place = self.profile.store.place();
        let root = place.index();
        let gone = self.holds && root.is_some_and(|root| !Manifest::exists(&root));
        Mark::take_damage(place) || (gone && self.root.is_some())
    }

    /// Makes all indexes anew.
    fn make_anew(&mut self, progress: &mut dyn FnMut(Progress), say: &mut dyn FnMut(Watched)) {
        let at = self.watcher.heard();
        let all = compare(self.profile.store.place(), None, &Layer::FOLDERS);
        self.update(None, &all, (&Changes::Anything, at), progress, say);
    }

    /// Compares all files with the indexes, and brings these up to date.
    fn compare_all(&mut self, progress: &mut dyn FnMut(Progress), say: &mut dyn FnMut(Watched)) {
        let at = self.watcher.heard();
        let mut warnings = Vec::new();
        let name = self.profile.vectors(&mut warnings).name();
        let index = self.index().filter(|index| index.manifest.embedder() == name);
        let difference = compare(self.profile.store.place(), index.as_deref(), &Layer::FOLDERS);
        warnings.extend(difference.warnings.iter().cloned());
        self.warn(warnings, say);
        let heard = (&Changes::Anything, at);
        self.update(index.as_deref(), &difference, heard, progress, say);
    }

    /// Brings the indexes up to date; damaged ones are made anew. The difference is that of `heard`: changes, and how much had
    /// been heard when the files were looked at.
    fn update(
        &mut self,
        old: Option<&Index>,
        difference: &Difference,
        heard: (&Changes, u64),
        progress: &mut dyn FnMut(Progress),
        say: &mut dyn FnMut(Watched),
    ) {
        let place = self.profile.store.place();
        let Some(root) = place.index() else { return };
        if old.is_some_and(|old| !old.manifest.is_incomplete()) && difference.is_empty() {
            self.holds = true;
            self.watcher.settle(heard.0, heard.1);
            return self.mark(say);
        }
        let mut warnings = Vec::new();
        let vectors = self.profile.vectors(&mut warnings);
        let done = update(place, &root, old, difference, vectors, progress, &mut warnings);
        self.covered = false;
        match done {
            Ok(()) => {
                self.holds = true;
                self.watcher.settle(heard.0, heard.1);
                self.mark(say);
                let (indexed, removed) = (difference.suspects.len(), difference.gone.len());
                if indexed + removed > 0 {
                    say(Watched::Updated { indexed, removed });
                }
            }
            // Those that stand stay until new ones have been written.
            Err(damage) if old.is_some() && !damage.is_storage() => {
                warnings.push(format!("the indexes are made anew: {damage}"));
                self.make_anew(progress, say);
            }
            Err(damage) => {
                // Recall looks at the files itself.
                self.holds = false;
                self.mark(say);
                warnings.push(format!("the indexes cannot be written: {damage}"));
            }
        }
        self.warn(warnings, say);
    }

    /// Watches a directory that was deleted and made again; its locks and indexes went with it.
    fn begin_again(&mut self, say: &mut dyn FnMut(Watched)) -> Result<(), MemoryError> {
        let place = self.profile.store.place();
        self.root = inode(&place.dir);
        self.end_builder();
        if self.root.is_none() {
            self.holds = false;
            return Ok(());
        }
        // One that was moved away and back has brought its lock along.
        if self.lock.is_lost(place) {
            self.lock = self.profile.lock_index()?;
        }
        self.watcher = Watcher::open(place, self.watcher.is_polling());
        self.holds = false;
        self.mark(say);
        Ok(())
    }

    /// Says whether the indexes can be trusted; of what is polled they never can.
    fn mark(&mut self, say: &mut dyn FnMut(Watched)) {
        let place: &Place = self.profile.store.place();
        // A directory that has gone is not made again for a mark.
        if let Err(error) = self
            .watcher
            .mark(self.holds)
            .or_else(|error| if place.dir.is_dir() { Err(error) } else { Ok(()) })
        {
            self.warn(vec![format!("recall will look at the files itself: {error}")], say);
        }
    }

    /// Gives each warning once.
    fn warn(&mut self, warnings: Vec<String>, say: &mut dyn FnMut(Watched)) {
        for warning in warnings {
            if !self.told.contains(&warning) {
                self.told.push(warning.clone());
                say(Watched::Warning(warning));
            }
        }
    }

    /// Starts bringing the vector index up to date, where that is not under way or done.
    fn build(&mut self, say: &mut dyn FnMut(Watched)) {
        if let Some((builder, stop)) = self.builder.take() {
            if !builder.is_finished() {
                self.builder = Some((builder, stop));
                return;
            }
            if let Ok(Err(why)) = builder.join() {
                self.warn(vec![format!("the vector index cannot be built: {why}")], say);
            }
        }
        if self.covered {
            return;
        }
        let Some(index) = self.index() else { return };
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        self.covered = true;
        // One thread, as others use the machine too.
        let work = move || {
            let done = index.follow(1, &mut |_, _| !asked.load(Ordering::Relaxed));
            done.map_err(|damage| damage.to_string())
        };
        self.builder = Some((thread::spawn(work), stop));
    }

    fn end_builder(&mut self) {
        if let Some((builder, stop)) = self.builder.take() {
            stop.store(true, Ordering::Relaxed);
            let _ = builder.join();
        }
    }
}

/// Returns the inode of a directory; `None` where it is not there.
fn inode(dir: &Path) -> Option<u64> {
    fs::metadata(dir).ok().map(|found| found.ino())
}
