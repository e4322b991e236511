//! carnet, the memory notebook of AI agents.
//!
//! A [`Profile`] is one memory directory, open. It is the API of every interface, and blocks: there is no async in it.
//!
//! ```
//! use carnet::{Options, Profile};
//! use carnet::profile::{RecallRequest, SnapshotRequest};
//! use serde_json::json;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let home = tempfile::tempdir()?;
//! let options = Options { home: Some(home.path().to_owned()), ..Options::default() };
//!
//! // An agent opens a profile for its whole life, and says what it calls itself.
//! let profile = Profile::open(&options, "my agent")?;
//!
//! // The `memory` tool: JSON in, JSON out; a refusal is an answer too.
//! let answer = profile.call(&json!({"action": "add", "content": "Deploys run on Fridays"}));
//! assert_eq!(answer["success"], true);
//!
//! // The notebook behind the two files.
//! let answer = profile.store_call(&json!({"key": "staging", "content": "The staging database is called heron"}));
//! assert_eq!(answer["action"], "created");
//!
//! // A question is answered from the files as they are now, by words and by meaning.
//! let request = RecallRequest { query: "which database is staging?".to_owned(), ..RecallRequest::default() };
//! let recalled = profile.recall(&request, &mut |_| {})?;
//! let (_, note) = recalled.hits.first().ok_or("nothing was found")?;
//! assert_eq!(note.id, "facts/general/staging");
//!
//! // The block for the prompt: the same bytes for the whole session.
//! let request = SnapshotRequest { session: Some("session 1".to_owned()), ..SnapshotRequest::default() };
//! let snapshot = profile.snapshot(&request)?;
//! assert!(snapshot.frozen.text.contains("Deploys run on Fridays"));
//! # Ok(())
//! # }
//! ```
//!
//! The modules below stand in reading order: the rules, what surrounds them, and what ties them together.

mod digest;
mod fence;
mod whole;

pub mod memory;

pub mod error;

pub mod config;
mod endpoint;
pub mod notes;

pub mod embed;
pub mod guard;
pub mod index;
pub mod llm;
pub mod storage;

pub mod exchange;
pub mod hook;
pub mod lifecycle;
pub mod recall;
pub mod snapshot;
pub mod tool;

pub mod profile;

pub mod mcp;
pub mod setup;

pub mod cli;

pub use config::Environment;
pub use error::MemoryError;
pub use profile::{Options, Profile};
