//! The bytes of an index file: mapped where it is a file, owned where it was made in memory.

use std::{fs::File, io, ops::Deref, path::Path};

use memmap2::Mmap;

/// Bytes that are read in place.
#[derive(Debug)]
pub(super) enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Bytes {
    /// Maps the file at `path`.
    #[expect(
        unsafe_code,
        reason = "index files are never shortened: they are replaced by a rename, or only grow; what they hold is checked before it is used"
    )]
    pub(super) fn map(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Ok(Self::Owned(Vec::new()));
        }
        // SAFETY: see the reason above; carnet's own writers keep to it.
        unsafe { Mmap::map(&file) }.map(Self::Mapped)
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}
