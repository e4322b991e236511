//! One score from several.

use jiff::Timestamp;

use crate::notes::{Importance, Note};

/// The published weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Of the coverage-normalised BM25.
    pub lexical: f32,
    /// Of the cosine, stretched over the candidates.
    pub semantic: f32,
    /// Of one link from a strong hit.
    pub graph: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self { lexical: 0.5, semantic: 0.5, graph: 0.2 }
    }
}

/// The parts of a score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// How much of the question's words the passage reaches, 0 to 1.5.
    pub lexical: f32,
    /// Its cosine, stretched to 0 to 1 over the candidates.
    pub semantic: f32,
    /// 1 where a strong hit is one link away.
    pub graph: f32,
    /// A factor from 0.8 to 1.
    pub recency: f32,
    /// A factor from 0.9 to 1.2.
    pub importance: f32,
    /// A factor from 0.5 to 1.
    pub confidence: f32,
}

impl Scores {
    /// Returns the whole.
    pub fn total(&self, weights: Weights) -> f32 {
        let sum = weights.lexical * self.lexical
            + weights.semantic * self.semantic
            + weights.graph * self.graph;
        sum * self.recency * self.importance * self.confidence
    }
}

/// The least that age leaves of a score: what is old may still be the answer.
const OLDEST: f32 = 0.8;

/// Returns the factor for the age of a note: half of what age can take is gone after the half-life of its importance.
pub(super) fn recency(note: &Note, now: Timestamp) -> f32 {
    let half_life_days = match note.importance() {
        Importance::Low => 30.0,
        Importance::Normal => 180.0,
        Importance::High => 720.0,
        Importance::Critical => return 1.0,
    };
    let seconds = now.as_second().saturating_sub(note.updated.as_second()).max(0);
    #[expect(clippy::cast_precision_loss, reason = "an age in seconds needs no more than 24 bits")]
    let days = seconds as f32 / 86_400.0;
    OLDEST + (1.0 - OLDEST) * 0.5_f32.powf(days / half_life_days)
}

/// Returns the factor for the importance of a note.
pub(super) fn importance(note: &Note) -> f32 {
    match note.importance() {
        Importance::Low => 0.9,
        Importance::Normal => 1.0,
        Importance::High => 1.1,
        Importance::Critical => 1.2,
    }
}

/// Returns the factor for the confidence of a note.
#[expect(clippy::cast_possible_truncation, reason = "a confidence is between 0 and 1")]
pub(super) fn confidence(note: &Note) -> f32 {
    0.5 + 0.5 * note.confidence() as f32
}
