//! `import`.

use std::path::PathBuf;

use serde_json::json;

use super::{
    progress,
    report::{Failure, Output},
};
use crate::{error::MemoryError, profile::Profile};

/// Import notes: one JSON object a line, `{"text", "id"?, "layer"?, "title"?, "created"?, "category"?, "tags"?, …}`
#[derive(Debug, clap::Args)]
pub(super) struct ImportArgs {
    /// The file; `-` reads standard input
    file: PathBuf,
    /// Its format
    #[arg(long, default_value = "jsonl", value_parser = ["jsonl"])]
    format: String,
}

pub(super) fn run(args: &ImportArgs, profile: &Profile) -> Result<Output, Failure> {
    let lines = if args.file.as_os_str() == "-" {
        super::stdin_bytes()?
    } else {
        std::fs::read(&args.file).map_err(MemoryError::reading(&args.file))?
    };
    let report = profile.import(&lines, &mut progress::bar())?;
    let skipped: Vec<_> = report
        .skipped
        .iter()
        .map(|(line, error)| json!({ "line": line, "error": error }))
        .collect();
    let text = format!(
        "{} imported, {} unchanged, {} skipped\n",
        report.imported,
        report.unchanged,
        skipped.len()
    );
    let json = json!({
        "success": true,
        "imported": report.imported,
        "unchanged": report.unchanged,
        "skipped": skipped,
        "format": args.format,
    });
    let warnings = report
        .skipped
        .iter()
        .map(|(line, error)| format!("line {line} is skipped: {error}"))
        .collect();
    Ok(Output::confirmation(text, json).with_warnings(warnings))
}
