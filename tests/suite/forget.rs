//! `carnet forget`: shown first, archived or erased to the last byte.

use std::{fs, path::Path};

use serde_json::json;

use crate::{mcp_client::Server, support::Sandbox};

/// Returns the files under `dir` whose bytes or names hold `text`, in any case.
fn holding(dir: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for file in fs::read_dir(&dir).unwrap().flatten() {
            let path = file.path();
            let name = path.file_name().unwrap().to_string_lossy().to_lowercase();
            if path.is_dir() {
                dirs.push(path.clone());
            }
            let bytes = fs::read(&path).unwrap_or_default();
            let content = String::from_utf8_lossy(&bytes).to_lowercase();
            if name.contains(text) || content.contains(text) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

fn filled() -> Sandbox {
    let sandbox = Sandbox::new();
    let run = |args: &[&str]| assert_eq!(sandbox.run(args).status, 0, "{args:?}");
    run(&["add", "The vault code is Wolverine 1234"]);
    run(&["add", "Deploys run on Fridays"]);
    run(&["replace", "Wolverine 1234", "The vault code is WOLVERINE 5678"]);
    run(&["fact", "set", "wolverine", "A wolverine guards the vault", "--tag", "vault"]);
    run(&["fact", "set", "wolverine", "Two wolverines guard the vault"]);
    run(&["fact", "set", "tea", "likes tea"]);
    run(&["snapshot", "--session", "s-1"]);
    run(&["reindex"]);
    let start = json!({"session_id": "s-2", "source": "startup"});
    sandbox.pipe(&["hook", "session-start"], start.to_string());
    sandbox
}

#[test]
fn what_is_forgotten_is_shown_first_and_comes_back() {
    let sandbox = filled();
    let shown = sandbox.run(&["forget", "--match", "wolverine", "--dry-run", "--json"]).json();
    assert_eq!(shown["count"], 2, "{shown}");
    let unasked = sandbox.run(&["forget", "--match", "wolverine"]);
    assert!(unasked.status == 1 && unasked.stderr.contains("no terminal"), "{}", unasked.stderr);
    assert_eq!(sandbox.run(&["forget", "--match", "wolverine", "--yes"]).status, 0);
    assert!(!sandbox.read("MEMORY.md").contains("WOLVERINE"));
    assert!(!sandbox.run(&["recall", "wolverine"]).stdout.to_lowercase().contains("guard"));
    assert_eq!(sandbox.run(&["undo"]).status, 0);
    assert!(sandbox.read("MEMORY.md").contains("WOLVERINE"));
    for refused in [
        &["forget"][..],
        &["forget", "--match", " "],
        &["forget", "--id", "m-00000000", "--yes"],
        &["forget", "--since", "soon"],
    ] {
        assert_eq!(sandbox.run(refused).status, 1, "{refused:?}");
    }
}

#[test]
fn after_an_erase_no_byte_of_it_is_left() {
    let sandbox = filled();
    assert!(holding(&sandbox.home(), "wolverine").len() > 5);
    let erased = sandbox.run(&["forget", "--match", "wolverine", "--erase", "--yes", "--json"]);
    assert_eq!(erased.status, 0, "{} {}", erased.stdout, erased.stderr);
    let receipt = erased.json();
    assert!(receipt["erased"].as_u64().unwrap() >= 4, "{receipt}");
    assert_eq!(holding(&sandbox.home(), "wolverine"), [""; 0]);
    assert_eq!(sandbox.read("MEMORY.md"), "Deploys run on Fridays\n");
    // What else is remembered is as it was.
    assert!(sandbox.run(&["recall", "who likes tea?"]).stdout.contains("likes tea"));
    assert!(sandbox.run(&["history"]).stdout.contains("erased-"));
    assert_eq!(sandbox.run(&["add", "a new entry"]).status, 0);
    assert_eq!(holding(&sandbox.home(), "wolverine"), [""; 0]);
    // It is not learned again, in any spelling; a person may say it again.
    let mut server = Server::start(&sandbox, &[]);
    server.initialize("codex-mcp-client");
    let again = json!({"action": "add", "content": "the vault  code is wolverine 5678"});
    assert!(server.call("memory", &again)["error"].as_str().unwrap().contains("erased"));
    let again = json!({"key": "w", "content": "TWO wolverines guard the vault"});
    assert!(server.call("memory_store", &again)["error"].as_str().unwrap().contains("erased"));
    drop(server);
    assert_eq!(sandbox.run(&["fact", "set", "w", "Two wolverines guard the vault"]).status, 0);
}

#[test]
fn a_running_server_forgets_it_too() {
    let sandbox = filled();
    let mut server = Server::start(&sandbox, &[]);
    server.initialize("codex-mcp-client");
    assert!(
        server
            .call("memory_recall", &json!({"query": "what guards the vault?"}))
            .to_string()
            .contains("wolverines")
    );
    let erased = sandbox.run(&["forget", "--match", "wolverine", "--erase", "--yes"]);
    assert_eq!(erased.status, 0, "{} {}", erased.stdout, erased.stderr);
    let found = server.call("memory_recall", &json!({"query": "what guards the vault?"}));
    assert!(!found["hits"].to_string().to_lowercase().contains("wolverine"), "{found}");
    let snapshot = server.ask("resources/read", &json!({"uri": "carnet://snapshot"}));
    assert!(!snapshot.to_string().to_lowercase().contains("wolverine"), "{snapshot}");
    assert_eq!(server.end(), 0);
    assert_eq!(holding(&sandbox.home(), "wolverine"), [""; 0]);
}

#[test]
fn what_an_editor_left_is_named_and_ends_with_one() {
    let sandbox = filled();
    sandbox.write("MEMORY.md~", "The vault code is WOLVERINE 5678\n");
    let erased = sandbox.run(&["forget", "--match", "wolverine", "--erase", "--yes"]);
    assert_eq!(erased.status, 1);
    assert!(
        erased.stdout.contains("MEMORY.md~") && erased.stdout.contains("an editor's own file"),
        "{}",
        erased.stdout
    );
    assert!(sandbox.path("MEMORY.md~").exists());
}
