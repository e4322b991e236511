//! A home with the files of agents' clients.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::support::{Ran, Sandbox, pipe, read, write};

/// A home with clients' files in it.
pub(crate) struct Desk {
    sandbox: Sandbox,
    pub(crate) home: PathBuf,
}

/// Each client's files: the fixture, and where it stands under the home or the project.
pub(crate) const CLIENTS: [(&str, &[(&str, &str)]); 8] = [
    (
        "claude-code",
        &[("claude.json", ".claude.json"), ("claude-settings.json", ".claude/settings.json")],
    ),
    (
        "codex",
        &[("codex-config.toml", ".codex/config.toml"), ("codex-hooks.json", ".codex/hooks.json")],
    ),
    ("opencode", &[("opencode.jsonc", ".config/opencode/opencode.jsonc")]),
    ("gemini", &[("gemini-settings.json", ".gemini/settings.json")]),
    ("hermes", &[("hermes-config.yaml", ".hermes/config.yaml")]),
    ("cursor", &[("cursor-mcp.json", ".cursor/mcp.json")]),
    ("vscode", &[("vscode-mcp.json", VSCODE)]),
    ("agents-md", &[("AGENTS.md", "project/AGENTS.md")]),
];

const VSCODE: &str = if cfg!(target_os = "macos") {
    "Library/Application Support/Code/User/mcp.json"
} else {
    ".config/Code/User/mcp.json"
};

impl Desk {
    pub(crate) fn new() -> Self {
        Self::named("ada")
    }

    pub(crate) fn named(user: &str) -> Self {
        let sandbox = Sandbox::new();
        let home = fs::canonicalize(sandbox.outside("")).unwrap().join(user);
        fs::create_dir_all(home.join("project")).unwrap();
        Self { sandbox, home }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        write(&self.path(name), text);
    }

    pub(crate) fn read(&self, name: &str) -> String {
        read(&self.path(name))
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// Puts the fixtures of a client in place, changed by `form`.
    pub(crate) fn furnish(&self, client: &str, form: impl Fn(&str, &str) -> String) {
        for (fixture, place) in files(client) {
            self.write(place, form(fixture, &golden(fixture)));
        }
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.sandbox.command(args);
        command.env("HOME", &self.home).env_remove("CARNET_HOME").env("PATH", "/usr/bin:/bin");
        command.current_dir(self.path("project"));
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        pipe(&mut self.command(args), "")
    }

    #[track_caller]
    pub(crate) fn done(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{args:?}");
        ran.stdout
    }

    /// Returns what a command prints, with paths made the same for every run.
    pub(crate) fn shown(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        let text = format!("{}{}", ran.stdout, ran.stderr);
        let text = text.replace(env!("CARGO_BIN_EXE_carnet"), "[CARNET]");
        text.replace(&self.home.display().to_string(), "~")
    }

    /// Returns every file and folder but carnet's own, with their bytes.
    pub(crate) fn everything(&self) -> Vec<(PathBuf, Vec<u8>)> {
        fn walk(dir: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && !path.ends_with(".carnet") {
                    found.push((path.clone(), Vec::new()));
                    walk(&path, found);
                } else if path.is_file() {
                    found.push((path.clone(), fs::read(&path).unwrap()));
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.home, &mut found);
        found.sort();
        found
    }
}

pub(crate) fn files(client: &str) -> &'static [(&'static str, &'static str)] {
    CLIENTS.iter().find(|(name, _)| *name == client).unwrap().1
}

pub(crate) fn golden(name: &str) -> String {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/clients").join(name))
}
