//! Which clients on this machine are connected, and how well.

use serde_json::Value;

use super::{
    client::{Client, Scope},
    files,
    launch::{Launch, find},
    parts::{Part, parts},
    probe::probe,
    settings,
    wish::is_ours,
};
use crate::{
    config::Machine,
    error::MemoryError,
    profile::{Check, State},
};

/// Looks at each client that is on this machine.
pub fn examine(machine: &Machine) -> Vec<Check> {
    let clients = Client::ALL.into_iter().filter(|client| is_here(*client, machine));
    clients.map(|client| examine_client(client, machine)).collect()
}

fn is_here(client: Client, machine: &Machine) -> bool {
    let Ok(folder) = client.folder(Scope::User, machine) else { return false };
    let found = |command: &&'static str| find(command, &machine.search_path).is_some();
    client != Client::AgentsMd && (folder.is_dir() || client.commands().iter().any(found))
}

fn examine_client(client: Client, machine: &Machine) -> Check {
    let setup = format!("run `carnet setup {}`", client.as_str());
    for scope in [Scope::User, Scope::Project] {
        match examine_scope(client, scope, machine) {
            Ok(Found::Nothing) => {}
            Ok(Found::Connected(what)) => return Check::fine(client.title(), what),
            Ok(Found::Half(what, hint)) => {
                let project = if scope == Scope::Project { " --project" } else { "" };
                let hint = hint.unwrap_or_else(|| format!("{setup}{project}"));
                return Check::new(client.title(), State::Remark, what, hint);
            }
            Ok(Found::Silent(what)) => {
                return Check::new(client.title(), State::Wrong, what, setup);
            }
            // A client without files of a project.
            Err(_) if scope == Scope::Project => {}
            Err(error) => {
                return Check::new(client.title(), State::Remark, error.chain(), error.hint());
            }
        }
    }
    Check::fine(client.title(), format!("not connected (`carnet setup {}`)", client.as_str()))
}

enum Found {
    Nothing,
    Connected(String),
    /// What is missing, and what to do where that is not another setup.
    Half(String, Option<String>),
    /// The server does not answer.
    Silent(String),
}

/// A file of the client as it is.
struct Seen {
    part: Part,
    text: String,
}

fn seen(
    client: Client,
    scope: Scope,
    machine: &Machine,
    launch: &Launch,
) -> Result<Vec<Seen>, MemoryError> {
    let parts = parts(client, scope, machine, launch, false)?;
    let read = |part: Part| {
        let text = files::read(&part.path)?.unwrap_or_default();
        Ok(Seen { part, text })
    };
    parts.into_iter().map(read).collect()
}

fn examine_scope(client: Client, scope: Scope, machine: &Machine) -> Result<Found, MemoryError> {
    let files = seen(client, scope, machine, &Launch::default())?;
    let mut ours = 0;
    for Seen { part, text } in &files {
        match part.content.take(text) {
            Ok(without) => ours += usize::from(without != *text),
            Err(why) => {
                let what = format!("{}: {why}", part.path.display());
                return Ok(Found::Half(what, Some("mend the file".to_owned())));
            }
        }
    }
    if ours == 0 {
        return Ok(Found::Nothing);
    }
    let Some(launch) = registered(client, &files) else {
        return Ok(Found::Half("hooked, but the server is not registered".to_owned(), None));
    };
    let behind: Vec<_> = seen(client, scope, machine, &launch)?
        .into_iter()
        .filter(|Seen { part, text }| part.content.put(text).as_ref() != Ok(text))
        .map(|Seen { part, .. }| part.path.display().to_string())
        .collect();
    if !behind.is_empty() {
        let what = format!("half connected: {} is not as setup writes it", behind.join(" and "));
        return Ok(Found::Half(what, None));
    }
    let Some(program) = find(&launch.program, &machine.search_path) else {
        let what = format!("it starts `{}`, which is not there or cannot be run", launch.program);
        return Ok(Found::Half(what, None));
    };
    let command = format!("{} {}", launch.program, launch.server_args().join(" "));
    if let Some(how) = files
        .first()
        .and_then(|seen| switched_off(client, &seen.part.content.read(&seen.text).ok()?))
    {
        let hint = Some("allow it again in the client's settings".to_owned());
        return Ok(Found::Half(format!("registered, but {how}"), hint));
    }
    // A look makes no directory: the server would.
    let dir = launch.flags.iter().skip_while(|flag| *flag != "--dir").nth(1);
    if let Some(dir) = dir.filter(|dir| !std::path::Path::new(dir).is_dir()) {
        return Ok(Found::Connected(format!("connected; `{command}` makes {dir} when it starts")));
    }
    // Whoever wrote the files of a project chose the program: it is not started for a look.
    if scope == Scope::Project {
        return Ok(Found::Connected(format!(
            "connected by this project's files; they start `{command}`"
        )));
    }
    let name = match probe(&program, &launch) {
        Ok(name) => name,
        Err(why) => return Ok(Found::Silent(format!("`{command}` is registered, and {why}"))),
    };
    if client == Client::Codex && !hooks_are_trusted(machine) {
        let what =
            format!("connected; `{command}` answers as {name}, but the hooks are not reviewed");
        return Ok(Found::Half(what, Some("review them in Codex with `/hooks`".to_owned())));
    }
    Ok(Found::Connected(format!("connected; `{command}` answers as {name}")))
}

/// Returns how the client's own settings keep it from what is registered.
fn switched_off(client: Client, settings: &Value) -> Option<&'static str> {
    let at = |path: &[&str]| path.iter().try_fold(settings, |value, key| value.get(key));
    let lists = |path: &[&str]| {
        at(path)
            .and_then(Value::as_array)
            .is_some_and(|list| list.iter().any(|item| item == "carnet"))
    };
    match client {
        Client::Codex if at(&["mcp_servers", "carnet", "enabled"]) == Some(&Value::Bool(false)) => {
            Some("switched off: `enabled` is false")
        }
        Client::Opencode if at(&["mcp", "carnet", "enabled"]) == Some(&Value::Bool(false)) => {
            Some("switched off: `enabled` is false")
        }
        Client::Gemini if lists(&["mcp", "excluded"]) => Some("excluded by `mcp.excluded`"),
        _ => None,
    }
}

/// Returns how the client starts carnet.
fn registered(client: Client, files: &[Seen]) -> Option<Launch> {
    if client == Client::Hermes {
        let text = &files.iter().find(|seen| seen.part.path.ends_with("carnet.json"))?.text;
        let written: Value = serde_json::from_str(text).ok()?;
        let words = written.get("command")?.as_array()?.iter().filter_map(Value::as_str);
        let words: Vec<_> = words.map(str::to_owned).collect();
        let home = written.get("env").and_then(|env| env.get(super::launch::HOME));
        return Launch::read(&words, home.and_then(Value::as_str));
    }
    let seen = files.first()?;
    settings::registered(client, &seen.part.content.read(&seen.text).ok()?)
}

/// Tells whether Codex keeps a word of trust for each of our hooks; it skips the others without a word.
pub(super) fn hooks_are_trusted(machine: &Machine) -> bool {
    let Ok(files) = seen(Client::Codex, Scope::User, machine, &Launch::default()) else {
        return false;
    };
    let values: Vec<_> =
        files.iter().filter_map(|Seen { part, text }| part.content.read(text).ok()).collect();
    let ([config, hooks], [_, hooks_file]) = (values.as_slice(), files.as_slice()) else {
        return false;
    };
    let state = config.get("hooks").and_then(|hooks| hooks.get("state"));
    let path = hooks_file.part.path.display().to_string();
    let events = hooks.get("hooks").and_then(Value::as_object).into_iter().flatten();
    events.flat_map(|(event, groups)| our_places(groups).map(move |place| (event, place))).all(
        |(event, (group, handler))| {
            let key = format!("{path}:{}:{group}:{handler}", snake(event));
            let trust = state.and_then(|state| state.get(key));
            trust.and_then(|trust| trust.get("trusted_hash")).is_some()
        },
    )
}

fn our_places(groups: &Value) -> impl Iterator<Item = (usize, usize)> {
    let groups = groups.as_array().into_iter().flatten().enumerate();
    groups.flat_map(|(index, group)| {
        let handlers = group.get("hooks").and_then(Value::as_array).into_iter().flatten();
        let ours = handlers.enumerate().filter(|(_, handler)| is_ours(handler));
        ours.map(move |(place, _)| (index, place))
    })
}

/// Returns `SessionStart` as `session_start`.
fn snake(event: &str) -> String {
    let mut snake = String::new();
    for c in event.chars() {
        if c.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}
