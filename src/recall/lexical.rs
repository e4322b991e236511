//! BM25 over passages that are in memory.

use std::collections::HashMap;

use super::analyze::Terms;

/// Saturation and length normalisation of BM25; short texts want less of both than the usual 1.2 and 0.75.
const K1: f32 = 0.9;
const B: f32 = 0.4;

/// What each field counts: folded, English, French, exact.
const BOOSTS: [f32; 4] = [1.0, 0.6, 0.6, 1.5];

/// One field of all passages.
#[derive(Debug, Default)]
struct Field {
    /// For each term the passages that hold it, and how often.
    postings: HashMap<String, Vec<(usize, f32)>>,
    lengths: Vec<f32>,
}

impl Field {
    fn add(&mut self, passage: usize, terms: &[String], weight: f32) {
        for term in terms {
            let postings = self.postings.entry(term.clone()).or_default();
            match postings.last_mut() {
                Some((last, count)) if *last == passage => *count += weight,
                _ => postings.push((passage, weight)),
            }
        }
        if self.lengths.len() <= passage {
            self.lengths.resize(passage + 1, 0.0);
        }
        if let Some(length) = self.lengths.get_mut(passage) {
            *length += count_of(terms.len()) * weight;
        }
    }

    /// Returns the inverse document frequency of a term; one that is unknown counts as one that no passage holds.
    fn idf(&self, term: &str) -> f32 {
        let all = count_of(self.lengths.len());
        let holding = count_of(self.postings.get(term).map_or(0, Vec::len));
        (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln()
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of terms and passages stay far below 2^24")]
fn count_of(count: usize) -> f32 {
    count as f32
}

/// An inverted index in memory.
#[derive(Debug, Default)]
pub(super) struct Lexical {
    fields: [Field; 4],
    passages: usize,
}

impl Lexical {
    /// Adds the next passage.
    pub(super) fn add(&mut self, terms: &Terms) {
        let passage = self.passages;
        for (field, terms) in self.fields.iter_mut().zip(by_field(terms)) {
            field.add(passage, terms, 1.0);
        }
        self.passages += 1;
    }

    /// Returns for each passage how much of what the question could reach it reaches: 0 to 1.5.
    ///
    /// `bm25 / Σ idf`: dividing by what was reachable and not by the best hit keeps a lone weak match small.
    pub(super) fn score(&self, query: &Terms) -> Vec<f32> {
        let mut scores = vec![0.0_f32; self.passages];
        let mut reachable = 0.0;
        for ((field, terms), boost) in self.fields.iter().zip(by_field(query)).zip(BOOSTS) {
            let total: f32 = field.lengths.iter().sum();
            let average = (total / count_of(self.passages.max(1))).max(1e-3);
            let mut seen = std::collections::HashSet::new();
            for term in terms.iter().filter(|term| seen.insert(term.as_str())) {
                let idf = field.idf(term) * boost;
                reachable += idf;
                for (passage, count) in field.postings.get(term).into_iter().flatten() {
                    let length = field.lengths.get(*passage).copied().unwrap_or(average);
                    let norm = K1 * (1.0 - B + B * length / average);
                    if let Some(score) = scores.get_mut(*passage) {
                        *score += idf * count * (K1 + 1.0) / (count + norm);
                    }
                }
            }
        }
        for score in &mut scores {
            *score = if reachable > 0.0 { (*score / reachable).min(1.5) } else { 0.0 };
        }
        scores
    }
}

fn by_field(terms: &Terms) -> [&[String]; 4] {
    [&terms.folded, &terms.english, &terms.french, &terms.exact]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::{analyze, query_terms};

    #[test]
    fn an_identifier_is_found_before_its_parts() {
        let mut index = Lexical::default();
        for text in ["version 1.0.2 and 21", "the fix is in 1.0.21", "nothing"] {
            index.add(&analyze(text));
        }
        let scores = index.score(&query_terms("1.0.21"));
        assert!(scores[1] > scores[0] && scores[0] > scores[2], "{scores:?}");
    }

    #[test]
    fn a_lone_weak_match_stays_small() {
        let mut index = Lexical::default();
        for text in ["the deploy of the api goes to Paris", "lunch with Ana", "the api"] {
            index.add(&analyze(text));
        }
        let scores = index.score(&query_terms(
            "where does the deploy of the billing service go after a release?",
        ));
        assert!(scores[0] > 0.05 && scores[0] < 0.6, "{scores:?}");
        assert!(scores[1].abs() < f32::EPSILON);
    }
}
