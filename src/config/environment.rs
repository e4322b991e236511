//! The environment variables that carnet reads, and nothing else reads them.

use std::{
    env,
    path::{Path, PathBuf},
};

/// The environment of the process, read once.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `CARNET_HOME`, else `~/.carnet`; none where neither is known.
    pub home: Option<PathBuf>,
    /// `CARNET_PROFILE`
    pub profile: Option<String>,
    /// `CARNET_SESSION`
    pub session: Option<String>,
    /// `CLAUDE_CODE_SESSION_ID`: the session of the client that started this process.
    pub client_session: Option<String>,
    /// `VISUAL`, else `EDITOR`
    pub editor: Option<String>,
    /// Whether `NO_COLOR` is set.
    pub no_color: bool,
    /// Where this process runs, and where the agents' clients keep their files.
    pub machine: Machine,
}

/// What is needed to find the files of other programs.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// `HOME`
    pub user_home: Option<PathBuf>,
    /// `CARNET_HOME`, where it is set.
    pub carnet_home: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`
    pub claude_config_dir: Option<PathBuf>,
    /// `CODEX_HOME`, else `~/.codex`
    pub codex_home: Option<PathBuf>,
    /// `HERMES_HOME`, else `~/.hermes`
    pub hermes_home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`, else `~/.config`
    pub config_home: Option<PathBuf>,
    /// The directories of `PATH`.
    pub search_path: Vec<PathBuf>,
    /// The directory this process runs in.
    pub current_dir: Option<PathBuf>,
    /// The file of this program.
    pub executable: Option<PathBuf>,
}

impl Machine {
    fn read() -> Self {
        let path =
            |name: &str| variable(name).map(|path| std::path::absolute(&path).unwrap_or(path));
        let user_home = path("HOME");
        let or_home = |name: &str, below: &str| {
            path(name).or_else(|| user_home.as_ref().map(|home| home.join(below)))
        };
        Self {
            carnet_home: path("CARNET_HOME"),
            claude_config_dir: path("CLAUDE_CONFIG_DIR"),
            codex_home: or_home("CODEX_HOME", ".codex"),
            hermes_home: or_home("HERMES_HOME", ".hermes"),
            config_home: or_home("XDG_CONFIG_HOME", ".config"),
            search_path: variable("PATH")
                .map(|dirs| env::split_paths(&dirs).collect())
                .unwrap_or_default(),
            current_dir: env::current_dir().ok(),
            executable: env::current_exe().ok(),
            user_home,
        }
    }
}

/// Returns a variable; an empty one counts as unset.
fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

impl Environment {
    /// Returns `path` with a leading `~/` turned into the user's home directory.
    pub(super) fn expand(path: &Path) -> PathBuf {
        let home = env::var_os("HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
        match (path.strip_prefix("~"), home) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => path.to_owned(),
        }
    }

    /// Reads the environment; an empty variable counts as unset.
    pub fn read() -> Self {
        let word = |name: &str| variable(name).map(|value| value.to_string_lossy().into_owned());
        let home =
            variable("CARNET_HOME").or_else(|| variable("HOME").map(|home| home.join(".carnet")));
        Self {
            home: home.map(|home| std::path::absolute(&home).unwrap_or(home)),
            profile: word("CARNET_PROFILE"),
            session: word("CARNET_SESSION"),
            client_session: word("CLAUDE_CODE_SESSION_ID"),
            editor: word("VISUAL").or_else(|| word("EDITOR")),
            no_color: word("NO_COLOR").is_some(),
            machine: Machine::read(),
        }
    }
}

/// Returns a secret as it is written, or from the environment where it is written `env:NAME`.
pub(crate) fn secret(text: &str) -> Result<String, String> {
    let Some(name) = text.strip_prefix("env:") else { return Ok(text.to_owned()) };
    env::var(name).map_err(|_| {
        format!("`{name}` is not set in the environment, where `{text}` looks for the key")
    })
}
