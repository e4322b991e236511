//! One score from several.

use jiff::Timestamp;

use crate::{
    index::{Bm25, Row},
    notes::Importance,
};

/// The published constants of the ranking; `benches/ranking.rs` prints what others would give.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranking {
    /// How words are scored.
    pub bm25: Bm25,
    /// Weight of the coverage-normalised BM25.
    pub lexical: f32,
    /// Weight of the cosine, stretched to 0 to 1.
    pub semantic: f32,
    /// Weight of one link from a strong hit.
    pub graph: f32,
    /// What the words of the note before and of the note after count for a note of the same session; those one further
    /// away count half of that.
    pub neighbour: f32,
    /// Passages that each side, words and vectors, proposes.
    pub candidates: usize,
}

impl Default for Ranking {
    fn default() -> Self {
        Self {
            bm25: Bm25::default(),
            lexical: 0.6,
            semantic: 0.4,
            graph: 0.2,
            neighbour: 0.5,
            candidates: 100,
        }
    }
}

/// The parts of a score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// How much of the question's words the passage and those around it reach; 1 is all of them once.
    pub lexical: f32,
    /// Its cosine, stretched to 0 to 1.
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
    pub fn total(&self, ranking: &Ranking) -> f32 {
        let sum = ranking.lexical * self.lexical
            + ranking.semantic * self.semantic
            + ranking.graph * self.graph;
        sum * self.recency * self.importance * self.confidence
    }
}

/// The least that age leaves of a score: what is old may still be the answer.
const OLDEST: f32 = 0.8;

/// Returns the factor for the age of a note: half of what age can take is gone after the half-life of its importance.
pub(super) fn recency(note: &Row, now: Timestamp) -> f32 {
    let half_life_days = match note.importance {
        Importance::Low => 30.0,
        Importance::Normal => 180.0,
        Importance::High => 720.0,
        Importance::Critical => return 1.0,
    };
    let age = now.as_microsecond().saturating_sub(note.updated).max(0);
    #[expect(clippy::cast_precision_loss, reason = "an age in days needs no more than 24 bits")]
    let days = age as f32 / 86_400e6;
    OLDEST + (1.0 - OLDEST) * 0.5_f32.powf(days / half_life_days)
}

/// Returns the factor for the importance of a note.
pub(super) fn importance(note: &Row) -> f32 {
    match note.importance {
        Importance::Low => 0.9,
        Importance::Normal => 1.0,
        Importance::High => 1.1,
        Importance::Critical => 1.2,
    }
}

/// Returns the factor for the confidence of a note.
pub(super) fn confidence(note: &Row) -> f32 {
    0.5 + 0.5 * note.confidence
}

/// Stretches `cosine` to 0 to 1 between the `least` of all and the `most` of the candidates.
///
/// Between the least and the most of the candidates alone, which are all near, small differences would outweigh words.
pub(super) fn stretched(cosine: f32, (least, most): (f32, f32)) -> f32 {
    if most - least > 1e-6 {
        ((cosine - least) / (most - least)).clamp(0.0, 1.0)
    } else {
        cosine.max(0.0)
    }
}
