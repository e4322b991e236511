//! The notes of a profile: found in their folders, read, and written by an import.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use jiff::Timestamp;

use super::{
    file::{create_whole, read_state, replace_whole},
    lock::WriteLock,
    place::Place,
};
use crate::{
    digest,
    error::MemoryError,
    notes::{Layer, Note},
};

/// Bytes of a note that are read; what is longer is no note a person wrote.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// Folders in folders that are followed at most.
const MAX_DEPTH: usize = 32;

/// What the folders of a profile hold.
#[derive(Debug, Default)]
pub struct Notebook {
    /// The notes, by layer and path.
    pub notes: Vec<Note>,
    /// What could not be read, one line each.
    pub warnings: Vec<String>,
}

impl Notebook {
    /// Reads the notes of `layers`. Hidden and temporary files are passed over, links that leave are not followed.
    pub fn read(place: &Place, layers: &[Layer]) -> Self {
        let mut notebook = Self::default();
        for layer in layers {
            let mut paths = Vec::new();
            notebook.walk(&place.dir.join(layer.as_str()), 0, &mut paths);
            paths.sort();
            for path in paths {
                notebook.read_note(place, *layer, &path);
            }
        }
        notebook
    }

    fn walk(&mut self, dir: &Path, depth: usize, paths: &mut Vec<PathBuf>) {
        let files = match fs::read_dir(dir) {
            Ok(files) => files,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            Err(error) => {
                return self.warnings.push(format!("{} cannot be read: {error}", dir.display()));
            }
        };
        for file in files.flatten() {
            let path = file.path();
            let name = file.file_name();
            let Some(name) =
                name.to_str().filter(|name| !name.starts_with('.') && !name.ends_with('~'))
            else {
                continue;
            };
            let Ok(kind) = file.file_type() else { continue };
            if kind.is_symlink() {
                // Inside the profile a link is another name of a note that is read anyway.
                continue;
            }
            if kind.is_dir() && depth < MAX_DEPTH {
                self.walk(&path, depth + 1, paths);
            } else if kind.is_file() && Path::new(name).extension().is_some_and(|end| end == "md") {
                paths.push(path);
            }
        }
    }

    fn read_note(&mut self, place: &Place, layer: Layer, path: &Path) {
        let Some(id) = id_of(place, path) else { return };
        if fs::metadata(path).is_ok_and(|found| found.len() > MAX_BYTES) {
            return self.warnings.push(format!("{id} is larger than 8 MiB, so it is not read"));
        }
        match read_state(place, path) {
            Ok(Some((bytes, found))) => {
                let modified = found.modified().ok().and_then(|at| Timestamp::try_from(at).ok());
                let text = String::from_utf8_lossy(&bytes);
                let note = Note::read(&id, layer, &text, modified.unwrap_or_default());
                if let Some(why) = &note.malformed {
                    self.warnings.push(format!(
                        "{id} has malformed front matter ({why}); it is read as text"
                    ));
                }
                self.notes.push(note);
            }
            Ok(None) => {}
            Err(error) => self.warnings.push(format!("{id} cannot be read: {error}")),
        }
    }
}

/// Returns the id of the note at `path`: its path in the profile without `.md`.
fn id_of(place: &Place, path: &Path) -> Option<String> {
    let inside = path.strip_prefix(&place.dir).ok()?.with_extension("");
    Some(inside.to_str()?.to_owned())
}

/// What became of an imported note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imported {
    /// It is new, or says something else than before.
    Written,
    /// It was there already, to the byte.
    Unchanged,
}

/// The notes that an import has written before, by what their names end in.
#[derive(Debug)]
pub struct Importer {
    known: HashMap<String, PathBuf>,
}

/// The line of a note that tells whether a hand has changed it since it was imported.
const SUM: &str = "import_sum: ";

impl Importer {
    /// Finds the notes that earlier imports have written.
    pub fn open(place: &Place) -> Self {
        let mut paths = Vec::new();
        let mut notebook = Notebook::default();
        for layer in Layer::FOLDERS {
            notebook.walk(&place.dir.join(layer.as_str()), 0, &mut paths);
        }
        let mark =
            |path: &PathBuf| Some(path.file_stem()?.to_str()?.rsplit_once("-i")?.1.to_owned());
        let known = paths.into_iter().filter_map(|path| Some((mark(&path)?, path))).collect();
        Self { known }
    }

    /// Writes the note `content`; `mark` is the hash of its id, `folder` and `name` say where a new one goes.
    ///
    /// A note that a hand has changed since is left as it is, with an error.
    pub fn put(
        &mut self,
        place: &Place,
        folder: &str,
        name: &str,
        mark: &str,
        content: &str,
    ) -> Result<Imported, MemoryError> {
        // Note by note, so that a long import keeps no other writer waiting.
        let _lock = WriteLock::take(place)?;
        let content = with_sum(content);
        let fresh = place.dir.join(folder).join(format!("{name}-i{mark}.md"));
        let path = self.known.get(mark).cloned().unwrap_or(fresh);
        let old = read_state(place, &path).map_err(MemoryError::reading(&path))?;
        match old {
            Some((bytes, _)) if bytes == content.as_bytes() => return Ok(Imported::Unchanged),
            Some((bytes, found)) => {
                let as_imported = String::from_utf8(bytes)
                    .is_ok_and(|text| with_sum(&without_sum(&text)) == text);
                if !as_imported || found.permissions().readonly() {
                    let what = format!("the note imported as {}", path.display());
                    return Err(MemoryError::Conflict { what });
                }
                replace_whole(&path, content.as_bytes()).map_err(MemoryError::writing(&path))?;
            }
            None => {
                place.create_parent(&path)?;
                if !create_whole(&path, content.as_bytes()).map_err(MemoryError::writing(&path))? {
                    return Err(MemoryError::Conflict { what: path.display().to_string() });
                }
            }
        }
        self.known.insert(mark.to_owned(), path);
        Ok(Imported::Written)
    }
}

/// Returns a note with the hash of it as its second line.
fn with_sum(content: &str) -> String {
    let sum = digest::short(content, 16);
    content.replacen("---\n", &format!("---\n{SUM}{sum}\n"), 1)
}

fn without_sum(content: &str) -> String {
    let line = content.lines().nth(1).filter(|line| line.starts_with(SUM));
    line.map_or_else(|| content.to_owned(), |line| content.replacen(&format!("{line}\n"), "", 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_keeps_no_other_writer_waiting() {
        let home = tempfile::tempdir().unwrap();
        let place = Place::own(home.path(), "default").unwrap();
        let mut importer = Importer::open(&place);
        for content in ["---\nsource: import\n---\na\n", "---\nsource: import\n---\nb\n"] {
            let put = importer.put(&place, "facts", "a", "0123", content);
            assert_eq!(put.unwrap(), Imported::Written);
            assert!(WriteLock::take(&place).is_ok());
        }
        let files = fs::read_dir(place.dir.join("facts")).unwrap();
        assert_eq!(files.count(), 1);
    }
}
