//! What is to be remembered, as it is asked.

use super::Source;
use crate::{
    config::Sensitivity,
    notes::{Importance, Layer},
};

/// A note to write. What is left out keeps its value where the note is there already.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NoteRequest {
    /// Facts by default; or procedures, episodes.
    pub layer: Option<Layer>,
    /// Its key; one is made of the text where it is left out.
    pub key: Option<String>,
    /// The text.
    pub text: String,
    /// Any word.
    pub category: Option<String>,
    /// How sure it is, from 0 to 1.
    pub confidence: Option<f64>,
    /// How much it matters.
    pub importance: Option<Importance>,
    /// How far it may travel.
    pub sensitivity: Option<Sensitivity>,
    /// Who said it; a person by default, an agent where one asks.
    pub source: Option<Source>,
    /// When it stops being true, as a date, a time, or a length of time from now.
    pub expires: Option<String>,
    /// Words to find it by.
    pub tags: Option<Vec<String>>,
    /// Notes it belongs to.
    pub related: Option<Vec<String>>,
    /// What the user said, word for word.
    pub quote: Option<String>,
    /// Whether the quote was found in the user's own words.
    pub verified: bool,
    /// The session it comes from.
    pub session: Option<String>,
    /// What kind of episode: decision, milestone, bug, event…
    pub kind: Option<String>,
    /// When the episode happened.
    pub date: Option<String>,
    /// Whether the procedure stands in every snapshot; as it was where it is left out.
    pub always: Option<bool>,
}
