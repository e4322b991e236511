//! The profile's directory: bounded files, locks, journal, archive, frozen snapshots.

mod absorb;
mod archive;
mod base;
mod effects;
mod file;
mod frozen;
mod journal;
mod lock;
mod notebook;
mod owner;
mod pending;
mod place;
mod refusals;
mod store;
mod undo;

pub use archive::{Archived, Reason};
pub use file::Seen;
pub use frozen::{Frozen, FrozenEntry};
pub use journal::{Author, Effect, Inverse, Kind, Record};
pub use notebook::{Imported, Importer, Notebook};
pub use owner::{Owner, holder};
pub use pending::Pending;
pub use place::{Place, Trust};
pub use refusals::Refusals;
pub use store::{Change, Plan, Store, Written};
