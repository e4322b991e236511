//! What in clients' files is not ours: it stays, whatever it is, and what cannot be changed safely is refused.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
};

use crate::{
    desk::{Desk, golden},
    support::pipe,
};

#[test]
fn an_older_form_of_ours_is_updated_and_the_hooks_of_others_stay() {
    let desk = Desk::new();
    let settings = r#"{
  "hooks": {
    "SessionStart": [
      {
        "matcher": "startup",
        "hooks": [
          { "type": "command", "command": "greet" },
          { "type": "command", "command": "/old/carnet hook session-start --harness claude", "timeout": 90, "async": true },
          { "type": "command", "command": "bye" }
        ]
      },
      { "hooks": [{ "type": "command", "command": "carnet hook session-start --harness claude" }] }
    ],
    "PostToolUse": [
      { "hooks": [{ "type": "command", "command": "CARNET_HOME='/a b' /old/carnet hook post-tool-use --harness claude" }] }
    ]
  }
}
"#;
    desk.write(".claude/settings.json", settings);
    desk.done(&["setup", "claude-code"]);
    let hooks = desk.json(".claude/settings.json")["hooks"].clone();
    let group = &hooks["SessionStart"][0];
    assert_eq!(hooks["SessionStart"].as_array().unwrap().len(), 1);
    assert_eq!(group["matcher"], "startup");
    let commands: Vec<_> = group["hooks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hook| hook["command"].as_str().unwrap())
        .collect();
    let ours = format!("{} hook session-start --harness claude", env!("CARGO_BIN_EXE_carnet"));
    assert_eq!(commands, ["greet", &ours, "bye"]);
    assert!(group["hooks"][1].get("async").is_none());
    assert_eq!(hooks.get("PostToolUse"), None);
    desk.done(&["setup", "claude-code", "--remove"]);
    assert_eq!(
        desk.read(".claude/settings.json"),
        r#"{
  "hooks": {
    "SessionStart": [
      {
        "matcher": "startup",
        "hooks": [
          { "type": "command", "command": "greet" },
          { "type": "command", "command": "bye" }
        ]
      }
    ]
  }
}
"#
    );
}

#[test]
fn what_the_client_or_its_user_changed_meanwhile_stays() {
    let desk = Desk::new();
    for client in ["claude-code", "codex", "hermes", "agents-md"] {
        desk.furnish(client, |_, text| text.to_owned());
        desk.done(&["setup", client]);
    }
    let edit = |name: &str, from: &str, to: &str| {
        let text = desk.read(name);
        assert!(text.contains(from), "{text}");
        desk.write(name, text.replacen(from, to, 1));
    };
    edit(".claude.json", "\"numStartups\": 42", "\"numStartups\": 43");
    edit(".claude.json", "\"type\": \"stdio\",", "\"type\": \"stdio\", \"timeout\": 9,");
    edit(
        ".codex/config.toml",
        "args = [\"mcp\"]",
        "args = [\"mcp\"]\nstartup_timeout_sec = 9 # slow disk\n[tui]\nx = 1",
    );
    edit(".hermes/config.yaml", "toolsets:", "display: {}\ntoolsets:");
    edit("project/AGENTS.md", "<!-- carnet:end -->\n", "<!-- carnet:end -->\n\nMore.\n");
    for client in ["claude-code", "codex", "hermes", "agents-md"] {
        desk.done(&["--profile", "work", "setup", client]);
    }
    assert_eq!(desk.json(".claude.json")["mcpServers"]["carnet"]["timeout"], 9);
    assert!(desk.read(".codex/config.toml").contains("startup_timeout_sec = 9 # slow disk"));
    for client in ["claude-code", "codex", "hermes", "agents-md"] {
        desk.done(&["setup", client, "--remove"]);
    }
    let without = golden("claude.json").replace("\"numStartups\": 42", "\"numStartups\": 43");
    assert_eq!(desk.read(".claude.json"), without);
    let codex = desk.read(".codex/config.toml");
    assert!(codex.contains("[tui]\nx = 1") && !codex.contains("carnet"), "{codex}");
    assert!(codex.starts_with(&golden("codex-config.toml")[..200]), "{codex}");
    let hermes = golden("hermes-config.yaml").replace("toolsets:", "display: {}\ntoolsets:");
    assert_eq!(desk.read(".hermes/config.yaml"), hermes.replace("  provider: ''   # none\n", ""));
    assert_eq!(desk.read("project/AGENTS.md"), format!("{}\nMore.\n", golden("AGENTS.md")));
}

#[test]
fn what_cannot_be_read_is_refused_and_nothing_is_written() {
    let cases = [
        ("claude-code", ".claude/settings.json", "{\n  \"hooks\": {\n", "line 2"),
        ("claude-code", ".claude/settings.json", "{\"hooks\": []}", "`hooks` is not an object"),
        (
            "claude-code",
            ".claude/settings.json",
            "{\"hooks\": {\"Stop\": {}}}",
            "`hooks.Stop` is not a list",
        ),
        ("claude-code", ".claude.json", "{\"mcpServers\": 3}", "`mcpServers` is not an object"),
        ("claude-code", ".claude.json", "[]", "it holds no object"),
        ("codex", ".codex/config.toml", "a = 1\nb = [\n", "at line"),
        ("codex", ".codex/config.toml", "mcp_servers = 1\n", "`mcp_servers` is not an object"),
        ("codex", ".codex/hooks.json", "{\"hooks\": 1}", "`hooks` is not an object"),
        ("gemini", ".gemini/settings.json", "{'a': 1}", "line 1"),
        ("hermes", ".hermes/config.yaml", "a: [\n", "line"),
        (
            "hermes",
            ".hermes/config.yaml",
            "memory:\n  provider: honcho\n",
            "`memory.provider` is `honcho` already",
        ),
        (
            "hermes",
            ".hermes/config.yaml",
            "memory: &m\n  a: 1\nb: *m\n",
            "that carnet does not change",
        ),
        ("hermes", ".hermes/plugins/carnet/plugin.yaml", "name: mine\n", "somebody else's"),
        ("opencode", ".config/opencode/plugins/carnet.js", "// mine\n", "somebody else's"),
        ("agents-md", "project/AGENTS.md", "<!-- carnet:begin -->\n", "do not go together"),
    ];
    for (client, place, text, what) in cases {
        let desk = Desk::new();
        desk.write(place, text);
        let before = desk.everything();
        for args in
            [&["setup", client][..], &["setup", client, "--dry-run"], &["--json", "setup", client]]
        {
            let ran = desk.run(args);
            let said = format!("{}{}", ran.stdout, ran.stderr);
            assert_eq!(ran.status, 1, "{client} {text}: {said}");
            assert!(said.contains(what) && said.contains(&place[1..]), "{client} {text}: {said}");
            assert!(said.contains("nothing was changed"), "{said}");
        }
        assert_eq!(desk.everything(), before, "{client} {text}");
    }
    let desk = Desk::new();
    desk.write(".cursor/mcp.json", b"{\"a\": \"\xff\"}");
    assert_eq!(desk.run(&["--json", "setup", "cursor"]).json()["code"], "not_utf8");
}

#[test]
fn tools_are_allowed_only_where_that_is_asked_for() {
    let desk = Desk::new();
    for client in ["claude-code", "codex", "gemini"] {
        desk.done(&["setup", client]);
    }
    let all = || {
        ["~/.claude/settings.json", ".codex/config.toml", ".gemini/settings.json"]
            .map(|name| desk.read(name.trim_start_matches("~/")))
            .concat()
    };
    assert!(
        !all().contains("mcp__carnet") && !all().contains("approve") && !all().contains("trust")
    );
    for client in ["claude-code", "codex", "gemini"] {
        assert!(!desk.done(&["setup", client, "--allow"]).contains("--allow"));
    }
    assert_eq!(
        desk.json(".claude/settings.json")["permissions"]["allow"],
        serde_json::json!(["mcp__carnet"])
    );
    assert!(desk.read(".codex/config.toml").contains("default_tools_approval_mode = \"approve\""));
    assert_eq!(desk.json(".gemini/settings.json")["mcpServers"]["carnet"]["trust"], true);
    // It stays until carnet goes.
    assert!(desk.done(&["setup", "gemini"]).contains("already connected"));
    for client in ["claude-code", "codex", "gemini"] {
        desk.done(&["setup", client, "--remove"]);
    }
    assert!(!desk.path(".claude/settings.json").exists() && !desk.path(".codex").exists());
    assert_eq!(desk.run(&["setup", "codex", "--allow", "--remove"]).status, 2);
}

#[test]
fn a_project_has_files_of_its_own() {
    let desk = Desk::new();
    let before = desk.everything();
    let places: [(&str, &[&str]); 5] = [
        ("claude-code", &[".mcp.json", ".claude/settings.json"]),
        ("opencode", &["opencode.json", ".opencode/plugins/carnet.js"]),
        ("gemini", &[".gemini/settings.json"]),
        ("cursor", &[".cursor/mcp.json"]),
        ("vscode", &[".vscode/mcp.json"]),
    ];
    for (client, names) in places {
        let answer = desk.run(&["--json", "setup", client, "--project"]).json();
        let files: Vec<_> = answer["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| file["path"].as_str().unwrap().to_owned())
            .collect();
        let expected: Vec<_> = names
            .iter()
            .map(|name| desk.path("project").join(name).display().to_string())
            .collect();
        assert_eq!(files, expected, "{client}");
        assert_eq!(answer["files"][0]["change"], "created");
        desk.done(&["setup", client, "--project", "--remove"]);
    }
    assert_eq!(desk.everything(), before);
    for client in ["codex", "hermes"] {
        let ran = desk.run(&["setup", client, "--project"]);
        assert!(
            ran.status == 1 && ran.stderr.contains("has no files of a project"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn the_clients_own_variables_say_where_its_files_are() {
    let desk = Desk::new();
    let places = [
        ("claude-code", "CLAUDE_CONFIG_DIR", "claude/.claude.json"),
        ("codex", "CODEX_HOME", "codex/config.toml"),
        ("hermes", "HERMES_HOME", "hermes/config.yaml"),
        ("opencode", "XDG_CONFIG_HOME", "xdg/opencode/opencode.json"),
    ];
    for (client, name, place) in places {
        let dir = desk.path(place.split('/').next().unwrap());
        let ran = pipe(desk.command(&["setup", client]).env(name, &dir), "");
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(desk.path(place).exists(), "{place}");
    }
    let none = pipe(desk.command(&["setup", "gemini"]).env_remove("HOME"), "");
    assert!(none.status == 1 && none.stderr.contains("set HOME"), "{}", none.stderr);
}

#[test]
fn a_link_is_written_through_and_a_mode_is_kept() {
    let desk = Desk::new();
    desk.write("dotfiles/cursor.json", "{}\n");
    fs::set_permissions(desk.path("dotfiles/cursor.json"), fs::Permissions::from_mode(0o640))
        .unwrap();
    fs::create_dir(desk.path(".cursor")).unwrap();
    symlink("../dotfiles/cursor.json", desk.path(".cursor/mcp.json")).unwrap();
    desk.done(&["setup", "cursor"]);
    assert!(fs::symlink_metadata(desk.path(".cursor/mcp.json")).unwrap().is_symlink());
    assert!(desk.read("dotfiles/cursor.json").contains("carnet"));
    let mode = fs::metadata(desk.path("dotfiles/cursor.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    desk.done(&["setup", "cursor", "--remove"]);
    assert_eq!(desk.read("dotfiles/cursor.json"), "{}\n");
}

#[test]
fn a_file_that_cannot_be_written_leaves_all_as_they_were() {
    let desk = Desk::new();
    desk.furnish("codex", |_, text| text.to_owned());
    fs::create_dir(desk.path(".codex/sub")).unwrap();
    fs::rename(desk.path(".codex/hooks.json"), desk.path(".codex/sub/hooks.json")).unwrap();
    symlink("sub/hooks.json", desk.path(".codex/hooks.json")).unwrap();
    let before = desk.everything();
    // Root may write anywhere but into a folder that is not there.
    fs::remove_file(desk.path(".codex/hooks.json")).unwrap();
    symlink("gone/hooks.json", desk.path(".codex/hooks.json")).unwrap();
    let ran = desk.run(&["setup", "codex"]);
    assert!(ran.status == 1 && ran.stderr.contains("cannot write"), "{}", ran.stderr);
    fs::remove_file(desk.path(".codex/hooks.json")).unwrap();
    symlink("sub/hooks.json", desk.path(".codex/hooks.json")).unwrap();
    assert_eq!(desk.everything(), before);
}

#[test]
fn the_doctor_says_how_each_client_stands() {
    let desk = Desk::new();
    let line = |name: &str| {
        let checks = desk.run(&["--json", "doctor"]).json()["checks"].clone();
        let check = checks.as_array().unwrap().iter().find(|check| check["name"] == name).cloned();
        check.map(|check| {
            ["state", "what", "hint"].map(|key| check[key].as_str().unwrap().to_owned())
        })
    };
    assert_eq!(line("Cursor"), None);
    fs::create_dir(desk.path(".cursor")).unwrap();
    let [state, what, _] = line("Cursor").unwrap();
    assert!(state == "ok" && what.starts_with("not connected"), "{what}");
    desk.done(&["setup", "cursor"]);
    let [state, what, _] = line("Cursor").unwrap();
    assert!(
        state == "ok" && what.starts_with("connected; ") && what.contains("answers as carnet"),
        "{what}"
    );

    desk.done(&["--profile", "work", "setup", "codex"]);
    let [state, what, hint] = line("Codex").unwrap();
    assert!(
        state == "note" && what.contains("not reviewed") && hint.contains("/hooks"),
        "{what} {hint}"
    );
    let trusted: String =
        ["session_start", "user_prompt_submit", "pre_compact", "stop", "session_end"]
            .map(|event| {
                format!(
                    "[hooks.state.\"{}:{event}:0:0\"]\ntrusted_hash = \"sha256:0\"\n",
                    desk.path(".codex/hooks.json").display()
                )
            })
            .concat();
    desk.write(".codex/config.toml", desk.read(".codex/config.toml") + &trusted);
    let [state, what, _] = line("Codex").unwrap();
    assert!(state == "ok" && what.contains("--profile work mcp"), "{what}");
    desk.write(".codex/hooks.json", "{}");
    let [state, what, hint] = line("Codex").unwrap();
    assert!(
        state == "note" && what.starts_with("half connected") && hint == "run `carnet setup codex`",
        "{what} {hint}"
    );

    let moved = |program: &str| {
        format!(
            "{{\"mcpServers\": {{\"carnet\": {{\"command\": \"{program}\", \"args\": [\"mcp\"]}}}}}}"
        )
    };
    desk.write(".cursor/mcp.json", moved("/gone/carnet"));
    let [state, what, hint] = line("Cursor").unwrap();
    assert!(
        state == "note" && what.contains("`/gone/carnet`") && hint == "run `carnet setup cursor`",
        "{what} {hint}"
    );
    let silent = desk.path("silent/carnet");
    std::fs::create_dir_all(silent.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink("/bin/true", &silent).unwrap();
    desk.write(".cursor/mcp.json", moved(&silent.display().to_string()));
    let [state, what, _] = line("Cursor").unwrap();
    assert!(state == "wrong" && what.contains("ends without an answer"), "{what}");
    desk.write(".cursor/mcp.json", "{");
    let [state, what, _] = line("Cursor").unwrap();
    assert!(state == "note" && what.contains("line 1"), "{what}");
}
