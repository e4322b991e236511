//! One bounded file on disk: read with its fingerprint, replaced whole.

use std::{
    fs::{self, File, Metadata, OpenOptions, Permissions},
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use rustix::fs::{CWD, RenameFlags};
use tempfile::NamedTempFile;

use super::place::sync_dir;
use crate::{error::MemoryError, memory::Document};

/// Bytes that a bounded file may have to be read at all.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Temporary files begin with this, so that the watcher and a person can tell them.
const TEMPORARY: &str = ".carnet-";

/// Temporary files end with this.
const TEMPORARY_END: &str = ".tmp";

/// After this time a temporary file has no writer any more.
const ABANDONED: Duration = Duration::from_secs(60);

/// What tells one state of a file from another without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    device: u64,
    pub(super) inode: u64,
    pub(super) size: u64,
    pub(super) modified: i128,
    changed: i128,
}

impl Fingerprint {
    pub(super) fn of(found: &Metadata) -> Self {
        let nanos =
            |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        Self {
            device: found.dev(),
            inode: found.ino(),
            size: found.size(),
            modified: nanos(found.mtime(), found.mtime_nsec()),
            changed: nanos(found.ctime(), found.ctime_nsec()),
        }
    }

    /// Returns the fingerprint of the file at `path`; `None` where there is none.
    pub(super) fn at(path: &Path) -> io::Result<Option<Self>> {
        match fs::metadata(path) {
            Ok(found) => Ok(Some(Self::of(&found))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// A bounded file as it was read.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The file itself, symbolic links followed.
    pub(super) path: PathBuf,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The bytes as entries.
    pub document: Document,
    /// `None` where there is no file.
    pub(super) fingerprint: Option<Fingerprint>,
    /// Whether anyone may write it.
    pub(super) writable: bool,
}

impl Seen {
    /// Returns whether there is a file.
    pub fn exists(&self) -> bool {
        self.fingerprint.is_some()
    }

    /// Refuses a file that must not be written.
    pub(super) fn check_writable(&self) -> Result<(), MemoryError> {
        if let Err(error) = std::str::from_utf8(&self.bytes) {
            return Err(MemoryError::NotUtf8 { path: self.path.clone(), at: error.valid_up_to() });
        }
        if !self.writable {
            let source =
                io::Error::new(io::ErrorKind::PermissionDenied, "the file is marked read-only");
            return Err(MemoryError::Write { path: self.path.clone(), source });
        }
        Ok(())
    }
}

/// Reads the file at `path`; a missing one reads as empty.
pub(super) fn read(path: PathBuf) -> Result<Seen, MemoryError> {
    match read_bytes(&path) {
        Ok(found) => {
            let (bytes, fingerprint, writable) = match found {
                Some((bytes, metadata)) => (
                    bytes,
                    Some(Fingerprint::of(&metadata)),
                    metadata.permissions().mode() & 0o222 != 0,
                ),
                None => (Vec::new(), None, true),
            };
            let document = Document::parse(&bytes);
            Ok(Seen { path, bytes, document, fingerprint, writable })
        }
        Err(source) => Err(MemoryError::Read { path, source }),
    }
}

/// Reads a regular file; `None` where there is none.
pub(super) fn read_bytes(path: &Path) -> io::Result<Option<(Vec<u8>, Metadata)>> {
    // Opening a named pipe would wait for its other end.
    let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let mut file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(io::Error::other("it is larger than 64 MiB"));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    file.read_to_end(&mut bytes)?;
    Ok(Some((bytes, metadata)))
}

/// New bytes beside a file, synced, ready to take its place.
#[derive(Debug)]
pub(super) struct Replacement {
    temporary: NamedTempFile,
    path: PathBuf,
}

/// How a replacement went.
#[derive(Debug)]
pub(super) enum Placed {
    /// The new bytes stand; what they displaced was the file that was read.
    Done,
    /// The new bytes stand, and this other file, which came in between, was displaced.
    Displaced(NamedTempFile),
    /// A file has come where none was: nothing was changed.
    Moved,
}

impl Replacement {
    /// Writes `bytes` to a temporary file beside `seen`, with its mode and owner, and syncs it.
    pub(super) fn prepare(seen: &Seen, bytes: &[u8]) -> io::Result<Self> {
        let dir = seen.path.parent().unwrap_or(Path::new("."));
        // A killed writer leaves its file; another profile may share the directory, so only old ones go.
        sweep(dir, ABANDONED, |name| name.starts_with(TEMPORARY) && name.ends_with(TEMPORARY_END));
        let mut temporary = tempfile::Builder::new()
            .prefix(TEMPORARY)
            .suffix(TEMPORARY_END)
            .permissions(Permissions::from_mode(0o600))
            .tempfile_in(dir)?;
        temporary.write_all(bytes)?;
        if seen.exists() {
            let old = fs::metadata(&seen.path)?;
            // Only root may give a file away; a member of its group may still keep the group.
            if fchown(temporary.as_file(), Some(old.uid()), Some(old.gid())).is_err() {
                let _ = fchown(temporary.as_file(), None, Some(old.gid()));
            }
            temporary.as_file().set_permissions(old.permissions())?;
        }
        temporary.as_file().sync_all()?;
        Ok(Self { temporary, path: seen.path.clone() })
    }

    /// Renames the new file into place and syncs the directory.
    ///
    /// The two names are exchanged where the file system can do that, so that a file which an editor renamed into
    /// place in the last moment is found in the temporary name and not lost.
    pub(super) fn place(self, seen: &Seen) -> io::Result<Placed> {
        let dir = self.path.parent().unwrap_or(Path::new("."));
        let Some(read) = seen.fingerprint else {
            return match self.temporary.persist_noclobber(&self.path) {
                Ok(_) => sync_dir(dir).map(|()| Placed::Done),
                Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => {
                    Ok(Placed::Moved)
                }
                Err(failed) => Err(failed.error),
            };
        };
        let exchanged = rustix::fs::renameat_with(
            CWD,
            self.temporary.path(),
            CWD,
            &self.path,
            RenameFlags::EXCHANGE,
        );
        match exchanged {
            Ok(()) => {
                sync_dir(dir)?;
                let displaced = fs::metadata(self.temporary.path())?;
                let same = displaced.ino() == read.inode && displaced.dev() == read.device;
                Ok(if same { Placed::Done } else { Placed::Displaced(self.temporary) })
            }
            Err(rustix::io::Errno::NOENT) => Ok(Placed::Moved),
            Err(
                rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP,
            ) => {
                self.temporary.persist(&self.path).map_err(|failed| failed.error)?;
                sync_dir(dir).map(|()| Placed::Done)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Removes from `dir` the files that are older than `age` and that `is_ours` by their name.
pub(super) fn sweep(dir: &Path, age: Duration, is_ours: impl Fn(&str) -> bool) {
    let Ok(files) = fs::read_dir(dir) else { return };
    for file in files.flatten() {
        if !file.file_name().to_str().is_some_and(&is_ours) {
            continue;
        }
        let changed = file.metadata().and_then(|found| found.modified());
        if matches!(changed.map(|at| SystemTime::now().duration_since(at)), Ok(Ok(found)) if found > age)
        {
            let _ = fs::remove_file(file.path());
        }
    }
}

/// Writes `bytes` to `path` by way of a temporary file, without a sync: for state that can be made anew.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let mut temporary =
        tempfile::Builder::new().prefix(TEMPORARY).suffix(TEMPORARY_END).tempfile_in(dir)?;
    temporary.write_all(bytes)?;
    temporary.persist(path).map_err(|failed| failed.error).map(drop)
}

/// Writes a new file that must not be there yet, and syncs it.
pub(super) fn write_new(mut file: File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}
