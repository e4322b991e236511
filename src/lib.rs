//! carnet: the memory notebook of AI agents.

pub mod config;
pub mod error;
pub mod memory;
pub mod storage;
