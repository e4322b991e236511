//! Recall: a question answered from everything in the profile, as the files are now.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::{Arc, PoisonError},
};

use jiff::Timestamp;

use super::{Profile, TimeWords};
use crate::{
    config::Sensitivity,
    embed::Patience,
    error::MemoryError,
    index::{Damage, Filter, Index, Level, LevelIndex, Row},
    memory::{EntryId, Target},
    notes::{Fields, Layer, Note, Passage, Stamp, read_markdown},
    recall::{
        Answer, Difference, Hit, Part, Period, Progress, Query, Ranking, Vectors, compare,
        compare_some, latest, read, search,
    },
    storage::{Mark, Place, ReadNote, read_note},
};

/// A question, as it is asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecallRequest {
    /// In any words.
    pub query: String,
    /// Hits returned at most; the configured number by default.
    pub limit: Option<usize>,
    /// How relevant a hit must be, 0 to 1; the calibrated value by default.
    pub threshold: Option<f32>,
    /// Which notes may answer; the clearance is the configured one where `clearance` is left out.
    pub filter: Filter,
    /// The most sensitive level that is opened; only a person's to choose.
    pub clearance: Option<Sensitivity>,
    /// What the words of time in it do; nothing where `filter` names a time.
    pub times: TimeWords,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Recalled {
    /// Hits that are relevant enough, the best first, with their notes.
    pub hits: Vec<(Hit, Note)>,
    /// The best below that.
    pub closest: Vec<(Hit, Note)>,
    /// The period that the question is about, where it is about one and there are notes of it.
    pub period: Option<Period>,
    /// Notes that were searched, before any filter but the clearance and the archive.
    pub searched: usize,
    /// What could not be done as it should, one line each.
    pub warnings: Vec<String>,
}

/// Relevance from which a hit is one.
///
/// By `benches/recall_quality.py` on the evaluation set: from here on the right note is kept for 34 to 53 questions in 100,
/// by language, and a wrong one for 4 to 16; the rest is in `closest`.
pub(super) const THRESHOLD: f32 = 0.30;

/// Hits returned at most, whatever is asked for.
const MOST_HITS: usize = 1000;

/// Notes that are scored from memory rather than indexed first, and their bytes.
const FEW: usize = 300;
const FEW_BYTES: u64 = 4 * 1024 * 1024;

/// A question with all that it takes to answer it.
pub(super) struct Asked<'q> {
    pub(super) query: Query<'q>,
    pub(super) vectors: Vectors<'q>,
}

/// What is to be answered.
#[derive(Clone, Debug)]
pub(super) struct Wanted<'q> {
    pub(super) text: &'q str,
    pub(super) filter: Filter,
    pub(super) limit: usize,
    pub(super) threshold: f32,
    /// Whether it is the latest notes that are wanted, whatever they say.
    pub(super) latest: bool,
    pub(super) now: Timestamp,
}

/// What looks for something in all that may be seen.
pub(super) type Find<'f, T> =
    dyn FnMut(&[Part<'_>], &mut Shown<'_>, &mut Vec<String>) -> Result<T, Damage> + 'f;

impl Profile {
    /// Answers what is wanted from the files as they are now.
    pub(super) fn answer_to(
        &self,
        wanted: &Wanted<'_>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Recalled, MemoryError> {
        if wanted.text.trim().is_empty() {
            let what = "the query is empty";
            return Err(MemoryError::bad_request(what, "ask something, in any words"));
        }
        let mut warnings = Vec::new();
        let vectors = self.vectors(&mut warnings);
        let question = if wanted.latest { Ok(None) } else { vectors.question(wanted.text) };
        let question = question.unwrap_or_else(|error| {
            warnings.push(format!("only words are compared: {error}"));
            None
        });
        // Where the question has no vector, neither do the notes need one.
        let vectors =
            Vectors { embedder: vectors.embedder.filter(|_| question.is_some()), ..vectors };
        let query = Query {
            text: wanted.text,
            vector: question.as_ref(),
            limit: wanted.limit.min(MOST_HITS),
            threshold: wanted.threshold,
            filter: &wanted.filter,
            now: wanted.now,
            ranking: Ranking::default(),
            life: self.life(),
        };
        let asked = Asked { query, vectors };
        let mut found = |parts: &[Part<'_>], shown: &mut Shown<'_>, told: &mut Vec<String>| {
            let Answer { hits, closest } = if wanted.latest {
                latest(parts, &asked.query)?
            } else {
                search(parts, &asked.query, &mut |_, row| shown.note(row).cloned())?
            };
            let (hits, closest) = (shown.with_notes(hits, told), shown.with_notes(closest, told));
            let searched = parts.iter().map(|part| part.level.len()).sum();
            Ok(Recalled { hits, closest, searched, ..Recalled::default() })
        };
        let recalled = self.look(&asked, progress, &mut warnings, &mut found)?;
        Ok(Recalled { warnings, ..recalled })
    }

    /// Lets `find` look at all that may be seen, as the files are now; again where they move, or an index is damaged.
    pub(super) fn look<T>(
        &self,
        asked: &Asked<'_>,
        progress: &mut dyn FnMut(Progress),
        warnings: &mut Vec<String>,
        find: &mut Find<'_, T>,
    ) -> Result<T, MemoryError> {
        let mut trusted = true;
        for _ in 0..ATTEMPTS {
            let mark = if trusted { Mark::told(self.store.place()) } else { Mark::Behind };
            let index = self.index(warnings);
            match self.answer(asked, index.as_ref(), &mark, progress, warnings, find) {
                Ok(found) => return Ok(found),
                Err(Failure::Moved) => trusted = false,
                // It was opened while the next generation took its place.
                Err(Failure::Damage(_)) if index.is_some() && !self.has_latest_index() => {}
                Err(Failure::Damage(damage)) => {
                    if !self.discard_index(&damage, warnings) {
                        break;
                    }
                }
                Err(Failure::Other(error)) => return Err(error),
            }
        }
        match self.answer(asked, None, &Mark::Behind, progress, warnings, find) {
            Ok(found) => Ok(found),
            Err(Failure::Other(error)) => Err(error),
            Err(Failure::Damage(damage)) => Err(MemoryError::Index { what: damage.to_string() }),
            Err(Failure::Moved) => {
                let what = "the notes change faster than they can be read".to_owned();
                Err(MemoryError::Index { what })
            }
        }
    }

    /// Lets `find` look at `index` and what has changed since, by what `mark` says of it.
    fn answer<T>(
        &self,
        asked: &Asked<'_>,
        index: Option<&Arc<Index>>,
        mark: &Mark,
        progress: &mut dyn FnMut(Progress),
        warnings: &mut Vec<String>,
        find: &mut Find<'_, T>,
    ) -> Result<T, Failure> {
        let place = self.store.place();
        let filter = asked.query.filter;
        let is_asked = |layer: &Layer| *layer != Layer::Archive || filter.opens_archive();
        let layers: Vec<Layer> = Layer::FOLDERS.into_iter().filter(is_asked).collect();
        let mut index = index.cloned();
        let mut difference = match (index.as_deref(), mark) {
            (Some(_), Mark::Current) => Difference::default(),
            (Some(index), Mark::But(changed)) => compare_some(place, index, changed),
            (index, _) => compare(place, index, &layers),
        };
        if (difference.suspects.len() > FEW || difference.bytes() > FEW_BYTES)
            && let Some(latest) = self.index_first(index.as_deref(), progress, warnings)
        {
            index = Some(latest);
            difference = Difference { warnings: difference.warnings, ..Difference::default() };
        }
        warnings.append(&mut difference.warnings);
        if index.as_ref().is_some_and(|index| index.manifest.is_incomplete())
            && asked.query.vector.is_some()
        {
            let why =
                "some notes have no vectors, as the embedder did not answer when they were indexed";
            warnings.push(format!("{why}; `carnet reindex` makes them"));
        }
        let changed = if difference.suspects.is_empty() {
            Vec::new()
        } else {
            let known = |id: &str| index.as_ref()?.manifest.known(id);
            read(place, &difference.suspects, &known, warnings).0
        };
        let hidden: BTreeSet<String> =
            changed.iter().map(|read| read.note.id.clone()).chain(difference.gone).collect();
        let (stamp, hash) = (Stamp::default(), [0; 32]);
        let entries = self.entries()?.into_iter().map(|note| ReadNote { note, stamp, hash });
        let notes: Vec<ReadNote> = changed.into_iter().chain(entries).collect();
        let overlay = self.overlay(&notes, asked, warnings)?;
        let mut disk = Vec::new();
        for level in Level::all().filter(|level| filter.opens(*level)) {
            if let Some(open) =
                index.as_ref().map(|index| index.level(level)).transpose()?.flatten()
            {
                let rows: Vec<u32> = hidden.iter().flat_map(|id| open.rows_of(id)).collect();
                disk.push((level, open, rows));
            }
        }
        let on_disk = disk.iter().map(|(level, open, hidden)| Part {
            level: open,
            archive: level.archive,
            hidden,
        });
        let in_memory = overlay.parts.iter().map(|(level, archive)| Part {
            level,
            archive: *archive,
            hidden: &[],
        });
        let parts: Vec<Part<'_>> = in_memory.chain(on_disk).collect();
        // Before anything is read from them: a library that meets damage may do worse than refuse.
        disk.iter().try_for_each(|(_, open, _)| open.verify())?;
        let mut shown = Shown {
            place,
            index: index.as_deref(),
            notes: notes.into_iter().map(|read| (read.note.id.clone(), read.note)).collect(),
            moved: false,
        };
        let found = find(&parts, &mut shown, warnings)?;
        let damaged = disk.iter().filter_map(|(_, open, _)| open.hnsw_damage());
        warnings.extend(damaged.map(str::to_owned));
        if shown.moved {
            return Err(Failure::Moved);
        }
        Ok(found)
    }

    /// Returns the entries of both bounded files as notes.
    fn entries(&self) -> Result<Vec<Note>, MemoryError> {
        let mut notes = Vec::new();
        for (target, layer) in [(Target::Memory, Layer::Memory), (Target::User, Layer::User)] {
            let seen = self.store.read(target)?;
            let modified = seen.modified().unwrap_or_default();
            for (entry, line) in seen.document.entries().iter().zip(seen.document.lines()) {
                let id = EntryId::of(target, entry).to_string();
                notes.push(Note {
                    title: id.clone(),
                    id,
                    layer,
                    fields: Fields::default(),
                    malformed: None,
                    body: entry.as_str().to_owned(),
                    passages: vec![Passage { text: entry.as_str().to_owned(), start: 0 }],
                    links: read_markdown(entry.as_str()).links,
                    lines: vec![line],
                    created: modified,
                    updated: modified,
                });
            }
        }
        let mut seen = HashSet::new();
        notes.retain(|note| seen.insert(note.id.clone()));
        Ok(notes)
    }
}

/// Times a damaged index is made anew before memory alone answers.
const ATTEMPTS: usize = 3;

/// The notes of an answer, each read once.
pub(super) struct Shown<'s> {
    place: &'s Place,
    index: Option<&'s Index>,
    notes: HashMap<String, Note>,
    /// Whether a note is not what was indexed: it was changed since the files were compared.
    moved: bool,
}

impl Shown<'_> {
    pub(super) fn note(&mut self, row: &Row) -> Option<&Note> {
        if !self.notes.contains_key(&row.id) {
            let found = read_note(self.place, &row.id, row.layer).ok().flatten()?;
            let indexed = self.index.and_then(|index| index.manifest.known(&row.id));
            if indexed.map(|known| known.hash) != Some(found.hash) {
                self.moved = true;
                return None;
            }
            self.notes.insert(row.id.clone(), found.note);
        }
        self.notes.get(&row.id)
    }

    /// Returns the hits with their notes; one that cannot be read is left out with a word.
    fn with_notes(&mut self, hits: Vec<Hit>, warnings: &mut Vec<String>) -> Vec<(Hit, Note)> {
        let mut found = Vec::new();
        for hit in hits {
            if let Some(note) = self.note(&hit.row) {
                found.push((hit, note.clone()));
            } else if !self.moved {
                warnings.push(format!("{} cannot be read, so it is left out", hit.row.id));
            }
        }
        found
    }
}

/// Why a question was not answered.
enum Failure {
    /// A note was changed while it was.
    Moved,
    /// The indexes cannot be used.
    Damage(Damage),
    Other(MemoryError),
}

impl From<Damage> for Failure {
    fn from(damage: Damage) -> Self {
        Self::Damage(damage)
    }
}

impl From<MemoryError> for Failure {
    fn from(error: MemoryError) -> Self {
        Self::Other(error)
    }
}

/// Indexes in memory of what no index on disk holds: what is in memory, and what has left it.
#[derive(Debug)]
pub(super) struct Overlay {
    made_of: Vec<Note>,
    levels: Vec<Level>,
    has_vectors: bool,
    /// The second says whether it is what has left memory.
    parts: Vec<(LevelIndex, bool)>,
}

impl Profile {
    /// Returns the overlay of `notes`: the last one where they are the same, as making one takes longer than all the rest.
    fn overlay(
        &self,
        notes: &[ReadNote],
        asked: &Asked<'_>,
        warnings: &mut Vec<String>,
    ) -> Result<Arc<Overlay>, Damage> {
        let filter = asked.query.filter;
        let levels: Vec<Level> = Level::all().filter(|level| filter.opens(*level)).collect();
        let is_it = |last: &&Arc<Overlay>| {
            last.levels == levels
                && last.has_vectors == asked.vectors.are_made()
                && last.made_of.iter().eq(notes.iter().map(|read| &read.note))
        };
        let last = || self.overlay.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = last().as_ref().filter(is_it) {
            return Ok(Arc::clone(same));
        }
        let (prepared, failed) = asked.vectors.prepare(notes, Patience::Short);
        let open = prepared.into_iter().filter(|note| filter.opens(note.level));
        let (archive, live): (Vec<_>, Vec<_>) = open.partition(|note| note.level.archive);
        let mut parts = Vec::new();
        for (notes, archive) in [(live, false), (archive, true)] {
            if !notes.is_empty() {
                parts.push((LevelIndex::in_memory(notes)?, archive));
            }
        }
        let made_of = notes.iter().map(|read| read.note.clone()).collect();
        let has_vectors = asked.vectors.are_made();
        let made = Arc::new(Overlay { made_of, levels, has_vectors, parts });
        // Where vectors are missing it is good for this question only.
        *last() = failed.is_none().then(|| Arc::clone(&made));
        warnings.extend(
            failed.map(|error| format!("changed notes are found by their words only: {error}")),
        );
        Ok(made)
    }
}
