//! The text index of one level, read.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::OnceLock,
};

use tantivy::{
    Directory, DocAddress, DocSet, Index, IndexSettings, ReloadPolicy, Searcher, SegmentReader,
    TERMINATED, Term,
    collector::TopDocs,
    columnar::Column,
    postings::Postings,
    query::{BooleanQuery, ConstScoreQuery, EnableScoring, Occur, Query},
    schema::IndexRecordOption,
};

use super::{
    Damage, Prepared, Rows,
    directory::Folder,
    living::Living,
    packed::index,
    question::{Bm25, EXACT, Question, Word, count},
    schema::{Fields, ROW, WORDS},
};

/// The text index of one level.
pub(super) struct Text {
    index: Index,
    searcher: Searcher,
    pub(super) fields: Fields,
    /// Where each row's document stands; made when it is first asked for.
    places: OnceLock<Vec<Option<DocAddress>>>,
    /// How much lives; counted when it is first asked for.
    sizes: OnceLock<(u64, [u64; WORDS])>,
}

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Text").field("docs", &self.searcher.num_docs()).finish_non_exhaustive()
    }
}

/// Runs `work` and takes a panic, which damaged files can cause, for damage.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, Damage>) -> Result<T, Damage> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(Damage::new("the text index cannot be read")))
}

impl Text {
    /// Returns what lives of the index, without the rows `hidden`, which a newer text replaces.
    pub(super) fn living(&self, hidden: &[u32]) -> Result<Living<'_>, Damage> {
        let places = if hidden.is_empty() { &[] } else { self.places()? };
        let hidden = hidden.iter().filter_map(|row| *places.get(index(*row))?).collect();
        Ok(Living::of(&self.searcher, self.fields.words, *self.sizes()?, hidden))
    }

    /// Opens the index in `dir`, whose list of segments is `meta`.
    pub(super) fn open(dir: &Path, meta: &str) -> Result<Self, Damage> {
        guarded(|| Self::of(Index::open(Folder::open(dir, Some(meta))?)?))
    }

    /// Makes an index of `notes` in memory; its rows are counted from 0.
    pub(super) fn in_memory(notes: &[Prepared]) -> Result<Self, Damage> {
        let fields = Fields::new();
        let settings = IndexSettings::default();
        let builder = Index::builder().schema(fields.schema.clone()).settings(settings);
        let directory = tantivy::directory::RamDirectory::create();
        let mut writer = builder.single_segment_index_writer(directory, MEMORY)?;
        for (passage, row) in notes.iter().flat_map(Prepared::passages).zip(0..) {
            writer.add_document(fields.document(&passage, row))?;
        }
        Self::of(writer.finalize()?)
    }

    fn of(index: Index) -> Result<Self, Damage> {
        let builder = index.reader_builder().reload_policy(ReloadPolicy::Manual);
        let reader: tantivy::IndexReader = builder.try_into()?;
        let fields = Fields::new();
        if index.schema() != fields.schema {
            return Err(Damage::new("the text index has other fields"));
        }
        let (places, sizes) = (OnceLock::new(), OnceLock::new());
        Ok(Self { searcher: reader.searcher(), index, fields, places, sizes })
    }

    /// Checks every file of the index against its checksum.
    pub(super) fn verify(&self) -> Result<(), Damage> {
        guarded(|| {
            for path in files(&self.index)? {
                let whole = self.index.directory().validate_checksum(&path);
                if !whole.map_err(Damage::of)? {
                    let what = format!("the checksum of {} does not match", path.display());
                    return Err(Damage::new(what));
                }
            }
            Ok(())
        })
    }

    /// Returns the `n` rows that answer the words of `question` best by tantivy's own BM25: those worth a closer look.
    pub(super) fn best(
        &self,
        question: &Question,
        filter: Option<&dyn Query>,
        n: usize,
    ) -> Result<Vec<u32>, Damage> {
        let Some(words) = question.query() else { return Ok(Vec::new()) };
        let query = match filter {
            None => words,
            Some(filter) => {
                let filter = Box::new(ConstScoreQuery::new(filter.box_clone(), 0.0));
                Box::new(BooleanQuery::new(vec![(Occur::Must, filter), (Occur::Must, words)]))
            }
        };
        guarded(|| {
            let top = TopDocs::with_limit(n.max(1)).order_by_score();
            let found = self.searcher.search_with_statistics_provider(&*query, &top, question)?;
            let columns = self.columns()?;
            let row = |at: &DocAddress| {
                let column = columns.get(index(at.segment_ord))?;
                column.first(at.doc_id).and_then(|row| u32::try_from(row).ok())
            };
            Ok(found.iter().filter_map(|(_, at)| row(at)).collect())
        })
    }

    /// Returns for each of `rows` how much of what `question` could reach it reaches: 1 for a passage of average length
    /// with each word once, 1.9 at most.
    ///
    /// `bm25 / Σ idf`: dividing by what was reachable and not by the best hit keeps a lone weak match small.
    pub(super) fn score(&self, rows: &[u32], question: &Question) -> Result<Vec<f32>, Damage> {
        guarded(|| {
            let mut scores = vec![0.0_f32; rows.len()];
            let known = self.places()?;
            let mut places: Vec<(DocAddress, usize)> = rows
                .iter()
                .enumerate()
                .filter_map(|(at, row)| Some(((*known.get(index(*row))?)?, at)))
                .collect();
            places.sort_unstable();
            for group in places.chunk_by(|(a, _), (b, _)| a.segment_ord == b.segment_ord) {
                let Some((first, _)) = group.first() else { continue };
                let segment = self.searcher.segment_reader(first.segment_ord);
                for word in &question.words {
                    self.add_word(segment, group, word, question, &mut scores)?;
                }
            }
            if question.reachable > 0.0 {
                for score in &mut scores {
                    *score /= question.reachable;
                }
            }
            Ok(scores)
        })
    }

    /// Adds what one word gives to the documents of `group`, which are sorted and of one segment.
    fn add_word(
        &self,
        segment: &SegmentReader,
        group: &[(DocAddress, usize)],
        word: &Word,
        question: &Question,
        scores: &mut [f32],
    ) -> Result<(), Damage> {
        let Some(field) = self.fields.words.get(word.field).copied() else { return Ok(()) };
        let inverted = segment.inverted_index(field)?;
        let Some(mut postings) =
            inverted.read_postings(&word.term, IndexRecordOption::WithFreqs)?
        else {
            return Ok(());
        };
        let lengths = segment.get_fieldnorms_reader(field)?;
        let average = question.averages.get(word.field).copied().unwrap_or(1.0);
        let Bm25 { k1, b, .. } = question.bm25;
        // An identifier is there or it is not, however many others stand beside it.
        let b = if word.field == EXACT { 0.0 } else { b };
        for (place, at) in group {
            if postings.doc() < place.doc_id && postings.seek(place.doc_id) == TERMINATED {
                break;
            }
            if postings.doc() != place.doc_id {
                continue;
            }
            let often = count(u64::from(postings.term_freq()));
            let length = count(u64::from(lengths.fieldnorm(place.doc_id)));
            let norm = k1 * (1.0 - b + b * length / average);
            if let Some(score) = scores.get_mut(*at) {
                *score += word.weight * often * (k1 + 1.0) / (often + norm);
            }
        }
        Ok(())
    }

    /// Returns the rows that `filter` admits, of `bound`; without one, all that stand in the index.
    pub(super) fn admitted(
        &self,
        filter: Option<&dyn Query>,
        bound: usize,
    ) -> Result<Rows, Damage> {
        guarded(|| {
            let mut rows = Rows::below(bound);
            let Some(filter) = filter else {
                let all = (0..).zip(self.places()?).filter(|(_, place)| place.is_some());
                all.for_each(|(row, _)| rows.insert(row));
                return Ok(rows);
            };
            let weight = filter.weight(EnableScoring::disabled_from_searcher(&self.searcher))?;
            for (segment, column) in self.searcher.segment_readers().iter().zip(self.columns()?) {
                let alive = segment.alive_bitset();
                weight.for_each_no_score(segment, &mut |documents| {
                    for document in documents {
                        if alive.is_none_or(|alive| alive.is_alive(*document)) {
                            let row =
                                column.first(*document).and_then(|row| u32::try_from(row).ok());
                            if let Some(row) = row {
                                rows.insert(row);
                            }
                        }
                    }
                })?;
            }
            Ok(rows)
        })
    }

    /// Returns the rows that hold one of `terms`; a term that more than `most` passages hold says too little.
    pub(super) fn holding(&self, terms: &[Term], most: u64) -> Result<Vec<u32>, Damage> {
        guarded(|| {
            let mut rows = Vec::new();
            let columns = self.columns()?;
            for term in terms {
                let often = self.searcher.doc_freq(term)?;
                if often == 0 || often > most {
                    continue;
                }
                for (segment, column) in self.searcher.segment_readers().iter().zip(&columns) {
                    let inverted = segment.inverted_index(term.field())?;
                    let postings = inverted.read_postings(term, IndexRecordOption::Basic)?;
                    let Some(mut postings) = postings else { continue };
                    let alive = segment.alive_bitset();
                    while postings.doc() != TERMINATED {
                        let document = postings.doc();
                        if alive.is_none_or(|alive| alive.is_alive(document)) {
                            let row = column.first(document);
                            rows.extend(row.and_then(|row| u32::try_from(row).ok()));
                        }
                        postings.advance();
                    }
                }
            }
            Ok(rows)
        })
    }

    /// Returns the column of row numbers of each segment.
    fn columns(&self) -> Result<Vec<Column<u64>>, Damage> {
        let segments = self.searcher.segment_readers().iter();
        Ok(segments.map(|segment| segment.fast_fields().u64(ROW)).collect::<Result<_, _>>()?)
    }

    /// Returns how many passages live, and how many terms they have in each field of words.
    fn sizes(&self) -> Result<&(u64, [u64; WORDS]), Damage> {
        if let Some(sizes) = self.sizes.get() {
            return Ok(sizes);
        }
        let (mut docs, mut terms) = (0, [0; WORDS]);
        for segment in self.searcher.segment_readers() {
            docs += u64::from(segment.num_docs());
            for (field, terms) in self.fields.words.into_iter().zip(&mut terms) {
                // As they are kept for scoring, so that every index counts alike.
                let lengths = segment.get_fieldnorms_reader(field)?;
                let alive = segment.doc_ids_alive();
                *terms += alive.map(|doc_id| u64::from(lengths.fieldnorm(doc_id))).sum::<u64>();
            }
        }
        Ok(self.sizes.get_or_init(|| (docs, terms)))
    }

    /// Returns where each row's document stands; `None` for rows that were taken out.
    fn places(&self) -> Result<&[Option<DocAddress>], Damage> {
        if let Some(places) = self.places.get() {
            return Ok(places);
        }
        let mut places = Vec::new();
        let segments = (0..).zip(self.searcher.segment_readers());
        for ((segment_ord, segment), column) in segments.zip(self.columns()?) {
            for doc_id in segment.doc_ids_alive() {
                let Some(row) = column.first(doc_id).and_then(|row| usize::try_from(row).ok())
                else {
                    continue;
                };
                if row >= MOST_ROWS {
                    return Err(Damage::new("the text index has rows without end"));
                }
                if places.len() <= row {
                    places.resize(row + 1, None);
                }
                if let Some(place) = places.get_mut(row) {
                    *place = Some(DocAddress { segment_ord, doc_id });
                }
            }
        }
        Ok(self.places.get_or_init(|| places))
    }
}

/// Returns the files of an index, without those that its segments need not have.
pub(super) fn files(index: &Index) -> Result<Vec<PathBuf>, Damage> {
    let mut files = Vec::new();
    for path in index.load_metas()?.list_segment_files() {
        if index.directory().exists(&path).map_err(Damage::of)? {
            files.push(path);
        }
    }
    Ok(files)
}

/// Bytes for an index in memory before its words are sorted.
const MEMORY: usize = 15_000_000;

/// Rows that one level may have.
const MOST_ROWS: usize = 1 << 28;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        index::query_terms,
        notes::{Layer, Note},
    };

    /// Returns what each of `texts` reaches of a question, as the index in memory scores them.
    fn scores(texts: &[&str], question: &str) -> Vec<f32> {
        let note = |(at, text): (usize, &&str)| {
            Prepared::of(&Note::read(
                &format!("facts/{at}"),
                Layer::Facts,
                text,
                jiff::Timestamp::UNIX_EPOCH,
            ))
        };
        let notes: Vec<_> = texts.iter().enumerate().map(note).collect();
        let text = Text::in_memory(&notes).unwrap();
        let question =
            Question::weigh(&[text.living(&[]).unwrap()], &query_terms(question), Bm25::default())
                .unwrap();
        let rows: Vec<u32> = (0..).take(texts.len()).collect();
        text.score(&rows, &question).unwrap()
    }

    #[test]
    fn an_identifier_is_found_before_its_parts() {
        let scores = scores(&["version 1.0.2 and 21", "the fix is in 1.0.21", "nothing"], "1.0.21");
        assert!(scores[1] > scores[0] && scores[0] > scores[2], "{scores:?}");
    }

    #[test]
    fn a_lone_weak_match_stays_small() {
        let scores = scores(
            &["the deploy of the api goes to Paris", "lunch with Ana", "the api"],
            "where does the deploy of the billing service go after a release?",
        );
        assert!(scores[0] > 0.05 && scores[0] < 0.6, "{scores:?}");
        assert!(scores[1].abs() < f32::EPSILON);
    }

    #[test]
    fn a_very_long_question_looks_for_its_rarest_words() {
        let long: String = (0..5000).fold(String::new(), |all, at| all + &format!("word{at} "));
        let scores = scores(&["word1 word2 zeppelin", "tea"], &format!("{long} zeppelin"));
        assert!(scores[0] > 0.0 && scores[1].abs() < f32::EPSILON, "{scores:?}");
    }
}
