//! Counters that are kept between sessions: machine state, which may be deleted.

use std::path::PathBuf;

use serde::{Serialize, de::DeserializeOwned};

use super::{file::read_state, place::Place};
use crate::{error::MemoryError, whole::write_whole};

fn path(place: &Place) -> PathBuf {
    place.state("signals.json")
}

/// Reads the counted signals; none where there are none, or they are damaged.
pub fn load_signals<T: DeserializeOwned + Default>(place: &Place) -> T {
    let read = read_state(place, &path(place)).ok().flatten();
    read.and_then(|(bytes, _)| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// Stores the counted signals.
pub fn store_signals<T: Serialize>(place: &Place, signals: &T) -> Result<(), MemoryError> {
    let path = path(place);
    place.create_parent(&path)?;
    let bytes = serde_json::to_vec_pretty(signals).unwrap_or_default();
    write_whole(&path, &bytes).map_err(MemoryError::writing(path))
}
