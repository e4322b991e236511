//! `watch`.

use std::{
    io::Write,
    sync::{Arc, atomic::AtomicBool},
};

use serde_json::{Value, json};

use super::{
    progress,
    report::{Failure, Output, printable},
};
use crate::{
    error::MemoryError,
    profile::{Profile, Watched},
};

/// Keep the indexes up to date until interrupted, so that recall need not look at the files
#[derive(Debug, clap::Args)]
pub(super) struct WatchArgs {
    /// Look at the files every two seconds, where the system does not tell of changes (network file systems)
    #[arg(long)]
    poll: bool,
}

pub(super) fn run(
    args: &WatchArgs,
    profile: &Profile,
    json: bool,
    quiet: bool,
) -> Result<Output, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let done = signal_hook::flag::register(signal, Arc::clone(&stop));
        done.map_err(MemoryError::reading("signals"))?;
    }
    let mut say = |event: Watched| {
        let (text, value) = told(&event);
        let mut out: Box<dyn Write> = match event {
            Watched::Warning(_) if !json => Box::new(std::io::stderr()),
            _ => Box::new(std::io::stdout()),
        };
        // A reader that has gone away does not end the watch.
        let _ = match (json, quiet) {
            (true, _) => writeln!(out, "{value}").and_then(|()| out.flush()),
            (false, true) => Ok(()),
            (false, false) => writeln!(out, "{}", printable(&text)).and_then(|()| out.flush()),
        };
    };
    profile.watch(&stop, args.poll, &mut progress::bar(), &mut say)?;
    Ok(Output::confirmation(String::new(), json!({ "success": true, "event": "stopped" })))
}

/// Returns an event as text and as JSON.
fn told(event: &Watched) -> (String, Value) {
    match event {
        Watched::Ready { polling, notes } => {
            let how = if *polling { ", looking every two seconds" } else { "" };
            let text = format!("watching; {notes} notes are indexed{how}");
            (text, json!({ "event": "ready", "notes": notes, "polling": polling }))
        }
        Watched::Updated { indexed, removed } => {
            let text = format!("{indexed} indexed, {removed} taken out");
            (text, json!({ "event": "updated", "indexed": indexed, "removed": removed }))
        }
        Watched::Warning(warning) => {
            (format!("warning: {warning}"), json!({ "event": "warning", "warning": warning }))
        }
    }
}
