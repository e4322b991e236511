//! carnet: the memory notebook of AI agents.

pub mod memory;
