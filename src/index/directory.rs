//! Where tantivy keeps its files: a folder in which nothing is synced and nothing becomes visible by itself.
//!
//! The list of segments (`meta.json`) is not a file here: it stands in the table of the level, so that text, vectors and
//! table change together with one rename. Files that a commit does without are removed after that rename and not before it,
//! or a killed writer would leave a table that names files which are gone. A derived index needs no sync: what a power cut
//! leaves is found out by its checksums and made anew.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use tantivy::{
    Directory,
    directory::{
        AntiCallToken, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite,
        WatchCallback, WatchHandle, WritePtr,
        error::{DeleteError, LockError, OpenReadError, OpenWriteError},
    },
};

use super::Damage;

/// The name under which tantivy asks for the list of segments.
const META: &str = "meta.json";

/// The folder of one text index.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
    mapped: MmapDirectory,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// The list of segments; none where the index is new.
    meta: Option<Vec<u8>>,
    /// The list of files that tantivy keeps for itself.
    managed: Option<Vec<u8>>,
}

impl Folder {
    /// Opens the folder at `path`, with the list of segments `meta`.
    pub(super) fn open(path: &Path, meta: Option<&str>) -> Result<Self, Damage> {
        let state = State { meta: meta.map(|meta| meta.as_bytes().to_vec()), ..State::default() };
        let mapped = MmapDirectory::open(path).map_err(Damage::of)?;
        Ok(Self { path: path.to_owned(), mapped, state: Arc::new(Mutex::new(state)) })
    }

    /// Returns the list of segments as it is now.
    pub(super) fn meta(&self) -> String {
        let state = self.state();
        String::from_utf8_lossy(state.meta.as_deref().unwrap_or_default()).into_owned()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the bytes that stand for the file `path` in the table, where it is such a file.
    fn kept<'s>(state: &'s mut State, path: &Path) -> Option<&'s mut Option<Vec<u8>>> {
        match path.to_str() {
            Some(META) => Some(&mut state.meta),
            Some(".managed.json") => Some(&mut state.managed),
            _ => None,
        }
    }
}

/// A file without a sync at its end.
#[derive(Debug)]
struct Unsynced(File);

impl Write for Unsynced {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl TerminatingWrite for Unsynced {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.0.flush()
    }
}

impl Directory for Folder {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.mapped.get_file_handle(path)
    }

    /// What the list of segments does without is removed after the rename that makes the list visible.
    fn delete(&self, _: &Path) -> Result<(), DeleteError> {
        Ok(())
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        match Self::kept(&mut self.state(), path) {
            Some(kept) => Ok(kept.is_some()),
            None => self.mapped.exists(path),
        }
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(self.path.join(path))
            .map_err(|error| OpenWriteError::wrap_io_error(error, path.to_owned()))?;
        Ok(BufWriter::new(Box::new(Unsynced(file))))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let bytes = Self::kept(&mut self.state(), path).cloned().flatten();
        bytes.ok_or_else(|| OpenReadError::FileDoesNotExist(path.to_owned()))
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        match Self::kept(&mut self.state(), path) {
            Some(kept) => *kept = Some(data.to_vec()),
            None => fs::write(self.path.join(path), data)?,
        }
        Ok(())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    /// The index lock of the profile stands above every writer, and a list of segments never changes under a reader.
    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}
