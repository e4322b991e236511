//! How results and failures look.

use std::{error::Error, fmt::Write, io::IsTerminal};

use serde_json::{Value, json};

use super::Global;
use crate::{
    config::Environment,
    error::MemoryError,
    memory::{EditError, EntryId, preview},
    tool::{self, Refusal},
};

/// What the process prints and how it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Data.
    pub stdout: String,
    /// Everything else.
    pub stderr: String,
    /// 0 done, 1 refused or failed, 2 wrong arguments, 3 the profile is locked.
    pub status: u8,
}

/// What a command has to say.
#[derive(Debug, Default)]
pub(super) struct Output {
    text: String,
    json: Value,
    kind: OutputKind,
    warnings: Vec<String>,
}

/// What `--quiet` and `--json` make of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum OutputKind {
    /// A confirmation, which `--quiet` leaves out.
    #[default]
    Confirmation,
    /// What was asked for.
    Data,
    /// JSON in any case.
    Json,
    /// Nothing in any case.
    Silent,
}

impl Output {
    /// What was asked for.
    pub(super) fn data(text: String, json: Value) -> Self {
        Self { text, json, kind: OutputKind::Data, warnings: Vec::new() }
    }

    /// A word that something was done.
    pub(super) fn confirmation(text: String, json: Value) -> Self {
        Self { text, json, ..Self::default() }
    }

    /// Nothing: what there was to say has been said.
    pub(super) fn silent() -> Self {
        Self { kind: OutputKind::Silent, ..Self::default() }
    }

    /// An answer that is JSON whatever the flags.
    pub(super) fn json(json: Value) -> Self {
        Self { json, kind: OutputKind::Json, ..Self::default() }
    }

    /// Several answers, one after the other; as JSON the list `name`.
    pub(super) fn listed(name: &str, outputs: Vec<Self>) -> Self {
        let (mut text, mut list, mut warnings) = (String::new(), Vec::new(), Vec::new());
        for output in outputs {
            text.push_str(&output.text);
            list.push(output.json);
            warnings.extend(output.warnings);
        }
        let json = serde_json::json!({ "success": true, name: list });
        Self::data(text, json).with_warnings(warnings)
    }

    /// The same with another answer as JSON.
    pub(super) fn with_json(self, json: Value) -> Self {
        Self { json, ..self }
    }

    /// The same with those of `more` that it does not have yet.
    pub(super) fn with_more_warnings(mut self, more: &[String]) -> Self {
        // The status shows them in its text.
        let is_new = |warning: &&String| {
            !self.warnings.contains(warning) && !self.text.contains(warning.as_str())
        };
        let new: Vec<_> = more.iter().filter(is_new).cloned().collect();
        self.warnings.extend(new);
        self
    }

    /// The same with warnings, for standard error.
    pub(super) fn with_warnings(self, warnings: Vec<String>) -> Self {
        Self { warnings, ..self }
    }
}

/// A command that failed, with its answer as JSON.
#[derive(Debug)]
pub(super) struct Failure {
    refusal: Box<Refusal>,
    json: Value,
}

impl From<MemoryError> for Failure {
    fn from(error: MemoryError) -> Self {
        let json = tool::failure(&error);
        Self { refusal: Box::new(error.into()), json }
    }
}

impl Failure {
    /// A refused edit, with what the next one needs.
    pub(super) fn refused(refusal: Refusal, profile: &str) -> Self {
        let json = tool::refusal(&refusal, profile);
        Self { refusal: Box::new(refusal), json }
    }
}

/// Which form the output takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    json: bool,
    quiet: bool,
    color: bool,
}

impl Style {
    pub(super) fn new(global: &Global, environment: &Environment) -> Self {
        let color = !global.no_color && !environment.no_color && std::io::stderr().is_terminal();
        Self { json: global.json, quiet: global.quiet, color }
    }

    fn label(self, word: &str, code: u8) -> String {
        if self.color { format!("\u{1b}[1;{code}m{word}:\u{1b}[0m") } else { format!("{word}:") }
    }
}

/// Turns the result of a command into what is printed.
pub(super) fn report(result: &Result<Output, Failure>, style: Style) -> Report {
    match result {
        Ok(output) => {
            let mut report = Report::default();
            let is_json = style.json || output.kind == OutputKind::Json;
            if output.kind == OutputKind::Silent {
                return report;
            }
            if is_json {
                report.stdout = format!("{}\n", output.json);
            } else if output.kind == OutputKind::Data || !style.quiet {
                report.stdout.clone_from(&output.text);
            }
            for warning in output.warnings.iter().filter(|_| !style.quiet) {
                let _ =
                    writeln!(report.stderr, "{} {}", style.label("warning", 33), one_row(warning));
            }
            if output.json.get("success") == Some(&Value::Bool(false)) {
                report.status = output.json.get("code").and_then(Value::as_str).map_or(1, status);
            }
            report
        }
        Err(failure) => {
            let status = status(failure.refusal.error.code());
            if style.json {
                return Report {
                    stdout: format!("{}\n", failure.json),
                    stderr: String::new(),
                    status,
                };
            }
            Report { stdout: String::new(), stderr: describe(&failure.refusal, style), status }
        }
    }
}

fn status(code: &str) -> u8 {
    match code {
        "profile_locked" | "lock_timeout" => 3,
        _ => 1,
    }
}

/// Returns the chain of the error, what it is about, and the hint, one line each.
fn describe(refusal: &Refusal, style: Style) -> String {
    let mut text = String::new();
    for warning in &refusal.warnings {
        let _ = writeln!(text, "{} {}", style.label("warning", 33), one_row(warning));
    }
    // A part of the input, or of a file, may stand in each of these.
    let error = printable(&refusal.error.to_string());
    let _ = writeln!(text, "{} {error}", style.label("error", 31));
    let mut source = refusal.error.source();
    while let Some(cause) = source {
        let _ = writeln!(text, "caused by: {}", printable(&cause.to_string()));
        source = cause.source();
    }
    if let (MemoryError::Edit { source, target }, Some(state)) = (&*refusal.error, &refusal.state) {
        if let EditError::AmbiguousMatch { candidates, .. } = source.cause() {
            for candidate in candidates {
                let _ =
                    writeln!(text, "  {}  {}", candidate.id, one_line(state.shown(&candidate.id)));
            }
        }
        for suggestion in &refusal.suggestions {
            let id = EntryId::of(*target, &suggestion.entry);
            let usage = suggestion.usage.ratio();
            let _ = writeln!(
                text,
                "  to make room: {id}  {} (then {usage})",
                one_line(state.shown(&id))
            );
        }
    }
    let _ = writeln!(text, "{} {}", style.label("hint", 36), printable(&refusal.hint()));
    text
}

/// Returns the beginning of `text` on one line, without what a terminal would obey.
pub(super) fn one_line(text: &str) -> String {
    preview(&printable(&text.replace('\n', " ")), 70)
}

/// Returns a warning on one line, whatever names of keys or files stand in it.
fn one_row(text: &str) -> String {
    printable(&text.replace('\n', " "))
}

/// Returns `text` with control characters other than line ends and tabs made visible.
pub(super) fn printable(text: &str) -> String {
    let show = |c: char| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c };
    text.chars().map(show).collect()
}

/// Turns an error of the arguments into what is printed.
pub(super) fn usage(error: &clap::Error, is_json: bool) -> Report {
    let text = error.render().to_string();
    if !error.use_stderr() {
        return Report { stdout: text, ..Report::default() };
    }
    if is_json {
        let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
        let what = lines.collect::<Vec<_>>().join(" ");
        let what = what.trim_start_matches("error: ");
        let answer = json!({ "success": false, "code": "bad_request", "error": what, "hint": "see carnet --help" });
        return Report { stdout: format!("{answer}\n"), stderr: String::new(), status: 2 };
    }
    Report { stdout: String::new(), stderr: text, status: 2 }
}
