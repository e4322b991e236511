//! Why an edit is refused.

use super::{
    Entry, EntryError, EntryId, Target, Usage,
    text::{grouped, preview},
};

/// An entry that an edit may have meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The id that names it without doubt.
    pub id: EntryId,
    /// Its text.
    pub text: String,
}

impl Candidate {
    /// Returns the candidate for `entry` of `target`.
    pub fn of(target: Target, entry: &Entry) -> Self {
        Self { id: EntryId::of(target, entry), text: entry.as_str().to_owned() }
    }
}

/// A rule that an edit breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The content cannot be an entry.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// The edit names no entry.
    #[error("the text that names the entry (`old_text`) is missing")]
    MissingOldText,
    /// No entry holds the text.
    #[error("no entry matched `{}`", preview(old_text, 80))]
    NoMatch {
        /// What was looked for.
        old_text: String,
    },
    /// Several different entries hold the text.
    #[error("{} entries matched `{}`", candidates.len(), preview(old_text, 80))]
    AmbiguousMatch {
        /// What was looked for.
        old_text: String,
        /// The entries that hold it.
        candidates: Vec<Candidate>,
    },
    /// The file would hold more than its limit, and not less than before.
    #[error("it would hold {} of {} characters, which exceeds the limit", grouped(needed.used, ','), grouped(needed.limit, ','))]
    LimitExceeded {
        /// What the file would hold.
        needed: Usage,
    },
    /// Read back, the file would not hold the intended entries.
    #[error("{}", match open { Some(id) => format!("the code fence that `{id}` leaves open would swallow the separator"), None => "read back, the file would not hold the intended entries".to_owned() })]
    NotReadBack {
        /// The entry whose fence is open.
        open: Option<EntryId>,
    },
    /// One operation of a batch is refused, so none was applied.
    #[error("operation {number} ({action}) is refused, so no operations were applied")]
    Operation {
        /// Its place in the batch, from 1.
        number: usize,
        /// add, replace or remove.
        action: &'static str,
        /// Why.
        source: Box<EditError>,
    },
}

impl EditError {
    /// Returns the error of the operation itself, where this is one of a batch.
    pub fn cause(&self) -> &Self {
        match self {
            Self::Operation { source, .. } => source.cause(),
            other => other,
        }
    }
}
