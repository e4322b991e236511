//! A client of `carnet mcp`, over its standard input and output.

use std::{
    io::{BufRead, BufReader, Lines, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::support::Sandbox;

/// A server and what it is told, line by line.
pub(crate) struct Server {
    pub(crate) process: Child,
    pub(crate) input: Option<ChildStdin>,
    pub(crate) lines: Lines<BufReader<ChildStdout>>,
    next: u64,
}

impl Server {
    pub(crate) fn start(sandbox: &Sandbox, environment: &[(&str, &str)]) -> Self {
        let mut command = sandbox.command(&["mcp"]);
        command.envs(environment.iter().copied());
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        Self { process, input, lines, next: 0 }
    }

    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Sends a request and returns its answer; every line of the server must be a message.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string(),
        );
        loop {
            let line = self.lines.next().unwrap().unwrap();
            let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
            assert_eq!(message["jsonrpc"], "2.0");
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Opens the session as the client `name` does.
    #[track_caller]
    pub(crate) fn initialize(&mut self, name: &str) -> Value {
        let params = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": name, "version": "1"},
        });
        let answer = self.ask("initialize", &params)["result"].clone();
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        answer
    }

    /// Calls a tool; the text and the structured answer must say the same.
    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let text: Value =
            serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
        assert_eq!(result["isError"], text["success"] != true, "{answer}");
        text
    }

    pub(crate) fn kill(&self, signal: &str) {
        let pid = self.process.id().to_string();
        assert!(
            std::process::Command::new("kill").args([signal, &pid]).status().unwrap().success()
        );
    }

    /// Waits for the end, which must come soon, and returns the exit status.
    pub(crate) fn end(mut self) -> i32 {
        drop(self.input.take());
        let start = Instant::now();
        let status = self.process.wait().unwrap().code().unwrap_or(-1);
        assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
        status
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
