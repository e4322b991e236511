//! The bytes before changes that no splice takes back: those of a hand. Without them an undo goes entry by entry.

use std::{path::PathBuf, time::Duration};

use super::{
    file::{read_state, sweep},
    place::Place,
};
use crate::whole::write_whole;

/// How long they are kept.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Keeps the bytes before the change `run`; where that fails, the undo is less exact.
pub(super) fn keep(place: &Place, run: &str, bytes: &[u8]) {
    let path = path(place, run);
    if place.create_parent(&path).is_ok() {
        sweep(&place.state("undo"), KEPT);
        let _ = write_whole(&path, bytes);
    }
}

/// Returns the bytes before the change `run`, where they are kept.
pub(super) fn bytes(place: &Place, run: &str) -> Option<Vec<u8>> {
    // The name comes from the journal, which anyone may have written.
    if !run.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        return None;
    }
    read_state(place, &path(place, run)).ok()?.map(|(bytes, _)| bytes)
}

fn path(place: &Place, run: &str) -> PathBuf {
    place.state(&format!("undo/{run}"))
}
