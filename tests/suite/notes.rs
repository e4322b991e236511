//! Facts, procedures and episodes, from the command line.

use serde_json::{Value, json};

use crate::support::Sandbox;

#[track_caller]
fn done(sandbox: &Sandbox, args: &[&str]) -> Value {
    let ran = sandbox.run(&[args, &["--json"]].concat());
    assert_eq!(ran.status, 0, "{args:?}: {} {}", ran.stdout, ran.stderr);
    ran.json()
}

#[test]
fn a_fact_is_set_shown_listed_and_removed() {
    let sandbox = Sandbox::new();
    let set = [
        "fact",
        "set",
        "veille:2025-10-24:claude",
        "- Sonnet 4.5 est sorti",
        "--category",
        "veille",
        "--tag",
        "ia",
    ];
    let answer = done(&sandbox, &set);
    assert_eq!(
        (&answer["id"], &answer["key"], &answer["action"]),
        (
            &json!("facts/veille/veille%3A2025-10-24%3Aclaude"),
            &json!("veille:2025-10-24:claude"),
            &json!("created")
        )
    );
    let got = done(&sandbox, &["fact", "get", "VEILLE:2025-10-24:Claude"]);
    assert_eq!(
        (&got["text"], &got["confidence"], &got["source"]),
        (&json!("- Sonnet 4.5 est sorti"), &json!(1.0), &json!("user"))
    );
    done(&sandbox, &["fact", "set", "goût préféré", "le thé vert", "--source", "agent"]);
    done(&sandbox, &["fact", "set", "later", "certain and late"]);
    let keys = |category: &[&str]| {
        let listed = done(&sandbox, &[&["fact", "list"], category].concat());
        let facts = listed["facts"].as_array().unwrap().clone();
        facts.iter().map(|fact| fact["key"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(keys(&[])[2], "goût préféré");
    assert_eq!(keys(&["--category", "Veille"]), ["veille:2025-10-24:claude"]);
    assert_eq!(
        done(&sandbox, &["fact", "set", "later", "certain  and late"])["action"],
        "unchanged"
    );
    assert_eq!(done(&sandbox, &["fact", "remove", "Later"])["action"], "removed");
    assert_eq!(sandbox.run(&["fact", "get", "later"]).status, 1);
    assert_eq!(sandbox.run(&["undo"]).status, 0);
    assert_eq!(done(&sandbox, &["fact", "get", "later"])["text"], "certain and late");
    let refused = sandbox.run(&["fact", "set", "a/b", "x"]);
    assert!(
        refused.status == 1 && refused.stderr.contains("a key may not hold `/`"),
        "{}",
        refused.stderr
    );
    assert_eq!(sandbox.run(&["fact", "set", "k", "x", "--confidence", "2"]).status, 1);
    assert_eq!(sandbox.run(&["fact", "set", "k", "x", "--importance", "huge"]).status, 2);
}

#[test]
fn options_that_are_left_out_keep_their_values() {
    let sandbox = Sandbox::new();
    let set =
        |text: &str, more: &[&str]| done(&sandbox, &[&["fact", "set", "db", text], more].concat());
    set(
        "Postgres 14",
        &["--importance", "high", "--tag", "db", "--related", "facts/x", "--expires", "2099-01-01"],
    );
    let created = sandbox.read("facts/general/db.md");
    set("Postgres 15", &[]);
    let note = sandbox.read("facts/general/db.md");
    for line in
        ["importance: high\n", "tags: [db]\n", "related: [facts/x]\n", "expires: 2099-01-01\n"]
    {
        assert!(note.contains(line), "{line} {note}");
    }
    let line =
        |text: &str| text.lines().find(|line| line.starts_with("created")).unwrap().to_owned();
    assert_eq!(line(&created), line(&note));
    assert_eq!(set("Postgres 15", &["--tag", "data"])["action"], "updated");
    assert!(sandbox.read("facts/general/db.md").contains("tags: [data]\n"));
    let history = sandbox.run(&["history"]).stdout;
    assert!(
        history.contains("wrote facts/general/db") && history.contains("edited facts/general/db"),
        "{history}"
    );
}

#[test]
fn a_less_sure_fact_waits_and_a_concluded_one_is_not_recalled_at_once() {
    let sandbox = Sandbox::new();
    done(&sandbox, &["fact", "set", "db", "Postgres 15 runs the shop"]);
    let told = ["fact", "set", "db", "MySQL runs the shop", "--source", "agent"];
    let waits = done(&sandbox, &told);
    assert_eq!(waits["action"], "pending");
    let id = waits["id"].as_str().unwrap();
    assert!(sandbox.run(&["review"]).stdout.contains("surer"));
    assert_eq!(sandbox.run(&["review", "--reject", id]).status, 0);
    let conclude = |session: &str| {
        let args = ["fact", "set", "tea", "prefers oolong tea", "--source", "inferred", "--json"];
        let mut command = sandbox.command(&args);
        crate::support::pipe(command.env("CARNET_SESSION", session), "").json()["action"].clone()
    };
    let recalled = || sandbox.run(&["recall", "which tea is preferred?"]).stdout.contains("oolong");
    assert_eq!(conclude("one"), "candidate");
    assert!(!recalled());
    assert_eq!(conclude("one"), "unchanged");
    assert_eq!(conclude("two"), "confirmed");
    assert!(recalled() && sandbox.read("facts/general/tea.md").contains("confidence: 0.7\n"));
    assert_eq!(conclude("three"), "confirmed");
    assert!(sandbox.read("facts/general/tea.md").contains("confidence: 0.85\n"));
}

#[test]
fn procedures_move_in_and_out_of_every_snapshot_and_episodes_are_dated() {
    let sandbox = Sandbox::new();
    let set = |more: &[&str]| {
        done(&sandbox, &[&["procedure", "set", "Ship it", "make ship"], more].concat())["id"]
            .clone()
    };
    assert_eq!(set(&[]), "procedures/ship%20it");
    assert_eq!(set(&["--always"]), "procedures/always/ship%20it");
    assert_eq!(set(&[]), "procedures/always/ship%20it");
    assert_eq!(set(&["--always=false"]), "procedures/ship%20it");
    assert_eq!(sandbox.names("procedures"), ["ship%20it.md"]);
    let add = |text: &str| {
        let args = [
            "episode",
            "add",
            text,
            "--type",
            "decision",
            "--date",
            "2026-05-14T10:30:00Z",
            "--tag",
            "db",
        ];
        done(&sandbox, &args)
    };
    let first = add("We chose heron.");
    assert_eq!(first["id"], "episodes/2026/2026-05-14-we-chose-heron");
    assert_eq!(add("We chose heron.")["action"], "unchanged");
    assert_eq!(add("We chose heron?")["id"], "episodes/2026/2026-05-14-we-chose-heron-2");
    let note = sandbox.read("episodes/2026/2026-05-14-we-chose-heron.md");
    assert!(
        note.contains("type: decision\n") && note.contains("created: 2026-05-14T10:30:00Z\n"),
        "{note}"
    );
    assert_eq!(done(&sandbox, &["episode", "list"])["episodes"].as_array().unwrap().len(), 2);
    assert_eq!(done(&sandbox, &["remember", "Ada likes tea"])["key"], "ada_likes_tea");
    assert_eq!(sandbox.run(&["episode", "add", "x", "--date", "soon"]).status, 1);
}

#[test]
fn a_note_that_cannot_be_changed_in_part_is_left_as_it_is() {
    let sandbox = Sandbox::new();
    for (name, text) in [
        ("flow", "---\n{key: flow, confidence: 0.1}\n---\nold\n"),
        ("broken", "---\nkey: [\n---\nold\n"),
    ] {
        sandbox.write(&format!("facts/general/{name}.md"), text);
        let refused = sandbox.run(&["fact", "set", name, "new"]);
        assert_eq!(refused.status, 1, "{name}");
        assert!(refused.stderr.contains("mend its front matter"), "{}", refused.stderr);
        assert_eq!(sandbox.read(&format!("facts/general/{name}.md")), text);
    }
    let link = sandbox.path("facts/general/link.md");
    std::os::unix::fs::symlink(sandbox.path("facts/general/flow.md"), &link).unwrap();
    assert_eq!(sandbox.run(&["fact", "set", "link", "new"]).status, 1);
}

#[test]
fn ten_processes_that_set_one_key_leave_one_file_and_every_text() {
    let sandbox = Sandbox::new();
    let texts: Vec<_> = (0..10).map(|number| format!("value number {number}")).collect();
    let children: Vec<_> = texts
        .iter()
        .map(|text| crate::support::start(&mut sandbox.command(&["fact", "set", "k", text])))
        .collect();
    for child in children {
        let ran = crate::support::finish(child);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    assert_eq!(sandbox.names("facts/general"), ["k.md"]);
    let year = sandbox.names("archive").remove(0);
    let archived = sandbox.names(&format!("archive/{year}"));
    let mut all: Vec<_> =
        archived.iter().map(|name| sandbox.read(&format!("archive/{year}/{name}"))).collect();
    all.push(sandbox.read("facts/general/k.md"));
    for text in &texts {
        assert_eq!(all.iter().filter(|note| note.contains(text)).count(), 1, "{text}");
    }
}
