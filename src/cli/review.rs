//! `review`.

use std::fmt::Write;

use serde_json::json;

use super::{
    entries,
    report::{Failure, Output, printable},
};
use crate::{profile::Profile, storage::Pending};

/// Decide on the agent's writes that wait (`write_approval: true`)
#[derive(Debug, clap::Args)]
pub(super) struct ReviewArgs {
    /// Make this change
    #[arg(long, value_name = "ID", conflicts_with = "reject")]
    approve: Option<String>,
    /// Drop this change
    #[arg(long, value_name = "ID")]
    reject: Option<String>,
}

pub(super) fn run(args: &ReviewArgs, profile: &Profile) -> Result<Output, Failure> {
    if let Some(id) = &args.approve {
        let edited =
            profile.approve(id).map_err(|refusal| Failure::refused(refusal, profile.name()))?;
        return Ok(entries::done(&edited, profile));
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
        let Pending { id, at, request, .. } = waiting;
        let _ = writeln!(text, "{id}  {at}  {client}\n    {request}");
    }
    if pending.is_empty() {
        text.push_str("nothing waits for review\n");
    }
    Ok(Output::data(printable(&text), json!({ "success": true, "pending": pending })))
}
