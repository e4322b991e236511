//! What changes in a profile's directory, as it happens.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    time::{Duration, Instant},
};

use notify::{
    Config, ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode},
};

use super::{indexer::Mark, notebook::is_passed_over, place::Place};
use crate::notes::Layer;

/// How long nothing may happen before changes are handed on, and how long they wait at most.
const QUIET: Duration = Duration::from_millis(60);
const LONGEST: Duration = Duration::from_millis(250);

/// What has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changes {
    /// These files, perhaps; their ids.
    Notes(BTreeSet<String>),
    /// Anything: whole folders came or went, or events were lost.
    Anything,
}

/// Notes that a mark names at most.
const NAMED: usize = 64;

/// What was heard of and is not in the indexes yet. Whoever hears of it says so at once, however long the indexes take.
#[derive(Debug)]
struct Heard {
    place: Place,
    /// Counts what was heard.
    count: u64,
    /// Notes, and when each was heard of last.
    notes: BTreeMap<String, u64>,
    /// When something else was.
    anything: Option<u64>,
    /// Whether the indexes hold everything else.
    holds: bool,
    /// Whether more was said last than that the indexes are behind.
    says_more: bool,
}

impl Heard {
    fn add(&mut self, change: &Changes) {
        self.count += 1;
        match change {
            Changes::Notes(ids) => {
                self.notes.extend(ids.iter().map(|id| (id.clone(), self.count)));
            }
            Changes::Anything => self.anything = Some(self.count),
        }
        let mark = self.mark();
        if self.says_more || mark != Mark::Behind {
            self.says_more = mark != Mark::Behind;
            mark.change(&self.place);
        }
    }

    fn settle(&mut self, changes: &Changes, at: u64) {
        let is_done = |heard: u64| heard <= at;
        match changes {
            Changes::Notes(ids) => {
                self.notes.retain(|id, heard| !(is_done(*heard) && ids.contains(id)));
            }
            Changes::Anything => {
                self.notes.retain(|_, heard| !is_done(*heard));
                self.anything = self.anything.filter(|heard| !is_done(*heard));
            }
        }
    }

    fn mark(&self) -> Mark {
        let can_be_named = |id: &String| !id.contains('\n');
        let is_short = self.notes.len() <= NAMED && self.notes.keys().all(can_be_named);
        if !self.holds || self.anything.is_some() || !is_short {
            Mark::Behind
        } else if self.notes.is_empty() {
            Mark::Current
        } else {
            Mark::But(self.notes.keys().cloned().collect())
        }
    }

    fn say(&mut self) -> io::Result<()> {
        let mark = self.mark();
        self.says_more = mark != Mark::Behind;
        mark.set(&self.place)
    }
}

/// Hears of changes in the folders of a profile.
pub struct Watcher {
    dir: PathBuf,
    /// `None` where the files are polled.
    notify: Option<RecommendedWatcher>,
    events: Receiver<Changes>,
    heard: Arc<Mutex<Heard>>,
    /// Why they are polled.
    why: Option<String>,
}

impl std::fmt::Debug for Watcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watcher").field("dir", &self.dir).finish_non_exhaustive()
    }
}

impl Watcher {
    /// Watches the profile's directory, by polling where the system has no watches left, or `poll` asks for it.
    ///
    /// Polling compares all files every two seconds: the times that the system's own polling compares are too coarse.
    pub fn open(place: &Place, poll: bool) -> Self {
        let (sender, events) = channel();
        let heard = Arc::new(Mutex::new(Heard {
            place: place.clone(),
            count: 0,
            notes: BTreeMap::new(),
            anything: None,
            holds: false,
            says_more: false,
        }));
        let hear = Hear { dir: place.dir.clone(), heard: Arc::clone(&heard), sender };
        let watcher: notify::Result<RecommendedWatcher> =
            notify::Watcher::new(hear, Config::default().with_follow_symlinks(false));
        let mut opened = Self { dir: place.dir.clone(), notify: None, events, heard, why: None };
        match watcher {
            Ok(watcher) if !poll => {
                opened.notify = Some(watcher);
                opened.watch_all();
            }
            Ok(_) => {}
            Err(error) => opened.why = Some(error.to_string()),
        }
        opened
    }

    /// Returns why the files are polled, where that was not asked for; once.
    pub fn take_reason(&mut self) -> Option<String> {
        self.why.take()
    }

    /// Returns whether the files are polled.
    pub fn is_polling(&self) -> bool {
        self.notify.is_none()
    }

    /// Watches the directory, the folders of notes that are there, and what stands above, by which a directory that was
    /// deleted and comes back is heard of.
    fn watch_all(&mut self) {
        let mut dirs = vec![(self.dir.clone(), RecursiveMode::NonRecursive)];
        if let Some(above) = self.dir.parent().filter(|above| above.is_dir()) {
            dirs.push((above.to_owned(), RecursiveMode::NonRecursive));
        }
        let layers = Layer::FOLDERS.map(|layer| self.dir.join(layer.as_str()));
        dirs.extend(layers.map(|dir| (dir, RecursiveMode::Recursive)));
        for (dir, mode) in dirs {
            let Some(notify) = &mut self.notify else { return };
            let Err(error) = notify.watch(&dir, mode) else { continue };
            let missing = match &error.kind {
                ErrorKind::PathNotFound => true,
                ErrorKind::Io(source) => source.kind() == std::io::ErrorKind::NotFound,
                _ => false,
            };
            if !missing {
                // No watches left, or a folder that may not be watched: what is not heard of must be looked for.
                self.notify = None;
                self.why = Some(error.to_string());
            }
        }
    }

    /// Returns how much was heard until now: all of it stands in the files by now.
    pub fn heard(&self) -> u64 {
        self.lock().count
    }

    /// Takes note that the indexes hold `changes`, as the files were when so much had been heard.
    pub fn settle(&self, changes: &Changes, at: u64) {
        self.lock().settle(changes, at);
    }

    /// Says whether the indexes hold all but what was heard of since; of what is polled they never do.
    pub fn mark(&self, holds: bool) -> io::Result<()> {
        let mut heard = self.lock();
        heard.holds = holds && !self.is_polling();
        heard.say()
    }

    fn lock(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for changes, until `deadline`, and a little for those that follow. `None` where nothing happened.
    pub fn next(&mut self, deadline: Instant) -> Option<Changes> {
        if self.notify.is_none() {
            std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
            return None;
        }
        let mut found: Option<Changes> = None;
        let mut until = deadline;
        let mut latest = deadline;
        loop {
            let wait = until.min(latest).saturating_duration_since(Instant::now());
            match self.events.recv_timeout(wait) {
                Ok(change) => {
                    if found.is_none() {
                        latest = Instant::now() + LONGEST;
                    }
                    until = Instant::now() + QUIET;
                    found = Some(match (found, change) {
                        (Some(Changes::Notes(mut all)), Changes::Notes(more)) => {
                            all.extend(more);
                            Changes::Notes(all)
                        }
                        (None, change) => change,
                        _ => Changes::Anything,
                    });
                }
                Err(RecvTimeoutError::Timeout) => break,
                // The thread that hands events on has ended.
                Err(RecvTimeoutError::Disconnected) => return Some(Changes::Anything),
            }
        }
        if found == Some(Changes::Anything) {
            // Folders that came are watched from here on; what stood in them before is found by the scan that follows.
            self.watch_all();
        }
        found
    }
}

/// Hears of events, says what they leave to be done, and hands it on.
struct Hear {
    dir: PathBuf,
    heard: Arc<Mutex<Heard>>,
    sender: Sender<Changes>,
}

impl Hear {
    /// Returns what an event says of the notes.
    fn read(&self, event: notify::Result<Event>) -> Option<Changes> {
        let Ok(event) = event else { return Some(Changes::Anything) };
        if event.need_rescan() {
            return Some(Changes::Anything);
        }
        // Reading a file is an event too: the indexer's own would wake it for ever.
        let closed = EventKind::Access(AccessKind::Close(AccessMode::Write));
        if matches!(event.kind, EventKind::Access(_)) && event.kind != closed {
            return None;
        }
        let mut ids = BTreeSet::new();
        for path in &event.paths {
            let Ok(inside) = path.strip_prefix(&self.dir) else {
                // The directory itself, or what stands beside it.
                if self.dir.starts_with(path) {
                    return Some(Changes::Anything);
                }
                continue;
            };
            let names: Option<Vec<_>> = inside.iter().map(|name| name.to_str()).collect();
            let Some([first, .., last]) = names.as_deref() else {
                let is_folder = names.is_none_or(|names| {
                    let folder =
                        |name: &&str| Layer::FOLDERS.iter().any(|layer| layer.as_str() == *name);
                    names.is_empty() || names.iter().any(folder)
                });
                if is_folder
                    && !matches!(
                        event.kind,
                        EventKind::Modify(notify::event::ModifyKind::Metadata(_))
                    )
                {
                    return Some(Changes::Anything);
                }
                continue;
            };
            let layer = Layer::FOLDERS.iter().any(|layer| layer.as_str() == *first);
            if !layer || names.iter().flatten().any(|name| is_passed_over(name)) {
                continue;
            }
            match last.strip_suffix(".md") {
                Some(_) if path.is_dir() => return Some(Changes::Anything),
                Some(_) => {
                    ids.insert(inside.with_extension("").display().to_string());
                }
                // Other files are no notes; folders hold some, and what is gone may have been one.
                None if path.is_file() => {}
                None => return Some(Changes::Anything),
            }
        }
        (!ids.is_empty()).then_some(Changes::Notes(ids))
    }
}

impl notify::EventHandler for Hear {
    fn handle_event(&mut self, event: notify::Result<Event>) {
        let Some(change) = self.read(event) else { return };
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).add(&change);
        let _ = self.sender.send(change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::IndexLock;

    #[test]
    fn what_is_heard_while_the_indexes_are_written_stays_to_be_done() {
        let home = tempfile::tempdir().unwrap();
        let place = Place::own(home.path(), "default").unwrap();
        let _lock = IndexLock::take(&place).unwrap().unwrap();
        let notes = |ids: &[&str]| Changes::Notes(ids.iter().map(|id| (*id).to_owned()).collect());
        let said = |ids: &[&str]| match notes(ids) {
            Changes::Notes(ids) => Mark::But(ids),
            Changes::Anything => Mark::Behind,
        };
        let watcher = Watcher::open(&place, true);
        // Of what is polled nothing is said; here events are made up.
        watcher.mark(false).unwrap();
        let hear = |change: &Changes| watcher.lock().add(change);
        hear(&notes(&["facts/a"]));
        assert_eq!(Mark::told(&place), Mark::Behind);
        watcher.lock().holds = true;
        hear(&notes(&["facts/b"]));
        assert_eq!(Mark::told(&place), said(&["facts/a", "facts/b"]));
        let at = watcher.heard();
        hear(&notes(&["facts/b", "facts/c"]));
        watcher.settle(&notes(&["facts/a", "facts/b"]), at);
        watcher.lock().say().unwrap();
        assert_eq!(Mark::told(&place), said(&["facts/b", "facts/c"]));
        hear(&Changes::Anything);
        assert_eq!(Mark::told(&place), Mark::Behind);
        watcher.settle(&Changes::Anything, watcher.heard());
        watcher.lock().say().unwrap();
        assert_eq!(Mark::told(&place), Mark::Current);
        let many: Vec<String> = (0..=NAMED).map(|number| format!("facts/{number}")).collect();
        hear(&Changes::Notes(many.into_iter().collect()));
        assert_eq!(Mark::told(&place), Mark::Behind);
    }
}
