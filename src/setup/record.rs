//! What is kept of a setup, so that taking it back gives the very bytes that were there before.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::files;
use crate::{digest, error::MemoryError, whole::write_whole};

/// The files and folders that setups changed; without it they are cleaned by what stands in them.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Record {
    files: BTreeMap<PathBuf, Changed>,
    folders: Vec<PathBuf>,
}

/// How a file was changed: never a copy of it, which could hold secrets.
#[derive(Debug, Serialize, Deserialize)]
struct Changed {
    /// Whether there was no file.
    created: bool,
    /// Hash of the file as it was written.
    after: String,
    /// Hash of the file before.
    before: String,
    /// From the end to the beginning: where, how many bytes go, what comes instead.
    splices: Vec<(usize, usize, String)>,
}

impl Record {
    /// Returns the place of the record under `home`.
    pub(super) fn path(home: &Path) -> PathBuf {
        home.join("setup.json")
    }

    /// Reads the record; one that cannot be read counts as none.
    pub(super) fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Writes the record, or removes it where it is empty.
    pub(super) fn write(&self, path: &Path) -> Result<(), MemoryError> {
        if self.files.is_empty() && self.folders.is_empty() {
            let _ = fs::remove_file(path);
            return Ok(());
        }
        // A path that is no text cannot be kept.
        let Ok(text) = serde_json::to_string_pretty(self) else { return Ok(()) };
        let dir = path.parent().unwrap_or(Path::new("."));
        let made = files::create_folder(dir, 0o700);
        made.and_then(|_| write_whole(path, text.as_bytes()).map_err(MemoryError::writing(path)))
    }

    /// Tells whether a setup changed the file.
    pub(super) fn knows(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }

    /// Tells whether a setup created the file.
    pub(super) fn created(&self, path: &Path) -> bool {
        self.files.get(path).is_some_and(|changed| changed.created)
    }

    /// Returns the text before the setup, where the file is as that wrote it.
    pub(super) fn before(&self, path: &Path, text: &str) -> Option<String> {
        let changed = self.files.get(path)?;
        let hash = digest::hex(text);
        // A setup that was interrupted had not come to this file.
        if hash == changed.before && !changed.created {
            return Some(text.to_owned());
        }
        if hash != changed.after {
            return None;
        }
        let mut before = text.to_owned();
        for (at, len, old) in &changed.splices {
            let place = *at..at.checked_add(*len)?;
            before.get(place.clone())?;
            before.replace_range(place, old);
        }
        (digest::hex(&before) == changed.before).then_some(before)
    }

    /// Keeps how `before` became `after`.
    pub(super) fn keep(&mut self, path: &Path, created: bool, before: &str, after: &str) {
        let changed = Changed {
            created,
            after: digest::hex(after),
            before: digest::hex(before),
            splices: splices(before, after),
        };
        self.files.insert(path.to_owned(), changed);
    }

    /// Forgets a file.
    pub(super) fn forget(&mut self, path: &Path) {
        self.files.remove(path);
    }

    /// Keeps that folders were created.
    pub(super) fn keep_folders(&mut self, folders: Vec<PathBuf>) {
        self.folders.extend(folders);
    }

    /// Removes the folders above `path` that were created and are empty now.
    pub(super) fn remove_folders(&mut self, path: &Path) {
        for folder in path.ancestors().skip(1) {
            let known = self.folders.iter().any(|it| it == folder);
            if !known || fs::remove_dir(folder).is_err() {
                return;
            }
            self.folders.retain(|it| it != folder);
        }
    }
}

/// Returns what makes `before` of `after` again.
fn splices(before: &str, after: &str) -> Vec<(usize, usize, String)> {
    let old: Vec<_> = before.split_inclusive('\n').collect();
    let new: Vec<_> = after.split_inclusive('\n').collect();
    let bytes = |lines: &[&str], range: std::ops::Range<usize>| {
        lines.get(range).unwrap_or_default().concat()
    };
    let mut splices = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        if op.tag() == DiffTag::Equal {
            continue;
        }
        let (was, is) = (bytes(&old, op.old_range()), bytes(&new, op.new_range()));
        let at = bytes(&new, 0..op.new_range().start).len();
        // Only what differs in the lines: what stands beside it may be anything.
        let head = common(was.chars(), is.chars());
        let (was, is) = (was.get(head..).unwrap_or_default(), is.get(head..).unwrap_or_default());
        let tail = common(was.chars().rev(), is.chars().rev());
        let (was, is) = (was.get(..was.len() - tail), is.get(..is.len() - tail));
        let (was, is) = (was.unwrap_or_default(), is.unwrap_or_default());
        splices.push((at + head, is.len(), was.to_owned()));
    }
    splices.reverse();
    splices
}

/// Returns the length of what both begin with.
fn common(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    one.zip(other).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum()
}
