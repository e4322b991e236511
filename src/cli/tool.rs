//! `tool`.

use serde_json::Value;

use super::{report::Output, stdin};
use crate::{
    error::MemoryError,
    profile::{Options, Profile},
    tool,
};

/// Answer one call of the `memory` tool: a JSON object on standard input, one on standard output
#[derive(Debug, clap::Args)]
pub(super) struct ToolArgs {
    /// Print the tool's schema in the OpenAI function format
    #[arg(long)]
    schema: bool,
}

pub(super) fn run(args: &ToolArgs, options: &Options) -> Output {
    if args.schema {
        return Output::json(tool::schema());
    }
    Output::json(answer(options).unwrap_or_else(|error| tool::failure(&error)))
}

fn answer(options: &Options) -> Result<Value, MemoryError> {
    let text = stdin()?;
    let request = serde_json::from_str(&text).map_err(|error| {
        let what = format!("the request is not JSON: {error}");
        MemoryError::bad_request(what, "send one JSON object on standard input")
    })?;
    Ok(Profile::open_for_tool(options, "carnet tool")?.call(&request))
}
