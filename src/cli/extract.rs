//! `extract`.

use std::path::PathBuf;

use serde_json::json;

use super::{
    report::{Failure, Output, printable},
    session::kept_output,
    stdin,
};
use crate::{
    error::MemoryError,
    profile::{Conversation, Options, Profile},
};

/// Let the configured model sum up conversations that have ended, and keep what they brought
///
/// The model is that of `llm: {url, model, api_key}` in config.yaml: Ollama, or an endpoint that speaks as OpenAI's does. It is
/// sent the conversation and nothing of memory. What it answers is kept as `carnet session end` keeps it: a fact is learned where
/// its quote stands in the user's own words, and what is refused is listed with the reason.
#[derive(Debug, clap::Args)]
pub(super) struct ExtractArgs {
    /// The conversation: JSON Lines of Claude Code or Codex, or plain text whose turns begin with `user:` (`-` reads standard
    /// input). Without it, every conversation that a hook told the end of, and of which nothing is kept yet
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Show what the model answers, and keep nothing
    #[arg(long)]
    dry_run: bool,
}

/// Extracts what a model says, which counts as an agent's word.
pub(super) fn run(args: &ExtractArgs, options: &Options) -> Result<Output, Failure> {
    let profile = Profile::open_for_tool(options, "carnet extract")?;
    let Some(file) = &args.file else { return Ok(ended(&profile, args.dry_run)?) };
    let conversation = if file.as_os_str() == "-" {
        Conversation::of_text(&stdin()?)?
    } else {
        profile.conversation(file)?
    };
    Ok(one(&profile, &conversation, args.dry_run)?)
}

fn one(
    profile: &Profile,
    conversation: &Conversation,
    dry_run: bool,
) -> Result<Output, MemoryError> {
    if !dry_run {
        return Ok(kept_output(profile.keep_conversation(conversation)?));
    }
    let mut session = profile.extract(conversation)?;
    if let Some(object) = session.as_object_mut() {
        object.remove("transcript");
    }
    let text = serde_json::to_string_pretty(&session).unwrap_or_default();
    Ok(Output::data(
        printable(&format!("{text}\n")),
        json!({ "success": true, "would_end": session }),
    ))
}

/// Extracts all that has ended; what fails is told, and leaves the rest.
fn ended(profile: &Profile, dry_run: bool) -> Result<Output, MemoryError> {
    let files = profile.ended_sessions();
    if files.is_empty() {
        let text = "no conversation has ended of which nothing is kept\n".to_owned();
        return Ok(Output::data(text, json!({ "success": true, "sessions": [] })));
    }
    let (mut outputs, mut warnings, mut failed) = (Vec::new(), Vec::new(), None);
    for file in files {
        let conversation = profile.conversation(file.as_ref());
        match conversation.and_then(|conversation| one(profile, &conversation, dry_run)) {
            Ok(output) => outputs.push(output),
            Err(error) => {
                warnings.push(format!("{file}: {}", error.chain()));
                failed = Some(error);
            }
        }
    }
    match failed {
        Some(error) if outputs.is_empty() => Err(error),
        _ => Ok(Output::listed("sessions", outputs).with_more_warnings(&warnings)),
    }
}
