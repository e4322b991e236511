//! The next generation of the indexes: changed notes go in, and one rename makes all of it visible.

use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use super::{
    Damage, Known, Level, Manifest, Prepared,
    level::{level_dir, text_dir},
    level_writer::LevelWriter,
    manifest::{FOLDER, Tabled},
};

/// A file as it is now.
#[derive(Clone, Debug)]
pub struct Change {
    /// Its path in the profile without `.md`, which is the id of its note.
    pub id: String,
    /// The note, with the state of its file; `None` where the file is gone.
    pub now: Option<(Known, Prepared)>,
}

/// How much is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// A few notes.
    Few,
    /// Very many.
    Many,
}

impl Amount {
    /// Returns the threads and the bytes that tantivy gets.
    pub(super) fn writer(self) -> (usize, usize) {
        match self {
            Self::Few => (1, 15_000_000),
            Self::Many => (2, 200_000_000),
        }
    }
}

/// Writes one generation.
#[derive(Debug)]
pub struct Writer {
    root: PathBuf,
    embedder: String,
    dims: usize,
    amount: Amount,
    files: BTreeMap<String, Known>,
    /// The tables that stand, by level.
    tables: BTreeMap<Level, Tabled>,
    /// The levels that change.
    open: BTreeMap<Level, LevelWriter>,
    incomplete: bool,
    /// Whether nothing of an older generation is kept.
    anew: bool,
    now: i64,
}

impl Writer {
    /// Goes on from `old`; without it, everything is begun anew beside what stands, which goes when the new is visible.
    ///
    /// `now`, in nanoseconds since 1970, is before any of the notes was read; vectors have `dims` components.
    pub fn open(
        root: &Path,
        old: Option<&Manifest>,
        (embedder, dims): (&str, usize),
        amount: Amount,
        now: i64,
    ) -> Result<Self, Damage> {
        if fs::symlink_metadata(root).is_ok_and(|found| found.is_symlink()) {
            return Err(Damage::new(format!("{} is a symbolic link", root.display())));
        }
        create_dir(&root.join(FOLDER))?;
        let known = old.map(Manifest::files).unwrap_or_default();
        let tables = old
            .into_iter()
            .flat_map(|old| Level::all().filter_map(|level| Some((level, old.table(level)?))));
        Ok(Self {
            root: root.to_owned(),
            embedder: embedder.to_owned(),
            dims,
            amount,
            files: known.into_iter().map(|(id, known)| (id.to_owned(), known)).collect(),
            tables: tables.collect(),
            open: BTreeMap::new(),
            incomplete: old.is_some_and(Manifest::is_incomplete),
            anew: old.is_none(),
            now,
        })
    }

    /// Takes over a change: what the note said before goes, what it says now comes.
    pub fn put(&mut self, change: &Change) -> Result<(), Damage> {
        if let Some(known) = self.files.remove(&change.id) {
            self.level(known.level)?.remove(&change.id);
        }
        if let Some((known, note)) = &change.now {
            self.incomplete |= note.vectors.len() < note.terms.len();
            self.level(note.level)?.add(note)?;
            self.files.insert(change.id.clone(), *known);
        }
        Ok(())
    }

    /// Takes over a new state of a file whose content is as it was.
    pub fn touch(&mut self, id: String, known: Known) {
        self.files.insert(id, known);
    }

    fn level(&mut self, level: Level) -> Result<&mut LevelWriter, Damage> {
        // The entry would have to be made before it is known whether it can be.
        if !self.open.contains_key(&level) {
            let dir = level_dir(&self.root, level);
            let table = self.tables.get(&level).map(|table| table.number);
            let writer = LevelWriter::open(&dir, table, self.dims, self.amount, self.now)?;
            self.open.insert(level, writer);
        }
        self.open.get_mut(&level).ok_or(Damage::new("a level is missing"))
    }

    /// Makes all changes visible at once, as of `now`.
    pub fn commit(mut self, now: i64) -> Result<(), Damage> {
        let mut stale = Vec::new();
        for (level, writer) in std::mem::take(&mut self.open) {
            let dir = level_dir(&self.root, level);
            if let Some((table, kept)) = writer.commit(&dir)? {
                self.tables.insert(level, table);
                stale.push((dir, kept));
            } else {
                self.tables.remove(&level);
                stale.push((dir, HashSet::new()));
            }
        }
        let Self { root, embedder, dims, incomplete, tables, files, anew, .. } = &self;
        let times = (self.now, now);
        Manifest::write(root, (embedder, *dims), times, *incomplete, tables, files)?;
        // Nobody asks for these any more; whoever has them open keeps them.
        for (dir, kept) in stale {
            sweep(&dir, &kept, *anew);
            sweep(&text_dir(&dir), &kept, *anew);
        }
        let gone = Level::all().filter(|level| !tables.contains_key(level));
        gone.for_each(|level| drop(fs::remove_dir_all(level_dir(root, level))));
        discard(root, Some(FOLDER));
        Ok(())
    }
}

/// Deletes the indexes of every format under `root` but for `kept`, and nothing else that may stand there.
pub fn discard(root: &Path, kept: Option<&str>) {
    if fs::symlink_metadata(root).is_ok_and(|found| found.is_symlink()) {
        return;
    }
    let Ok(entries) = fs::read_dir(root) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix('v'));
        let is_format = number.is_some_and(|number| number.parse::<u32>().is_ok());
        if is_format && kept.is_none_or(|kept| name != kept) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Creates a directory and those above it, for their owner only.
pub(super) fn create_dir(dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

/// Removes the files in `dir` that are not in `kept`, but for a vector index that may still be used, as it looks after its
/// own.
fn sweep(dir: &Path, kept: &HashSet<PathBuf>, anew: bool) {
    let Ok(files) = fs::read_dir(dir) else { return };
    for path in files.flatten().map(|file| file.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_graph = name.starts_with("hnsw") || name.ends_with(".usearch");
        if !kept.contains(&path) && (anew || !is_graph) {
            let _ = fs::remove_file(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        config::Sensitivity,
        index::{self, Bm25, Filter, LevelIndex, Vector, Words, query_terms},
        notes::{Layer, Note, Stamp},
    };

    const WORDS: [&str; 6] = ["heron", "otter", "kitchen", "garden", "1.0.21", "été"];

    /// Returns the note `number`, which says `words`, as it comes to the writer.
    fn change(number: u8, words: Option<&[u8]>, secret: bool) -> Change {
        let id = format!("facts/{number:03}");
        let now = words.map(|words| {
            let body: Vec<_> = words.iter().map(|word| WORDS[usize::from(*word) % 6]).collect();
            let level = if secret { "secret" } else { "internal" };
            let text = format!("---\nsensitivity: {level}\n---\n{}", body.join(" "));
            let note = Note::read(&id, Layer::Facts, &text, jiff::Timestamp::UNIX_EPOCH);
            let mut prepared = Prepared::of(&note);
            let angle = f32::from(words.first().copied().unwrap_or_default());
            prepared.vectors = vec![Vector::of(&[angle.cos(), angle.sin()]); prepared.texts.len()];
            let known = Known {
                stamp: Stamp::default(),
                hash: [number; 32],
                level: prepared.level,
                malformed: false,
            };
            (known, prepared)
        });
        Change { id, now }
    }

    /// Returns what a level answers, as ids with scores.
    fn answers(level: Option<&LevelIndex>) -> Vec<(String, i32)> {
        let Some(level) = level else { return Vec::new() };
        let admitted =
            level.admitted(&Filter::default(), false, jiff::Timestamp::UNIX_EPOCH, &[]).unwrap();
        let mut answers = Vec::new();
        for word in WORDS {
            let words = Words::weigh(&[(level, &[])], &query_terms(word), Bm25::default()).unwrap();
            let mut rows = level.best_words(&words, &admitted, 100).unwrap();
            rows.sort_unstable();
            let scores = level.score_words(&rows, &words).unwrap();
            for (row, score) in rows.into_iter().zip(scores) {
                let id = level.note(row).unwrap().1.id;
                answers.push((format!("{word} {id}"), thousandths(score)));
            }
        }
        let question = Vector::of(&[1.0, 0.0]);
        for (row, cosine) in level.nearest(&question, &admitted, 100, index::Life::Short).unwrap() {
            answers.push((level.note(row).unwrap().1.id, thousandths(cosine)));
        }
        let least = level.least_cosine(&question, &[]).map(thousandths);
        answers.extend(least.map(|least| ("least".to_owned(), least)));
        answers.sort();
        answers
    }

    #[expect(clippy::cast_possible_truncation, reason = "a score of a few units")]
    fn thousandths(score: f32) -> i32 {
        (score * 1000.0).round() as i32
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
        #[test]
        fn an_index_written_step_by_step_answers_as_one_made_at_once(
            steps in proptest::collection::vec(
                proptest::collection::vec((0_u8..12, proptest::option::weighted(0.8, proptest::collection::vec(0_u8..6, 0..5)), any::<bool>()), 1..6),
                1..5,
            )
        ) {
            let root = tempfile::tempdir().unwrap();
            let mut last = BTreeMap::new();
            for (number, step) in (1..).zip(steps) {
                let old = Manifest::open(root.path()).unwrap();
                let mut writer = Writer::open(root.path(), old.as_ref(), ("test", 2), Amount::Few, number).unwrap();
                for (note, words, secret) in step {
                    writer.put(&change(note, words.as_deref(), secret)).unwrap();
                    last.insert(note, (words, secret));
                }
                writer.commit(number).unwrap();
            }
            let index = index::Index::open(root.path()).unwrap().unwrap();
            for secret in [false, true] {
                let sensitivity = if secret { Sensitivity::Secret } else { Sensitivity::Internal };
                let level = index.level(Level { sensitivity, archive: false }).unwrap();
                let alone = last.iter().filter(|(_, (_, is_secret))| *is_secret == secret);
                let notes: Vec<_> = alone
                    .filter_map(|(number, (words, _))| change(*number, words.as_deref(), secret).now)
                    .map(|(_, note)| note)
                    .collect();
                prop_assert_eq!(level.is_some(), !notes.is_empty());
                let at_once = LevelIndex::in_memory(notes).unwrap();
                if let Some(level) = &level {
                    level.verify().unwrap();
                }
                prop_assert_eq!(answers(level.as_deref()), answers(Some(&at_once)));
            }
            let kept = last.iter().filter(|(_, (words, _))| words.is_some()).count();
            prop_assert_eq!(index.manifest.len(), kept);
        }
    }
}
