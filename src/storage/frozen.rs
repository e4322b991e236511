//! Frozen snapshots: the same bytes for a whole session.

use std::{io, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

use super::{
    file::{create_whole, read_state, sweep},
    place::Place,
};
use crate::{digest, error::MemoryError, whole::write_whole};

/// How long a frozen snapshot is kept.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What became of one entry in a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrozenEntry {
    /// Its id.
    pub id: String,
    /// `memory` or `user`.
    pub target: String,
    /// Whether its text is in the snapshot.
    pub shown: bool,
    /// Why it is not, or what masks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A snapshot that does not change any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frozen {
    /// The text.
    pub text: String,
    /// BLAKE3 of the text, in hex.
    pub digest: String,
    /// `en` or `fr`.
    pub lang: String,
    /// What became of each entry.
    pub entries: Vec<FrozenEntry>,
}

impl Frozen {
    /// Freezes `text`.
    pub fn new(text: String, lang: &str, entries: Vec<FrozenEntry>) -> Self {
        Self { digest: digest::hex(&text), text, lang: lang.to_owned(), entries }
    }

    /// Returns whether the text is the one the digest was made of.
    pub fn is_whole(&self) -> bool {
        digest::hex(&self.text) == self.digest
    }

    /// Reads the snapshot of `session`; `None` where there is none, an error where it is damaged.
    pub fn load(place: &Place, session: &str) -> Result<Option<Self>, MemoryError> {
        let Some(path) = path(place, session) else { return Ok(None) };
        let damaged = || MemoryError::Read {
            path: path.clone(),
            source: io::Error::other("the snapshot is damaged"),
        };
        let Some((bytes, _)) = read_state(place, &path).map_err(MemoryError::reading(&path))?
        else {
            return Ok(None);
        };
        let frozen: Self = serde_json::from_slice(&bytes).map_err(|_| damaged())?;
        if frozen.is_whole() { Ok(Some(frozen)) } else { Err(damaged()) }
    }

    /// Stores the snapshot for `session`, over an older one.
    pub fn replace(&self, place: &Place, session: &str) -> Result<(), MemoryError> {
        let path = path(place, session).ok_or_else(nowhere)?;
        place.create_parent(&path)?;
        sweep(path.parent().unwrap_or(&place.dir), KEPT);
        write_whole(&path, &self.bytes()).map_err(MemoryError::writing(&path))
    }

    /// Stores the snapshot for `session`; where another process was first, its snapshot is returned.
    pub fn store(self, place: &Place, session: &str) -> Result<Self, MemoryError> {
        let path = path(place, session).ok_or_else(nowhere)?;
        place.create_parent(&path)?;
        sweep(path.parent().unwrap_or(&place.dir), KEPT);
        if create_whole(&path, &self.bytes()).map_err(MemoryError::writing(&path))? {
            return Ok(self);
        }
        Ok(Self::load(place, session)?.unwrap_or(self))
    }

    fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

fn nowhere() -> MemoryError {
    MemoryError::bad_request("there is no home directory to freeze it in", "set CARNET_HOME")
}

/// A session's id may hold any characters, so its hash names the file.
fn path(place: &Place, session: &str) -> Option<PathBuf> {
    place.own_state(&format!("snapshots/{}.json", digest::hex(session)))
}
