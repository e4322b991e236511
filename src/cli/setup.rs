//! `setup`.

use std::fmt::Write;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};

use super::{
    Global,
    report::{Failure, Output, printable},
};
use crate::{
    config::Environment,
    setup::{Client, FileChange, Launch, Plan, Request, Scope},
};

/// Connect an agent's client: register the server and the hooks in its own files
///
/// Everything else in those files stays as it is, to the byte. A second run changes nothing, `--remove` takes out what is
/// carnet's. The profile given by `--profile` or `--dir` is the one the client will use.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(super) struct SetupArgs {
    /// The client
    #[arg(value_parser = client())]
    client: Client,
    /// Take carnet out again
    #[arg(long)]
    remove: bool,
    /// Show what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Change the files of the project in the current directory instead of the user's own
    #[arg(long)]
    project: bool,
    /// Let the agent call carnet's tools, the one that forgets too, without asking you each time
    #[arg(long, conflicts_with = "remove")]
    allow: bool,
}

fn client() -> impl TypedValueParser<Value = Client> {
    let of_name = |name: String| {
        Client::ALL.into_iter().find(|client| client.as_str() == name).ok_or("no such client")
    };
    PossibleValuesParser::new(Client::ALL.map(Client::as_str)).try_map(of_name)
}

pub(super) fn run(
    args: &SetupArgs,
    global: &Global,
    environment: &Environment,
) -> Result<Output, Failure> {
    let named = environment.profile.as_deref().filter(|_| global.dir.is_none());
    let profile = global.profile.as_deref().or(named);
    let machine = &environment.machine;
    let launch = Launch::of(machine, profile, global.dir.as_deref())?;
    let request = Request {
        client: args.client,
        scope: if args.project { Scope::Project } else { Scope::User },
        remove: args.remove,
        allow: args.allow,
        launch: &launch,
        machine,
        home: environment.home.as_deref(),
    };
    let plan = Plan::of(request)?;
    let (done, files) = (plan.is_done(), plan.files.clone());
    if args.dry_run {
        let todo = plan.todo();
        return Ok(Output::data(diffs(&files), answer(args, &files, &todo)));
    }
    let todo = plan.carry_out()?;
    let mut text = format!("{}: {}\n", args.client.as_str(), outcome(args, done));
    if !done {
        for file in &files {
            let _ = writeln!(text, "  {:<9} {}", file.change().as_str(), file.path.display());
        }
    }
    for sentence in &todo {
        let _ = writeln!(text, "to do: {sentence}");
    }
    Ok(Output::confirmation(printable(&text), answer(args, &files, &todo)))
}

fn outcome(args: &SetupArgs, done: bool) -> &'static str {
    match (args.remove, done) {
        (false, false) => "connected",
        (false, true) => "already connected",
        (true, false) => "disconnected",
        (true, true) => "not connected, so nothing was taken out",
    }
}

fn diffs(files: &[FileChange]) -> String {
    let text: String = files.iter().map(FileChange::diff).collect();
    // The ends of lines are no difference that a terminal can show.
    let text = text.replace("\r\n", "\n");
    if text.is_empty() { "nothing would change\n".to_owned() } else { printable(&text) }
}

fn answer(args: &SetupArgs, files: &[FileChange], todo: &[String]) -> Value {
    let file = |file: &FileChange| {
        let mut shown = json!({ "path": file.path, "change": file.change().as_str() });
        if let Some(object) = shown.as_object_mut().filter(|_| args.dry_run) {
            object.insert("diff".to_owned(), file.diff().into());
        }
        shown
    };
    json!({
        "success": true,
        "client": args.client.as_str(),
        "files": files.iter().map(file).collect::<Vec<_>>(),
        "todo": todo,
    })
}
