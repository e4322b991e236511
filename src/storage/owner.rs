//! The owner lock: one profile, one agent, one directory.

use std::{
    fs::{File, OpenOptions},
    io,
    time::Duration,
};

use fs4::{FileExt, TryLockError};

use super::{file::read_state, lock, place::Place};
use crate::{
    config::Sharing,
    error::{Holder, MemoryError},
    whole::write_whole,
};

const LOCK: &str = "owner.lock";
const WHO: &str = "owner.json";

/// Times the lock is tried before it counts as held.
const ATTEMPTS: u32 = 3;

/// A held owner lock; it is released when dropped, or with the process.
#[derive(Debug)]
pub struct Owner {
    _lock: File,
}

impl Owner {
    /// Tries to hold `place` for an agent, without waiting; `None` where another agent holds it.
    pub fn take(
        place: &Place,
        sharing: Sharing,
        who: &Holder,
    ) -> Result<Option<Self>, MemoryError> {
        let path = place.state(LOCK);
        place.create_parent(&path)?;
        let file = lock::open(place, &path)?;
        let held_by_another = |attempt: u32| {
            // Whoever asks for the holder takes the lock for an instant.
            std::thread::sleep(Duration::from_millis(2));
            attempt == ATTEMPTS
        };
        for attempt in 1..=ATTEMPTS {
            let locked = match sharing {
                Sharing::Exclusive => FileExt::try_lock(&file),
                Sharing::Shared => FileExt::try_lock_shared(&file),
            };
            match locked {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if held_by_another(attempt) => return Ok(None),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(source)) => {
                    return Err(MemoryError::Write { path, source });
                }
            }
        }
        let owner = Self { _lock: file };
        owner.say(place, who)?;
        Ok(Some(owner))
    }

    /// Writes beside the lock who holds it.
    pub fn say(&self, place: &Place, who: &Holder) -> Result<(), MemoryError> {
        let text = serde_json::to_string(who).unwrap_or_default();
        let path = place.state(WHO);
        write_whole(&path, text.as_bytes()).map_err(MemoryError::writing(path))
    }
}

/// Returns who holds `place`: `None` where it is free, `Some(None)` where it is held by someone unknown.
///
/// Of several agents that share a profile, it is the last that came.
pub fn holder(place: &Place) -> Option<Option<Holder>> {
    let file = place.open(&place.state(LOCK), OpenOptions::new().read(true)).ok()?;
    match FileExt::try_lock(&file) {
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::WouldBlock => {}
        _ => return None,
    }
    let text = read_state(place, &place.state(WHO)).ok().flatten();
    Some(text.and_then(|(bytes, _)| serde_json::from_slice(&bytes).ok()))
}
