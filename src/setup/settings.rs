//! What each client's settings say of carnet.

use serde_json::{Map, Value, json};

use super::{client::Client, launch::Launch, wish::Wish};

/// Returns the registration of the server.
pub(super) fn registration(client: Client, launch: &Launch, allow: bool) -> Wish {
    let path: &'static [&'static str] = match client {
        Client::Codex => &["mcp_servers", "carnet"],
        Client::Opencode => &["mcp", "carnet"],
        Client::Vscode => &["servers", "carnet"],
        _ => &["mcpServers", "carnet"],
    };
    let (program, args) = (&launch.program, launch.server_args());
    let mut fixed = match client {
        Client::ClaudeCode | Client::Vscode => {
            json!({ "type": "stdio", "command": program, "args": args })
        }
        Client::Opencode => {
            let words: Vec<_> = [program].into_iter().chain(&args).collect();
            json!({ "type": "local", "command": words })
        }
        _ => json!({ "command": program, "args": args }),
    };
    let key = if client == Client::Opencode { "environment" } else { "env" };
    if let Some(env) = launch.env() {
        set(&mut fixed, key, env);
    }
    if allow {
        match client {
            Client::Codex => set(&mut fixed, "default_tools_approval_mode", json!("approve")),
            Client::Gemini => set(&mut fixed, "trust", json!(true)),
            _ => {}
        }
    }
    // A server that the user switched off stays off.
    let first = if client == Client::Opencode { json!({ "enabled": true }) } else { json!({}) };
    Wish::Entry { path, fixed: object(fixed), first: object(first) }
}

/// Reads a registration back, as the words of a command line and `CARNET_HOME`.
pub(super) fn registered(client: Client, settings: &Value) -> Option<Launch> {
    let Wish::Entry { path, .. } = registration(client, &Launch::default(), false) else {
        return None;
    };
    let entry = path.iter().try_fold(settings, |value, key| value.get(key))?;
    let command = entry.get("command")?;
    let words = |value: Option<&Value>| -> Vec<String> {
        let list = value.and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let words = match command.as_str() {
        Some(program) => [program.to_owned()].into_iter().chain(words(entry.get("args"))).collect(),
        None => words(Some(command)),
    };
    let env = entry.get("env").or_else(|| entry.get("environment"));
    Launch::read(&words, env.and_then(|env| env.get(super::launch::HOME)).and_then(Value::as_str))
}

/// Returns the hooks of a client that reads them from its settings.
pub(super) fn hooks(client: Client, launch: &Launch) -> Option<Wish> {
    let (harness, events): (_, &[(&'static str, &str, u64)]) = match client {
        Client::ClaudeCode => ("claude", &CLAUDE),
        Client::Codex => ("codex", &CODEX),
        Client::Gemini => ("gemini", &GEMINI),
        _ => return None,
    };
    let handler = |(name, event, timeout): &(&'static str, &str, u64)| {
        let mut handler = json!({ "type": "command" });
        if client == Client::Gemini {
            set(&mut handler, "name", json!("carnet"));
        }
        set(&mut handler, "command", json!(launch.hook(event, harness)));
        set(&mut handler, "timeout", json!(timeout));
        (*name, handler)
    };
    Some(Wish::Hooks { wanted: events.iter().map(handler).collect() })
}

/// Each client's name of an event, ours, and how long the hook may take, in seconds.
const CLAUDE: [(&str, &str, u64); 5] = [
    ("SessionStart", "session-start", 10),
    ("UserPromptSubmit", "user-prompt-submit", 10),
    ("PreCompact", "pre-compact", 10),
    ("Stop", "stop", 10),
    ("SessionEnd", "session-end", 5),
];

/// As above; more than 3 seconds for the end is clamped, with a warning at each start.
const CODEX: [(&str, &str, u64); 5] = [
    ("SessionStart", "session-start", 10),
    ("UserPromptSubmit", "user-prompt-submit", 10),
    ("PreCompact", "pre-compact", 10),
    ("Stop", "stop", 10),
    ("SessionEnd", "session-end", 3),
];

/// As above, in milliseconds.
const GEMINI: [(&str, &str, u64); 5] = [
    ("SessionStart", "session-start", 10_000),
    ("BeforeAgent", "before-agent", 10_000),
    ("AfterAgent", "after-agent", 10_000),
    ("PreCompress", "pre-compact", 10_000),
    ("SessionEnd", "session-end", 10_000),
];

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(object) = value { object } else { Map::new() }
}

fn set(value: &mut Value, key: &str, part: Value) {
    if let Value::Object(object) = value {
        object.insert(key.to_owned(), part);
    }
}
