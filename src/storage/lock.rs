//! Locks that die with their process, waited for a bounded time.

use std::{
    fs::{File, OpenOptions},
    io,
    path::Path,
    time::{Duration, Instant},
};

use fs4::{FileExt, TryLockError};

use super::place::{Place, Trust};
use crate::{error::MemoryError, memory::Target};

/// How long a lock is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// The write lock of a profile and the peer's locks, held until dropped.
#[derive(Debug)]
pub(super) struct WriteLock {
    _files: Vec<File>,
}

impl WriteLock {
    /// Takes the write lock, then the peer's lock of each file, within 5 seconds in all.
    pub(super) fn take(place: &Place) -> Result<Self, MemoryError> {
        let deadline = Instant::now() + PATIENCE;
        let own = place.state("write.lock");
        place.create_parent(&own)?;
        let mut files = vec![wait(place, &own, deadline)?];
        for target in Target::ALL {
            let peer = place.dir.join(format!("{}.lock", target.file_name()));
            if place.trust != Trust::Own || peer.exists() {
                files.push(wait(place, &peer, deadline)?);
            }
        }
        Ok(Self { _files: files })
    }
}

/// Opens a lock file, which is never replaced and never deleted.
pub(super) fn open(place: &Place, path: &Path) -> Result<File, MemoryError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    place.open(path, &mut options).map_err(MemoryError::writing(path))
}

fn wait(place: &Place, path: &Path, deadline: Instant) -> Result<File, MemoryError> {
    let file = open(place, path)?;
    let mut pause = Duration::from_micros(200);
    loop {
        match FileExt::try_lock(&file) {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(source)) if source.kind() != io::ErrorKind::Interrupted => {
                return Err(MemoryError::Write { path: path.to_owned(), source });
            }
            Err(_) if Instant::now() < deadline => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(10));
            }
            Err(_) => {
                return Err(MemoryError::LockTimeout {
                    path: path.to_owned(),
                    seconds: PATIENCE.as_secs(),
                });
            }
        }
    }
}
