//! The search: words and vectors propose, the fusion decides, links follow.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;

use super::{
    fuse::{Ranking, Scores, confidence, importance, recency, stretched},
    links::Links,
};
use crate::{
    index::{Admitted, Damage, Filter, LevelIndex, Life, Row, Vector, Words, query_terms},
    notes::Note,
};

/// A question.
#[derive(Clone, Debug)]
pub struct Query<'q> {
    /// In any words.
    pub text: &'q str,
    /// Its vector; without one only its words answer.
    pub vector: Option<&'q Vector>,
    /// Hits returned at most.
    pub limit: usize,
    /// How relevant a hit must be, 0 to 1.
    pub threshold: f32,
    /// Which notes may answer.
    pub filter: &'q Filter,
    /// Now.
    pub now: Timestamp,
    /// The constants of the ranking.
    pub ranking: Ranking,
    /// How long the asking process will live.
    pub life: Life,
}

/// The indexes of one level, or of what has changed since they were written.
#[derive(Clone, Copy, Debug)]
pub struct Part<'i> {
    /// The indexes.
    pub level: &'i LevelIndex,
    /// Whether they hold the archive.
    pub archive: bool,
    /// Rows that a newer text replaces.
    pub hidden: &'i [u32],
}

/// One note that answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The part it stands in.
    pub part: usize,
    /// What is known of it.
    pub row: Row,
    /// Its best passage.
    pub passage: usize,
    /// Its rank's ground.
    pub score: f32,
    /// How relevant it is by itself, whatever else was found: what the threshold is compared with.
    pub relevance: f32,
    /// The parts of the score.
    pub scores: Scores,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Hits that are relevant enough, the best first.
    pub hits: Vec<Hit>,
    /// The best below that, so that a plain question is never left with nothing.
    pub closest: Vec<Hit>,
}

/// Hits below the threshold that are returned at most.
const CLOSEST: usize = 3;

/// Notes before and after a note of the same session that say what it is about.
const REACH: u32 = 2;

/// Hits whose links bring in other notes.
const STRONG: usize = 5;

/// Answers `query` from `parts`; `read` returns the note of a hit, for its links.
pub fn search(
    parts: &[Part<'_>],
    query: &Query<'_>,
    read: &mut dyn FnMut(usize, &Row) -> Option<Note>,
) -> Result<Answer, Damage> {
    let levels: Vec<_> = parts.iter().map(|part| (part.level, part.hidden)).collect();
    let terms = query_terms(query.text);
    let words = Words::weigh(&levels, &terms, query.ranking.bm25)?;
    // `ERR_AUTH_401` means nothing: where it stands somewhere, that is the answer.
    let vector = query.vector.filter(|_| !(terms.are_identifiers() && words.hold_identifier()));
    let query = &Query { vector, ..query.clone() };
    let mut search =
        Search { query, words, sides: Vec::new(), range: (0.0, 0.0), best: HashMap::new() };
    let mut cosines = Vec::new();
    for part in parts {
        let admitted = part.level.admitted(query.filter, part.archive, query.now, part.hidden)?;
        let wanted = query.ranking.candidates.max(query.limit);
        let mut rows = part.level.best_words(&search.words, &admitted, wanted)?;
        // A turn of a conversation may be what the turns around it are about.
        let around = rows.iter().flat_map(|row| part.level.neighbours(*row, REACH));
        let around: Vec<_> =
            around.map(|(row, _)| row).filter(|row| admitted.holds(*row)).collect();
        rows.extend(around);
        if let Some(vector) = query.vector {
            let near = part.level.nearest(vector, &admitted, wanted, query.life)?;
            rows.extend(near.iter().map(|(row, _)| *row));
            cosines.extend(near.into_iter().map(|(_, cosine)| cosine));
        }
        search.sides.push((*part, admitted, rows));
    }
    if let Some(vector) = query.vector {
        let least = parts.iter().filter_map(|part| part.level.least_cosine(vector, part.hidden));
        search.range =
            (least.fold(f32::MAX, f32::min), cosines.into_iter().fold(f32::MIN, f32::max));
    }
    for at in 0..parts.len() {
        let rows = search.sides.get_mut(at).map(|side| std::mem::take(&mut side.2));
        search.weigh(at, rows.unwrap_or_default(), 0.0)?;
    }
    search.follow_links(read)?;
    Ok(search.answer())
}

/// A search under way.
struct Search<'s> {
    query: &'s Query<'s>,
    words: Words,
    /// Each part with what may answer of it, and the rows that were proposed.
    sides: Vec<(Part<'s>, Admitted, Vec<u32>)>,
    /// The least cosine of all, by a sample, and the highest of the candidates.
    range: (f32, f32),
    /// The best passage of each note, by its part and number.
    best: HashMap<(usize, u32), Hit>,
}

impl Search<'_> {
    /// Scores `rows` of one part, and keeps the best passage of each note.
    fn weigh(&mut self, at: usize, mut rows: Vec<u32>, graph: f32) -> Result<(), Damage> {
        let Some((Part { level, .. }, ..)) = self.sides.get(at) else { return Ok(()) };
        rows.sort_unstable();
        rows.dedup();
        let around: Vec<_> = rows.iter().map(|row| level.neighbours(*row, REACH)).collect();
        let mut all: Vec<u32> = around.iter().flatten().map(|(row, _)| *row).collect();
        all.extend(&rows);
        all.sort_unstable();
        all.dedup();
        let scores = level.score_words(&all, &self.words)?;
        let own = |row: u32| {
            all.binary_search(&row).ok().and_then(|at| scores.get(at).copied()).unwrap_or_default()
        };
        let mut hits = Vec::new();
        for (row, around) in rows.into_iter().zip(around) {
            let Some((number, note, passage)) = level.note(row) else { continue };
            let near = |(row, distance): (u32, u32)| {
                let weight = self.query.ranking.neighbour * halved(distance);
                weight * own(row)
            };
            let around: f32 = around.into_iter().map(near).sum();
            let lexical = own(row) + around;
            let cosine = self.query.vector.and_then(|vector| level.cosine(row, vector));
            let scores = Scores {
                lexical,
                semantic: cosine.map_or(0.0, |cosine| stretched(cosine, self.range)),
                graph,
                recency: recency(&note, self.query.now),
                importance: importance(&note),
                confidence: confidence(&note),
            };
            let relevance = 0.5 * lexical.min(1.0) + 0.5 * cosine.unwrap_or_default().max(0.0);
            let score = scores.total(&self.query.ranking);
            let passage = usize::try_from(passage).unwrap_or_default();
            hits.push((number, Hit { part: at, row: note, passage, score, relevance, scores }));
        }
        for (number, hit) in hits {
            let place = self.best.entry((at, number)).or_insert_with(|| hit.clone());
            if hit.score > place.score {
                *place = hit;
            }
        }
        Ok(())
    }

    /// Returns the hits, the best first; ties in the order of their ids.
    fn ranked(&self) -> Vec<&Hit> {
        let mut ranked: Vec<_> = self.best.values().collect();
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.row.id.cmp(&b.row.id)));
        ranked
    }

    /// Gives a bonus to the notes one link away from a strong hit, in either direction.
    fn follow_links(
        &mut self,
        read: &mut dyn FnMut(usize, &Row) -> Option<Note>,
    ) -> Result<(), Damage> {
        let strong: Vec<_> = self.ranked().into_iter().take(STRONG).cloned().collect();
        let links: Vec<_> = strong
            .iter()
            .filter_map(|hit| Some((hit.row.id.clone(), Links::of(&read(hit.part, &hit.row)?))))
            .collect();
        for at in 0..self.sides.len() {
            let Some((Part { level, .. }, admitted, _)) = self.sides.get(at) else { continue };
            let mut linked = HashSet::new();
            for (id, links) in &links {
                let mut rows = links.around(level)?;
                rows.retain(|row| admitted.holds(*row));
                let notes = rows.into_iter().filter_map(|row| level.note(row));
                linked
                    .extend(notes.filter(|(_, note, _)| note.id != *id).map(|(number, ..)| number));
            }
            let rows: Vec<u32> = linked.iter().flat_map(|note| level.passages(*note)).collect();
            self.weigh(at, rows, 1.0)?;
        }
        Ok(())
    }

    /// Parts the hits at the threshold.
    fn answer(&self) -> Answer {
        let ranked = self.ranked().into_iter().cloned();
        let (hits, rest): (Vec<_>, Vec<_>) =
            ranked.partition(|hit| hit.relevance >= self.query.threshold);
        let limit = self.query.limit;
        let wanted = limit.saturating_sub(hits.len()).min(CLOSEST);
        Answer {
            hits: hits.into_iter().take(limit).collect(),
            closest: rest.into_iter().take(wanted).collect(),
        }
    }
}

/// Returns what a note at this distance counts of one that stands beside: half of it with each step.
fn halved(distance: u32) -> f32 {
    (1..distance).fold(1.0, |weight, _| weight * 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        config::Sensitivity,
        embed::{Embedder, Patience, Static},
        index::Prepared,
        notes::{Layer, parse_time},
    };

    fn note(id: &str, text: &str) -> Note {
        Note::read(id, Layer::Facts, text, parse_time("2026-01-01").unwrap())
    }

    fn vector(text: &str) -> Vector {
        Vector::of(&Static::builtin().embed(&[text], Patience::Short).unwrap()[0])
    }

    /// Answers a question of `notes`, with every hit a hit.
    fn hits(notes: &[Note], text: &str, filter: &Filter) -> Vec<Hit> {
        let prepared = notes.iter().map(|note| {
            let note = Prepared::of(note);
            let vectors = note.texts.iter().map(|text| vector(text)).collect();
            Prepared { vectors, ..note }
        });
        let open: Vec<_> = prepared.filter(|note| filter.opens(note.level)).collect();
        let level = LevelIndex::in_memory(open).unwrap();
        let vector = vector(text);
        let query = Query {
            text,
            vector: Some(&vector),
            limit: 5,
            threshold: 0.0,
            filter,
            now: parse_time("2026-02-01").unwrap(),
            ranking: Ranking::default(),
            life: Life::Short,
        };
        let part = Part { level: &level, archive: false, hidden: &[] };
        let mut read = |_: usize, row: &Row| notes.iter().find(|note| note.id == row.id).cloned();
        search(&[part], &query, &mut read).unwrap().hits
    }

    fn ids(notes: &[Note], text: &str, filter: &Filter) -> Vec<String> {
        hits(notes, text, filter).into_iter().map(|hit| hit.row.id).collect()
    }

    #[test]
    fn words_and_meaning_find_their_note_across_languages() {
        let notes = [
            note("facts/a", "The production database is PostgreSQL 15, hosted in Paris"),
            note("facts/b", "L'utilisateur préfère le thé vert au café"),
            note("facts/c", "Deploys happen on Thursdays at six"),
        ];
        let filter = Filter { clearance: Sensitivity::Internal, ..Filter::default() };
        assert_eq!(ids(&notes, "which database do we run?", &filter)[0], "facts/a");
        assert_eq!(ids(&notes, "what does the user like to drink?", &filter)[0], "facts/b");
        assert_eq!(ids(&notes, "quel jour fait-on les déploiements ?", &filter)[0], "facts/c");
    }

    #[test]
    fn filters_and_clearance_decide_before_anything_is_scored() {
        let notes = [
            note("facts/a", "---\nsensitivity: secret\n---\nthe vault code is under the lamp"),
            note("facts/b", "---\nexpires: 2026-01-15\n---\nthe vault is open today"),
            note(
                "facts/c",
                "---\ncategory: tech\ntags: [x, y]\ncreated: 2026-01-20\n---\nthe vault runs on Linux",
            ),
        ];
        let mut filter = Filter { clearance: Sensitivity::Internal, ..Filter::default() };
        assert_eq!(ids(&notes, "vault", &filter), ["facts/c"]);
        filter.tags = vec!["x".into(), "z".into()];
        assert_eq!(ids(&notes, "vault", &filter), [""; 0]);
        filter = Filter {
            category: Some("tech".into()),
            since: parse_time("2026-01-20"),
            until: parse_time("2026-01-21"),
            ..filter
        };
        filter.tags.clear();
        assert_eq!(ids(&notes, "vault", &filter), ["facts/c"]);
        filter = Filter { clearance: Sensitivity::Secret, ..Filter::default() };
        assert_eq!(ids(&notes, "vault code", &filter)[0], "facts/a");
        filter.layers = vec![Layer::Episodes];
        assert_eq!(ids(&notes, "vault", &filter), [""; 0]);
    }

    #[test]
    fn a_link_brings_a_note_nearer() {
        let far = "The migration guide lives in the wiki of the frontend team";
        let near = [
            note("facts/a", "React Router v7 is used, see [[facts/b]]"),
            note("facts/b", far),
            note("facts/c", "Lunch is at noon"),
        ];
        let alone = [
            note("facts/a", "React Router v7 is used"),
            note("facts/b", far),
            note("facts/c", "Lunch is at noon"),
        ];
        let filter = Filter { clearance: Sensitivity::Internal, ..Filter::default() };
        let score = |notes: &[Note]| {
            let hits = hits(notes, "React Router", &filter);
            hits.iter().find(|hit| hit.row.id == "facts/b").unwrap().score
        };
        assert!(score(&near) > score(&alone) + 0.1);
    }

    #[test]
    fn a_key_that_stands_as_a_word_is_a_link_both_ways() {
        let filter = Filter::default();
        let graph = |notes: &[Note], id: &str| {
            let hits = hits(notes, "how do we ship to production", &filter);
            hits.iter().find(|hit| hit.row.id == id).map(|hit| hit.scores.graph)
        };
        let keyed = note("facts/a", "---\nkey: blue_green\n---\nTwo halls stand side by side");
        let shipping = "We ship to production by way of blue_green every Friday";
        assert_eq!(graph(&[keyed.clone(), note("facts/b", shipping)], "facts/a"), Some(1.0));
        let asked = note("facts/a", "---\nkey: blue_green\n---\nWe ship to production at noon");
        let naming = note("facts/b", "The cat sleeps, says blue_green");
        assert_eq!(graph(&[asked, naming], "facts/b"), Some(1.0));
        assert_eq!(graph(&[keyed, note("facts/b", "We ship to production")], "facts/a"), Some(0.0));
    }
}
