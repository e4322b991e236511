//! How a client starts carnet: the command, its arguments and its environment.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::{config::Machine, error::MemoryError};

/// A command line and what stands in its environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// `carnet`, or where it is.
    pub program: String,
    /// Global flags, such as `--profile work`.
    pub flags: Vec<String>,
    /// `CARNET_HOME`, where it is not the default one.
    pub home: Option<String>,
}

/// The variable that a registration hands on.
pub(super) const HOME: &str = "CARNET_HOME";

impl Launch {
    /// Returns how this very program would be started with the same profile.
    pub fn of(
        machine: &Machine,
        profile: Option<&str>,
        dir: Option<&Path>,
    ) -> Result<Self, MemoryError> {
        let mut flags = Vec::new();
        if let Some(profile) = profile {
            flags.extend(["--profile".to_owned(), profile.to_owned()]);
        }
        if let Some(dir) = dir {
            let dir = std::path::absolute(dir).map_err(MemoryError::reading(dir))?;
            flags.extend(["--dir".to_owned(), text(&dir)?]);
        }
        let home = machine.carnet_home.as_deref().map(text).transpose()?;
        Ok(Self { program: program(machine)?, flags, home })
    }

    /// Returns the same for the profile in `dir`, unless it names one itself.
    pub(super) fn for_dir(mut self, dir: &Path) -> Result<Self, MemoryError> {
        if self.flags.is_empty() {
            self.flags = vec!["--dir".to_owned(), text(dir)?];
        }
        Ok(self)
    }

    /// Returns the arguments of the server.
    pub(super) fn server_args(&self) -> Vec<String> {
        self.flags.iter().cloned().chain(["mcp".to_owned()]).collect()
    }

    /// Returns the environment as a JSON object; `None` where there is nothing to hand on.
    pub(super) fn env(&self) -> Option<Value> {
        let home = self.home.clone()?;
        Some(Value::Object(Map::from_iter([(HOME.to_owned(), Value::String(home))])))
    }

    /// Returns the command line of a hook, for a shell.
    pub(super) fn hook(&self, event: &str, harness: &str) -> String {
        format!("{} hook {event} --harness {harness}", self.command_line())
    }

    /// Returns the command line without a command, for a shell.
    pub(super) fn command_line(&self) -> String {
        let home = self.home.iter().map(|home| format!("{HOME}={}", quoted(home)));
        let words = [&self.program].into_iter().chain(&self.flags).map(|word| quoted(word));
        home.chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Reads a registration: the words of its command line and its environment.
    pub(super) fn read(words: &[String], home: Option<&str>) -> Option<Self> {
        let (program, args) = words.split_first()?;
        let flags = args.strip_suffix(&["mcp".to_owned()]).unwrap_or(args);
        Some(Self {
            program: program.clone(),
            flags: flags.to_vec(),
            home: home.map(str::to_owned),
        })
    }
}

/// Tells whether a program is called carnet, or a version of it.
pub(super) fn is_carnet(program: &str) -> bool {
    let name = Path::new(program).file_name().unwrap_or_default();
    name.to_string_lossy().starts_with("carnet")
}

/// Tells whether a shell's command line is a hook of carnet, in whatever form it was once written.
pub(super) fn is_hook(command: &str) -> bool {
    let words = words(command);
    let mut words =
        words.iter().skip_while(|word| word.starts_with("CARNET_") && word.contains('='));
    words.next().is_some_and(|word| is_carnet(word))
        && words.any(|word| word == "hook")
        && words.any(|word| word.starts_with("--harness"))
}

/// Returns the path as text; clients' files hold nothing else.
pub(super) fn text(path: &Path) -> Result<String, MemoryError> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let what = format!("`{}` is not UTF-8, so no client's file can name it", path.display());
        MemoryError::bad_request(what, "rename it, or use another path")
    })
}

/// Returns `carnet` where that is found as this program, else the whole path.
fn program(machine: &Machine) -> Result<String, MemoryError> {
    let missing = || MemoryError::not_found("the path of this program is not known", "try again");
    let executable = machine.executable.as_deref().ok_or_else(missing)?;
    let real = executable.canonicalize().unwrap_or_else(|_| executable.to_owned());
    let found = find("carnet", &machine.search_path).and_then(|path| path.canonicalize().ok());
    if found.as_deref() == Some(real.as_path()) {
        Ok("carnet".to_owned())
    } else {
        text(executable)
    }
}

/// Returns the file that `program` starts.
pub(super) fn find(program: &str, search_path: &[PathBuf]) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| is_executable(path));
    }
    search_path.iter().map(|dir| dir.join(program)).find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Returns a word as a shell takes it for one.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:=@%+,-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Splits a command line as a shell does, without expanding anything.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(chars.next()),
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_is_known_again_however_it_is_quoted() {
        let launch = Launch {
            program: "/opt/my tools/it's/carnet".to_owned(),
            flags: vec!["--dir".to_owned(), "/a b".to_owned()],
            home: Some("/h o".to_owned()),
        };
        let line = launch.hook("stop", "codex");
        assert_eq!(
            line,
            r"CARNET_HOME='/h o' '/opt/my tools/it'\''s/carnet' --dir '/a b' hook stop --harness codex"
        );
        assert!(is_hook(&line));
        assert!(is_hook("\"/x y/carnet\" hook session-start --harness=claude"));
        for other in [
            "",
            "carnet snapshot",
            "carnet-hook hook",
            "echo carnet hook --harness x",
            "mycarnet hook stop --harness x",
        ] {
            assert!(!is_hook(other), "{other}");
        }
    }
}
