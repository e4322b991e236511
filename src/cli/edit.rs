//! `edit`.

use std::process::Command;

use serde_json::json;

use super::report::{Failure, Output};
use crate::{config::Environment, error::MemoryError, memory::Target, profile::Profile};

/// Open a file in $EDITOR; what you save is merged with what agents wrote meanwhile
#[derive(Debug, clap::Args)]
pub(super) struct EditArgs {
    /// The file: memory or user
    #[arg(long, value_name = "T", default_value = "memory")]
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
    let ended = Command::new("sh")
        .arg("-c")
        .arg(format!("{editor} \"$@\""))
        .arg(editor)
        .arg(draft.path())
        .status();
    match ended {
        Ok(status) if status.success() => {}
        Ok(status) => {
            let what = format!("the editor `{editor}` ended with {status}; nothing was changed");
            return Err(MemoryError::bad_request(
                what,
                "set EDITOR to an editor that waits until you are done",
            )
            .into());
        }
        Err(error) => {
            let what = format!("the editor `{editor}` cannot be started: {error}");
            return Err(MemoryError::bad_request(what, "set EDITOR to the editor you use").into());
        }
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
