//! The rules of the two bounded files: pure functions from values to values.

mod document;
mod edit;
mod entry;
mod error;
mod fences;
mod line_ending;
mod matching;
mod merge;
mod splice;
mod suggest;
mod target;
mod text;
mod usage;

pub use document::Document;
pub use edit::{Edit, Outcome, Step, apply};
pub use entry::{Entry, EntryError, EntryId, SEPARATOR};
pub use error::{Candidate, EditError};
pub use line_ending::LineEnding;
pub use matching::{find, folded};
pub use merge::{differences, rebase};
pub use splice::Inverse;
pub use suggest::{Suggestion, suggest};
pub use target::{Target, UnknownTarget};
pub use text::{grouped, is_blank, preview, strip, to_lf};
pub use usage::{Limits, Usage};
