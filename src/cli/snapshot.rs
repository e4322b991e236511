//! `snapshot`.

use std::io::IsTerminal;

use serde_json::json;

use super::report::{Failure, Output};
use crate::{
    config::{Environment, Language},
    error::MemoryError,
    profile::{Profile, SnapshotRequest},
};

/// Print the block for the prompt
#[derive(Debug, clap::Args)]
pub(super) struct SnapshotArgs {
    /// Freeze it for this session (default: `CARNET_SESSION`): every later call returns the same bytes
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Freeze it anew for the session
    #[arg(long)]
    refresh: bool,
    /// Language of the headers: en or fr
    #[arg(long)]
    lang: Option<Language>,
    /// Check the stored snapshot of a session against its digest
    #[arg(long, value_name = "ID", conflicts_with_all = ["session", "lang", "refresh"])]
    verify: Option<String>,
}

pub(super) fn run(
    args: &SnapshotArgs,
    profile: &Profile,
    environment: &Environment,
) -> Result<Output, Failure> {
    if let Some(session) = &args.verify {
        let frozen = profile.verify_snapshot(session)?;
        let text = format!("the snapshot is as it was frozen: {}\n", frozen.digest);
        let json = json!({ "success": true, "session": session, "digest": frozen.digest, "verified": true });
        return Ok(Output::confirmation(text, json));
    }
    let session = args.session.clone().or_else(|| environment.session.clone());
    if args.refresh && session.is_none() {
        let what = "`--refresh` freezes anew for a session, and none is named";
        return Err(
            MemoryError::bad_request(what, "name it with --session or CARNET_SESSION").into()
        );
    }
    let request = SnapshotRequest {
        session: session.clone(),
        refresh: args.refresh,
        language: args.lang,
        max_bytes: None,
    };
    let snapshot = profile.snapshot(&request)?;
    let frozen = &snapshot.frozen;
    let json = json!({
        "success": true,
        "text": frozen.text,
        "digest": frozen.digest,
        "lang": frozen.lang,
        "session": session,
        "entries": frozen.entries,
        "profile": profile.name(),
        "warnings": snapshot.warnings,
    });
    // A pipe gets the very bytes, a terminal a line end too.
    let end = if std::io::stdout().is_terminal() && !frozen.text.is_empty() { "\n" } else { "" };
    Ok(Output::data(format!("{}{end}", frozen.text), json).with_warnings(snapshot.warnings))
}
