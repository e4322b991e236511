//! `status`.

use std::fmt::Write;

use serde_json::json;

use super::report::{Failure, Output, printable};
use crate::profile::Profile;

/// Show paths, usage, who holds the profile, and what needs attention
#[derive(Debug, clap::Args)]
pub(super) struct StatusArgs {}

pub(super) fn run(profile: &Profile) -> Result<Output, Failure> {
    let status = profile.status()?;
    let mut text = format!("profile   {}\npath      {}\n", profile.name(), status.path.display());
    for file in &status.files {
        let plural = if file.entries == 1 { "entry" } else { "entries" };
        let name = file.target.file_name();
        let _ = writeln!(text, "{name:<9} {}, {} {plural}", file.usage, file.entries);
    }
    let holder = match &status.holder {
        None => "no agent".to_owned(),
        Some(None) => "an agent that did not say who it is".to_owned(),
        Some(Some(holder)) => holder.to_string(),
    };
    let _ = writeln!(text, "held by   {holder}");
    if let Some(index) = &status.index {
        let behind = match index.behind {
            0 => "up to date".to_owned(),
            behind => format!("{behind} behind"),
        };
        let followed = if index.followed { ", followed by a process" } else { "" };
        let _ = writeln!(text, "index     {} notes, {behind}{followed}", index.notes);
    }
    if status.pending > 0 {
        let _ = writeln!(text, "waiting   {} for review", status.pending);
    }
    for warning in &status.warnings {
        let _ = writeln!(text, "warning   {warning}");
    }
    let files: Vec<_> = status
        .files
        .iter()
        .map(|file| {
            json!({
                "target": file.target.as_str(),
                "path": file.path,
                "used": file.usage.used,
                "limit": file.usage.limit,
                "entries": file.entries,
            })
        })
        .collect();
    let json = json!({
        "success": true,
        "profile": profile.name(),
        "path": status.path,
        "files": files,
        "index": status.index.as_ref().map(|index| json!({
            "notes": index.notes,
            "behind": index.behind,
            "embedder": index.embedder,
            "followed": index.followed,
        })),
        "holder": status.holder,
        "pending": status.pending,
        "warnings": status.warnings,
    });
    Ok(Output::data(printable(&text), json))
}
