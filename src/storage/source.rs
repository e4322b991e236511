//! The files of another program that are imported.

use std::{
    cell::Cell,
    fs::{self, File},
    io::{self, BufRead, BufReader, Cursor, Read},
    path::{Path, PathBuf},
    rc::Rc,
};

use super::notebook::is_passed_over;
use crate::error::MemoryError;

/// Folders in folders that are followed at most.
const MAX_DEPTH: usize = 32;

/// Bytes read at once.
const BUFFER: usize = 128 * 1024;

/// A file that is imported.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its path in the folder that is imported, with slashes; else its name.
    pub name: String,
    /// The name of the folder it stands in; empty where it has none.
    pub folder: String,
    /// Its bytes.
    pub size: usize,
    from: From,
}

#[derive(Clone, Debug)]
enum From {
    Path(PathBuf),
    Bytes(Rc<[u8]>),
}

/// Returns the file at `path`, or those in the folder it is, in the order of their names; and whether it is a folder.
///
/// Hidden files are passed over, and links in a folder are not followed.
pub fn source_files(path: &Path) -> Result<(Vec<SourceFile>, bool), MemoryError> {
    let found = fs::metadata(path).map_err(MemoryError::reading(path))?;
    if !found.is_dir() && !found.is_file() {
        // A pipe is read once, and an import looks at its beginning first.
        let bytes = fs::read(path).map_err(MemoryError::reading(path))?;
        return Ok((vec![SourceFile::of_bytes(bytes)], false));
    }
    if found.is_file() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return Ok((vec![SourceFile::at(path.to_owned(), name, found.len())], false));
    }
    let mut files = Vec::new();
    walk(path, "", 0, &mut files)?;
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok((files, true))
}

fn walk(
    dir: &Path,
    prefix: &str,
    depth: usize,
    files: &mut Vec<SourceFile>,
) -> Result<(), MemoryError> {
    for file in fs::read_dir(dir).map_err(MemoryError::reading(dir))? {
        let file = file.map_err(MemoryError::reading(dir))?;
        let name = file.file_name().to_string_lossy().into_owned();
        if is_passed_over(&name) {
            continue;
        }
        let found = file.metadata().map_err(MemoryError::reading(file.path()))?;
        let name = format!("{prefix}{name}");
        if found.is_dir() && depth < MAX_DEPTH {
            walk(&file.path(), &format!("{name}/"), depth + 1, files)?;
        } else if found.is_file() {
            files.push(SourceFile::at(file.path(), name, found.len()));
        }
    }
    Ok(())
}

impl SourceFile {
    fn at(path: PathBuf, name: String, size: u64) -> Self {
        let whole = fs::canonicalize(&path).unwrap_or_default();
        let folder = whole.parent().and_then(Path::file_name).unwrap_or_default();
        let folder = folder.to_string_lossy().into_owned();
        Self {
            name,
            folder,
            size: usize::try_from(size).unwrap_or(usize::MAX),
            from: From::Path(path),
        }
    }

    /// Returns what was read from standard input as a file without a name.
    pub fn of_bytes(bytes: Vec<u8>) -> Self {
        let size = bytes.len();
        Self { name: String::new(), folder: String::new(), size, from: From::Bytes(bytes.into()) }
    }

    /// Opens it; `read` counts the bytes that were read.
    pub fn open(&self, read: &Rc<Cell<usize>>) -> Result<Box<dyn BufRead>, MemoryError> {
        let count = |inner| Counted { inner, read: Rc::clone(read) };
        Ok(match &self.from {
            From::Path(path) => {
                let file = File::open(path).map_err(MemoryError::reading(path))?;
                Box::new(BufReader::with_capacity(BUFFER, count(file)))
            }
            From::Bytes(bytes) => {
                let inner = Cursor::new(Rc::clone(bytes));
                Box::new(BufReader::new(Counted { inner, read: Rc::clone(read) }))
            }
        })
    }
}

/// A reader that counts.
struct Counted<R> {
    inner: R,
    read: Rc<Cell<usize>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read.set(self.read.get() + count);
        Ok(count)
    }
}
