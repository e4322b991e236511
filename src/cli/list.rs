//! `list`.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::{
    report::{Failure, Output, printable},
    target,
};
use crate::{memory::Target, profile::Profile};

/// List the entries with their ids
#[derive(Debug, clap::Args)]
pub(super) struct ListArgs {
    /// Only this file: memory or user
    #[arg(long, value_name = "T", value_parser = target())]
    target: Option<Target>,
}

pub(super) fn run(args: &ListArgs, profile: &Profile) -> Result<Output, Failure> {
    let targets = args.target.map_or(Target::ALL.to_vec(), |target| vec![target]);
    let mut text = String::new();
    let mut entries = Vec::new();
    let (mut usage, mut sha256) = (Map::new(), Map::new());
    for target in targets {
        let listing = profile.list(target)?;
        let _ = writeln!(text, "{}  {}", target.file_name(), listing.usage);
        for (id, entry) in &listing.entries {
            let shown = printable(entry.as_str()).replace('\n', "\n              ");
            let _ = writeln!(text, "  {id}  {shown}");
            entries.push(json!({
                "id": id.as_str(),
                "target": target.as_str(),
                "text": entry.as_str(),
                "chars": entry.chars(),
            }));
        }
        usage.insert(target.to_string(), json!(listing.usage.to_string()));
        sha256.insert(target.to_string(), json!(listing.sha256));
    }
    // Of one file they are a word, of both an object by file.
    let of = |values: Map<String, Value>| match args.target {
        Some(target) => values.get(target.as_str()).cloned().unwrap_or_default(),
        None => Value::Object(values),
    };
    let json =
        json!({ "success": true, "entries": entries, "usage": of(usage), "sha256": of(sha256) });
    Ok(Output::data(text, json))
}
