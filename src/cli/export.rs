//! `export`.

use std::path::PathBuf;

use serde_json::json;

use super::{
    progress,
    report::{Failure, Output, printable},
};
use crate::{
    config::Sensitivity,
    profile::{ExportForm, ExportRequest, Profile},
    storage::Overwrite,
};

/// Export everything that is remembered, up to a clearance
///
/// JSON Lines come back as they were: `carnet import` makes the same notes of them. Markdown is for people: one document where
/// the output ends in `.md` or is left out, else a folder of the files as they are.
#[derive(Debug, clap::Args)]
pub(super) struct ExportArgs {
    /// The form
    #[arg(long, value_name = "F", default_value = "jsonl")]
    format: Form,
    /// File or folder to write (default: standard output)
    #[arg(long, short, value_name = "PATH")]
    output: Option<PathBuf>,
    /// The most sensitive level to export (default: `recall.clearance`)
    #[arg(long, value_name = "S")]
    clearance: Option<Sensitivity>,
    /// Export what has left memory too
    #[arg(long)]
    archive: bool,
    /// Overwrite the output where it is there already
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Form {
    Jsonl,
    Markdown,
}

pub(super) fn run(args: &ExportArgs, profile: &Profile) -> Result<Output, Failure> {
    let (form, name) = match args.format {
        Form::Jsonl => (ExportForm::Jsonl, "jsonl"),
        Form::Markdown => (ExportForm::Markdown, "markdown"),
    };
    let request = ExportRequest {
        form,
        output: args.output.clone(),
        overwrite: if args.force { Overwrite::Yes } else { Overwrite::No },
        clearance: args.clearance,
        archive: args.archive,
    };
    let exported = profile.export(&request, &mut progress::bar())?;
    let mut json = json!({
        "success": true,
        "format": name,
        "entries": exported.entries,
        "notes": exported.notes,
        "left_out": exported.left_out,
        "warnings": exported.warnings,
    });
    let path = args.output.as_ref().map(|path| path.display().to_string());
    if let Some(json) = json.as_object_mut() {
        match &path {
            Some(path) => json.insert("output".to_owned(), json!(path)),
            None => json.insert("content".to_owned(), json!(exported.text)),
        };
    }
    let mut warnings = exported.warnings;
    if exported.left_out > 0 {
        warnings.push(format!("{} are above the clearance and left out", exported.left_out));
    }
    let output = match path {
        Some(path) => {
            let (entries, notes) = (exported.entries, exported.notes);
            let text = format!("{entries} entries and {notes} notes written to {path}\n");
            Output::confirmation(printable(&text), json)
        }
        // JSON writes control characters in letters, and has to come back as it was.
        None if form == ExportForm::Jsonl => Output::data(exported.text, json),
        None => Output::data(printable(&exported.text), json),
    };
    Ok(output.with_warnings(warnings))
}
