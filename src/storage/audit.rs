//! What agents had access to: who, when, which ids, and never a text.

use std::{
    fs::{self, OpenOptions},
    io::Write,
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{file::read_state, place::Place};
use crate::error::MemoryError;

/// One access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// When.
    pub at: Timestamp,
    /// What the agent calls itself.
    pub client: String,
    /// The tool or resource.
    pub tool: String,
    /// The entries and notes that were returned or touched.
    pub ids: Vec<String>,
}

/// Bytes from which a log is set aside; one older log is kept.
const MAX_BYTES: u64 = 1024 * 1024;

const LOG: &str = "audit.jsonl";
const OLDER: &str = "audit.1.jsonl";

/// Adds an access to the log.
pub fn audit(place: &Place, access: &Access) -> Result<(), MemoryError> {
    let path = place.state(LOG);
    place.create_parent(&path)?;
    if fs::symlink_metadata(&path).is_ok_and(|found| found.len() > MAX_BYTES) {
        fs::rename(&path, place.state(OLDER)).map_err(MemoryError::writing(&path))?;
    }
    let line = serde_json::to_string(access).unwrap_or_default();
    let opened = place.open(&path, OpenOptions::new().append(true).create(true));
    let written = opened.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
    written.map_err(MemoryError::writing(path))
}

/// Returns the accesses that are known, oldest first; a damaged line is passed over.
pub fn accesses(place: &Place) -> Vec<Access> {
    let read =
        |name: &str| read_state(place, &place.state(name)).ok().flatten().map(|(bytes, _)| bytes);
    let logs = [OLDER, LOG].into_iter().filter_map(read);
    let lines = logs.flat_map(|bytes| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect::<Vec<Access>>()
    });
    lines.collect()
}
