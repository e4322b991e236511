//! The manifest: which state of each file the indexes hold, and which generation of each level goes with it.
//!
//! Its rename is the switch from one generation to the next, for all levels at once.

use std::{
    collections::{BTreeMap, HashMap},
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde::{Deserialize, Serialize};

use super::{
    Damage, Level,
    packed::{Packed, Record, index},
};
use crate::{notes::Stamp, whole::write_whole};

const MAGIC: [u8; 8] = *b"carnetM1";

/// Bytes of a record.
const STRIDE: usize = 80;

/// The folder of this format in the index directory; another format has another name.
pub(super) const FOLDER: &str = "v1";

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Header {
    /// The embedder that made the vectors.
    embedder: String,
    /// Components of a vector; 0 where the embedder did not answer.
    dims: usize,
    /// When the first file was read and when the manifest was written, in nanoseconds since 1970.
    began: i64,
    written: i64,
    /// Whether vectors are missing, as the embedder did not answer.
    incomplete: bool,
    /// Each level's table.
    tables: BTreeMap<String, Tabled>,
}

/// What the manifest says of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tabled {
    /// The number in the name of its table.
    pub(super) number: u64,
    /// Its rows.
    pub(super) rows: usize,
    /// Those of them that belong to a text which has not changed since.
    pub(super) alive: usize,
}

/// One file that the indexes know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The state of the file that was read.
    pub stamp: Stamp,
    /// BLAKE3 of its bytes.
    pub hash: [u8; 32],
    /// The level it stands in.
    pub level: Level,
    /// Whether its front matter is malformed.
    pub malformed: bool,
}

/// The manifest of a profile's indexes.
#[derive(Debug)]
pub struct Manifest {
    packed: Packed<Header>,
}

/// Rows that may always be wasted.
const WASTE: usize = 1000;

/// Nanoseconds around the reading of the files in which a change may hide behind the times of one.
const RACY: i64 = 2_000_000_000;

impl Manifest {
    /// Opens the manifest under `root`; `None` where there is none.
    pub fn open(root: &Path) -> Result<Option<Self>, Damage> {
        match Packed::open(&path(root), MAGIC, STRIDE) {
            Ok(packed) => Ok(Some(Self { packed })),
            Err(damage) if damage.is_missing() => Ok(None),
            Err(damage) => Err(damage.about("the manifest of the indexes")),
        }
    }

    /// Returns whether there is one under `root`, readable or not.
    pub fn exists(root: &Path) -> bool {
        path(root).exists()
    }

    /// Returns the embedder that made the vectors.
    pub fn embedder(&self) -> &str {
        &self.packed.header.embedder
    }

    /// Returns whether vectors are missing.
    pub fn is_incomplete(&self) -> bool {
        self.packed.header.incomplete
    }

    /// Returns whether most rows are those of texts that have changed since; then all is better made anew.
    pub fn is_wasteful(&self) -> bool {
        let sum = |rows: fn(&Tabled) -> usize| {
            self.packed.header.tables.values().map(rows).sum::<usize>()
        };
        sum(|level| level.rows) > 2 * sum(|level| level.alive) + WASTE
    }

    /// Returns how many components a vector has; 0 where the embedder did not answer.
    pub fn dims(&self) -> usize {
        self.packed.header.dims
    }

    /// Returns how many files it knows.
    pub fn len(&self) -> usize {
        self.packed.len()
    }

    /// Returns whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether a file with this stamp may have changed without a trace since it was read.
    pub fn is_racy(&self, stamp: &Stamp) -> bool {
        let Header { began, written, .. } = self.packed.header;
        // What is dated later was not written just then.
        let around = began - RACY..=written + RACY;
        around.contains(&stamp.modified) || around.contains(&stamp.changed)
    }

    /// Returns what is known of the file of the note `id`, as it was indexed.
    pub fn known(&self, id: &str) -> Option<Known> {
        let mut record = self.packed.record(self.packed.find(id)?);
        let _: [u8; 8] = record.take();
        let levels: Vec<Level> = Level::all().collect();
        read(&mut record, &levels)
    }

    /// Returns the files whose path ends so.
    pub fn ending_with(&self, end: &str) -> Vec<String> {
        let name = |at: usize| {
            let mut record = self.packed.record(at);
            self.packed.text(record.u32(), record.u32())
        };
        (0..self.len()).map(name).filter(|name| name.ends_with(end)).map(str::to_owned).collect()
    }

    /// Returns every file that it knows, by its path in the profile.
    pub fn files(&self) -> HashMap<&str, Known> {
        let levels: Vec<Level> = Level::all().collect();
        let entry = |at: usize| {
            let mut record = self.packed.record(at);
            let name = self.packed.text(record.u32(), record.u32());
            Some((name, read(&mut record, &levels)?))
        };
        (0..self.len()).filter_map(entry).collect()
    }

    /// Returns the table of `level`; `None` where it has no notes.
    pub(super) fn table(&self, level: Level) -> Option<Tabled> {
        self.packed.header.tables.get(&level.name()).copied()
    }

    /// Writes a manifest under `root`; with it the tables become visible.
    pub(super) fn write(
        root: &Path,
        (embedder, dims): (&str, usize),
        (began, written): (i64, i64),
        incomplete: bool,
        tables: &BTreeMap<Level, Tabled>,
        files: &BTreeMap<String, Known>,
    ) -> Result<(), Damage> {
        let header = Header {
            embedder: embedder.to_owned(),
            dims,
            began,
            written,
            incomplete,
            tables: tables.iter().map(|(level, table)| (level.name(), *table)).collect(),
        };
        let levels: Vec<Level> = Level::all().collect();
        let (mut records, mut texts) = (Vec::new(), Vec::new());
        for (name, known) in files {
            let size = |len: usize| u32::try_from(len).map_err(io::Error::other);
            records.extend(size(texts.len())?.to_le_bytes());
            records.extend(size(name.len())?.to_le_bytes());
            let level = levels.iter().position(|level| *level == known.level).unwrap_or_default();
            let flags = size(level)? | u32::from(known.malformed) << 8;
            records.extend(flags.to_le_bytes());
            records.extend([0; 4]);
            records.extend(known.stamp.size.to_le_bytes());
            records.extend(known.stamp.modified.to_le_bytes());
            records.extend(known.stamp.changed.to_le_bytes());
            records.extend(known.stamp.inode.to_le_bytes());
            records.extend(known.hash);
            texts.extend_from_slice(name.as_bytes());
        }
        let bytes = Packed::pack(&header, MAGIC, STRIDE, &records, &texts)?;
        write_whole(&path(root), &bytes)?;
        Ok(())
    }
}

fn path(root: &Path) -> PathBuf {
    root.join(FOLDER).join("manifest")
}

/// Returns what tells one manifest from the next without reading it; `None` where there is none.
pub(super) fn file(root: &Path) -> Option<(u64, SystemTime)> {
    let found = fs::metadata(path(root)).ok()?;
    Some((found.ino(), found.modified().ok()?))
}

fn read(record: &mut Record<'_>, levels: &[Level]) -> Option<Known> {
    let flags = record.u32();
    let _: [u8; 4] = record.take();
    let stamp = Stamp {
        size: record.u64(),
        modified: record.i64(),
        changed: record.i64(),
        inode: record.u64(),
    };
    let level = *levels.get(index(flags & 0xff))?;
    Some(Known { stamp, hash: record.take(), level, malformed: flags >> 8 & 1 == 1 })
}
