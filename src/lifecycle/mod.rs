//! The rules by which notes come, change and leave: no file, no clock.

mod clause;
mod confidence;
mod fact;
mod forget;
mod mood;
mod request;
mod session;
mod signals;
mod verify;
mod written;

pub use confidence::{Source, heard};
pub use fact::{Action, Before, Decision, decide, same_text};
pub use forget::Selector;
pub use request::NoteRequest;
pub use session::{Event, NewFact, SessionEnd, Unread, read_transcript};
pub use signals::{ALIKE, Signal, alike, count};
pub use verify::{Turn, Verdict, verify};
pub use written::{evidence, evidence_of, fields_of, holds, place_of, time_ahead};
