//! `edit`.

use std::{
    io::IsTerminal,
    path::Path,
    process::Command,
    sync::{Arc, atomic::AtomicBool},
};

use serde_json::json;
use signal_hook::{
    consts::{SIGINT, SIGQUIT},
    flag, low_level,
};

use super::{
    report::{Failure, Output},
    target,
};
use crate::{config::Environment, error::MemoryError, memory::Target, profile::Profile};

/// Open a file in $EDITOR; what you save is merged with what agents wrote meanwhile
#[derive(Debug, clap::Args)]
pub(super) struct EditArgs {
    /// The file: memory or user
    #[arg(long, value_name = "T", default_value = "memory", value_parser = target())]
    target: Target,
}

pub(super) fn run(
    args: &EditArgs,
    profile: &Profile,
    environment: &Environment,
) -> Result<Output, Failure> {
    let draft = profile.draft(args.target)?;
    if let Some(why) = open_editor(draft.path(), environment) {
        let kept = draft.keep().map(|path| format!("; your text is kept in {}", path.display()));
        return Err(not_edited(&why, &kept.unwrap_or_default()).into());
    }
    let edited =
        profile.save(draft).map_err(|refusal| Failure::refused(refusal, profile.name()))?;
    let did = if edited.run.is_some() { "saved" } else { "unchanged" };
    let text = format!("{}: {did} ({})\n", edited.target.file_name(), edited.usage);
    let json = json!({
        "success": true,
        "target": edited.target.as_str(),
        "changed": edited.run.is_some(),
        "usage": edited.usage.to_string(),
        "entry_count": edited.entry_count,
        "sha256": edited.sha256,
        "profile": profile.name(),
        "warnings": edited.warnings,
    });
    Ok(Output::confirmation(text, json).with_warnings(edited.warnings))
}

/// Returns the refusal of an edit whose editor did not end well.
pub(super) fn not_edited(why: &str, kept: &str) -> MemoryError {
    let what = format!("{why}; nothing was changed{kept}");
    MemoryError::bad_request(what, "set EDITOR to an editor that waits until you are done")
}

/// Opens a file in the editor and waits for its end; returns why it did not end well.
pub(super) fn open_editor(path: &Path, environment: &Environment) -> Option<String> {
    let editor = environment.editor.as_deref().unwrap_or("vi");
    // As git does it: the variable may hold arguments, and the shell knows how to split them.
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{editor} \"$@\"")).arg(editor).arg(path);
    if !std::io::stdout().is_terminal() {
        // What the editor prints is not our answer.
        command.stdout(std::io::stderr());
    }
    // Ctrl-C is the editor's, whose text would otherwise be saved for nobody. A child does not inherit this.
    let heard = Arc::new(AtomicBool::new(false));
    let caught: Vec<_> = [SIGINT, SIGQUIT]
        .iter()
        .filter_map(|signal| flag::register(*signal, Arc::clone(&heard)).ok())
        .collect();
    let ended = command.status();
    for signal in caught {
        low_level::unregister(signal);
    }
    let why = match ended {
        Ok(status) if status.success() => return None,
        Ok(status) if matches!(status.code(), Some(126 | 127)) => "cannot be started".to_owned(),
        Ok(status) => format!("ended with {status}"),
        Err(error) => format!("cannot be started: {error}"),
    };
    Some(format!("the editor `{editor}` {why}"))
}
