//! `import`.

use std::{fmt::Write, path::PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;

use super::{
    progress,
    report::{Failure, Output, one_line, printable},
};
use crate::{
    exchange::Format,
    profile::{ImportFrom, ImportReport, ImportRequest, Profile, Skipped},
};

/// Import what another program remembers, or what `export` wrote
///
/// What is there already stays as it is, and the same file again changes nothing. A line of JSON Lines is a note:
/// `{"text", "id"?, "layer"?, "title"?, "created"?, "category"?, "tags"?, …}`.
#[derive(Debug, clap::Args)]
pub(super) struct ImportArgs {
    /// The file or folder; `-` reads standard input
    #[arg(value_name = "FILE|DIR")]
    file: PathBuf,
    /// Who wrote it (default: told by what it is)
    #[arg(long, value_name = "F", value_parser = format())]
    format: Option<Format>,
    /// Say what would be imported, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// Reads the name of a format; the shells' completions know them all.
fn format() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.map(Format::as_str);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}

pub(super) fn run(args: &ImportArgs, profile: &Profile) -> Result<Output, Failure> {
    let from = if args.file.as_os_str() == "-" {
        ImportFrom::Bytes(super::stdin_bytes()?)
    } else {
        ImportFrom::Path(args.file.clone())
    };
    let request = ImportRequest { from, format: args.format, dry_run: args.dry_run };
    let report = profile.import(request, &mut progress::bar())?;
    Ok(shown(report, args.dry_run))
}

fn shown(report: ImportReport, dry_run: bool) -> Output {
    let ImportReport { format, imported, unchanged, skipped, would, mut warnings } = report;
    // The lines of a file are counted, or the items of a list.
    let unit = if format == Format::Jsonl { "line" } else { "item" };
    let row = |one: &Skipped| {
        let mut row = json!({ unit: one.number, "error": one.why });
        if let (Some(file), Some(row)) = (&one.file, row.as_object_mut()) {
            row.insert("file".to_owned(), json!(file));
        }
        row
    };
    let rows: Vec<_> = skipped.iter().map(row).collect();
    let mut json = json!({
        "success": true,
        "imported": imported,
        "unchanged": unchanged,
        "skipped": rows,
        "format": format.as_str(),
        "warnings": warnings,
    });
    let mut text = String::new();
    for id in &would {
        let _ = writeln!(text, "  {}", one_line(id));
    }
    let did = if dry_run { "would be imported" } else { "imported" };
    let _ = writeln!(text, "{imported} {did}, {unchanged} unchanged, {} skipped", skipped.len());
    if let Some(json) = json.as_object_mut() {
        if dry_run {
            json.insert("dry_run".to_owned(), json!(true));
            json.insert("would_import".to_owned(), json!(would));
        }
        if let Some(first) = skipped.first().filter(|_| imported + unchanged == 0) {
            let error = format!("nothing could be imported: {}", first.why);
            json.insert("success".to_owned(), json!(false));
            json.insert("code".to_owned(), json!("bad_request"));
            json.insert("error".to_owned(), json!(error));
            let hint = "correct what is skipped, or name the format it has with --format";
            json.insert("hint".to_owned(), json!(hint));
        }
    }
    warnings.extend(skipped.iter().map(|Skipped { file, number, why }| {
        let file = file.as_ref().map_or_else(String::new, |file| format!("{file}: "));
        format!("{file}{unit} {number} is skipped: {why}")
    }));
    let output = if dry_run { Output::data } else { Output::confirmation };
    output(printable(&text), json).with_warnings(warnings)
}
