//! carnet, the memory notebook of AI agents.
//!
//! A [`Profile`] is one memory directory, open. The modules below stand in reading order: the rules, what surrounds
//! them, and what ties them together.

mod digest;
mod whole;

pub mod memory;

pub mod error;

pub mod config;
pub mod notes;

pub mod embed;
pub mod guard;
pub mod index;
pub mod storage;

pub mod hook;
pub mod lifecycle;
pub mod recall;
pub mod snapshot;
pub mod tool;

pub mod profile;

pub mod mcp;

pub mod cli;

pub use config::Environment;
pub use error::MemoryError;
pub use profile::{Options, Profile};
