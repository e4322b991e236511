//! Recall: a question answered from everything in the profile.

use jiff::Timestamp;

use super::Profile;
use crate::{
    config::Sensitivity,
    embed::Builtin,
    error::MemoryError,
    memory::{EntryId, Target},
    notes::{Fields, Layer, Note, Passage},
    recall::{Answer, Filter, Query, search},
    storage::Notebook,
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
}

/// What was found, with the notes it was found in.
#[derive(Clone, Debug)]
pub struct Recalled {
    /// The hits.
    pub answer: Answer,
    /// The notes that the hits count into.
    pub notes: Vec<Note>,
    /// What could not be read, one line each.
    pub warnings: Vec<String>,
}

/// Relevance from which a hit is one.
///
/// By `benches/recall_quality.py` on the evaluation set: from here on the right note is kept for 33 to 54 questions in 100,
/// by language, and a wrong one for 3 to 15; the rest is in `closest`.
const THRESHOLD: f32 = 0.30;

impl Profile {
    /// Answers a question from the files as they are now.
    pub fn recall(&self, request: &RecallRequest) -> Result<Recalled, MemoryError> {
        if request.query.trim().is_empty() {
            return Err(MemoryError::bad_request(
                "the query is empty",
                "ask something, in any words",
            ));
        }
        let mut layers: Vec<_> =
            Layer::FOLDERS.into_iter().filter(|layer| *layer != Layer::Archive).collect();
        if request.filter.archive || request.filter.layers.contains(&Layer::Archive) {
            layers.push(Layer::Archive);
        }
        let Notebook { notes, warnings } = Notebook::read(self.store.place(), &layers);
        let mut all = self.entries()?;
        all.extend(notes);
        let filter = Filter {
            clearance: request.clearance.unwrap_or(self.config.recall.clearance),
            ..request.filter.clone()
        };
        let query = Query {
            text: &request.query,
            limit: request.limit.unwrap_or(self.config.recall.limit),
            threshold: request.threshold.unwrap_or(THRESHOLD),
            filter: &filter,
            now: Timestamp::now(),
        };
        let model = Builtin::get();
        let embed = |text: &str| model.map(|model| model.embed(text)).unwrap_or_default();
        Ok(Recalled { answer: search(&all, &query, &embed), notes: all, warnings })
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
                    passages: vec![Passage { text: entry.as_str().to_owned(), start: 0 }],
                    links: Vec::new(),
                    lines: vec![line],
                    created: modified,
                    updated: modified,
                });
            }
        }
        Ok(notes)
    }
}
