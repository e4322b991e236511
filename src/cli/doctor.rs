//! `doctor`.

use std::fmt::Write;

use serde_json::json;

use super::report::{Failure, Output, printable};
use crate::{
    config::Environment,
    profile::{Profile, State},
    setup,
};

/// Check files, indexes and connected clients, and say what is wrong and what to do
#[derive(Debug, clap::Args)]
pub(super) struct DoctorArgs {}

pub(super) fn run(profile: &Profile, environment: &Environment) -> Result<Output, Failure> {
    let mut checks = profile.doctor()?;
    checks.extend(setup::examine(&environment.machine));
    let mut text = String::new();
    for check in &checks {
        let _ = writeln!(text, "{:<6} {}: {}", check.state.as_str(), check.name, check.what);
        if !check.hint.is_empty() {
            let _ = writeln!(text, "       hint: {}", check.hint);
        }
    }
    let wrong: Vec<_> = checks.iter().filter(|check| check.state == State::Wrong).collect();
    let shown: Vec<_> = checks
        .iter()
        .map(|check| {
            json!({
                "name": check.name,
                "state": check.state.as_str(),
                "what": check.what,
                "hint": check.hint,
            })
        })
        .collect();
    let json = match wrong.first() {
        None => json!({ "success": true, "profile": profile.name(), "checks": shown }),
        Some(first) => json!({
            "success": false,
            "code": "unhealthy",
            "error": format!("{} of {} checks found something wrong", wrong.len(), checks.len()),
            "hint": first.hint,
            "profile": profile.name(),
            "checks": shown,
        }),
    };
    Ok(Output::data(printable(&text), json))
}
