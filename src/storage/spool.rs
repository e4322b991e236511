//! Sessions of clients, as their hooks tell of them: which ran, where their conversation stands, and what they were given.
//!
//! Nothing that was said is kept here, only where the client keeps it.

use std::{fs, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

use super::{
    file::{read_state, sweep},
    place::Place,
};
use crate::{digest, error::MemoryError, whole::write_whole};

/// How long a session is kept.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// One session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClientSession {
    /// Its id, as the client gives it.
    pub session: String,
    /// The client.
    pub harness: String,
    /// When it was first heard of, RFC 3339.
    pub started: String,
    /// When it was last heard of.
    pub heard: String,
    /// The digest of the snapshot that was put into its context.
    pub given: Option<String>,
    /// Where the client keeps the conversation.
    pub transcript: Option<String>,
    /// Where the agent worked.
    pub cwd: Option<String>,
    /// When it ended.
    pub ended: Option<String>,
    /// Why it ended.
    pub reason: Option<String>,
}

impl ClientSession {
    /// Reads the session `id` of `harness`; `None` where it is not known, or its file is damaged.
    pub fn load(place: &Place, harness: &str, id: &str) -> Option<Self> {
        let (bytes, _) = read_state(place, &path(place, harness, id)?).ok()??;
        serde_json::from_slice(&bytes).ok()
    }

    /// Returns the sessions that are known, the earliest first; damaged files are passed over.
    pub fn all(place: &Place) -> Vec<Self> {
        let folder = place.own_state("spool").and_then(|path| fs::read_dir(path).ok());
        let read = |file: fs::DirEntry| {
            let (bytes, _) = read_state(place, &file.path()).ok()??;
            serde_json::from_slice::<Self>(&bytes).ok()
        };
        let mut all: Vec<_> = folder.into_iter().flatten().flatten().filter_map(read).collect();
        all.sort_by(|one, other| {
            (&one.started, &one.session).cmp(&(&other.started, &other.session))
        });
        all
    }

    /// Stores it.
    pub fn store(&self, place: &Place) -> Result<(), MemoryError> {
        let Some(path) = path(place, &self.harness, &self.session) else { return Ok(()) };
        place.create_parent(&path)?;
        if fs::symlink_metadata(&path).is_err() {
            sweep(path.parent().unwrap_or(&place.dir), KEPT);
        }
        let bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        write_whole(&path, &bytes).map_err(MemoryError::writing(path))
    }
}

fn path(place: &Place, harness: &str, id: &str) -> Option<PathBuf> {
    place.own_state(&format!("spool/{}.json", digest::hex(format!("{harness}\n{id}"))))
}
