//! `session`.

use std::{fmt::Write, path::PathBuf};

use serde_json::{Value, json};

use super::{
    notes::{ListArgs, list},
    report::{Failure, Output, one_line, printable},
    stdin,
};
use crate::{
    error::MemoryError,
    lifecycle::Turn,
    notes::Layer,
    profile::{Options, Profile, SessionKept},
};

/// Sessions: what each has brought, and what is left to do
#[derive(Debug, clap::Subcommand)]
pub(super) enum SessionCommand {
    /// Keep what a session has brought: a JSON object on standard input
    ///
    /// Its fields: `summary`, `topic`, `started`, `ended`, `session_id`, `notable_events` [{type, text, importance, date}],
    /// `new_facts` [{key, text, category, confidence, quote}], `preference_signals`, `open_items`, `closed_items`, `transcript`
    /// [{role, text}]. A fact is learned where its quote stands in the user's own words; what is not is listed with the reason.
    /// The same `session_id` again brings the same session up to date.
    End {
        /// The conversation, as the client keeps it: JSON Lines of Claude Code or Codex, or plain text
        #[arg(long, value_name = "FILE")]
        transcript: Option<PathBuf>,
    },
    /// List the sessions, the latest first
    List(ListArgs),
    /// List what sessions have left to do
    OpenItems,
    /// Close what was left to do
    CloseItem {
        /// Its id, or its whole text
        #[arg(allow_hyphen_values = true)]
        item: String,
    },
}

/// Keeps the end of a session; it is a model's word, and counts as an agent's.
pub(super) fn end(transcript: Option<&PathBuf>, options: &Options) -> Result<Output, Failure> {
    let text = stdin()?;
    let mut raw: Value = serde_json::from_str(&text).map_err(|error| {
        let what = format!("standard input is not JSON: {error}");
        MemoryError::bad_request(
            what,
            "send one JSON object; `carnet session end --help` names its fields",
        )
    })?;
    let profile = Profile::open_for_tool(options, "carnet session end")?;
    if let Some(path) = transcript {
        let turns = profile.conversation(path)?.turns;
        if let Some(object) = raw.as_object_mut() {
            object.insert("transcript".to_owned(), turns.iter().map(Turn::to_json).collect());
        }
    }
    Ok(kept_output(profile.end_session(&raw)?))
}

/// Returns what the end of a session has left.
pub(super) fn kept_output(kept: SessionKept) -> Output {
    let mut text =
        format!("{}: {}\n", kept.session, if kept.pending { "waits for review" } else { "kept" });
    for id in &kept.episodes {
        let _ = writeln!(text, "  {id}");
    }
    for (key, action) in &kept.facts {
        let _ = writeln!(text, "  {key}: {}", action.as_str());
    }
    for part in &kept.refused {
        let _ =
            writeln!(text, "  refused, {}: {} ({})", part.place, one_line(&part.text), part.reason);
    }
    let json = kept.to_json();
    Output::data(printable(&text), json).with_warnings(kept.warnings)
}

pub(super) fn run(command: &SessionCommand, profile: &Profile) -> Result<Output, Failure> {
    match command {
        SessionCommand::End { .. } => Ok(Output::default()),
        SessionCommand::List(args) => list(profile, Layer::Sessions, args),
        SessionCommand::OpenItems => {
            let items = profile.open_items();
            let mut text = String::new();
            for item in &items {
                let _ = writeln!(
                    text,
                    "{}  {}\n            {}",
                    item.id,
                    one_line(&item.text),
                    item.session
                );
            }
            if items.is_empty() {
                text.push_str("nothing is left to do\n");
            }
            let shown: Vec<_> = items
                .iter()
                .map(|item| json!({ "id": item.id, "text": item.text, "session": item.session }))
                .collect();
            Ok(Output::data(printable(&text), json!({ "success": true, "open_items": shown })))
        }
        SessionCommand::CloseItem { item } => {
            let closed = profile.close_item(item)?;
            let json = json!({ "success": true, "id": closed.id, "text": closed.text });
            Ok(Output::confirmation(format!("{} is closed\n", closed.id), json))
        }
    }
}
