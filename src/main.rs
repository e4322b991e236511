//! The `carnet` command.

use std::{io::Write, process::ExitCode};

use carnet::{Environment, cli};

fn main() -> ExitCode {
    let report = cli::run(std::env::args_os(), &Environment::read());
    // A reader that has gone away, such as `head`, is no failure of ours.
    let _ = std::io::stderr().write_all(report.stderr.as_bytes());
    let _ = std::io::stdout().write_all(report.stdout.as_bytes());
    ExitCode::from(report.status)
}
