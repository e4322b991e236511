//! The search: filters, both rankings, links, fusion.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;

use super::{
    analyze::{analyze, query_terms},
    fuse::{Scores, Weights, confidence, importance, recency},
    lexical::Lexical,
};
use crate::{
    config::Sensitivity,
    notes::{Layer, Note},
};

/// Which notes may answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// These layers only; all but the archive where there are none.
    pub layers: Vec<Layer>,
    /// This category only.
    pub category: Option<String>,
    /// Notes with all of these tags only.
    pub tags: Vec<String>,
    /// Created at this time or later.
    pub since: Option<Timestamp>,
    /// Created before this time.
    pub until: Option<Timestamp>,
    /// The most sensitive level that is opened.
    pub clearance: Sensitivity,
    /// Whether the archive answers too.
    pub archive: bool,
}

/// A question.
#[derive(Clone, Debug, PartialEq)]
pub struct Query<'q> {
    /// In any words.
    pub text: &'q str,
    /// Hits returned at most.
    pub limit: usize,
    /// How relevant a hit must be, 0 to 1.
    pub threshold: f32,
    /// Which notes may answer.
    pub filter: &'q Filter,
    /// Now.
    pub now: Timestamp,
}

/// One note that answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its place in the notes that were searched.
    pub note: usize,
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

/// Hits whose links bring in other notes.
const STRONG: usize = 5;

impl Filter {
    /// Returns whether `note` may answer at `now`.
    fn admits(&self, note: &Note, now: Timestamp) -> bool {
        let layer = if self.layers.is_empty() {
            note.layer != Layer::Archive || self.archive
        } else {
            self.layers.contains(&note.layer) || (self.archive && note.layer == Layer::Archive)
        };
        layer
            && self.category.as_ref().is_none_or(|category| note.category() == category)
            && self.tags.iter().all(|tag| note.fields.tags.contains(tag))
            && self.since.is_none_or(|since| note.created >= since)
            && self.until.is_none_or(|until| note.created < until)
            && !note.is_expired(now)
    }
}

/// Answers `query` from `notes`; `embed` makes vectors of length 1, or zero.
///
/// Notes above the clearance are not looked at, and influence nothing.
pub fn search(notes: &[Note], query: &Query<'_>, embed: &dyn Fn(&str) -> Vec<f32>) -> Answer {
    let open: Vec<usize> = (0..notes.len())
        .filter(|index| {
            notes.get(*index).is_some_and(|note| note.sensitivity() <= query.filter.clearance)
        })
        .collect();
    let mut lexical = Lexical::default();
    let mut passages = Vec::new();
    for note in &open {
        for (passage, text) in texts(notes, *note).into_iter().enumerate() {
            lexical.add(&analyze(&text));
            passages.push((*note, passage, text));
        }
    }
    let words = with_neighbours(notes, &passages, &lexical.score(&query_terms(query.text)));
    let question = embed(query.text);
    let admitted: HashSet<usize> = open
        .iter()
        .copied()
        .filter(|index| notes.get(*index).is_some_and(|note| query.filter.admits(note, query.now)))
        .collect();
    let cosines: Vec<Option<f32>> = passages
        .iter()
        .map(|(note, _, text)| admitted.contains(note).then(|| dot(&question, &embed(text))))
        .collect();
    let known = || cosines.iter().flatten().copied();
    let (least, most) = (known().fold(f32::MAX, f32::min), known().fold(f32::MIN, f32::max));
    let mut best: HashMap<usize, Hit> = HashMap::new();
    for (((note, passage, _), cosine), lexical) in passages.iter().zip(&cosines).zip(&words) {
        let (Some(cosine), Some(found)) = (cosine, notes.get(*note)) else { continue };
        let scores = Scores {
            lexical: *lexical,
            semantic: if most > least { (cosine - least) / (most - least) } else { 0.0 },
            graph: 0.0,
            recency: recency(found, query.now),
            importance: importance(found),
            confidence: confidence(found),
        };
        let relevance = 0.5 * lexical.min(1.0) + 0.5 * cosine.max(0.0);
        let score = scores.total(Weights::default());
        let hit = Hit { note: *note, passage: *passage, score, relevance, scores };
        let place = best.entry(*note).or_insert(hit);
        if hit.score > place.score {
            *place = hit;
        }
    }
    follow_links(notes, &mut best);
    let mut ranked: Vec<Hit> = best.into_values().collect();
    // Ties keep the order of the notes.
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.note.cmp(&b.note)));
    let (hits, rest): (Vec<_>, Vec<_>) =
        ranked.into_iter().partition(|hit| hit.relevance >= query.threshold);
    let wanted = query.limit.saturating_sub(hits.len().min(query.limit)).min(CLOSEST);
    Answer {
        hits: hits.into_iter().take(query.limit).collect(),
        closest: rest.into_iter().take(wanted).collect(),
    }
}

/// What the words of the note before and of the note after count for a note.
const NEIGHBOUR: f32 = 0.3;

/// Adds to the score of each passage a part of those beside it, where they belong to one conversation.
fn with_neighbours(notes: &[Note], passages: &[(usize, usize, String)], words: &[f32]) -> Vec<f32> {
    let one_session = |left: usize, right: usize| match (notes.get(left), notes.get(right)) {
        (Some(left), Some(right)) => {
            let imported = |note: &Note| {
                note.fields.source.as_deref() == Some("import") && note.fields.created.is_some()
            };
            imported(left)
                && imported(right)
                && left.created == right.created
                && left.layer == right.layer
        }
        _ => false,
    };
    let beside = |index: usize, other: Option<usize>| {
        let other = other?;
        let (left, right) = (passages.get(index)?, passages.get(other)?);
        (left.0 != right.0 && one_session(left.0, right.0)).then(|| words.get(other).copied())?
    };
    let sum = |index: usize, own: f32| {
        let around = [index.checked_sub(1), index.checked_add(1)];
        let near: f32 = around.into_iter().filter_map(|other| beside(index, other)).sum();
        (own + NEIGHBOUR * near).min(1.5)
    };
    words.iter().enumerate().map(|(index, own)| sum(index, *own)).collect()
}

/// Returns what is looked for in each passage of a note: its title and tags stand above every one.
fn texts(notes: &[Note], note: usize) -> Vec<String> {
    let Some(note) = notes.get(note) else { return Vec::new() };
    let speaker =
        note.fields.speaker.as_deref().map_or_else(String::new, |speaker| format!("{speaker}: "));
    let tags = note.fields.tags.join(" ");
    // The name of a file is no word of the note.
    // A question about a time is answered by the day that the note names as its own.
    let day = note
        .fields
        .created
        .as_ref()
        .map(|_| note.created.strftime("%-d %B %Y").to_string())
        .unwrap_or_default();
    let head = note.fields.title.as_ref().or(note.fields.key.as_ref()).cloned().unwrap_or_default();
    note.passages
        .iter()
        .map(|passage| {
            let title = if passage.text.starts_with(&head) { "" } else { head.as_str() };
            format!("{title}\n{speaker}{}\n{tags}\n{day}", passage.text).trim().to_owned()
        })
        .collect()
}

/// Gives a bonus to the notes one link away from a strong hit, in either direction.
fn follow_links(notes: &[Note], best: &mut HashMap<usize, Hit>) {
    let mut strong: Vec<Hit> = best.values().copied().collect();
    strong.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.note.cmp(&b.note)));
    let strong: Vec<usize> = strong.into_iter().take(STRONG).map(|hit| hit.note).collect();
    let mut names: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, note) in notes.iter().enumerate().filter(|(index, _)| best.contains_key(index)) {
        let own = [Some(note.id.as_str()), note.fields.key.as_deref()].into_iter().flatten();
        for name in own.chain(note.fields.aliases.iter().map(String::as_str)) {
            names.entry(name).or_default().push(index);
        }
    }
    let targets = |index: usize| {
        let links = notes.get(index).map(|note| note.fields.related.iter().chain(&note.links));
        links
            .into_iter()
            .flatten()
            .flat_map(|link| names.get(link.trim_end_matches(".md")).into_iter().flatten().copied())
    };
    let mut linked: HashSet<usize> = strong.iter().flat_map(|hit| targets(*hit)).collect();
    let back =
        best.keys().copied().filter(|index| targets(*index).any(|target| strong.contains(&target)));
    linked.extend(back);
    for index in linked {
        if let Some(hit) = best.get_mut(&index) {
            hit.scores.graph = 1.0;
            hit.score = hit.scores.total(Weights::default());
        }
    }
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{embed::Builtin, notes::parse_time};

    fn note(id: &str, text: &str) -> Note {
        Note::read(id, Layer::Facts, text, parse_time("2026-01-01").unwrap())
    }

    fn ids(notes: &[Note], text: &str, filter: &Filter) -> Vec<String> {
        let now = parse_time("2026-02-01").unwrap();
        let query = Query { text, limit: 5, threshold: 0.0, filter, now };
        let model = Builtin::get().unwrap();
        let answer = search(notes, &query, &|text| model.embed(text));
        answer.hits.iter().map(|hit| notes[hit.note].id.clone()).collect()
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
            let query = Query {
                text: "React Router",
                limit: 5,
                threshold: 0.0,
                filter: &filter,
                now: parse_time("2026-02-01").unwrap(),
            };
            let model = Builtin::get().unwrap();
            search(notes, &query, &|text| model.embed(text))
                .hits
                .iter()
                .find(|hit| hit.note == 1)
                .unwrap()
                .score
        };
        assert!(score(&near) > score(&alone) + 0.1);
    }
}
