//! What changes in a profile's directory, as it happens.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    time::{Duration, Instant},
};

use notify::{
    Config, ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode},
};

use super::{notebook::is_passed_over, place::Place};
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

/// Hears of changes in the folders of a profile.
pub struct Watcher {
    dir: PathBuf,
    /// `None` where the files are polled.
    notify: Option<RecommendedWatcher>,
    events: Receiver<notify::Result<Event>>,
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
        let watcher: notify::Result<RecommendedWatcher> =
            notify::Watcher::new(Hear(sender), Config::default().with_follow_symlinks(false));
        let mut opened = Self { dir: place.dir.clone(), notify: None, events, why: None };
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

    /// Waits for changes, until `deadline`; `heard` is called at the first sign of one, before those that follow it are
    /// awaited. `None` where nothing happened.
    pub fn next(&mut self, deadline: Instant, heard: &mut dyn FnMut()) -> Option<Changes> {
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
                Ok(event) => {
                    let Some(change) = self.read(event) else { continue };
                    if found.is_none() {
                        heard();
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

/// Hands events on.
struct Hear(Sender<notify::Result<Event>>);

impl notify::EventHandler for Hear {
    fn handle_event(&mut self, event: notify::Result<Event>) {
        let _ = self.0.send(event);
    }
}
