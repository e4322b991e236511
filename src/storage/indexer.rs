//! Who keeps the indexes up to date: the index lock, and the mark of whoever holds it for life.

use std::{
    fs::{File, OpenOptions},
    io,
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

/// What the process that follows the files says of the indexes: that they hold everything, or that something has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The indexes hold every change that was heard of.
    Current,
    /// A change was heard of and is not in the indexes yet.
    Behind,
}

impl Mark {
    /// How often the writer of a mark has to renew it.
    pub const RENEWED: Duration = Duration::from_secs(1);

    /// Sets the mark; only the holder of the index lock may.
    pub fn set(self, place: &Place) -> io::Result<()> {
        let Some(path) = path(place, MARK) else { return Ok(()) };
        write_whole(&path, if self == Self::Current { b"current" } else { b"behind" })
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

    /// Returns whether a living process says that the indexes hold every change.
    pub fn is_current(place: &Place) -> bool {
        let Some(path) = path(place, MARK) else { return false };
        let Ok(Some((bytes, found))) = read_state(place, &path) else { return false };
        let fresh = found.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age < FRESH));
        bytes == b"current" && fresh && IndexLock::is_held(place)
    }
}
