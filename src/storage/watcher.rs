//! What changes in a profile's directory, as it happens.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    time::{Duration, Instant},
};

use notify::{
    Config, ErrorKind, Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode,
    event::{AccessKind, AccessMode},
};

use super::{notebook::is_passed_over, place::Place};
use crate::{error::MemoryError, notes::Layer};

/// How long nothing may happen before changes are handed on, and how long they wait at most.
const QUIET: Duration = Duration::from_millis(60);
const LONGEST: Duration = Duration::from_millis(250);

/// How often the files are looked at where the system tells of no changes.
const POLLED: Duration = Duration::from_secs(2);

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
    notify: Box<dyn notify::Watcher + Send>,
    /// Kept, so that the channel stays open while there is no watch.
    _sender: Sender<notify::Result<Event>>,
    events: Receiver<notify::Result<Event>>,
    polling: bool,
}

impl std::fmt::Debug for Watcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watcher").field("dir", &self.dir).finish_non_exhaustive()
    }
}

impl Watcher {
    /// Watches the profile's directory, by polling where the system has no watches left, or `poll` asks for it.
    pub fn open(place: &Place, poll: bool) -> Result<Self, MemoryError> {
        let (sender, events) = channel();
        let failed = |error: notify::Error| MemoryError::Read {
            path: place.dir.clone(),
            source: std::io::Error::other(error),
        };
        if !poll {
            let watcher = notify::Watcher::new(Hear(sender.clone()), Config::default())
                .map(|watcher: RecommendedWatcher| watcher);
            if let Ok(watcher) = watcher {
                let watcher: Box<dyn notify::Watcher + Send> = Box::new(watcher);
                let (sender, polling) = (sender.clone(), false);
                let dir = place.dir.clone();
                let mut opened = Self { dir, notify: watcher, _sender: sender, events, polling };
                match opened.watch_all() {
                    Ok(()) => return Ok(opened),
                    Err(error) if is_exhausted(&error) => {}
                    Err(error) => return Err(failed(error)),
                }
            }
        }
        let (sender, events) = channel();
        let watcher: PollWatcher =
            notify::Watcher::new(Hear(sender.clone()), polled()).map_err(failed)?;
        let watcher: Box<dyn notify::Watcher + Send> = Box::new(watcher);
        let mut opened = Self {
            dir: place.dir.clone(),
            notify: watcher,
            _sender: sender,
            events,
            polling: true,
        };
        opened.watch_all().map_err(failed)?;
        Ok(opened)
    }

    /// Returns whether the files are polled.
    pub fn is_polling(&self) -> bool {
        self.polling
    }

    /// Watches the directory, the folders of notes that are there, and what stands above, by which a directory that was
    /// deleted and comes back is heard of.
    fn watch_all(&mut self) -> notify::Result<()> {
        if let Some(above) = self.dir.parent().filter(|above| above.is_dir()) {
            self.notify.watch(above, RecursiveMode::NonRecursive)?;
        }
        self.watch(&self.dir.clone(), RecursiveMode::NonRecursive)?;
        for layer in Layer::FOLDERS {
            self.watch(&self.dir.join(layer.as_str()), RecursiveMode::Recursive)?;
        }
        Ok(())
    }

    fn watch(&mut self, dir: &Path, mode: RecursiveMode) -> notify::Result<()> {
        match self.notify.watch(dir, mode) {
            Err(error) if matches!(error.kind, ErrorKind::PathNotFound) => Ok(()),
            Err(error) => match &error.kind {
                ErrorKind::Io(source) if source.kind() == std::io::ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            },
            done => done,
        }
    }

    /// Waits for changes, until `deadline`; `heard` is called at the first sign of one, before those that follow it are
    /// awaited. `None` where nothing happened.
    pub fn next(&mut self, deadline: Instant, heard: &mut dyn FnMut()) -> Option<Changes> {
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
                // The sender lives as long as this value does.
                Err(RecvTimeoutError::Disconnected) => return Some(Changes::Anything),
            }
        }
        if found == Some(Changes::Anything) {
            // Folders that came are watched from here on; what stood in them before is found by the scan that follows.
            let _ = self.watch_all();
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
                Some(_) => {
                    ids.insert(inside.with_extension("").display().to_string());
                }
                // Other files are no notes; folders hold some.
                None if path.extension().is_none() || path.is_dir() => {
                    return Some(Changes::Anything);
                }
                None => {}
            }
        }
        (!ids.is_empty()).then_some(Changes::Notes(ids))
    }
}

/// Returns whether the system has no watches left.
fn is_exhausted(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::MaxFilesWatch => true,
        // No more instances, or no more open files.
        ErrorKind::Io(source) => matches!(source.raw_os_error(), Some(24 | 28)),
        _ => false,
    }
}

fn polled() -> Config {
    Config::default().with_poll_interval(POLLED)
}

/// Hands events on.
struct Hear(Sender<notify::Result<Event>>);

impl notify::EventHandler for Hear {
    fn handle_event(&mut self, event: notify::Result<Event>) {
        let _ = self.0.send(event);
    }
}
