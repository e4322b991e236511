//! The profile's directory: bounded files, locks, journal, archive, frozen snapshots.

mod absorb;
mod archive;
mod base;
mod effects;
mod file;
mod frozen;
mod importer;
mod indexer;
mod journal;
mod lock;
mod log;
mod notebook;
mod owner;
mod pending;
mod place;
mod refusals;
mod spool;
mod store;
mod undo;
mod watcher;

pub use archive::{Archived, Reason};
pub use file::Seen;
pub use frozen::{Frozen, FrozenEntry};
pub use importer::{Imported, Importer};
pub use indexer::{IndexLock, Mark};
pub use journal::{Author, Effect, Inverse, Kind, Record};
pub use log::{hook_log, log_line};
pub use notebook::{Found, ReadNote, Scan, is_found, read_note, scan};
pub use owner::{Owner, holder};
pub use pending::Pending;
pub use place::{Place, Trust};
pub use refusals::Refusals;
pub use spool::ClientSession;
pub use store::{Change, Plan, Store, Written};
pub use watcher::{Changes, Watcher};
