//! One bounded file on disk: read with its fingerprint, replaced whole.

use std::{
    fs::{self, File, Metadata, OpenOptions, Permissions},
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use jiff::Timestamp;
use rustix::fs::{CWD, RenameFlags};
use tempfile::NamedTempFile;

use super::place::{Place, sync_dir};
use crate::{
    digest,
    error::MemoryError,
    memory::{Document, Target},
    notes::Stamp,
    whole::{TEMPORARY, TEMPORARY_END, beside},
};

/// Bytes that a bounded file may have to be read at all.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

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

    /// Returns it as the indexes keep it.
    pub(super) fn stamp(self) -> Stamp {
        let nanos = |time: i128| i64::try_from(time).unwrap_or(i64::MAX);
        let (modified, changed) = (nanos(self.modified), nanos(self.changed));
        Stamp { size: self.size, modified, changed, inode: self.inode }
    }

    /// Returns whether the file is the one that was read and holds what was read.
    pub(super) fn is_content_of(self, found: &Metadata) -> bool {
        let now = Self::of(found);
        // Linking and renaming change the time of the status, and that one only.
        Self { changed: now.changed, ..self } == now
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
    /// Whether its mode lets anyone write it.
    pub(super) writable: bool,
}

impl Seen {
    /// Returns when the file was last written; `None` where there is none.
    pub fn modified(&self) -> Option<Timestamp> {
        Timestamp::from_nanosecond(self.fingerprint?.modified).ok()
    }

    /// Returns the directory of the file itself.
    pub(super) fn dir(&self) -> &Path {
        parent(&self.path)
    }

    /// Returns what a file holds after `bytes` were written to it, where it cannot be read again.
    pub(super) fn holding(&self, bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec(), document: Document::parse(bytes), ..self.clone() }
    }

    /// Returns whether there is a file.
    pub fn exists(&self) -> bool {
        self.fingerprint.is_some()
    }

    /// Refuses a file that must not be written.
    pub fn check_writable(&self) -> Result<(), MemoryError> {
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

/// Reads a regular file, symbolic links followed; `None` where there is none.
fn read_bytes(path: &Path) -> io::Result<Option<(Vec<u8>, Metadata)>> {
    // Opening a named pipe would wait for its other end.
    let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    read_open(OpenOptions::new().read(true).custom_flags(flags).open(path))
}

/// Reads a file that carnet keeps for itself; `None` where there is none. Symbolic links are not followed.
pub(super) fn read_state(place: &Place, path: &Path) -> io::Result<Option<(Vec<u8>, Metadata)>> {
    read_open(place.open(path, OpenOptions::new().read(true)))
}

fn read_open(file: io::Result<File>) -> io::Result<Option<(Vec<u8>, Metadata)>> {
    let mut file = match file {
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
    /// The file is not the one that was read: nothing was changed.
    Moved,
}

impl Replacement {
    /// Writes `bytes` to a temporary file beside `seen`, with its mode and owner, and syncs it.
    pub(super) fn prepare(target: Target, seen: &Seen, bytes: &[u8]) -> io::Result<Self> {
        let name = format!("{}{}-", temporary_prefix(target), digest::short(bytes, DIGITS));
        Self::prepare_in(seen.dir(), &name, seen, bytes)
    }

    /// The same in the folder `dir`, which is on the same file system, under a name that begins with `name`.
    pub(super) fn prepare_in(
        dir: &Path,
        name: &str,
        seen: &Seen,
        bytes: &[u8],
    ) -> io::Result<Self> {
        let mut temporary = tempfile::Builder::new()
            .prefix(name)
            .suffix(TEMPORARY_END)
            .permissions(Permissions::from_mode(0o600))
            .tempfile_in(dir)?;
        temporary.write_all(bytes)?;
        // A file that has gone since it was read is found out by its fingerprint.
        if let Ok(old) = fs::metadata(&seen.path) {
            // Only root may give a file away; a member of its group may still keep the group.
            if fchown(temporary.as_file(), Some(old.uid()), Some(old.gid())).is_err() {
                let _ = fchown(temporary.as_file(), None, Some(old.gid()));
            }
            temporary.as_file().set_permissions(old.permissions())?;
        }
        temporary.as_file().sync_all()?;
        Ok(Self { temporary, path: seen.path.clone() })
    }

    /// Returns it for a file that has moved to `path` since.
    pub(super) fn at(self, path: PathBuf) -> Self {
        Self { path, ..self }
    }

    /// Renames the new file into place; where an error is returned the file is as it was.
    ///
    /// The two names are exchanged where the file system can do that, so that a file which an editor renamed into
    /// place in the last moment is found in the temporary name and not lost.
    pub(super) fn place(self, seen: &Seen) -> io::Result<Placed> {
        let Some(read) = seen.fingerprint else {
            return match self.temporary.persist_noclobber(&self.path) {
                Ok(_) => Ok(Placed::Done),
                Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => {
                    Ok(Placed::Moved)
                }
                Err(failed) => Err(failed.error),
            };
        };
        let (new, old) = (self.temporary.path(), &self.path);
        match rustix::fs::renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE) {
            Ok(()) => {
                let same = fs::metadata(new).is_ok_and(|found| read.is_content_of(&found));
                Ok(if same { Placed::Done } else { Placed::Displaced(self.temporary) })
            }
            Err(rustix::io::Errno::NOENT) => Ok(Placed::Moved),
            Err(
                rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP,
            ) => {
                if !fs::metadata(old).is_ok_and(|found| read.is_content_of(&found)) {
                    return Ok(Placed::Moved);
                }
                self.temporary.persist(&self.path).map_err(|failed| failed.error)?;
                Ok(Placed::Done)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Digits of the hash in the name of a temporary file, so that one which another file was exchanged into can be told.
const DIGITS: usize = 16;

/// Returns whether a temporary file holds what its writer wrote to it.
pub(super) fn is_as_written(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    fs::read(path).is_ok_and(|bytes| name.contains(&digest::short(&bytes, DIGITS)))
}

fn temporary_prefix(target: Target) -> String {
    format!("{TEMPORARY}{}-", target.file_name())
}

/// Returns the temporary files of `target` in `dir` whose writer was killed.
///
/// Another profile may share the directory, so only old ones count.
pub(super) fn abandoned(target: Target, dir: &Path) -> Vec<PathBuf> {
    let prefix = temporary_prefix(target);
    let Ok(files) = fs::read_dir(dir) else { return Vec::new() };
    let is_abandoned = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with(&prefix) && name.ends_with(TEMPORARY_END) && is_older(path, ABANDONED)
    };
    files.flatten().map(|file| file.path()).filter(is_abandoned).collect()
}

fn is_older(path: &Path, age: Duration) -> bool {
    let changed = fs::symlink_metadata(path).and_then(|found| found.modified());
    changed.is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|found| found > age))
}

/// Removes from `dir` the files that are older than `age`.
pub(super) fn sweep(dir: &Path, age: Duration) {
    let Ok(files) = fs::read_dir(dir) else { return };
    for path in files.flatten().map(|file| file.path()).filter(|path| is_older(path, age)) {
        let _ = fs::remove_file(path);
    }
}

/// Returns the directory of the file at `path`.
fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("."))
}

/// Writes a new file whole and synced; returns false where there is one already, which stays.
pub(super) fn create_whole(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let temporary = beside(path, bytes)?;
    temporary.as_file().sync_all()?;
    match temporary.persist_noclobber(path) {
        Ok(_) => match sync_dir(parent(path)) {
            Ok(()) => Ok(true),
            Err(error) => {
                let _ = fs::remove_file(path);
                Err(error)
            }
        },
        Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(failed) => Err(failed.error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prepares the replacement of `a` by `b`, lets `meanwhile` happen, and places it.
    fn placed(
        before: Option<&str>,
        meanwhile: impl Fn(&Path),
    ) -> (tempfile::TempDir, PathBuf, Placed) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("MEMORY.md");
        if let Some(before) = before {
            fs::write(&path, before).unwrap();
        }
        let seen = read(path.clone()).unwrap();
        let replacement = Replacement::prepare(Target::Memory, &seen, b"b").unwrap();
        meanwhile(&path);
        let placed = replacement.place(&seen).unwrap();
        (dir, path, placed)
    }

    #[test]
    fn a_file_renamed_into_place_in_the_last_moment_is_kept() {
        let (_dir, path, placed) = placed(Some("a"), |path| {
            fs::write(path.with_extension("new"), "by an editor").unwrap();
            fs::rename(path.with_extension("new"), path).unwrap();
        });
        let Placed::Displaced(other) = placed else { panic!("{placed:?}") };
        assert_eq!(fs::read_to_string(other.path()).unwrap(), "by an editor");
        assert_eq!(fs::read_to_string(path).unwrap(), "b");
    }

    #[test]
    fn bytes_written_in_the_last_moment_are_kept() {
        let (_dir, _, placed) = placed(Some("a"), |path| fs::write(path, "a, longer").unwrap());
        let Placed::Displaced(other) = placed else { panic!("{placed:?}") };
        assert_eq!(fs::read_to_string(other.path()).unwrap(), "a, longer");
    }

    #[test]
    fn a_file_that_came_or_went_in_the_last_moment_stays_as_it_is() {
        let (_dir, path, placed) = placed(None, |path| fs::write(path, "new").unwrap());
        assert!(matches!(placed, Placed::Moved));
        assert_eq!(fs::read_to_string(path).unwrap(), "new");
        let (_dir, path, placed) = self::placed(Some("a"), |path| fs::remove_file(path).unwrap());
        assert!(matches!(placed, Placed::Moved) && !path.exists());
    }

    #[test]
    fn nothing_in_between_is_no_news() {
        let (dir, path, placed) = placed(Some("a"), |_| {});
        assert!(matches!(placed, Placed::Done));
        assert_eq!(fs::read_to_string(path).unwrap(), "b");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
