//! The suite: carnet as its users meet it, through the real binary and the library.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a helper that fails is a test that fails"
)]

mod bad_input;
mod commands;
mod concurrency;
mod configuration;
mod consolidate;
mod consolidate_model;
mod desk;
mod durability;
mod editors;
mod embedders;
mod export;
mod extract;
mod forget;
mod golden;
mod history;
mod hook;
mod import;
mod index;
mod interrupted;
mod layers;
mod links;
mod mcp;
mod mcp_client;
mod mcp_notes;
mod notes;
mod notes_kept;
mod owner;
mod peer;
mod period;
mod properties;
mod readme;
mod recall;
mod sessions;
mod setup;
mod setup_documents;
mod setup_others;
mod setup_plugins;
mod snapshot;
mod support;
mod tool;
mod trust;
mod upkeep;
mod watch;
