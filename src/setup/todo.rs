//! What a setup cannot do for the user.

use super::{
    client::{Client, Scope},
    examine::hooks_are_trusted,
    plan::{Change, FileChange, Request},
};

/// Returns what is left to do after these changes, one sentence each.
pub(super) fn todo(request: &Request<'_>, files: &[FileChange]) -> Vec<String> {
    let changes = |file: &FileChange| file.change() != Change::Unchanged;
    let hooks_change = files.iter().any(|file| file.path.ends_with("hooks.json") && changes(file));
    let done = !files.iter().any(changes);
    let mut todo = Vec::new();
    let Request { client, scope, remove, allow, machine, .. } = *request;
    let title = client.title();
    // The trust is in the text of a hook: one that changed needs it again.
    if client == Client::Codex && !remove && (hooks_change || !hooks_are_trusted(machine)) {
        todo.push(
            "in Codex, review the hooks with `/hooks`: it skips them until you have".to_owned(),
        );
    }
    if done {
        return todo;
    }
    if client != Client::AgentsMd {
        todo.push(format!("restart {title}: what runs already goes on as it was"));
    }
    if remove {
        return todo;
    }
    if client == Client::ClaudeCode && scope == Scope::Project {
        todo.push(
            "Claude Code asks once whether to use the servers of `.mcp.json`: say yes".to_owned(),
        );
    }
    let project = if scope == Scope::Project { " --project" } else { "" };
    let asks = match client {
        Client::ClaudeCode | Client::Codex | Client::Gemini if allow => None,
        Client::ClaudeCode | Client::Gemini => Some(format!(
            "{title} asks you before each call of a tool; `carnet setup {}{project} --allow` lets the agent call carnet's without that",
            client.as_str()
        )),
        Client::Codex => Some(
            "Codex decides by its approval policy what to ask you; `carnet setup codex --allow` lets the agent call carnet's tools without that".to_owned(),
        ),
        Client::Opencode => Some("opencode calls tools as its `permission` setting says; carnet does not change that".to_owned()),
        Client::Cursor | Client::Vscode => Some(format!("{title} asks you before calls of tools, and keeps itself what you allow; carnet does not change that")),
        Client::Hermes | Client::AgentsMd => None,
    };
    todo.extend(asks);
    match client {
        Client::Cursor | Client::Vscode => todo.push(format!(
            "{title} has no hooks that carnet uses: the agent is shown its memory by the server alone; `carnet setup agents-md` in a project reminds it"
        )),
        Client::Hermes => todo.push(
            "Hermes keeps its own `memory` tool; carnet adds recall over the same files".to_owned(),
        ),
        Client::AgentsMd => todo.push(
            "Claude Code reads AGENTS.md where CLAUDE.md holds a line `@AGENTS.md`".to_owned(),
        ),
        _ => {}
    }
    todo
}
