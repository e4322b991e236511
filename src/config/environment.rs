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
        let path =
            |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let word = |name: &str| path(name).map(|value| value.to_string_lossy().into_owned());
        let home = path("CARNET_HOME").or_else(|| path("HOME").map(|home| home.join(".carnet")));
        Self {
            home: home.map(|home| std::path::absolute(&home).unwrap_or(home)),
            profile: word("CARNET_PROFILE"),
            session: word("CARNET_SESSION"),
            client_session: word("CLAUDE_CODE_SESSION_ID"),
            editor: word("VISUAL").or_else(|| word("EDITOR")),
            no_color: word("NO_COLOR").is_some(),
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
