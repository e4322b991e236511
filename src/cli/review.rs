//! `review`.

use std::{fmt::Write as _, io::Write as _};

use serde_json::json;

use super::{
    edit::{not_edited, open_editor},
    entries,
    report::{Failure, Output, printable},
};
use crate::{
    config::Environment,
    error::MemoryError,
    profile::{Approved, Profile},
    storage::Pending,
};

/// Decide on the agent's writes that wait (`write_approval: true`)
#[derive(Debug, clap::Args)]
pub(super) struct ReviewArgs {
    /// Make this change
    #[arg(long, value_name = "ID", conflicts_with_all = ["reject", "edit"])]
    approve: Option<String>,
    /// Open this change in $EDITOR; it waits as you save it
    #[arg(long, value_name = "ID", conflicts_with = "reject")]
    edit: Option<String>,
    /// Drop this change
    #[arg(long, value_name = "ID")]
    reject: Option<String>,
}

pub(super) fn run(
    args: &ReviewArgs,
    profile: &Profile,
    environment: &Environment,
) -> Result<Output, Failure> {
    if let Some(id) = &args.edit {
        return edit(id, profile, environment);
    }
    if let Some(id) = &args.approve {
        let approved =
            profile.approve(id).map_err(|refusal| Failure::refused(refusal, profile.name()))?;
        return Ok(match approved {
            Approved::Entry(edited) => entries::done(&edited, profile),
            Approved::Session(kept) => {
                let json = kept.to_json();
                Output::confirmation(format!("{}: kept\n", kept.session), json)
                    .with_warnings(kept.warnings)
            }
            Approved::Forgotten(forgotten) => {
                let text = format!("forgotten: {}\n", forgotten.ids.join(", "));
                let json = json!({ "success": true, "forgotten": forgotten.ids });
                Output::confirmation(printable(&text), json).with_warnings(forgotten.warnings)
            }
            Approved::Note(remembered) => {
                let text = format!("{}: {}\n", remembered.id, remembered.action.as_str());
                let json = remembered.to_json();
                Output::confirmation(text, json).with_warnings(remembered.warnings)
            }
        });
    }
    if let Some(id) = &args.reject {
        let dropped = profile.reject(id)?;
        let json = json!({ "success": true, "rejected": dropped.id, "profile": profile.name() });
        return Ok(Output::confirmation(format!("{} is dropped\n", dropped.id), json));
    }
    let pending = profile.pending();
    let mut text = String::new();
    for waiting in &pending {
        let client = waiting.client.as_deref().unwrap_or("an agent");
        let Pending { id, at, request, tool, why, .. } = waiting;
        let _ = writeln!(text, "{id}  {at}  {client}  {tool}\n    {request}");
        if let Some(why) = why {
            let _ = writeln!(text, "    {why}");
        }
    }
    if pending.is_empty() {
        text.push_str("nothing waits for review\n");
    }
    Ok(Output::data(printable(&text), json!({ "success": true, "pending": pending })))
}

/// Lets a person change what waits before deciding on it.
fn edit(id: &str, profile: &Profile, environment: &Environment) -> Result<Output, Failure> {
    let waiting = profile.waiting(id)?;
    let mut builder = tempfile::Builder::new();
    let made = builder.prefix("carnet-review-").suffix(".json").tempfile();
    let mut file = made.map_err(MemoryError::writing("a temporary file"))?;
    let text = serde_json::to_string_pretty(&waiting.request).unwrap_or_default();
    writeln!(file, "{text}").map_err(MemoryError::writing(file.path()))?;
    if let Some(why) = open_editor(file.path(), environment) {
        return Err(not_edited(&why, "").into());
    }
    let saved = std::fs::read_to_string(file.path()).map_err(MemoryError::reading(file.path()))?;
    let request = serde_json::from_str(&saved).map_err(|error| {
        MemoryError::bad_request(
            format!("what you saved is not JSON: {error}"),
            "edit it again; it waits as it was",
        )
    })?;
    let id = profile.rewrite_waiting(id, request)?;
    let json = json!({ "success": true, "id": id });
    Ok(Output::confirmation(format!("{id} waits as you saved it\n"), json))
}
