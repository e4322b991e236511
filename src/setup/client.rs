//! The clients, and where each keeps its files.

use std::path::{Path, PathBuf};

use crate::{config::Machine, error::MemoryError};

/// A program that an agent runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// opencode.
    Opencode,
    /// Gemini CLI.
    Gemini,
    /// Hermes.
    Hermes,
    /// Cursor.
    Cursor,
    /// Visual Studio Code.
    Vscode,
    /// Any agent that reads `AGENTS.md`.
    AgentsMd,
}

/// Whose files are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The user's own.
    User,
    /// Those of the project in the current directory.
    Project,
}

impl Client {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::Opencode,
        Self::Gemini,
        Self::Hermes,
        Self::Cursor,
        Self::Vscode,
        Self::AgentsMd,
    ];

    /// Returns its name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Opencode => "opencode",
            Self::Gemini => "gemini",
            Self::Hermes => "hermes",
            Self::Cursor => "cursor",
            Self::Vscode => "vscode",
            Self::AgentsMd => "agents-md",
        }
    }

    /// Returns its own name.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::Opencode => "opencode",
            Self::Gemini => "Gemini CLI",
            Self::Hermes => "Hermes",
            Self::Cursor => "Cursor",
            Self::Vscode => "VS Code",
            Self::AgentsMd => "AGENTS.md",
        }
    }

    /// Returns the commands that start it.
    pub(super) fn commands(self) -> &'static [&'static str] {
        match self {
            Self::ClaudeCode => &["claude"],
            Self::Codex => &["codex"],
            Self::Opencode => &["opencode"],
            Self::Gemini => &["gemini"],
            Self::Hermes => &["hermes"],
            Self::Cursor => &["cursor", "cursor-agent"],
            Self::Vscode => &["code"],
            Self::AgentsMd => &[],
        }
    }

    /// Returns the folder that its files of this scope stand in.
    pub(super) fn folder(self, scope: Scope, machine: &Machine) -> Result<PathBuf, MemoryError> {
        let project =
            || known(machine.current_dir.as_deref(), "the current directory", "cd to one");
        let home = || known(machine.user_home.as_deref(), "the home directory", "set HOME");
        if scope == Scope::Project {
            return match self {
                Self::Codex | Self::Hermes => {
                    let what =
                        format!("{} has no files of a project that name servers", self.title());
                    let hint = format!("leave out --project: `carnet setup {}`", self.as_str());
                    Err(MemoryError::bad_request(what, hint))
                }
                Self::ClaudeCode | Self::Opencode | Self::AgentsMd => project(),
                Self::Gemini => project().map(|dir| dir.join(".gemini")),
                Self::Cursor => project().map(|dir| dir.join(".cursor")),
                Self::Vscode => project().map(|dir| dir.join(".vscode")),
            };
        }
        let of = |dir: &Option<PathBuf>| known(dir.as_deref(), "the home directory", "set HOME");
        match self {
            Self::ClaudeCode => match &machine.claude_config_dir {
                Some(dir) => Ok(dir.clone()),
                None => home().map(|home| home.join(".claude")),
            },
            Self::Codex => of(&machine.codex_home),
            Self::Opencode => of(&machine.config_home).map(|dir| dir.join("opencode")),
            Self::Gemini => home().map(|home| home.join(".gemini")),
            Self::Hermes => of(&machine.hermes_home),
            Self::Cursor => home().map(|home| home.join(".cursor")),
            Self::Vscode if cfg!(target_os = "macos") => {
                home().map(|home| home.join("Library/Application Support/Code/User"))
            }
            Self::Vscode => of(&machine.config_home).map(|dir| dir.join("Code/User")),
            Self::AgentsMd => project(),
        }
    }
}

fn known(dir: Option<&Path>, what: &str, hint: &str) -> Result<PathBuf, MemoryError> {
    let missing = || MemoryError::not_found(format!("{what} is not known"), hint);
    dir.map(Path::to_owned).ok_or_else(missing)
}
