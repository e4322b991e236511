//! What an import writes: one note a line, the same note for the same id.

use std::{
    collections::HashMap,
    fs::File,
    path::{Path, PathBuf},
    time::{Duration, UNIX_EPOCH},
};

use jiff::Timestamp;

use super::{
    file::{create_whole, read_state},
    lock::WriteLock,
    notebook::scan,
    place::Place,
};
use crate::{digest, error::MemoryError, notes::Layer};

/// What is to become of a note that comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It is not there yet.
    New,
    /// It is there, as it was imported, and says something else.
    Newer,
    /// It is there, to the byte.
    Same,
}

/// A note that comes in.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<'n> {
    /// What its file is to hold.
    pub content: &'n str,
    /// When its file was last changed where it comes from.
    pub modified: Option<Timestamp>,
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

    /// Returns the note that was imported with `mark` before; else, of `folder` and `name`, the one it is to be.
    pub fn path(&self, place: &Place, folder: &str, name: &str, mark: &str) -> PathBuf {
        let fresh = || place.dir.join(folder).join(format!("{name}-i{mark}.md"));
        self.known.get(mark).cloned().unwrap_or_else(fresh)
    }

    /// Says what is to become of the note at `path`, which is imported as `content`.
    ///
    /// A note that a hand has changed since it was imported is left as it is, with an error.
    pub fn plan(&self, place: &Place, path: &Path, content: &str) -> Result<Arrival, MemoryError> {
        let old = read_state(place, path).map_err(MemoryError::reading(path))?;
        let Some((bytes, found)) = old else { return Ok(Arrival::New) };
        if bytes == content.as_bytes() {
            return Ok(Arrival::Same);
        }
        let as_imported =
            String::from_utf8(bytes).is_ok_and(|text| with_sum(&without_sum(&text)) == text);
        if !as_imported || found.permissions().readonly() {
            let what = format!("the note imported as {}", path.display());
            return Err(MemoryError::Conflict { what });
        }
        Ok(Arrival::Newer)
    }

    /// Writes a new note; `mark` is what its name ends in, where it has one.
    pub fn create(
        &mut self,
        place: &Place,
        path: &Path,
        mark: Option<&str>,
        note: &Incoming,
    ) -> Result<(), MemoryError> {
        // Note by note, so that a long import keeps no other writer waiting.
        let _lock = WriteLock::take(place)?;
        place.create_parent(path)?;
        let bytes = note.content.as_bytes();
        if !create_whole(path, bytes).map_err(MemoryError::writing(path))? {
            return Err(MemoryError::Conflict { what: path.display().to_string() });
        }
        if let Some(at) = note.modified {
            let file = File::options().write(true).open(path);
            let since = Duration::try_from(at.duration_since(Timestamp::UNIX_EPOCH));
            let at = UNIX_EPOCH + since.unwrap_or_default();
            let set = file.and_then(|file| file.set_modified(at));
            set.map_err(MemoryError::writing(path))?;
        }
        self.known.extend(mark.map(|mark| (mark.to_owned(), path.to_owned())));
        Ok(())
    }
}

/// Returns a note with the hash of it as its second line, by which a change of a hand is told.
pub fn with_sum(content: &str) -> String {
    let at = content.find('\n').map_or(content.len(), |at| at + 1);
    let (first, rest) = content.split_at(at);
    let end = if first.ends_with("\r\n") { "\r\n" } else { "\n" };
    format!("{first}{SUM}{}{end}{rest}", digest::short(content, 16))
}

fn without_sum(content: &str) -> String {
    let lines: Vec<_> = content.split_inclusive('\n').collect();
    let rest = lines.iter().enumerate().filter(|(at, line)| *at != 1 || !line.starts_with(SUM));
    rest.map(|(_, line)| *line).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_was_imported_before_is_known_again() {
        let home = tempfile::tempdir().unwrap();
        let place = Place::own(home.path(), "default").unwrap();
        let mut importer = Importer::open(&place).unwrap();
        let path = importer.path(&place, "facts", "a", "0123");
        let content = with_sum("---\nsource: import\n---\na\n");
        assert_eq!(importer.plan(&place, &path, &content).unwrap(), Arrival::New);
        let note = Incoming { content: &content, modified: None };
        importer.create(&place, &path, Some("0123"), &note).unwrap();
        assert!(WriteLock::take(&place).is_ok());
        assert_eq!(importer.plan(&place, &path, &content).unwrap(), Arrival::Same);
        assert_eq!(importer.path(&place, "facts/b", "b", "0123"), path);
    }

    #[test]
    fn a_change_of_a_hand_is_told_whatever_the_line_ends() {
        let home = tempfile::tempdir().unwrap();
        let place = Place::own(home.path(), "default").unwrap();
        let importer = Importer::open(&place).unwrap();
        let path = home.path().join("a.md");
        for eol in ["\n", "\r\n"] {
            let content = with_sum(&format!("\u{feff}---{eol}a: b{eol}---{eol}body{eol}"));
            fs::write(&path, &content).unwrap();
            assert_eq!(importer.plan(&place, &path, "other").unwrap(), Arrival::Newer);
            fs::write(&path, content.replace("body", "hand")).unwrap();
            assert!(importer.plan(&place, &path, "other").is_err());
        }
    }
}
