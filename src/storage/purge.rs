//! Erasing: what is left of a text in machine state, and a look at every byte under a profile's directory.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::{notebook::is_passed_over, place::sync_dir, store::Store, tombstone::Tombstones};
use crate::{error::MemoryError, whole::write_whole};

/// What is looked for: lines of the texts, and names, folded to one case.
#[derive(Clone, Debug, Default)]
pub struct Needles {
    lines: Vec<String>,
    names: Vec<String>,
}

/// Characters from which a line is told from any other by itself.
const LINE: usize = 8;

impl Needles {
    /// Makes them of texts, and of ids and keys.
    pub fn of(texts: &[String], names: &[String]) -> Self {
        let lines = texts.iter().flat_map(|text| {
            let all: Vec<_> = text.lines().map(|line| line.trim().to_lowercase()).collect();
            let long: Vec<_> =
                all.iter().filter(|line| line.chars().count() >= LINE).cloned().collect();
            // A text of short lines is looked for as a whole.
            if long.is_empty() { vec![text.trim().to_lowercase()] } else { long }
        });
        let lines = lines.filter(|line| !line.is_empty() && line.as_str() != "---").collect();
        let names =
            names.iter().map(|name| name.to_lowercase()).filter(|name| name.len() > 2).collect();
        Self { lines, names }
    }

    /// Returns whether bytes hold one of the texts, as they are or as JSON writes them.
    fn are_in(&self, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        let escaped = |line: &str| {
            let quoted = Value::from(line).to_string();
            quoted.trim_matches('"').to_owned()
        };
        self.lines.iter().any(|line| text.contains(line.as_str()) || text.contains(&escaped(line)))
    }

    /// Returns whether bytes name one of them.
    fn name_in(&self, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        self.names.iter().any(|name| text.contains(name.as_str()))
    }
}

/// A file in which a text still stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The file.
    pub path: PathBuf,
    /// Whether it is an editor's own, such as a backup or swap file.
    pub editors: bool,
}

impl Store {
    /// Removes what machine state holds of the texts: copies, undo bytes, snapshots, logs, waiting calls, indexes. The journal
    /// keeps that something changed, by keyed hashes. Returns what there is to tell.
    pub fn purge(
        &self,
        needles: &Needles,
        archived: &[String],
        stones: &Tombstones,
    ) -> Result<Vec<String>, MemoryError> {
        let mut reports = Vec::new();
        let _lock = self.lock(&mut reports)?;
        let place = &self.place;
        for id in archived {
            let path = place.dir.join(format!("{id}.md"));
            place.check_parent(&path)?;
            remove(&path)?;
            if let Some(dir) = path.parent() {
                let _ = fs::remove_dir(dir);
                let _ = sync_dir(dir);
            }
        }
        // Copies of what files held before: they are made anew by the next write.
        for dir in ["base", "undo", "tmp"] {
            for path in files(&place.state(dir)) {
                remove(&path)?;
            }
        }
        let own = |name: &str| place.own_state(name).into_iter().flat_map(|dir| files(&dir));
        let waiting = files(&place.dir.join("pending"));
        for path in own("snapshots").chain(waiting) {
            if fs::read(&path).is_ok_and(|bytes| needles.are_in(&bytes) || needles.name_in(&bytes))
            {
                remove(&path)?;
            }
        }
        for name in ["hook.log", "hook.log.1", "signals.json", "audit.jsonl", "audit.1.jsonl"] {
            for path in [place.own_state(name), Some(place.state(name))].into_iter().flatten() {
                drop_lines(&path, needles)?;
            }
        }
        hash_names(&place.state("journal.jsonl"), needles, stones)?;
        if let Some(index) = place.index().filter(|index| index.exists()) {
            fs::remove_dir_all(&index).map_err(MemoryError::writing(index))?;
        }
        Ok(reports)
    }

    /// Looks at every file under the profile's directory, and where its state is kept; returns those in which a text stands.
    pub fn left(&self, needles: &Needles) -> Vec<Left> {
        let mut paths = files(&self.place.dir);
        if let Some(own) = self.place.own_state("").filter(|own| !own.starts_with(&self.place.dir))
        {
            paths.extend(files(&own));
        }
        let stands = |path: &PathBuf| {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            let in_bytes = fs::read(path).is_ok_and(|bytes| needles.are_in(&bytes));
            let is_ours = name.starts_with(crate::whole::TEMPORARY);
            in_bytes
                .then(|| Left { path: path.clone(), editors: is_passed_over(&name) && !is_ours })
        };
        paths.iter().filter_map(stands).collect()
    }
}

fn remove(path: &Path) -> Result<(), MemoryError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(MemoryError::writing(path)(error))
        }
        _ => Ok(()),
    }
}

/// Returns the files under a directory; links are not followed.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for file in fs::read_dir(dir).into_iter().flatten().flatten() {
            match file.file_type() {
                Ok(kind) if kind.is_dir() => dirs.push(file.path()),
                Ok(kind) if kind.is_file() => found.push(file.path()),
                _ => {}
            }
        }
    }
    found
}

/// Takes the lines that hold a text out of a file.
fn drop_lines(path: &Path, needles: &Needles) -> Result<(), MemoryError> {
    let Ok(bytes) = fs::read(path) else { return Ok(()) };
    let text = String::from_utf8_lossy(&bytes);
    let is_kept =
        |line: &&str| !needles.are_in(line.as_bytes()) && !needles.name_in(line.as_bytes());
    let kept: String = text.split_inclusive('\n').filter(is_kept).collect();
    if kept.len() == text.len() {
        return Ok(());
    }
    write_whole(path, kept.as_bytes()).map_err(MemoryError::writing(path))
}

/// Puts keyed hashes in the place of names in the journal.
fn hash_names(path: &Path, needles: &Needles, stones: &Tombstones) -> Result<(), MemoryError> {
    let Ok(bytes) = fs::read(path) else { return Ok(()) };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let line = |line: &str| match serde_json::from_str::<Value>(line) {
        Ok(mut record) if needles.name_in(line.as_bytes()) => {
            hash_in(&mut record, needles, stones);
            format!("{record}\n")
        }
        _ => format!("{line}\n"),
    };
    let new: String = text.lines().map(line).collect();
    write_whole(path, new.as_bytes()).map_err(MemoryError::writing(path))
}

fn hash_in(value: &mut Value, needles: &Needles, stones: &Tombstones) {
    match value {
        Value::String(text) if needles.name_in(text.as_bytes()) => {
            *text = format!("erased-{}", stones.hash(text));
        }
        Value::Array(list) => list.iter_mut().for_each(|item| hash_in(item, needles, stones)),
        Value::Object(object) => {
            object.values_mut().for_each(|item| hash_in(item, needles, stones));
        }
        _ => {}
    }
}
