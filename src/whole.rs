//! A file that is written whole or not at all, by way of a temporary one beside it.

use std::{
    io::{self, Write},
    path::Path,
};

use tempfile::NamedTempFile;

/// Temporary files begin and end with these, so that a watcher and a person can tell them.
pub(crate) const TEMPORARY: &str = ".carnet-";
pub(crate) const TEMPORARY_END: &str = ".tmp";

/// Writes `bytes` to `path`, without a sync: for state that can be made anew.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    beside(path, bytes)?.persist(path).map_err(|failed| failed.error).map(drop)
}

/// Writes `bytes` to a temporary file beside `path`.
pub(crate) fn beside(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    let mut temporary = builder.prefix(TEMPORARY).suffix(TEMPORARY_END).tempfile_in(dir)?;
    temporary.write_all(bytes)?;
    Ok(temporary)
}
