//! `mcp`.

use super::report::Output;
use crate::{config::Environment, error::MemoryError, mcp, profile::Options};

/// Serve an agent over the Model Context Protocol, on standard input and output
///
/// Clients start it themselves: register `carnet mcp` as a server of the stdio kind. It holds the profile for as long as it
/// runs, and keeps the indexes up to date.
#[derive(Debug, clap::Args)]
pub(super) struct McpArgs {}

/// Serves until the input ends or the client asks for the end; nothing but messages goes to standard output.
pub(super) fn run(options: &Options, environment: &Environment) -> Result<Output, MemoryError> {
    mcp::serve(options, environment).map(|()| Output::silent())
}
