//! The profile's directory: bounded files, locks, journal, archive, frozen snapshots.

mod absorb;
mod archive;
mod audit;
mod base;
mod effects;
mod file;
mod frozen;
mod importer;
mod indexer;
mod intent;
mod journal;
mod lock;
mod log;
mod named;
mod note_change;
mod notebook;
mod outlet;
mod owner;
mod pending;
mod place;
mod purge;
mod refusals;
mod signals;
mod source;
mod spool;
mod store;
mod tombstone;
mod undo;
mod watcher;

pub use archive::{Archived, Origin, Reason};
pub use audit::{Access, accesses, audit};
pub use file::Seen;
pub use frozen::{Frozen, FrozenEntry};
pub use importer::{Arrival, Importer, Incoming, with_sum};
pub use indexer::{IndexLock, Mark};
pub use journal::{Author, Effect, Inverse, Kind, Record};
pub use log::{hook_log, log_line};
pub use named::{by_file_name, has_key};
pub use note_change::{NoteRun, NoteStep};
pub use notebook::{
    Found, ReadNote, Scan, found, is_found, latest, note_file, read_note, read_text, scan,
    scan_folder, scan_loose,
};
pub use outlet::{OutletFile, OutletFolder, Overwrite};
pub use owner::{Owner, holder};
pub use pending::Pending;
pub use place::{Place, Trust};
pub use purge::{Left, Needles};
pub use refusals::Refusals;
pub use signals::{load_signals, store_signals};
pub use source::{SourceFile, source_files};
pub use spool::ClientSession;
pub use store::{Change, Plan, Store, Written, new_run};
pub use tombstone::{Tombstones, store_receipt};
pub use watcher::{Changes, Watcher};
