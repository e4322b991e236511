//! The `carnet` command.

use std::{
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

use carnet::{Environment, cli};

fn main() -> ExitCode {
    let report = cli::run(std::env::args_os(), &Environment::read());
    let _ = io::stderr().write_all(report.stderr.as_bytes());
    // A server that is gone may have left an answer that nobody reads, and with it the lock of the output.
    if report.stdout.is_empty() {
        return ExitCode::from(report.status);
    }
    let mut stdout = io::stdout();
    match stdout.write_all(report.stdout.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => ExitCode::from(report.status),
        // A reader that has gone away, such as `head`, is no failure of ours.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::from(report.status),
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: the answer cannot be written: {error}");
            ExitCode::from(report.status.max(1))
        }
    }
}
