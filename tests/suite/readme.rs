//! What the README shows is what happens.

use std::{fs, path::Path};

use crate::support::{Sandbox, pipe};

fn document(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// Returns the fenced blocks of `text` with the info string `info`.
fn blocks(text: &str, info: &str) -> Vec<String> {
    let fence = format!("```{info}\n");
    text.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// Runs each line after `$ ` and compares what it prints; `…` stands for anything.
#[test]
fn its_session_runs_as_it_says() {
    let sandbox = Sandbox::new();
    let session = blocks(&document("README.md"), "console").concat();
    let mut commands = 0;
    for part in session.split("$ ").filter(|part| !part.trim().is_empty()) {
        let (command, expected) = part.split_once('\n').unwrap();
        let carnet = Path::new(env!("CARGO_BIN_EXE_carnet")).parent().unwrap();
        let path = format!("{}:{}", carnet.display(), std::env::var("PATH").unwrap());
        let mut shell = std::process::Command::new("sh");
        let shell = shell.arg("-c").arg(command).env_clear();
        let ran = pipe(shell.env("PATH", path).env("CARNET_HOME", sandbox.home()), "");
        let shown = format!("{}{}", ran.stdout, ran.stderr);
        let pattern =
            expected.trim().split('…').map(regex_lite::escape).collect::<Vec<_>>().join(".*");
        let pattern = regex_lite::Regex::new(&format!("^{pattern}$")).unwrap();
        assert!(pattern.is_match(shown.trim()), "$ {command}\n{shown}\ninstead of\n{expected}");
        commands += 1;
    }
    assert!(commands >= 6);
}

#[test]
fn its_configuration_is_understood() {
    let sandbox = Sandbox::new();
    for block in blocks(&document("README.md"), "yaml") {
        crate::support::write(&sandbox.home().join("config.yaml"), block);
        assert_eq!(sandbox.run(&["status", "--json"]).json()["warnings"], serde_json::json!([]));
    }
}

#[test]
fn documents_keep_their_measure() {
    for (name, lines) in [("README.md", 200), ("ARCHITECTURE.md", 150)] {
        assert!(document(name).lines().count() <= lines, "{name}");
    }
    assert!(document("CHANGELOG.md").contains("## [Unreleased]"));
}
