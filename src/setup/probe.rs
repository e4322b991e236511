//! Whether a registered server really answers.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::launch::{HOME, Launch};

/// How long a server may take to its first answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long it may take to end.
const GRACE: Duration = Duration::from_secs(1);

/// Starts the server, and returns who it says it is, or why it did not answer.
pub(super) fn probe(program: &Path, launch: &Launch) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(launch.server_args()).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::null());
    if let Some(home) = &launch.home {
        command.env(HOME, home);
    }
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let (answers, answer) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            let mut line = String::new();
            let _ = BufReader::new(output).read_line(&mut line);
            let _ = answers.send(line);
        });
    }
    if let Some(input) = child.stdin.as_mut() {
        let _ = writeln!(input, "{}", hello()).and_then(|()| input.flush());
    }
    let line = answer.recv_timeout(PATIENCE);
    end(child);
    let line = line.map_err(|_| "it does not answer within 3 s".to_owned())?;
    let name = |value: &Value| {
        let info = value.get("result")?.get("serverInfo")?;
        Some(format!("{} {}", info.get("name")?.as_str()?, info.get("version")?.as_str()?))
    };
    let answer = serde_json::from_str(&line).ok().as_ref().and_then(name);
    answer.ok_or_else(|| "it ends without an answer of a server".to_owned())
}

/// Ends the server by the end of its input, and by force where that is not enough.
fn end(mut child: Child) {
    drop(child.stdin.take());
    let until = Instant::now() + GRACE;
    while Instant::now() < until && matches!(child.try_wait(), Ok(None)) {
        thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn hello() -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "carnet-doctor", "version": env!("CARGO_PKG_VERSION") },
        },
    })
}
