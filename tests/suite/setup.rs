//! What a setup writes into clients' files, and that it can be taken back.

use std::{os::unix::fs::symlink, process::Command};

use serde_json::Value;

use crate::{
    desk::{CLIENTS, Desk},
    support::pipe,
};

#[test]
fn each_client_gets_its_registration_and_hooks() {
    for (client, _) in CLIENTS {
        let desk = Desk::new();
        desk.furnish(client, |_, text| text.to_owned());
        let before = desk.everything();
        let shown = desk.shown(&["setup", client, "--dry-run"]);
        assert_eq!(desk.everything(), before, "{client}: a dry run writes nothing");
        // Of the files that are wholly ours it is enough to see that they come.
        let whole = shown.find("--- /dev/null").filter(|_| matches!(client, "opencode" | "hermes"));
        let parts = if client == "hermes" {
            shown.split("--- ~").last().unwrap()
        } else {
            &shown[..whole.unwrap_or(shown.len())]
        };
        insta::assert_snapshot!(format!("setup_{client}"), parts);
    }
}

#[test]
fn a_second_run_changes_nothing_and_taking_out_gives_the_very_bytes_back() {
    type Form = fn(&str, &str) -> String;
    let forms: [(&str, Form); 5] = [
        ("as it is", |_, text| text.to_owned()),
        ("CRLF", |_, text| text.replace('\n', "\r\n")),
        ("no final newline", |_, text| text.trim_end().to_owned()),
        ("byte order mark", |_, text| format!("\u{feff}{text}")),
        ("blank", |_, _| "\n".to_owned()),
    ];
    for (client, _) in CLIENTS {
        for (name, form) in forms {
            let desk = Desk::new();
            desk.furnish(client, form);
            give_and_take(&desk, client, name);
        }
        give_and_take(&Desk::new(), client, "nothing there");
    }
}

#[track_caller]
fn give_and_take(desk: &Desk, client: &str, name: &str) {
    let before = desk.everything();
    let first = desk.done(&["setup", client]);
    assert!(first.starts_with(&format!("{client}: connected\n")), "{client}, {name}: {first}");
    let connected = desk.everything();
    assert_ne!(connected, before);
    let again = desk.done(&["setup", client]);
    assert!(
        again.starts_with(&format!("{client}: already connected\n")),
        "{client}, {name}: {again}"
    );
    assert_eq!(desk.everything(), connected, "{client}, {name}");
    // Another profile and back again, with the allowance meanwhile.
    desk.done(&["--profile", "work", "setup", client, "--allow"]);
    let other = desk.everything();
    assert_ne!(other, connected, "{client}, {name}");
    desk.done(&["setup", client, "--remove"]);
    assert_eq!(desk.everything(), before, "{client}, {name}");
    let again = desk.done(&["setup", client, "--remove"]);
    assert!(again.contains("not connected"), "{again}");
    assert_eq!(desk.everything(), before, "{client}, {name}");
}

#[test]
fn a_carnet_on_the_path_is_named_by_its_name() {
    let desk = Desk::new();
    symlink(env!("CARGO_BIN_EXE_carnet"), desk.path("carnet")).unwrap();
    let mut command = desk.command(&["setup", "cursor"]);
    let ran = pipe(command.env("PATH", format!("/nowhere:{}", desk.home.display())), "");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let entry = &desk.json(".cursor/mcp.json")["mcpServers"]["carnet"];
    assert_eq!(*entry, serde_json::json!({ "command": "carnet", "args": ["mcp"] }));
}

#[test]
fn a_binary_of_another_version_takes_the_place_of_the_last_and_no_other_server_is_touched() {
    let desk = Desk::new();
    desk.done(&["setup", "cursor"]);
    let written = desk.read(".cursor/mcp.json");
    let program = env!("CARGO_BIN_EXE_carnet");
    desk.write(".cursor/mcp.json", written.replace(program, "/opt/carnet-0.0.9-linux"));
    desk.done(&["setup", "cursor"]);
    assert_eq!(desk.read(".cursor/mcp.json"), written);
    let other = written.replace(program, "/opt/notes/server");
    desk.write(".cursor/mcp.json", &other);
    let refused = desk.run(&["setup", "cursor"]);
    assert!(refused.status == 1 && refused.stderr.contains("another server"), "{}", refused.stderr);
    assert_eq!(desk.read(".cursor/mcp.json"), other);
}

#[test]
fn profile_directory_and_home_go_into_every_line() {
    let desk = Desk::named("it's a \"desk\"");
    let home = desk.path("note book");
    let run = |args: &[&str]| {
        let ran = pipe(desk.command(args).env("CARNET_HOME", &home), "");
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    };
    for client in ["claude-code", "codex", "opencode", "gemini", "hermes"] {
        run(&["--dir", "my notes", "setup", client]);
    }
    let dir = desk.path("project/my notes").display().to_string();
    let home = home.display().to_string();
    let entry = &desk.json(".claude.json")["mcpServers"]["carnet"];
    assert_eq!(entry["args"], serde_json::json!(["--dir", dir, "mcp"]));
    assert_eq!(entry["env"]["CARNET_HOME"], home.as_str());
    let codex: toml_edit::DocumentMut = desk.read(".codex/config.toml").parse().unwrap();
    let server = &codex["mcp_servers"]["carnet"];
    assert_eq!(server["env"]["CARNET_HOME"].as_str(), Some(home.as_str()));
    assert_eq!(server["args"][1].as_str(), Some(dir.as_str()));
    let hook = &desk.json(".codex/hooks.json")["hooks"]["SessionStart"][0]["hooks"][0]["command"];
    let line = hook.as_str().unwrap();
    // The shell that will run it sees the same words.
    let told =
        line.replacen(&quote(env!("CARGO_BIN_EXE_carnet")), "printf '%s\\n' \"$CARNET_HOME\"", 1);
    let mut shell = Command::new("sh");
    let said = pipe(
        shell.args([
            "-c",
            &told
                .replacen("CARNET_HOME=", "export CARNET_HOME=", 1)
                .replacen(" printf", "; printf", 1),
        ]),
        "",
    );
    let words: Vec<_> = said.stdout.lines().collect();
    assert_eq!(
        words,
        [&home, "--dir", &dir, "hook", "session-start", "--harness", "codex"],
        "{line}"
    );
    let plugin = desk.read(".config/opencode/plugins/carnet.js");
    let launch = plugin.lines().find_map(|line| line.strip_prefix("const LAUNCH = ")).unwrap();
    let launch: Value = serde_json::from_str(launch).unwrap();
    assert_eq!(launch["command"], serde_json::json!([env!("CARGO_BIN_EXE_carnet"), "--dir", dir]));
    assert_eq!(
        desk.json(".hermes/plugins/carnet/carnet.json")["env"]["CARNET_HOME"],
        home.as_str()
    );
    // Without a home of its own the variable goes again.
    let ran = desk.run(&["setup", "codex"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(!desk.read(".codex/config.toml").contains("CARNET_HOME"));
}

fn quote(word: &str) -> String {
    if word.contains([' ', '\'']) {
        format!("'{}'", word.replace('\'', r"'\''"))
    } else {
        word.to_owned()
    }
}
