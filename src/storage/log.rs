//! A log of what went wrong where nobody could be told.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use jiff::Timestamp;

use super::place::Place;

/// Bytes from which a log is set aside; one older log is kept.
const MAX_BYTES: u64 = 256 * 1024;

/// Returns the log of hooks of a profile, in a directory that is there; `None` where there is no place for it.
pub fn hook_log(place: &Place) -> Option<PathBuf> {
    let path = place.own_state("hook.log")?;
    place.create_parent(&path).ok().map(|()| path)
}

/// Adds a line to the log `path`, whose directory is there.
pub fn log_line(path: &Path, now: Timestamp, line: &str) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok_and(|found| found.len() > MAX_BYTES) {
        fs::rename(path, path.with_extension("log.1"))?;
    }
    let flags = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
    let mut options = OpenOptions::new();
    let mut file = options.append(true).create(true).mode(0o600).custom_flags(flags).open(path)?;
    let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    file.write_all(format!("{now:.0} {line}\n").as_bytes())
}
