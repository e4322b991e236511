//! `hook`.

use std::{
    ffi::OsString,
    io::{IsTerminal, Read},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc,
    thread,
    time::Duration,
};

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    MAX_STDIN,
    report::{Output, Report},
};
use crate::{
    hook::{Harness, Input},
    profile::{Options, Profile},
    storage::log_line,
};

/// Answer a hook of an agent's client: one JSON value on standard input, one on standard output
///
/// Clients call it themselves, as `carnet setup` has told them. It never stops a client: whatever happens it ends with status
/// 0, and what went wrong stands in `hook.log` under the profile's `.carnet/`
/// (under `CARNET_HOME` where the profile cannot be opened). An event that carnet has no use for is answered
/// with an empty object.
#[derive(Debug, clap::Args)]
pub(super) struct HookArgs {
    /// The event: session-start, user-prompt-submit, before-agent, pre-llm-call, pre-compact, stop, session-end, …
    event: String,
    /// The client: claude, codex, gemini, hermes or opencode
    #[arg(long, value_name = "CLIENT", default_value = "claude")]
    harness: String,
}

/// How long the client may take to write its JSON; some never close the pipe, so its end is not waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// The end of a session leaves no time to wait.
const AT_THE_END: Duration = Duration::from_millis(500);

pub(super) fn run(args: &HookArgs, options: &Options) -> Output {
    let done = catch_unwind(AssertUnwindSafe(|| answer(args, options)));
    Output::json(done.unwrap_or_else(|_| {
        log(options, None, &args.event, "it ended in a fault of carnet");
        json!({})
    }))
}

fn answer(args: &HookArgs, options: &Options) -> Value {
    let opened = Profile::open_by_hand(options);
    let profile = match &opened {
        Ok(profile) => profile,
        Err(error) => {
            log(options, None, &args.event, &error.chain());
            return json!({});
        }
    };
    let tell = |what: &str| log(options, Some(profile), &args.event, what);
    let harness = match args.harness.parse::<Harness>() {
        Ok(harness) => harness,
        Err(error) => {
            tell(&error);
            return json!({});
        }
    };
    let patience = if args.event.starts_with("session-end") { AT_THE_END } else { PATIENCE };
    let input = read(patience).unwrap_or_else(|why| {
        tell(&why);
        Value::Null
    });
    let hooked = profile.hook(harness, &args.event, &Input::read(&input));
    hooked.warnings.iter().for_each(|warning| tell(warning));
    hooked.answer
}

/// Reads one JSON value from standard input, which need not end after it.
fn read(patience: Duration) -> Result<Value, String> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Err("standard input is a terminal, and not a client's JSON".to_owned());
    }
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut reader = serde_json::Deserializer::from_reader(stdin.lock().take(MAX_STDIN));
        let _ = sender.send(Value::deserialize(&mut reader));
    });
    match receiver.recv_timeout(patience) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(format!("standard input is not JSON: {error}")),
        Err(_) => Err(format!("no JSON came within {} ms", patience.as_millis())),
    }
}

/// Writes to the log of the profile, or to that of the home where no profile can be opened.
fn log(options: &Options, profile: Option<&Profile>, event: &str, what: &str) {
    let line = format!("{event}: {what}");
    match (profile, &options.home) {
        (Some(profile), _) => profile.log(&line),
        (None, Some(home)) => {
            let _ = log_line(&home.join("hook.log"), Timestamp::now(), &line);
        }
        (None, None) => {}
    }
}

/// Returns whether these are the arguments of a hook, whatever else they are.
pub(super) fn is_asked(args: &[OsString]) -> bool {
    let mut words = args.iter().skip(1).filter_map(|arg| arg.to_str());
    while let Some(word) = words.next() {
        match word {
            "hook" => return true,
            "--profile" | "--dir" => drop(words.next()),
            flag if flag.starts_with('-') => {}
            _ => return false,
        }
    }
    false
}

/// Answers a hook whose arguments are wrong: a client must not be stopped by them, and another status would stop one.
pub(super) fn refuse(report: Report) -> Report {
    if report.status == 0 {
        return report;
    }
    let stderr = if report.stderr.is_empty() { report.stdout } else { report.stderr };
    Report { stdout: "{}\n".to_owned(), stderr, status: 0 }
}
