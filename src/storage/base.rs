//! The bounded files as last seen, and the inodes that our writes replaced.
//!
//! `base/MEMORY.md.seen.<hash>` is a copy of the file as carnet last saw it. Two of them mean that a write was
//! interrupted. `base/MEMORY.md.old.<run>.<mtime>.<size>` is a hard link to a replaced file: when its time or size
//! is no longer the one in its name, an editor has written into it.

use std::{
    fs::{self, DirBuilder, Metadata},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use super::{
    file::{Fingerprint, Seen, abandoned, is_as_written, read_state},
    place::Place,
};
use crate::{digest, memory::Target, whole::write_whole};

/// How long a replaced inode is watched.
const WATCHED: Duration = Duration::from_secs(60 * 60);

/// Replaced inodes watched at most for each file.
const MAX_WATCHED: usize = 64;

/// A copy of a file as last seen.
#[derive(Debug)]
pub(super) struct Copy {
    path: PathBuf,
    pub(super) hash: String,
    written: SystemTime,
}

/// A replaced inode into which an editor has written.
#[derive(Debug)]
pub(super) struct Late {
    path: PathBuf,
    pub(super) bytes: Vec<u8>,
    read: Fingerprint,
}

fn dir(place: &Place) -> PathBuf {
    place.state("base")
}

/// Returns the files of `target` in `dir` that are named for `what`, with the rest of their names.
fn files(
    place: &Place,
    dir: &Path,
    target: Target,
    what: &str,
) -> io::Result<Vec<(PathBuf, String)>> {
    // A directory of another may not lead elsewhere by a link.
    place.check_parent(&dir.join("file")).map_err(|error| io::Error::other(error.chain()))?;
    let files = match fs::read_dir(dir) {
        Ok(files) => files,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let prefix = format!("{}.{what}.", target.file_name());
    let named = |path: PathBuf| {
        let rest = path.file_name()?.to_str()?.strip_prefix(&prefix)?.to_owned();
        Some((path, rest))
    };
    Ok(files.flatten().filter_map(|file| named(file.path())).collect())
}

/// Returns the copies of `target` as last seen, the newest first; usually one.
pub(super) fn copies(place: &Place, target: Target) -> io::Result<Vec<Copy>> {
    let mut copies: Vec<_> = files(place, &dir(place), target, "seen")?
        .into_iter()
        .filter_map(|(path, hash)| {
            let written = fs::symlink_metadata(&path).and_then(|found| found.modified()).ok()?;
            Some(Copy { path, hash, written })
        })
        .collect();
    copies.sort_by_key(|copy| std::cmp::Reverse(copy.written));
    Ok(copies)
}

impl Copy {
    /// Reads the copy; `None` where its bytes are not what its name says.
    ///
    /// One that cannot be read is an error and not nothing: what a hand took out is found by it alone.
    pub(super) fn bytes(&self, place: &Place) -> io::Result<Option<Vec<u8>>> {
        let found = read_state(place, &self.path)?;
        Ok(found.map(|(bytes, _)| bytes).filter(|bytes| digest::hex(bytes) == self.hash))
    }
}

/// Keeps a copy of `bytes` as what `target` is about to hold or was seen to hold.
pub(super) fn keep(place: &Place, target: Target, bytes: &[u8]) -> io::Result<()> {
    let path = copy_path(place, target, &digest::hex(bytes));
    place.create_parent(&path).map_err(|error| io::Error::other(error.to_string()))?;
    write_whole(&path, bytes)
}

fn copy_path(place: &Place, target: Target, hash: &str) -> PathBuf {
    dir(place).join(format!("{}.seen.{hash}", target.file_name()))
}

/// Drops every copy of `target` but the one of `hash`.
pub(super) fn forget_others(place: &Place, target: Target, hash: &str) {
    for (path, other) in files(place, &dir(place), target, "seen").unwrap_or_default() {
        if other != hash {
            let _ = fs::remove_file(path);
        }
    }
}

/// Drops the copy of bytes that were not written.
pub(super) fn forget(place: &Place, target: Target, hash: &str) {
    let path = copy_path(place, target, hash);
    if place.check_parent(&path).is_ok() {
        let _ = fs::remove_file(path);
    }
}

/// Returns the directories in which replaced inodes of `target` may be kept.
///
/// A hard link cannot leave its file system, so a file behind a symbolic link may have them beside it.
fn old_dirs(place: &Place, seen: &Seen) -> Vec<PathBuf> {
    let mut dirs = vec![dir(place)];
    if seen.dir() != place.dir {
        dirs.push(seen.dir().join(".carnet-old"));
    }
    dirs
}

fn old_name(target: Target, run: &str, modified: i128, size: u64) -> String {
    format!("{}.old.{run}.{modified}.{size}", target.file_name())
}

/// Keeps the inode of `seen`, which a write is about to replace.
///
/// Where the file system has no hard links, late bytes cannot be found.
pub(super) fn link(place: &Place, target: Target, run: &str, seen: &Seen) {
    let Some(read) = seen.fingerprint else { return };
    for dir in old_dirs(place, seen) {
        let name = old_name(target, run, read.modified, read.size);
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&dir);
        if made.is_ok() && fs::hard_link(&seen.path, dir.join(name)).is_ok() {
            break;
        }
    }
    sweep(place, target, seen);
}

/// Keeps the file at `path`, which a write has displaced unread, so that it is found at the next access.
pub(super) fn keep_displaced(
    place: &Place,
    target: Target,
    run: &str,
    path: &Path,
) -> io::Result<()> {
    let kept = dir(place).join(old_name(target, run, 0, 0));
    fs::rename(path, &kept).or_else(|_| fs::copy(path, &kept).map(drop))
}

/// Drops replaced inodes that are unchanged and old, and the oldest of too many; takes in what killed writers left.
fn sweep(place: &Place, target: Target, seen: &Seen) {
    for (number, path) in abandoned(target, seen.dir()).iter().enumerate() {
        // What is not the bytes of its name was displaced by a killed writer, and is nowhere else.
        let written = is_as_written(path);
        if written || keep_displaced(place, target, &format!("abandoned-{number}"), path).is_ok() {
            let _ = fs::remove_file(path);
        }
    }
    let age = |found: &Metadata| {
        // Linking changes the time of the inode's status, so that time says when it was replaced.
        let changed = u64::try_from(found.ctime()).unwrap_or_default();
        SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH + Duration::from_secs(changed))
            .unwrap_or_default()
    };
    for dir in old_dirs(place, seen) {
        let old = files(place, &dir, target, "old").unwrap_or_default();
        let unchanged = old.into_iter().filter_map(|(path, name)| {
            let found = fs::symlink_metadata(&path).ok()?;
            is_unchanged(&name, &found).then(|| (age(&found), path))
        });
        let mut watched: Vec<_> = unchanged.collect();
        watched.sort();
        for (position, (age, path)) in watched.into_iter().enumerate() {
            if position >= MAX_WATCHED || age > WATCHED {
                let _ = fs::remove_file(path);
            }
        }
    }
}

fn is_unchanged(name: &str, found: &Metadata) -> bool {
    let now = Fingerprint::of(found);
    name.ends_with(&format!(".{}.{}", now.modified, now.size))
}

/// Returns the replaced inodes of `target` into which an editor has written since.
pub(super) fn late(place: &Place, target: Target, seen: &Seen) -> io::Result<Vec<Late>> {
    let mut late = Vec::new();
    for dir in old_dirs(place, seen) {
        for (path, name) in files(place, &dir, target, "old")? {
            let changed =
                fs::symlink_metadata(&path).is_ok_and(|found| !is_unchanged(&name, &found));
            // A link in place of a file is nobody's text.
            if changed && let Ok(Some((bytes, found))) = read_state(place, &path) {
                late.push(Late { path, bytes, read: Fingerprint::of(&found) });
            }
        }
    }
    Ok(late)
}

impl Late {
    /// Notes that the bytes were taken over; what is written after they were read is found again.
    pub(super) fn done(&self, target: Target, run: &str) {
        let name = old_name(target, run, self.read.modified, self.read.size);
        let _ = fs::rename(&self.path, self.path.with_file_name(name));
    }
}
