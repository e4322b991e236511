//! What an import brings.

use jiff::Timestamp;

use crate::{memory::Target, notes::Layer};

/// What an import brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// An entry of a bounded file.
    Entry {
        /// The file.
        target: Target,
        /// Its text.
        text: String,
    },
    /// A note.
    Note(Box<NewNote>),
}

/// A note on its way in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewNote {
    /// Where it goes.
    pub place: Place,
    /// What its file is to hold.
    pub content: String,
    /// When it was last changed where it comes from, where its fields do not say.
    pub modified: Option<Timestamp>,
}

/// Where a note goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// To the note that was imported with the same mark before, else to a new one.
    Marked {
        /// The folder of a new one.
        folder: String,
        /// The beginning of its name.
        name: String,
        /// The hash of its id, which its name ends in.
        mark: String,
    },
    /// To this id, as it was in the profile that it comes from.
    Exact {
        /// The id.
        id: String,
        /// Where it belongs.
        layer: Layer,
        /// Its key, where it has one.
        key: Option<String>,
    },
}
