//! Connecting agents' clients: what stands in their files so that they start carnet, and how they stand.

mod align;
mod client;
mod content;
mod examine;
mod files;
mod json;
mod launch;
mod list;
mod parts;
mod plan;
mod probe;
mod record;
mod settings;
mod style;
mod todo;
mod toml;
mod wish;
mod yaml;

pub use client::{Client, Scope};
pub use examine::examine;
pub use launch::Launch;
pub use plan::{Change, FileChange, Plan, Request};
