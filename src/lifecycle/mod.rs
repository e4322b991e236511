//! The rules by which notes come, change and leave: no file, no clock.

mod clause;
mod cluster;
mod confidence;
mod extract;
mod fact;
mod forget;
mod kept;
mod merge;
mod mood;
mod request;
mod sense;
mod session;
mod signals;
mod verify;
mod written;

pub use cluster::{Candidate, Cluster, Clusters, Contradiction, SHOWN, clusters, contrast};
pub use confidence::{Source, heard};
pub use extract::{questions, session_of};
pub use fact::{Action, Before, Decision, decide, same_text};
pub use forget::Selector;
pub use kept::dropped;
pub use merge::{Asked, Merge, merged_fields, parse_merges, surest_first};
pub use request::NoteRequest;
pub use sense::{Difference, Sense};
pub use session::{Event, NewFact, SessionEnd, Unread, read_transcript};
pub use signals::{ALIKE, Signal, alike, count};
pub use verify::{Turn, Verdict, verify};
pub use written::{evidence, evidence_of, fields_of, holds, place_of, time_ahead};
