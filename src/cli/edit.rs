//! `edit`.

use std::{
    io::IsTerminal,
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
    let editor = environment.editor.as_deref().unwrap_or("vi");
    let draft = profile.draft(args.target)?;
    // As git does it: the variable may hold arguments, and the shell knows how to split them.
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{editor} \"$@\"")).arg(editor).arg(draft.path());
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
        Ok(status) if status.success() => None,
        Ok(status) if matches!(status.code(), Some(126 | 127)) => {
            Some("cannot be started".to_owned())
        }
        Ok(status) => Some(format!("ended with {status}")),
        Err(error) => Some(format!("cannot be started: {error}")),
    };
    if let Some(why) = why {
        let kept = draft.keep().map(|path| format!("; your text is kept in {}", path.display()));
        let what =
            format!("the editor `{editor}` {why}; nothing was changed{}", kept.unwrap_or_default());
        return Err(MemoryError::bad_request(
            what,
            "set EDITOR to an editor that waits until you are done",
        )
        .into());
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
