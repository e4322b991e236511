//! The command line: arguments in, text or JSON out, and no rule of its own.

mod consolidate;
mod demo;
mod doctor;
mod edit;
mod entries;
mod export;
mod extract;
mod forget;
mod history;
mod hook;
mod import;
mod links;
mod list;
mod mcp;
mod notes;
mod progress;
mod recall;
mod reindex;
mod report;
mod review;
mod session;
mod setup;
mod snapshot;
mod status;
mod tool;
mod upkeep;
mod watch;

use std::{ffi::OsString, path::PathBuf};

use clap::{
    CommandFactory, Parser, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};

pub use report::Report;

use crate::{
    config::Environment,
    error::MemoryError,
    memory::Target,
    profile::{Options, Profile},
    storage::Place,
};
use report::{Failure, Output, Style};

/// The memory notebook of AI agents
///
/// An agent always carries two small Markdown files, MEMORY.md and USER.md. You read and edit them as you like; carnet
/// keeps them bounded, whole and undoable. `carnet demo` shows it on a throw-away profile.
#[derive(Debug, Parser)]
#[command(name = "carnet", version, arg_required_else_help = true)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Args)]
struct Global {
    /// Profile under `CARNET_HOME` (default: `CARNET_PROFILE`, else `default`)
    #[arg(long, global = true, value_name = "NAME", conflicts_with = "dir", value_parser = profile_name)]
    profile: Option<String>,
    /// Use any directory as a profile, such as a Hermes `memories/` folder
    #[arg(long, global = true, value_name = "PATH")]
    dir: Option<PathBuf>,
    /// Answer with one JSON object
    #[arg(long, global = true)]
    json: bool,
    /// Say nothing but data and errors
    #[arg(long, global = true)]
    quiet: bool,
    /// Use no colour
    #[arg(long, global = true)]
    no_color: bool,
}

/// Reads the name of a file; the shells' completions know both.
fn target() -> impl TypedValueParser<Value = Target> {
    let names = Target::ALL.map(Target::as_str);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Target>())
}

/// Checks a profile's name while the arguments are read.
fn profile_name(name: &str) -> Result<String, String> {
    Place::check_name(name)
        .map(|()| name.to_owned())
        .map_err(|error| format!("{error}: {}", error.hint()))
}

#[derive(Debug, Subcommand)]
enum Command {
    Add(entries::AddArgs),
    Replace(entries::ReplaceArgs),
    Remove(entries::RemoveArgs),
    List(list::ListArgs),
    Edit(edit::EditArgs),
    Tool(tool::ToolArgs),
    Mcp(mcp::McpArgs),
    Hook(hook::HookArgs),
    Setup(setup::SetupArgs),
    Recall(recall::RecallArgs),
    Remember(notes::RememberArgs),
    #[command(subcommand)]
    Fact(notes::FactCommand),
    #[command(subcommand)]
    Session(session::SessionCommand),
    #[command(subcommand)]
    Procedure(notes::ProcedureCommand),
    #[command(subcommand)]
    Episode(notes::EpisodeCommand),
    Links(links::LinksArgs),
    Import(import::ImportArgs),
    Export(export::ExportArgs),
    Consolidate(consolidate::ConsolidateArgs),
    Extract(extract::ExtractArgs),
    Reindex(reindex::ReindexArgs),
    Watch(watch::WatchArgs),
    Doctor(doctor::DoctorArgs),
    Snapshot(snapshot::SnapshotArgs),
    Status(status::StatusArgs),
    History(history::HistoryArgs),
    Undo(history::UndoArgs),
    Restore(history::RestoreArgs),
    Forget(forget::ForgetArgs),
    Maintain(upkeep::MaintainArgs),
    Audit(upkeep::AuditArgs),
    Review(review::ReviewArgs),
    Demo(demo::DemoArgs),
    /// Print the completions of a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Runs one command and returns what to print and the exit status.
pub fn run(args: impl IntoIterator<Item = OsString>, environment: &Environment) -> Report {
    let args: Vec<OsString> = args.into_iter().collect();
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => {
            let report = report::usage(&error, args.iter().any(|arg| arg == "--json"));
            return if hook::is_asked(&args) { hook::refuse(report) } else { report };
        }
    };
    let style = Style::new(&cli.global, environment);
    report::report(&execute(&cli, environment), style)
}

fn execute(cli: &Cli, environment: &Environment) -> Result<Output, Failure> {
    let options = Options {
        profile: cli.global.profile.clone().or_else(|| environment.profile.clone()),
        dir: cli.global.dir.clone(),
        ..Options::of_environment(environment)
    };
    match &cli.command {
        Command::Demo(_) => return demo::run(),
        Command::Completions { shell } => return Ok(completions(*shell)),
        Command::Tool(args) => return Ok(tool::run(args, &options)),
        Command::Mcp(_) => return Ok(mcp::run(&options, environment)?),
        Command::Hook(args) => return Ok(hook::run(args, &options)),
        Command::Session(session::SessionCommand::End { transcript }) => {
            return session::end(transcript.as_ref(), &options);
        }
        Command::Extract(args) => return extract::run(args, &options),
        Command::Setup(args) => return setup::run(args, &cli.global, environment),
        _ => {}
    }
    let profile = Profile::open_by_hand(&options)?;
    let output = match &cli.command {
        Command::Watch(args) => watch::run(args, &profile, cli.global.json, cli.global.quiet),
        command => perform(command, &profile, environment),
    }?;
    Ok(output.with_more_warnings(&profile.config().warnings))
}

fn perform(
    command: &Command,
    profile: &Profile,
    environment: &Environment,
) -> Result<Output, Failure> {
    match command {
        Command::Add(args) => entries::add(args, profile),
        Command::Replace(args) => entries::replace(args, profile),
        Command::Remove(args) => entries::remove(args, profile),
        Command::List(args) => list::run(args, profile),
        Command::Edit(args) => edit::run(args, profile, environment),
        Command::Recall(args) => recall::run(args, profile),
        Command::Remember(args) => notes::remember(args, profile),
        Command::Fact(command) => notes::fact(command, profile),
        Command::Session(command) => session::run(command, profile),
        Command::Procedure(command) => notes::procedure(command, profile),
        Command::Episode(command) => notes::episode(command, profile),
        Command::Links(args) => links::run(args, profile),
        Command::Import(args) => import::run(args, profile),
        Command::Export(args) => export::run(args, profile),
        Command::Consolidate(args) => consolidate::run(args, profile),
        Command::Reindex(_) => reindex::run(profile),
        Command::Doctor(_) => doctor::run(profile, environment),
        Command::Snapshot(args) => snapshot::run(args, profile, environment),
        Command::Status(_) => status::run(profile),
        Command::History(args) => history::history(args, profile),
        Command::Undo(args) => history::undo(args, profile),
        Command::Restore(args) => history::restore(args, profile),
        Command::Maintain(_) => upkeep::maintain(profile),
        Command::Audit(args) => Ok(upkeep::audit(args, profile)),
        Command::Forget(args) => forget::run(args, profile),
        Command::Review(args) => review::run(args, profile, environment),
        Command::Tool(_)
        | Command::Extract(_)
        | Command::Mcp(_)
        | Command::Hook(_)
        | Command::Setup(_)
        | Command::Demo(_)
        | Command::Watch(_)
        | Command::Completions { .. } => Ok(Output::default()),
    }
}

fn completions(shell: clap_complete::Shell) -> Output {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "carnet", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let json = serde_json::json!({ "success": true, "script": script });
    Output::data(script, json)
}

/// Bytes read from standard input at most.
const MAX_STDIN: u64 = 16 * 1024 * 1024;

/// Reads standard input.
fn stdin_bytes() -> Result<Vec<u8>, MemoryError> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_STDIN + 1).read_to_end(&mut bytes);
    read.map_err(MemoryError::reading("standard input"))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > MAX_STDIN {
        return Err(MemoryError::bad_request(
            "standard input is larger than 16 MiB",
            "send less at once",
        ));
    }
    Ok(bytes)
}

/// Reads standard input as text.
fn stdin() -> Result<String, MemoryError> {
    let text = String::from_utf8(stdin_bytes()?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let what = format!("standard input is not UTF-8 (first at byte {at})");
        MemoryError::bad_request(what, "send UTF-8 text")
    })?;
    // As files with a byte order mark are read.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Returns the text of an argument, read from standard input where it is `-`.
fn text(argument: &str) -> Result<String, MemoryError> {
    if argument == "-" { stdin() } else { Ok(argument.to_owned()) }
}
