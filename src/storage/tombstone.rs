//! What was erased, by keyed hashes: nobody can tell a text from them, and the same text is known again.

use std::{collections::BTreeSet, fs::File, io::Read, path::PathBuf};

use serde_json::Value;

use super::{
    file::{create_whole, read_state},
    place::Place,
};
use crate::{error::MemoryError, whole::write_whole};

const KEY: &str = "erased/key";
const STONES: &str = "erased/tombstones";

/// Stores a receipt of an erase.
pub fn store_receipt(place: &Place, receipt: &Value) -> Result<(), MemoryError> {
    let name = receipt["at"].as_str().unwrap_or("unknown").replace(':', "-");
    let path = place.state(&format!("erased/receipt-{name}.json"));
    place.create_parent(&path)?;
    let bytes = serde_json::to_vec_pretty(receipt).unwrap_or_default();
    create_whole(&path, &bytes).map(drop).map_err(MemoryError::writing(path))
}

/// The key of a profile's hashes, and the hashes.
#[derive(Debug)]
pub struct Tombstones {
    key: [u8; 32],
    known: BTreeSet<String>,
}

impl Tombstones {
    /// Reads them; `None` where nothing was ever erased.
    pub fn load(place: &Place) -> Option<Self> {
        let (bytes, _) = read_state(place, &place.state(KEY)).ok()??;
        let key = bytes.try_into().ok()?;
        let known = read_state(place, &place.state(STONES)).ok().flatten();
        let known = known
            .map(|(bytes, _)| String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect());
        Some(Self { key, known: known.unwrap_or_default() })
    }

    /// Reads them, with a new key where nothing was ever erased.
    pub fn open(place: &Place) -> Result<Self, MemoryError> {
        if let Some(known) = Self::load(place) {
            return Ok(known);
        }
        let path: PathBuf = place.state(KEY);
        place.create_parent(&path)?;
        let mut key = [0; 32];
        let random = "/dev/urandom";
        File::open(random)
            .and_then(|mut file| file.read_exact(&mut key))
            .map_err(MemoryError::reading(random))?;
        create_whole(&path, &key).map_err(MemoryError::writing(&path))?;
        Ok(Self { key, known: BTreeSet::new() })
    }

    /// Returns the keyed hash of a text, the same for every spelling of it.
    pub fn hash(&self, text: &str) -> String {
        let text = crate::memory::folded(text.trim());
        blake3::keyed_hash(&self.key, text.as_bytes()).to_hex().chars().take(32).collect()
    }

    /// Returns whether the text was erased.
    pub fn hold(&self, text: &str) -> bool {
        self.known.contains(&self.hash(text))
    }

    /// Adds texts, and stores them all.
    pub fn add<'t>(
        &mut self,
        place: &Place,
        texts: impl Iterator<Item = &'t str>,
    ) -> Result<(), MemoryError> {
        let hashes: Vec<_> = texts.map(|text| self.hash(text)).collect();
        self.known.extend(hashes);
        let path = place.state(STONES);
        let lines: Vec<&str> = self.known.iter().map(String::as_str).collect();
        let lines = format!("{}\n", lines.join("\n"));
        write_whole(&path, lines.as_bytes()).map_err(MemoryError::writing(path))
    }
}
