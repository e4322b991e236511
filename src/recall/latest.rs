//! PURE: the notes of a period, for who asks for all that there is.

use super::{Answer, Hit, Part, Query, Scores};
use crate::{index::Damage, notes::Layer};

/// Returns the notes that `query` admits, the latest first. Entries of the bounded files have no time of their own.
pub fn latest(parts: &[Part<'_>], query: &Query<'_>) -> Result<Answer, Damage> {
    let mut hits = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let admitted = part.level.admitted(query.filter, part.archive, query.now, part.hidden)?;
        let notes = part.level.notes(&admitted);
        let dated = notes.filter(|row| !matches!(row.layer, Layer::Memory | Layer::User));
        let scores = Scores::default();
        hits.extend(dated.map(|row| Hit {
            part: at,
            row,
            passage: 0,
            score: 1.0,
            relevance: 1.0,
            scores,
        }));
    }
    hits.sort_by(|a, b| b.row.created.cmp(&a.row.created).then_with(|| a.row.id.cmp(&b.row.id)));
    hits.truncate(query.limit);
    Ok(Answer { hits, closest: Vec::new() })
}
