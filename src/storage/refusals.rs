//! How many calls in a row were refused, for a session that spans processes.

use std::{fs, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

use super::{
    file::{read_state, sweep},
    place::Place,
};
use crate::{digest, whole::write_whole};

/// A session that was quiet for so long has no refusals in a row.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// Refusals in a row, and when the last one was (milliseconds since 1970).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusals {
    /// How many.
    pub count: u32,
    /// When the last one was, in milliseconds since 1970.
    pub last_ms: i64,
}

impl Refusals {
    /// Reads the count of `session`; none where there is no usable one.
    pub fn load(place: &Place, session: &str) -> Self {
        let read = read_state(place, &path(place, session)).ok().flatten();
        read.and_then(|(bytes, _)| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Stores the count of `session`; a count that cannot be stored is no reason to fail a call.
    pub fn store(self, place: &Place, session: &str) {
        let path = path(place, session);
        if self == Self::default() {
            if place.check_parent(&path).is_ok() {
                let _ = fs::remove_file(path);
            }
            return;
        }
        if place.create_parent(&path).is_ok() {
            sweep(&place.state("refusals"), KEPT);
            let _ = write_whole(&path, &serde_json::to_vec(&self).unwrap_or_default());
        }
    }
}

fn path(place: &Place, session: &str) -> PathBuf {
    place.state(&format!("refusals/{}.json", digest::hex(session)))
}
