//! What an import writes: one note a line, the same note for the same id.

use std::{collections::HashMap, path::PathBuf};

use super::{
    file::{create_whole, read_state, replace_whole},
    lock::WriteLock,
    notebook::scan,
    place::Place,
};
use crate::{digest, error::MemoryError, notes::Layer};

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
    ///
    /// Where a folder cannot be read, none is known: its notes would be written a second time.
    pub fn open(place: &Place) -> Result<Self, MemoryError> {
        let found = scan(place, &Layer::FOLDERS);
        if let Some(unknown) = found.unknown.into_iter().next() {
            return Err(MemoryError::Read { path: unknown.path, source: unknown.source });
        }
        let mark =
            |path: &PathBuf| Some(path.file_stem()?.to_str()?.rsplit_once("-i")?.1.to_owned());
        let paths = found.files.into_iter().map(|file| file.path);
        let known = paths.filter_map(|path| Some((mark(&path)?, path))).collect();
        Ok(Self { known })
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
    use std::fs;

    use super::*;

    #[test]
    fn an_import_keeps_no_other_writer_waiting() {
        let home = tempfile::tempdir().unwrap();
        let place = Place::own(home.path(), "default").unwrap();
        let mut importer = Importer::open(&place).unwrap();
        for content in ["---\nsource: import\n---\na\n", "---\nsource: import\n---\nb\n"] {
            let put = importer.put(&place, "facts", "a", "0123", content);
            assert_eq!(put.unwrap(), Imported::Written);
            assert!(WriteLock::take(&place).is_ok());
        }
        let files = fs::read_dir(place.dir.join("facts")).unwrap();
        assert_eq!(files.count(), 1);
    }
}
