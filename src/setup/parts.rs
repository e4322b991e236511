//! Which files of a client are changed, and what each shall hold.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{
    client::{Client, Scope},
    content::{Content, Format},
    launch::{Launch, text},
    settings,
    wish::Wish,
};
use crate::{config::Machine, error::MemoryError};

/// A file of a client, and what of it is ours.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) path: PathBuf,
    pub(super) content: Content,
}

const OPENCODE_PLUGIN: &str = include_str!("../../templates/clients/opencode.js");
const HERMES_PROVIDER: &str = include_str!("../../templates/clients/hermes/__init__.py");
const HERMES_MANIFEST: &str = include_str!("../../templates/clients/hermes/plugin.yaml");
const AGENTS: &str = include_str!("../../templates/clients/agents.md");

/// Returns the files of a client, in the order they are written.
pub(super) fn parts(
    client: Client,
    scope: Scope,
    machine: &Machine,
    launch: &Launch,
    allow: bool,
) -> Result<Vec<Part>, MemoryError> {
    let folder = client.folder(scope, machine)?;
    let server = settings::registration(client, launch, allow);
    let hooks = settings::hooks(client, launch);
    Ok(match client {
        Client::ClaudeCode => {
            let (servers, settings) = claude_files(scope, &folder, machine);
            let allowed = Wish::Listed {
                path: &["permissions", "allow"],
                word: "mcp__carnet",
                wanted: allow,
            };
            vec![
                json_file(servers, [server]),
                json_file(settings, hooks.into_iter().chain([allowed])),
            ]
        }
        Client::Codex => vec![
            Part {
                path: folder.join("config.toml"),
                content: Content::Settings { format: Format::Toml, wishes: vec![server] },
            },
            json_file(folder.join("hooks.json"), hooks),
        ],
        Client::Opencode => {
            let plugins =
                if scope == Scope::Project { folder.join(".opencode") } else { folder.clone() };
            vec![
                json_file(opencode_file(&folder), [server]),
                Part {
                    path: plugins.join("plugins/carnet.js"),
                    content: Content::Whole(opencode_plugin(launch)),
                },
            ]
        }
        Client::Gemini => {
            vec![json_file(folder.join("settings.json"), [server].into_iter().chain(hooks))]
        }
        Client::Cursor | Client::Vscode => vec![json_file(folder.join("mcp.json"), [server])],
        Client::Hermes => hermes(&folder, launch)?,
        Client::AgentsMd => {
            let stands = match launch.command_line().as_str() {
                "carnet" => String::new(),
                line => format!(" (`carnet` stands for `{line}`)"),
            };
            let block = AGENTS.replace("{stands}", &stands);
            vec![Part { path: folder.join("AGENTS.md"), content: Content::Block(block) }]
        }
    })
}

fn json_file(path: PathBuf, wishes: impl IntoIterator<Item = Wish>) -> Part {
    let wishes = wishes.into_iter().collect();
    Part { path, content: Content::Settings { format: Format::Json, wishes } }
}

/// Returns the files of servers and of settings.
fn claude_files(scope: Scope, folder: &Path, machine: &Machine) -> (PathBuf, PathBuf) {
    match scope {
        Scope::Project => (folder.join(".mcp.json"), folder.join(".claude/settings.json")),
        Scope::User => {
            // The file stands beside the folder, and in it where that is named.
            let servers = match &machine.claude_config_dir {
                Some(dir) => dir.join(".claude.json"),
                None => folder.with_file_name(".claude.json"),
            };
            (servers, folder.join("settings.json"))
        }
    }
}

/// Returns the file of settings that is there, else the one to create.
fn opencode_file(folder: &Path) -> PathBuf {
    let (plain, commented) = (folder.join("opencode.json"), folder.join("opencode.jsonc"));
    if commented.exists() && !plain.exists() { commented } else { plain }
}

fn opencode_plugin(launch: &Launch) -> String {
    let words: Vec<_> = [&launch.program].into_iter().chain(&launch.flags).collect();
    let launch = json!({ "command": words, "env": launch.env().unwrap_or_else(|| json!({})) });
    let line = |line: &str| {
        if line.starts_with("const LAUNCH = ") {
            format!("const LAUNCH = {launch}\n")
        } else {
            format!("{line}\n")
        }
    };
    OPENCODE_PLUGIN.lines().map(line).collect()
}

fn hermes(folder: &Path, launch: &Launch) -> Result<Vec<Part>, MemoryError> {
    let launch = launch.clone().for_dir(&folder.join("memories"))?;
    let plugin = folder.join("plugins/carnet");
    let words: Vec<_> = [launch.program.clone()].into_iter().chain(launch.server_args()).collect();
    let written = json!({
        "written_by": "carnet setup hermes",
        "command": words,
        "env": launch.env().unwrap_or_else(|| json!({})),
        "memories": text(&folder.join("memories"))?,
    });
    let whole =
        |name: &str, text: String| Part { path: plugin.join(name), content: Content::Whole(text) };
    Ok(vec![
        whole("plugin.yaml", HERMES_MANIFEST.to_owned()),
        whole("__init__.py", HERMES_PROVIDER.to_owned()),
        whole("carnet.json", format!("{written:#}\n")),
        // Last, so that it never names a provider that is not there.
        Part {
            path: folder.join("config.yaml"),
            content: Content::Settings { format: Format::Yaml, wishes: vec![Wish::Provider] },
        },
    ])
}
