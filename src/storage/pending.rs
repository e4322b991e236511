//! Writes of an agent that wait for a person.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    file::{create_whole, read_state},
    place::Place,
};
use crate::{digest, error::MemoryError, whole::write_whole};

/// A call of the tool that waits in `pending/`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    /// Names it.
    pub id: String,
    /// When it was asked for, RFC 3339.
    pub at: String,
    /// What the agent calls itself.
    pub client: Option<String>,
    /// The tool that was called; `memory` where it does not say.
    #[serde(default = "memory")]
    pub tool: String,
    /// Why it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The call, as it came.
    pub request: Value,
}

fn memory() -> String {
    "memory".to_owned()
}

impl Pending {
    /// Stores the call; the same call again is not stored twice.
    pub fn stage(
        place: &Place,
        tool: &str,
        request: &Value,
        client: Option<&str>,
        why: Option<String>,
        at: String,
    ) -> Result<Self, MemoryError> {
        let id = format!("p-{}", digest::short(request.to_string(), 8));
        let (client, tool) = (client.map(str::to_owned), tool.to_owned());
        let pending = Self { id, at, client, tool, why, request: request.clone() };
        let path = path(place, &pending.id);
        place.create_parent(&path)?;
        let bytes = serde_json::to_vec_pretty(&pending).unwrap_or_default();
        let stored = |path: &Path| {
            Self::read(place, path).is_some_and(|known| known.request == pending.request)
        };
        let created = create_whole(&path, &bytes).map_err(MemoryError::writing(&path))?;
        if !created && !stored(&path) {
            // What stands there is torn, or is not ours.
            write_whole(&path, &bytes).map_err(MemoryError::writing(&path))?;
        }
        Ok(pending)
    }

    /// Reads one waiting call; its id is the name of its file, whatever the file says.
    fn read(place: &Place, path: &Path) -> Option<Self> {
        let id = path.file_stem()?.to_str()?.to_owned();
        let digits = id.strip_prefix("p-")?;
        let named = digits.len() == 8 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let (bytes, _) = read_state(place, path).ok()??;
        let pending: Self = serde_json::from_slice(&bytes).ok()?;
        named.then_some(Self { id, ..pending })
    }

    /// Returns the waiting calls, oldest first; files that are none are passed over.
    pub fn all(place: &Place) -> Vec<Self> {
        let Ok(files) = fs::read_dir(place.dir.join("pending")) else { return Vec::new() };
        let mut all: Vec<_> =
            files.flatten().filter_map(|file| Self::read(place, &file.path())).collect();
        all.sort_by(|a, b| (&a.at, &a.id).cmp(&(&b.at, &b.id)));
        all
    }

    /// Returns the waiting call `id`.
    pub fn get(place: &Place, id: &str) -> Result<Self, MemoryError> {
        let found = Self::all(place).into_iter().find(|pending| pending.id == id);
        found.ok_or_else(|| {
            MemoryError::not_found(format!("nothing waits as `{id}`"), "list what waits for review")
        })
    }

    /// Stores it over what waited under its id.
    pub fn replace(&self, place: &Place) -> Result<(), MemoryError> {
        let path = path(place, &self.id);
        place.check_parent(&path)?;
        let bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        write_whole(&path, &bytes).map_err(MemoryError::writing(path))
    }

    /// Drops the call, which a person has decided on.
    pub fn drop_from(&self, place: &Place) -> Result<(), MemoryError> {
        let path = path(place, &self.id);
        place.check_parent(&path)?;
        fs::remove_file(&path).map_err(MemoryError::writing(path))
    }
}

fn path(place: &Place, id: &str) -> PathBuf {
    place.dir.join("pending").join(format!("{id}.json"))
}
