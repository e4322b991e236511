//! `add`, `replace` and `remove`.

use super::{
    report::{Failure, Output},
    target, text,
};
use crate::{
    error::MemoryError,
    memory::{Edit, Entry, Target},
    profile::{EditRequest, Profile},
    tool::{self, Edited},
};

/// Add an entry
#[derive(Debug, clap::Args)]
pub(super) struct AddArgs {
    /// What to remember; `-` reads standard input
    #[arg(allow_hyphen_values = true)]
    text: String,
    #[command(flatten)]
    file: File,
}

/// Replace a whole entry by another
#[derive(Debug, clap::Args)]
pub(super) struct ReplaceArgs {
    /// A part of the entry that no other has, or its id
    #[arg(allow_hyphen_values = true)]
    old: String,
    /// The new entry; `-` reads standard input
    #[arg(allow_hyphen_values = true)]
    new: String,
    #[command(flatten)]
    file: File,
}

/// Take an entry out; it goes to the archive
#[derive(Debug, clap::Args)]
pub(super) struct RemoveArgs {
    /// A part of the entry that no other has, or its id
    #[arg(allow_hyphen_values = true)]
    old: String,
    #[command(flatten)]
    file: File,
}

#[derive(Debug, clap::Args)]
struct File {
    /// The file: memory or user
    #[arg(long, value_name = "T", default_value = "memory", value_parser = target())]
    target: Target,
}

pub(super) fn add(args: &AddArgs, profile: &Profile) -> Result<Output, Failure> {
    let target = args.file.target;
    edit(profile, target, Edit::Add { entry: entry(target, &args.text)? })
}

pub(super) fn replace(args: &ReplaceArgs, profile: &Profile) -> Result<Output, Failure> {
    let target = args.file.target;
    edit(
        profile,
        target,
        Edit::Replace { old_text: args.old.clone(), entry: entry(target, &args.new)? },
    )
}

pub(super) fn remove(args: &RemoveArgs, profile: &Profile) -> Result<Output, Failure> {
    edit(profile, args.file.target, Edit::Remove { old_text: args.old.clone() })
}

fn entry(target: Target, argument: &str) -> Result<Entry, MemoryError> {
    Entry::parse(&text(argument)?)
        .map_err(|error| MemoryError::Edit { target, source: error.into() })
}

fn edit(profile: &Profile, target: Target, edit: Edit) -> Result<Output, Failure> {
    let request = EditRequest { target, edits: vec![edit], expected_sha256: None };
    let edited =
        profile.edit(&request).map_err(|refusal| Failure::refused(refusal, profile.name()))?;
    Ok(done(&edited, profile))
}

/// Returns what is said of an edit that was made.
pub(super) fn done(edited: &Edited, profile: &Profile) -> Output {
    let id = edited.id().map(|id| format!(" {id}")).unwrap_or_default();
    let name = edited.target.file_name();
    let text = format!("{name}: {}{id} ({})\n", edited.message(), edited.usage);
    Output::confirmation(text, tool::success(edited, profile.name()))
        .with_warnings(edited.warnings.clone())
}
