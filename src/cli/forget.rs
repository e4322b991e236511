//! `forget`.

use std::{
    fmt::Write,
    io::{IsTerminal, Write as _},
};

use jiff::Timestamp;
use serde_json::json;

use super::report::{Failure, Output, one_line, printable};
use crate::{
    error::MemoryError,
    lifecycle::Selector,
    profile::{Meant, Profile, parse_bound},
};

/// Forget entries and notes: into the archive, or with --erase for good
///
/// Selectors narrow each other. What is meant is shown first. Without --erase it goes to the archive, out of recall and of the
/// snapshot, and `carnet undo` brings it back. With --erase it is gone from every file and file name, the archive, the journal,
/// snapshots, logs and indexes; what still holds it is named, and makes the command end with 1.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct ForgetArgs {
    /// The entry or note of this id
    #[arg(long)]
    id: Option<String>,
    /// What holds this text
    #[arg(long = "match", value_name = "TEXT")]
    matching: Option<String>,
    /// Notes with this tag, or this word in their title or key
    #[arg(long, value_name = "WORD")]
    topic: Option<String>,
    /// Notes of this category
    #[arg(long, value_name = "C")]
    category: Option<String>,
    /// What is dated from here on, or from so long ago (`1h`)
    #[arg(long, value_name = "D")]
    since: Option<String>,
    /// What is dated before, or before so long ago
    #[arg(long, value_name = "D")]
    until: Option<String>,
    /// Notes that come from this session
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Everything
    #[arg(long)]
    all: bool,
    /// Erase it for good
    #[arg(long)]
    erase: bool,
    /// Only show what would be touched
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

pub(super) fn run(args: &ForgetArgs, profile: &Profile) -> Result<Output, Failure> {
    let now = Timestamp::now();
    let time = |name: &str, text: &Option<String>| {
        text.as_deref().map(|text| parse_bound(name, text, now)).transpose()
    };
    let selector = Selector {
        id: args.id.clone(),
        matching: args.matching.clone(),
        topic: args.topic.clone(),
        category: args.category.clone(),
        since: time("--since", &args.since)?,
        until: time("--until", &args.until)?,
        session: args.session.clone(),
        all: args.all,
    };
    let (meant, warnings) =
        if args.erase { profile.meant_for_good(&selector)? } else { profile.meant(&selector)? };
    if meant.is_empty() {
        let what = "nothing that is remembered is meant by that";
        return Err(MemoryError::not_found(what, "recall it first, and name it by its id").into());
    }
    let shown = preview(&meant);
    if args.dry_run {
        let ids: Vec<_> =
            meant.iter().map(|one| json!({ "id": one.id, "text": one.text })).collect();
        let json = json!({ "success": true, "would_forget": ids, "count": meant.len(), "warnings": warnings });
        return Ok(Output::data(shown, json).with_warnings(warnings));
    }
    if !args.yes && !confirmed(&shown, args.erase)? {
        let what = "nothing was forgotten: it was not confirmed";
        return Err(MemoryError::bad_request(what, "confirm with `y`, or give --yes").into());
    }
    if args.erase {
        let erased = profile.erase(&meant, &mut super::progress::bar())?;
        let mut text = format!("erased for good: {}\n", erased.count);
        for left in &erased.left {
            let _ = writeln!(text, "  {left}");
        }
        let mut json = erased.to_json();
        if let (Some(json), false) = (json.as_object_mut(), erased.left.is_empty()) {
            json.insert("code".to_owned(), json!("left_behind"));
            json.insert("error".to_owned(), json!("something still holds what was erased"));
            json.insert("hint".to_owned(), json!("remove it from those files, or forget them too"));
        }
        return Ok(Output::data(printable(&text), json).with_warnings(erased.warnings));
    }
    let forgotten = profile.forget(&meant)?;
    let text = format!("forgotten: {}; `carnet undo` brings it back\n", forgotten.ids.join(", "));
    let json =
        json!({ "success": true, "forgotten": forgotten.ids, "warnings": forgotten.warnings });
    Ok(Output::confirmation(printable(&text), json).with_warnings(forgotten.warnings))
}

fn preview(meant: &[Meant]) -> String {
    let mut text = String::new();
    for one in meant {
        let _ = writeln!(text, "{}\n      {}", one.id, one_line(&one.text));
    }
    printable(&text)
}

/// Asks on the terminal.
fn confirmed(shown: &str, erase: bool) -> Result<bool, MemoryError> {
    if !std::io::stdin().is_terminal() {
        let what = "nothing was forgotten: there is no terminal to confirm it on";
        return Err(MemoryError::bad_request(what, "look with --dry-run, then give --yes"));
    }
    let how = if erase { "erase for good" } else { "forget" };
    let mut out = std::io::stderr();
    let _ = write!(out, "{shown}{how} this? [y/N] ").and_then(|()| out.flush());
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).map_err(MemoryError::reading("standard input"))?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes" | "o" | "oui"))
}
