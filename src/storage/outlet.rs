//! Where an export goes: files that only their owner may read, whole or not at all.

use std::{
    fs::{self, DirBuilder},
    io::{self, BufWriter, Write},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::place::sync_dir;
use crate::{
    error::MemoryError,
    whole::{beside, write_whole},
};

/// Whether an export may take the place of what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrite {
    /// What is there stays, and the export is refused.
    No,
    /// The export takes its place.
    Yes,
}

/// A file that an export writes.
#[derive(Debug)]
pub struct OutletFile {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
    overwrite: Overwrite,
}

fn there(path: &Path) -> MemoryError {
    let what = format!("{} is there already", path.display());
    MemoryError::bad_request(what, "name another output, or say that it may be overwritten")
}

impl OutletFile {
    /// Begins the file that is to stand at `path`.
    pub fn begin(path: &Path, overwrite: Overwrite) -> Result<Self, MemoryError> {
        if overwrite == Overwrite::No && fs::symlink_metadata(path).is_ok() {
            return Err(there(path));
        }
        // Of a name alone the parent is empty.
        let absolute = std::path::absolute(path).map_err(MemoryError::writing(path))?;
        let file = beside(&absolute, b"").map_err(MemoryError::writing(path))?;
        Ok(Self { file: BufWriter::new(file), path: absolute, overwrite })
    }

    /// Writes on.
    pub fn write(&mut self, text: &str) -> Result<(), MemoryError> {
        self.file.write_all(text.as_bytes()).map_err(MemoryError::writing(&self.path))
    }

    /// Puts the file in its place.
    pub fn finish(self) -> Result<(), MemoryError> {
        let Self { file, path, overwrite } = self;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        let file = file.and_then(|file| file.as_file().sync_all().map(|()| file));
        let file = file.map_err(MemoryError::writing(&path))?;
        let placed = match overwrite {
            Overwrite::No => file.persist_noclobber(&path),
            Overwrite::Yes => file.persist(&path),
        };
        match placed {
            Ok(_) => sync_dir(path.parent().unwrap_or(Path::new("/")))
                .map_err(MemoryError::writing(&path)),
            Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => Err(there(&path)),
            Err(failed) => Err(MemoryError::writing(&path)(failed.error)),
        }
    }
}

/// A folder that an export writes.
#[derive(Debug)]
pub struct OutletFolder {
    path: PathBuf,
    /// Whether something stood in it before, of which what is not overwritten stays.
    pub was_filled: bool,
}

impl OutletFolder {
    /// Begins the folder at `path`, which is to be new or empty unless it may be overwritten.
    pub fn begin(path: &Path, overwrite: Overwrite) -> Result<Self, MemoryError> {
        let was_filled = match fs::read_dir(path).map(|mut files| files.next().is_some()) {
            Ok(true) if overwrite == Overwrite::No => return Err(there(path)),
            Ok(was_filled) => was_filled,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create(path)?;
                false
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Err(there(path)),
            Err(source) => return Err(MemoryError::Read { path: path.to_owned(), source }),
        };
        Ok(Self { path: path.to_owned(), was_filled })
    }

    /// Writes the file `name`, a path with slashes.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), MemoryError> {
        let path = self.path.join(name);
        create(path.parent().unwrap_or(&self.path))?;
        write_whole(&path, bytes).map_err(MemoryError::writing(&path))
    }
}

fn create(dir: &Path) -> Result<(), MemoryError> {
    let created = DirBuilder::new().recursive(true).mode(0o700).create(dir);
    created.map_err(MemoryError::writing(dir))
}
