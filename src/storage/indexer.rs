//! Who keeps the indexes up to date: the index lock, and the mark of whoever holds it for life.

use std::{
    collections::BTreeSet,
    fs::{File, OpenOptions},
    io::{self, Write},
    os::unix::fs::MetadataExt,
    path::PathBuf,
    time::Duration,
};

use fs4::{FileExt, TryLockError};

use super::{file::read_state, lock, place::Place};
use crate::{error::MemoryError, whole::write_whole};

/// Returns the path of a file beside the indexes, and not in them: they are deleted as a whole.
fn path(place: &Place, name: &str) -> Option<PathBuf> {
    place.index().map(|index| index.with_file_name(name))
}

const LOCK: &str = "index.lock";
const MARK: &str = "index.mark";
const DAMAGED: &str = "index.damaged";

/// The lock of the one process that writes the indexes.
#[derive(Debug)]
pub struct IndexLock {
    file: File,
}

impl IndexLock {
    /// Takes the lock without waiting; `None` where another process holds it, or there is no place for indexes.
    pub fn take(place: &Place) -> Result<Option<Self>, MemoryError> {
        let Some(path) = path(place, LOCK) else { return Ok(None) };
        place.create_parent(&path)?;
        let file = lock::open(place, &path)?;
        match FileExt::try_lock(&file) {
            Ok(()) => {
                // Whoever held it before has left its word behind, and is not there to take it back.
                Mark::clear(place);
                Ok(Some(Self { file }))
            }
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(MemoryError::Write { path, source }),
        }
    }

    /// Returns whether the lock file was deleted or replaced, so that another process may take the lock too.
    pub fn is_lost(&self, place: &Place) -> bool {
        let named = path(place, LOCK).and_then(|path| std::fs::metadata(path).ok());
        let held = self.file.metadata().ok();
        named.map(|found| found.ino()) != held.map(|found| found.ino())
    }

    /// Returns whether another process holds the lock.
    pub fn is_held(place: &Place) -> bool {
        let Some(path) = path(place, LOCK) else { return false };
        let Ok(file) = place.open(&path, OpenOptions::new().read(true)) else { return false };
        match FileExt::try_lock_shared(&file) {
            Err(TryLockError::WouldBlock) => true,
            Err(TryLockError::Error(error)) => error.kind() == io::ErrorKind::WouldBlock,
            Ok(()) => false,
        }
    }
}

/// How long a mark counts: its writer renews it more often, unless it was stopped.
const FRESH: Duration = Duration::from_secs(5);

/// What the process that follows the files says of the indexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The indexes hold every change that was heard of.
    Current,
    /// They hold every change but those of these notes.
    But(BTreeSet<String>),
    /// More was heard of than they hold.
    Behind,
}

/// How a mark of some notes begins and ends; between them stands one id a line.
const BUT: &str = "but\n";
const END: &str = ".\n";

impl Mark {
    /// How often the writer of a mark has to renew it.
    pub const RENEWED: Duration = Duration::from_secs(1);

    /// Sets the mark; only the holder of the index lock may. One that cannot be set is taken away.
    pub(super) fn set(&self, place: &Place) -> io::Result<()> {
        let Some(path) = path(place, MARK) else { return Ok(()) };
        write_whole(&path, self.text().as_bytes()).inspect_err(|_| Self::clear(place))
    }

    /// Changes the mark where there is one, and makes no file: a directory that is just being deleted must become empty.
    pub(super) fn change(&self, place: &Place) {
        let Some(path) = path(place, MARK) else { return };
        let file = place.open(&path, OpenOptions::new().write(true).truncate(true));
        // Half a mark is none.
        let _ = file.map(|mut file| file.write_all(self.text().as_bytes()));
    }

    fn text(&self) -> String {
        match self {
            Self::Current => "current".to_owned(),
            Self::But(ids) => {
                let ids: Vec<_> = ids.iter().map(String::as_str).collect();
                format!("{BUT}{}\n{END}", ids.join("\n"))
            }
            Self::Behind => "behind".to_owned(),
        }
    }

    /// Tells whoever follows the files that an index is damaged.
    pub fn report_damage(place: &Place) {
        if let Some(path) = path(place, DAMAGED) {
            let _ = write_whole(&path, b"");
        }
    }

    /// Returns whether damage was reported, and takes the report.
    pub fn take_damage(place: &Place) -> bool {
        path(place, DAMAGED).is_some_and(|path| std::fs::remove_file(path).is_ok())
    }

    /// Takes the mark away, as its writer ends.
    pub fn clear(place: &Place) {
        let _ = path(place, MARK).map(std::fs::remove_file);
    }

    /// Returns what a living process says; where none does, more may have changed than the indexes hold.
    ///
    /// Ask before the indexes are opened: later ones hold what it says, and earlier ones may not.
    pub fn told(place: &Place) -> Self {
        let Some(path) = path(place, MARK) else { return Self::Behind };
        let Ok(Some((bytes, found))) = read_state(place, &path) else { return Self::Behind };
        let fresh = found.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age < FRESH));
        if !fresh || !IndexLock::is_held(place) {
            return Self::Behind;
        }
        match std::str::from_utf8(&bytes) {
            Ok("current") => Self::Current,
            Ok(text) => {
                let ids = text.strip_prefix(BUT).and_then(|text| text.strip_suffix(END));
                ids.map_or(Self::Behind, |ids| Self::But(ids.lines().map(str::to_owned).collect()))
            }
            Err(_) => Self::Behind,
        }
    }

    /// Returns whether a living process says that the indexes hold every change.
    pub fn is_current(place: &Place) -> bool {
        Self::told(place) == Self::Current
    }
}
