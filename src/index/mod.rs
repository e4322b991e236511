//! What is derived from the notes: the text index (tantivy), the vector index (usearch) with its flat file, and the
//! manifest that tells which state of the files they hold. All of it can be deleted at any time.

mod analyze;
mod bytes;
mod directory;
mod filter;
mod flat;
mod hnsw;
mod level;
mod level_writer;
mod living;
mod manifest;
mod packed;
mod prepared;
mod question;
mod rows;
mod schema;
mod seal;
mod table;
mod text;
mod words;
mod writer;

use std::{
    collections::HashMap,
    fmt, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

pub use analyze::{Terms, analyze, folded_words, query_terms};
pub use filter::Filter;
pub use flat::Vector;
pub use hnsw::acceleration;
pub use level::{Admitted, Counts, LevelIndex, Life, Words};
pub use manifest::{Known, Manifest};
pub use prepared::{Level, Meta, Prepared, fold_name};
pub use question::Bm25;
pub use rows::Rows;
pub use table::Row;
pub use words::is_function_word;
pub use writer::{Amount, Change, Writer, discard};

/// Why an index cannot be used; it is deleted and made anew.
#[derive(Debug)]
pub struct Damage {
    what: String,
    source: Option<io::Error>,
}

impl Damage {
    fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), source: None }
    }

    /// Takes over an error of one of the libraries.
    pub fn of(error: impl fmt::Display) -> Self {
        Self::new(error.to_string())
    }

    fn about(mut self, what: &str) -> Self {
        self.what = format!("{what}: {}", self.what);
        self
    }

    /// Returns whether it is only that a file is not there.
    pub fn is_missing(&self) -> bool {
        self.source.as_ref().is_some_and(|source| source.kind() == io::ErrorKind::NotFound)
    }

    /// Returns whether the file system would not have it written, such as a full disk.
    pub fn is_storage(&self) -> bool {
        self.source.as_ref().is_some_and(|source| source.kind() != io::ErrorKind::NotFound)
    }

    /// Returns the error of the file system behind it, where that is the cause.
    pub fn into_io(self) -> io::Error {
        self.source.unwrap_or_else(|| io::Error::other(self.what))
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Damage {}

impl From<io::Error> for Damage {
    fn from(source: io::Error) -> Self {
        Self { what: source.to_string(), source: Some(source) }
    }
}

impl From<tantivy::TantivyError> for Damage {
    fn from(error: tantivy::TantivyError) -> Self {
        match error {
            tantivy::TantivyError::IoError(source) => Self {
                what: source.to_string(),
                source: Some(io::Error::new(source.kind(), source)),
            },
            error => Self::of(error),
        }
    }
}

/// The indexes of a profile, open as of one generation.
#[derive(Debug)]
pub struct Index {
    root: PathBuf,
    /// What they hold.
    pub manifest: Manifest,
    /// The manifest's file, by which a newer generation is told.
    file: Option<(u64, SystemTime)>,
    levels: Mutex<HashMap<Level, Arc<LevelIndex>>>,
}

impl Index {
    /// Opens the indexes under `root`; `None` where there are none. A level is opened when it is asked for.
    pub fn open(root: &Path) -> Result<Option<Self>, Damage> {
        let file = manifest::file(root);
        let manifest = Manifest::open(root)?;
        Ok(manifest.map(|manifest| Self {
            root: root.to_owned(),
            manifest,
            file,
            levels: Mutex::default(),
        }))
    }

    /// Returns whether no newer generation has been written.
    pub fn is_latest(&self) -> bool {
        self.file.is_some() && self.file == manifest::file(&self.root)
    }

    /// Returns the indexes of `level`; `None` where it has no notes.
    pub fn level(&self, level: Level) -> Result<Option<Arc<LevelIndex>>, Damage> {
        let Some(table) = self.manifest.table(level) else { return Ok(None) };
        let mut levels = self.levels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = levels.get(&level) {
            return Ok(Some(Arc::clone(open)));
        }
        let dir = level::level_dir(&self.root, level);
        let open = LevelIndex::open(&dir, table.number).map_err(|damage| {
            damage.about(&format!("the index of the level `{}`", level.name()))
        })?;
        let open = Arc::new(open);
        levels.insert(level, Arc::clone(&open));
        Ok(Some(open))
    }

    /// Brings the HNSW of every level up to its vectors; `go_on` hears how many vectors are covered, of how many, and stops
    /// the work by answering false.
    pub fn follow(
        &self,
        threads: usize,
        go_on: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<(), Damage> {
        let mut open = Vec::new();
        for level in Level::all() {
            open.extend(self.level(level)?);
        }
        let all = open.iter().map(|level| level.vectors()).sum();
        let mut before = 0;
        for level in open {
            level.follow(threads, &mut |covered| go_on(before + covered, all))?;
            before += level.vectors();
        }
        Ok(())
    }
}
