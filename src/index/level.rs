//! The indexes of one level, open: text, vectors and table, as one.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use jiff::Timestamp;
use tantivy::Term;

use super::{
    Damage, Filter, Level, Prepared, Rows, Terms,
    flat::{Flat, Vector},
    hnsw::{self, Hnsw},
    manifest::FOLDER,
    question::{Bm25, Question},
    table::{Header, Row, Table},
    text::{Text, guarded},
};

/// The folder of a level.
pub(super) fn level_dir(root: &Path, level: Level) -> PathBuf {
    root.join(FOLDER).join(level.name())
}

/// The folder of its text index.
pub(super) fn text_dir(dir: &Path) -> PathBuf {
    dir.join("text")
}

/// Its table.
pub(super) fn table_path(dir: &Path, number: u64) -> PathBuf {
    dir.join(format!("table.{number}"))
}

/// Its vectors.
pub(super) fn vectors_path(dir: &Path, number: u64) -> PathBuf {
    dir.join(format!("vectors.{number}"))
}

/// How long the process that asks will live, which decides whether opening the vector index pays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Life {
    /// One question.
    #[default]
    Short,
    /// Many questions.
    Long,
}

impl Life {
    /// Returns from how many vectors on the HNSW is opened; below, the exact scan is quicker.
    ///
    /// Measured by `benches/scale.rs`: the scan takes 36 ns a vector, checking and opening the HNSW 93, so that one question
    /// never gets back what opening costs. Once open it answers in 0.4 ms whatever the size, as the scan does up to 10,000.
    fn hnsw_from(self) -> usize {
        match self {
            Self::Short => usize::MAX,
            Self::Long => 20_000,
        }
    }
}

/// The indexes of one level.
#[derive(Debug)]
pub struct LevelIndex {
    text: Text,
    table: Table,
    flat: Flat,
    /// Where its files are; `None` where it is in memory.
    dir: Option<PathBuf>,
    hnsw: OnceLock<Result<Option<Hnsw>, String>>,
    /// What the check of the text index has found.
    verified: OnceLock<Result<(), String>>,
}

impl LevelIndex {
    /// Opens the indexes in `dir` whose table has the number `number`.
    pub(super) fn open(dir: &Path, number: u64) -> Result<Self, Damage> {
        let table = Table::open(&table_path(dir, number))?;
        let Header { text, vectors, dims, rows, sum, .. } = table.header();
        let flat = Flat::open(&vectors_path(dir, *vectors), *dims, *rows, *sum)?;
        let text = Text::open(&text_dir(dir), text)?;
        Ok(Self { dir: Some(dir.to_owned()), ..Self::around(text, table, flat) })
    }

    fn around(text: Text, table: Table, flat: Flat) -> Self {
        let (hnsw, verified) = (OnceLock::new(), OnceLock::new());
        Self { text, table, flat, dir: None, hnsw, verified }
    }

    /// Makes the indexes of `notes` in memory.
    pub fn in_memory(mut notes: Vec<Prepared>) -> Result<Self, Damage> {
        let known = notes.iter().flat_map(|note| &note.vectors).find(|vector| !vector.is_zero());
        let dims = known.map_or(0, Vector::dims);
        notes.sort_by(|a, b| a.meta.id.cmp(&b.meta.id));
        let mut first = 0;
        let mut rows = Vec::with_capacity(notes.len());
        for note in &notes {
            let count = u32::try_from(note.terms.len()).map_err(Damage::of)?;
            rows.push(Row::of(&note.meta, first, count));
            first += count;
        }
        let none = Vector::default();
        let vectors = notes
            .iter()
            .flat_map(|note| (0..note.terms.len()).map(|at| note.vectors.get(at).unwrap_or(&none)));
        let flat = Flat::in_memory(dims, vectors);
        let header = Header { rows: flat.len(), dims, ..Header::default() };
        let table = Table::read(Table::pack(&header, rows.iter())?)?;
        Ok(Self::around(Text::in_memory(&notes)?, table, flat))
    }

    /// Checks the files of the text index, which are not checked whole when they are opened; once for each generation.
    pub fn verify(&self) -> Result<(), Damage> {
        let check = || match self.dir {
            Some(_) => self.text.verify().map_err(|damage| damage.to_string()),
            None => Ok(()),
        };
        self.verified.get_or_init(check).clone().map_err(Damage::new)
    }

    /// Returns how many notes it holds.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how much it holds.
    pub fn counts(&self) -> Counts {
        Counts {
            notes: self.table.len(),
            passages: self.table.alive(),
            rows: self.flat.len(),
            covered: self.open_hnsw().map_or(0, |hnsw| hnsw.covered),
        }
    }

    /// Returns the rows of the note `id`.
    pub fn rows_of(&self, id: &str) -> Vec<u32> {
        self.table.find(id).map(|rows| rows.iter().collect()).unwrap_or_default()
    }

    /// Returns the note that `row` belongs to, with its number and the number of the passage.
    pub fn note(&self, row: u32) -> Option<(u32, Row, u32)> {
        let number = self.table.note_of(row)?;
        let note = self.table.note(number)?;
        let passage = row - note.first;
        Some((number, note, passage))
    }

    /// Returns the notes that may answer.
    pub fn notes<'l>(&'l self, admitted: &'l Admitted) -> impl Iterator<Item = Row> + 'l {
        let rows = (0..self.flat.len()).filter_map(|row| u32::try_from(row).ok());
        let notes = rows.filter(|row| admitted.holds(*row)).filter_map(|row| self.note(row));
        notes.filter(|(_, _, passage)| *passage == 0).map(|(_, note, _)| note)
    }

    /// Returns the rows of the note with the number `note`.
    pub fn passages(&self, note: u32) -> impl Iterator<Item = u32> {
        self.table.note(note).into_iter().flat_map(|note| note.first..note.first + note.rows)
    }

    /// Returns the rows around `row` in the same session, with their distance in notes, up to `reach`.
    pub fn neighbours(&self, row: u32, reach: u32) -> Vec<(u32, u32)> {
        self.table.note_of(row).map(|note| self.table.neighbours(note, reach)).unwrap_or_default()
    }

    /// Returns the rows that may answer; `None` where all of them may. `hidden` are those that a newer text replaces.
    pub fn admitted(
        &self,
        filter: &Filter,
        archive: bool,
        now: Timestamp,
        hidden: &[u32],
    ) -> Result<Admitted, Damage> {
        let expired = self.table.first_expiry <= now.as_microsecond();
        let query = filter.query(&self.text.fields, archive && filter.archive, expired, now);
        let whole = self.table.alive() == self.flat.len();
        let rows = if query.is_none() && hidden.is_empty() && whole {
            None
        } else {
            let mut rows = self.text.admitted(query.as_deref(), self.flat.len())?;
            for row in hidden {
                rows.remove(*row);
            }
            Some(rows)
        };
        Ok(Admitted { query, rows, hidden: hidden.len() })
    }

    /// Returns the `n` rows that answer the words of `question` best.
    pub fn best_words(
        &self,
        question: &Words,
        admitted: &Admitted,
        n: usize,
    ) -> Result<Vec<u32>, Damage> {
        let rows = self.text.best(&question.0, admitted.query.as_deref(), n + admitted.hidden)?;
        Ok(rows.into_iter().filter(|row| admitted.holds(*row)).take(n).collect())
    }

    /// Returns for each of `rows` how much of what the words of `question` could reach it reaches: 0 to 1.9.
    pub fn score_words(&self, rows: &[u32], question: &Words) -> Result<Vec<f32>, Damage> {
        self.text.score(rows, &question.0)
    }

    /// Returns the `n` rows nearest to `question` with their cosine, the best first.
    pub fn nearest(
        &self,
        question: &Vector,
        admitted: &Admitted,
        n: usize,
        life: Life,
    ) -> Result<Vec<(u32, f32)>, Damage> {
        let rows = admitted.rows.as_ref();
        let few = rows.is_some_and(|rows| rows.len() < life.hnsw_from());
        let Some(hnsw) = self.hnsw(life).filter(|_| !few) else {
            return Ok(self.flat.nearest(question, rows, 0, n));
        };
        let found = hnsw.nearest(question, rows, n)?;
        let known =
            found.into_iter().filter_map(|row| Some((row, self.flat.cosine(row, question)?)));
        let mut best: Vec<_> = known.collect();
        best.extend(self.flat.nearest(question, rows, hnsw.covered, n));
        best.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(a.cmp(b)));
        best.truncate(n);
        Ok(best)
    }

    /// Returns the cosine of `row` with `question`; `None` where it has no vector.
    pub fn cosine(&self, row: u32, question: &Vector) -> Option<f32> {
        self.flat.cosine(row, question)
    }

    /// Returns how little `question` has to do with what it has nothing to do with: the least cosine of a sample of rows.
    ///
    /// The sample is taken by the order of the notes, whatever the order of their rows, and without the rows `hidden`.
    pub fn least_cosine(&self, question: &Vector, hidden: &[u32]) -> Option<f32> {
        let step = self.table.len().div_ceil(SAMPLE).max(1);
        let notes = (0..self.table.len()).step_by(step).filter_map(|note| u32::try_from(note).ok());
        let rows = notes.flat_map(|note| self.passages(note)).filter(|row| !hidden.contains(row));
        rows.filter_map(|row| self.flat.cosine(row, question)).reduce(f32::min)
    }

    fn hnsw(&self, life: Life) -> Option<&Hnsw> {
        if self.flat.len() < life.hnsw_from() { None } else { self.open_hnsw() }
    }

    fn open_hnsw(&self) -> Option<&Hnsw> {
        let dir = self.dir.as_ref()?;
        let vectors = self.table.header().vectors;
        let open = || Hnsw::view(dir, vectors, &self.flat).map_err(|damage| damage.to_string());
        self.hnsw.get_or_init(open).as_ref().ok()?.as_ref()
    }

    /// Returns why the vector index was deleted when it was to be opened; the flat file has answered in its place.
    pub fn hnsw_damage(&self) -> Option<&str> {
        self.hnsw.get()?.as_ref().err().map(String::as_str)
    }

    /// Brings the HNSW up to the vectors, as [`hnsw::follow`] does.
    pub(super) fn follow(
        &self,
        threads: usize,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<usize, Damage> {
        let Some(dir) = &self.dir else { return Ok(0) };
        hnsw::follow(dir, self.table.header().vectors, &self.flat, threads, go_on)
    }

    /// Returns how many vectors there are.
    pub fn vectors(&self) -> usize {
        self.flat.len()
    }

    /// Returns the rows of notes that are called one of `names`.
    pub fn named(&self, names: &[String]) -> Result<Vec<u32>, Damage> {
        let term = |name: &String| Term::from_field_text(self.text.fields.name, name);
        self.text.holding(&names.iter().map(term).collect::<Vec<_>>(), u64::MAX)
    }

    /// Returns the rows of notes of this category.
    pub fn of_category(&self, category: &str) -> Result<Vec<u32>, Damage> {
        let term = Term::from_field_text(self.text.fields.category, category);
        self.text.holding(&[term], u64::MAX)
    }

    /// Returns the rows of notes that link to one of `names`.
    pub fn linking_to(&self, names: &[String]) -> Result<Vec<u32>, Damage> {
        let term = |name: &String| Term::from_field_text(self.text.fields.link, name);
        self.text.holding(&names.iter().map(term).collect::<Vec<_>>(), u64::MAX)
    }

    /// Returns the rows in whose text one of `words` stands; a word that more than `most` passages hold says too little.
    pub fn mentioning(&self, words: &Terms, most: u64) -> Result<Vec<u32>, Damage> {
        let [folded, .., exact] = self.text.fields.words;
        let in_field = |field, words: &[String]| {
            words.iter().map(|word| Term::from_field_text(field, word)).collect::<Vec<_>>()
        };
        let terms = [in_field(folded, &words.folded), in_field(exact, &words.exact)].concat();
        self.text.holding(&terms, most)
    }
}

/// Notes that tell how low a cosine can be.
const SAMPLE: usize = 1024;

/// How much the indexes of a level hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Notes.
    pub notes: usize,
    /// Their passages.
    pub passages: usize,
    /// Rows, those of older texts included.
    pub rows: usize,
    /// Rows that the vector index covers.
    pub covered: usize,
}

/// Which rows of a level may answer.
#[derive(Debug)]
pub struct Admitted {
    query: Option<Box<dyn tantivy::query::Query>>,
    /// `None` where all may.
    rows: Option<Rows>,
    hidden: usize,
}

impl Admitted {
    /// Returns whether `row` may answer.
    pub fn holds(&self, row: u32) -> bool {
        self.rows.as_ref().is_none_or(|rows| rows.contains(row))
    }
}

/// The words of a question, weighed over all levels that are open.
#[derive(Debug)]
pub struct Words(Question);

impl Words {
    /// Weighs `terms` over `levels`, each without the rows that a newer text replaces.
    pub fn weigh(
        levels: &[(&LevelIndex, &[u32])],
        terms: &Terms,
        bm25: Bm25,
    ) -> Result<Self, Damage> {
        guarded(|| {
            let living: Result<Vec<_>, Damage> =
                levels.iter().map(|(level, hidden)| level.text.living(hidden)).collect();
            Question::weigh(&living?, terms, bm25).map(Self)
        })
    }

    /// Returns whether some passage holds an identifier of the question.
    pub fn hold_identifier(&self) -> bool {
        self.0.holds_identifier()
    }
}
