//! `maintain` and `audit`.

use std::fmt::Write;

use serde_json::json;

use super::report::{Failure, Output, printable};
use crate::profile::Profile;

/// Apply expiry and the retention limits of the configuration
///
/// Safe to run from cron: it waits for other writes, and does nothing twice. A running server does it at most once a day.
#[derive(Debug, clap::Args)]
pub(super) struct MaintainArgs {}

/// Show which agent had access to what, and when
#[derive(Debug, clap::Args)]
pub(super) struct AuditArgs {
    /// How many accesses, the last ones
    #[arg(short, value_name = "N", default_value_t = 50)]
    n: usize,
}

pub(super) fn maintain(profile: &Profile) -> Result<Output, Failure> {
    let done = profile.maintain(&mut super::progress::bar())?;
    let mut text = String::new();
    for (what, ids) in [("expired", &done.expired), ("archived", &done.archived)] {
        for id in ids {
            let _ = writeln!(text, "{what}  {id}");
        }
    }
    if done.erased > 0 {
        let _ = writeln!(text, "erased  {}", done.erased);
    }
    if text.is_empty() {
        text.push_str("nothing was due\n");
    }
    let json = done.to_json();
    Ok(Output::data(printable(&text), json).with_warnings(done.warnings))
}

pub(super) fn audit(args: &AuditArgs, profile: &Profile) -> Output {
    let all = profile.accesses();
    let shown = all.get(all.len().saturating_sub(args.n)..).unwrap_or_default();
    let mut text = String::new();
    for access in shown {
        let ids = access.ids.join(" ");
        let _ = writeln!(text, "{:.0}  {}  {}  {ids}", access.at, access.client, access.tool);
    }
    if shown.is_empty() {
        text.push_str("no agent had access yet\n");
    }
    Output::data(printable(&text), json!({ "success": true, "accesses": shown }))
}
