//! Recall and import, through the real binary.

use serde_json::{Value, json};

use crate::support::Sandbox;

fn recall(sandbox: &Sandbox, args: &[&str]) -> Value {
    let mut all = vec!["recall", "--json"];
    all.extend(args);
    sandbox.run(&all).json()
}

fn ids(answer: &Value) -> Vec<&str> {
    let found =
        |key: &str| answer[key].as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap());
    found("hits").chain(found("closest")).collect()
}

fn filled() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "MEMORY.md",
        "This machine runs Debian 13\n§\nThe deploy key is loaded by ssh-agent\n",
    );
    sandbox.write("USER.md", "L'utilisateur préfère le thé vert");
    sandbox.write(
        "facts/tech/router.md",
        "---\nkey: archi_react_router\ncategory: tech\ntags: [react]\ncreated: 2026-05-14T10:30:00Z\n---\n\nReact Router v7 with loaders, no Redux.\n",
    );
    sandbox.write(
        "episodes/2026/2026-04-22-outage.md",
        "# Outage\n\nThe database went down for an hour, error ERR_DB_17.\n",
    );
    sandbox.write(
        "facts/vault.md",
        "---\nsensitivity: secret\n---\nThe vault code is kept under the lamp\n",
    );
    sandbox.write(
        "archive/2026/old.md",
        "---\norigin: MEMORY.md\n---\nThis machine ran Ubuntu 22.04\n",
    );
    sandbox
}

#[test]
fn a_question_is_answered_from_entries_and_notes_in_both_languages() {
    let sandbox = filled();
    for (question, id) in [
        ("quel système tourne sur cette machine ?", "m-"),
        ("what does the user like to drink?", "u-"),
        ("which library do we use for routing in React?", "facts/tech/router"),
        ("ERR_DB_17", "episodes/2026/2026-04-22-outage"),
    ] {
        let answer = recall(&sandbox, &[question]);
        assert!(ids(&answer)[0].starts_with(id), "{question}: {answer}");
    }
    let answer = recall(&sandbox, &["React Router loaders"]);
    let hit = &answer["hits"][0];
    let keys: Vec<_> = hit.as_object().unwrap().keys().map(String::as_str).collect();
    for key in [
        "id",
        "layer",
        "path",
        "line",
        "text",
        "title",
        "score",
        "scores",
        "created",
        "updated",
        "category",
        "sensitivity",
    ] {
        assert!(keys.contains(&key), "{key}: {hit}");
    }
    assert_eq!((&hit["path"], &hit["line"]), (&json!("facts/tech/router.md"), &json!(8)));
    assert_eq!((&hit["layer"], &hit["category"]), (&json!("facts"), &json!("tech")));
    assert_eq!(
        (&answer["success"], &answer["query"]),
        (&json!(true), &json!("React Router loaders"))
    );
}

#[test]
fn the_answer_comes_from_the_files_as_they_are_now() {
    let sandbox = filled();
    sandbox.write("MEMORY.md", "This machine runs FreeBSD 15\n");
    assert_eq!(recall(&sandbox, &["FreeBSD"])["hits"][0]["text"], "This machine runs FreeBSD 15");
    std::fs::remove_file(sandbox.path("facts/tech/router.md")).unwrap();
    assert!(!ids(&recall(&sandbox, &["React Router"])).contains(&"facts/tech/router"));
}

#[test]
fn filters_narrow_and_clearance_is_structural() {
    let sandbox = filled();
    assert!(!recall(&sandbox, &["vault code under the lamp"]).to_string().contains("is kept"));
    let answer = recall(&sandbox, &["vault code", "--clearance", "secret"]);
    assert_eq!(ids(&answer)[0], "facts/vault");
    assert_eq!(ids(&recall(&sandbox, &["Redux", "--category", "tech"])), ["facts/tech/router"]);
    assert_eq!(ids(&recall(&sandbox, &["anything", "--tag", "react"])), ["facts/tech/router"]);
    assert_eq!(
        ids(&recall(&sandbox, &["what happened?", "--layer", "episode"])),
        ["episodes/2026/2026-04-22-outage"]
    );
    let dated = recall(&sandbox, &["x", "--since", "2026-05-01", "--until", "2026-06-01"]);
    assert_eq!(ids(&dated), ["facts/tech/router"]);
    assert!(!ids(&recall(&sandbox, &["Ubuntu 22.04"])).contains(&"archive/2026/old"));
    assert_eq!(ids(&recall(&sandbox, &["Ubuntu 22.04", "--archive"]))[0], "archive/2026/old");
}

#[test]
fn a_plain_question_is_never_left_with_nothing() {
    let sandbox = filled();
    let answer = recall(&sandbox, &["comment s'appelle la sœur du boulanger de Nantes ?"]);
    assert_eq!(answer["hits"], json!([]), "{answer}");
    assert_eq!(answer["closest"].as_array().unwrap().len(), 3);
    assert!(!ids(&recall(&sandbox, &["what is it?"])).is_empty());
    assert_eq!(
        recall(&sandbox, &["tea", "-n", "1", "--threshold", "0"])["hits"].as_array().unwrap().len(),
        1
    );
    let shown = sandbox.run(&["recall", "--explain", "React Router"]).stdout;
    assert!(
        shown.contains("facts/tech/router")
            && shown.contains("lexical ")
            && shown.contains("relevance "),
        "{shown}"
    );
    assert_eq!(Sandbox::new().run(&["recall", "anything"]).stdout, "nothing is remembered yet\n");
}

#[test]
fn bad_questions_and_strange_notes_are_told() {
    let sandbox = filled();
    for args in [&["recall", " ", "--json"][..], &["recall", "x", "--since", "soon", "--json"]] {
        let ran = sandbox.run(args);
        assert_eq!((ran.status, ran.json()["code"].as_str()), (1, Some("bad_request")), "{args:?}");
    }
    assert_eq!(sandbox.run(&["recall", "x", "--layer", "dreams"]).status, 2);
    assert_eq!(
        sandbox.run(&["recall", "--no-verify"]).status,
        0,
        "a question may begin with a dash"
    );
    sandbox.write("facts/bad.md", "---\nconfidence: [\n---\nthe marmot sleeps in winter\n");
    sandbox.write("facts/.hidden.md", "the marmot is hidden");
    sandbox.write("facts/backup.md~", "the marmot is a backup");
    sandbox.write("facts/latin1.md", b"la marmotte fatigu\xe9e");
    std::os::unix::fs::symlink("/etc/hostname", sandbox.path("facts/link.md")).unwrap();
    std::os::unix::fs::symlink(sandbox.path("facts"), sandbox.path("facts/loop")).unwrap();
    let answer = recall(&sandbox, &["marmot in winter"]);
    assert_eq!(ids(&answer)[0], "facts/bad");
    assert!(!answer.to_string().contains("hidden") && !answer.to_string().contains("backup"));
    let status = sandbox.run(&["status", "--json"]).json();
    assert!(
        status["warnings"].to_string().contains("facts/bad has malformed front matter"),
        "{status}"
    );
}

#[test]
fn an_import_writes_files_and_the_same_id_again_is_the_same_note() {
    let sandbox = Sandbox::new();
    let lines = [
        r#"{"text":"I went to the harbour","id":"D1:1","created":"2023-05-08T13:56:00Z","speaker":"Caroline","tags":["sea"]}"#,
        r#"{"text":"The tea is in the kitchen"}"#,
        r#"{"text":"a: \"quoted\" # text\n---\nmore","layer":"facts","title":"T: x","importance":"high","sensitivity":"public"}"#,
        "",
        "not json",
        r#"{"text":" "}"#,
        r#"{"text":"x","layer":"memory"}"#,
        r#"{"text":"x","created":"soon"}"#,
        r#"{"text":"x","colour":"red"}"#,
    ]
    .join("\n");
    let answer = sandbox.pipe(&["import", "-", "--json"], &lines).json();
    assert_eq!((&answer["imported"], &answer["unchanged"]), (&json!(3), &json!(0)), "{answer}");
    let skipped: Vec<_> = answer["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["line"].as_u64().unwrap())
        .collect();
    assert_eq!(skipped, [5, 6, 7, 8, 9]);
    let again = sandbox.pipe(&["import", "-", "--json"], &lines).json();
    assert_eq!((&again["imported"], &again["unchanged"]), (&json!(0), &json!(3)));
    let changed = lines.replace("to the harbour", "to the lighthouse");
    assert_eq!(sandbox.pipe(&["import", "-", "--json"], &changed).json()["imported"], 1);
    assert_eq!(sandbox.names("episodes/2023").len(), 1, "an update is no second note");
    assert!(
        sandbox
            .read(&format!("episodes/2023/{}", sandbox.names("episodes/2023")[0]))
            .contains("lighthouse")
    );
    assert_eq!(
        ids(&recall(&sandbox, &["where did Caroline go on 8 May 2023?"]))[0].split('/').next(),
        Some("episodes")
    );
    let fact = &recall(&sandbox, &["quoted text more", "--layer", "facts"]);
    let hit = fact["hits"]
        .as_array()
        .unwrap()
        .iter()
        .chain(fact["closest"].as_array().unwrap())
        .next()
        .unwrap();
    assert_eq!((&hit["title"], &hit["sensitivity"]), (&json!("T: x"), &json!("public")));
    // What a hand has changed since is the hand's.
    let name = format!("episodes/2023/{}", sandbox.names("episodes/2023")[0]);
    sandbox.write(&name, sandbox.read(&name) + "a line by hand\n");
    let refused = sandbox.pipe(&["import", "-", "--json"], &lines).json();
    assert_eq!(
        (&refused["imported"], &refused["skipped"][0]["line"]),
        (&json!(0), &json!(1)),
        "{refused}"
    );
    let why = refused["skipped"][0].to_string();
    assert!(why.contains("the note imported as") && why.contains("has changed"), "{why}");
    assert!(sandbox.read(&name).ends_with("a line by hand\n"));
    let missing = sandbox.run(&["import", "/nowhere.jsonl", "--json"]);
    assert_eq!((missing.status, missing.json()["code"].as_str()), (1, Some("read_failed")));
    assert_eq!(sandbox.run(&["import", "-", "--format", "csv"]).status, 2);
}

#[test]
fn planted_facts_are_found_among_a_thousand_notes() {
    let sandbox = Sandbox::new();
    let mut lines: Vec<_> = (0..1000)
        .map(|number| json!({"text": format!("Note {number}: the meeting about topic {} was moved to room {}", number % 97, number % 31)}).to_string())
        .collect();
    lines.push(json!({"text": "Zoltan Quibrel is allergic to hazelnuts"}).to_string());
    lines.push(
        json!({"text": "Le mot de passe du portail Vurnix est gardé dans le coffre bleu"})
            .to_string(),
    );
    assert_eq!(sandbox.pipe(&["import", "-"], lines.join("\n")).status, 0);
    for question in [
        "À quoi Zoltan Quibrel est-il allergique ?",
        "what is Quibrel allergic to?",
        "where is the password of the Vurnix portal?",
    ] {
        let answer = recall(&sandbox, &[question]);
        let text = answer["hits"][0]["text"].as_str().unwrap_or_default();
        assert!(text.contains("Quibrel") || text.contains("Vurnix"), "{question}: {answer}");
    }
}

#[test]
fn identifiers_are_found_first() {
    let sandbox = crate::index::filled();
    for (name, text) in [
        ("a", "The fix for the crash went into 1.0.21 last week"),
        ("b", "The release 1.0.2 had 21 bugs, 1.0 had more"),
        ("c", "Login fails with ERR_AUTH_401 when the clock is off"),
        ("d", "401 errors of the auth service are logged as err"),
        ("e", "The panic is at src/lib.rs:42, in the parser"),
        ("f", "lib and src hold 42 files"),
        ("g", "Never push with --no-verify, the hook runs the tests"),
        ("h", "No one could verify the numbers"),
    ] {
        sandbox.write(&format!("facts/{name}.md"), text);
    }
    let identifiers =
        [("1.0.21", "a"), ("ERR_AUTH_401", "c"), ("src/lib.rs:42", "e"), ("--no-verify", "g")];
    for indexed in [false, true] {
        for (identifier, name) in identifiers {
            let answer = sandbox.run(&["recall", "--json", "--", identifier]).json();
            assert_eq!(
                answer["hits"][0]["id"],
                format!("facts/{name}"),
                "{identifier} {indexed}: {answer}"
            );
        }
        assert_eq!(sandbox.run(&["reindex"]).status, 0);
    }
}

#[test]
fn strange_notes_and_folders_are_read_as_far_as_they_can_be() {
    let sandbox = Sandbox::new();
    sandbox.write("facts/titled.md", "---\ntitle: The heron of the harbour\ntags: [bird]\n---\n");
    sandbox.write(
        "facts/wrong.md",
        "---\nsensitivity: secret\ntags: {a: b}\n---\nThe heron is kept in the vault",
    );
    sandbox.write("MEMORY.md", "A heron\n§\nAn otter\n§\nA heron\n");
    sandbox.write(&format!("facts/{}deep.md", "d/".repeat(40)), "The heron is too deep");
    std::fs::create_dir_all(sandbox.outside("elsewhere")).unwrap();
    std::fs::write(sandbox.outside("elsewhere/note.md"), "The heron is outside").unwrap();
    std::os::unix::fs::symlink(sandbox.outside("elsewhere"), sandbox.path("episodes")).unwrap();
    let answer = recall(&sandbox, &["heron", "--threshold", "0", "-n", "20"]);
    assert!(ids(&answer).contains(&"facts/titled"), "{answer}");
    assert_eq!(ids(&answer).iter().filter(|id| id.starts_with("m-")).count(), 2, "each entry once");
    let hits = answer["hits"].to_string();
    assert!(
        !hits.contains("vault") && !hits.contains("too deep") && !hits.contains("outside"),
        "{hits}"
    );
    let warnings = answer["warnings"].to_string();
    assert!(warnings.contains("too deep") && warnings.contains("link that leaves"), "{warnings}");
    assert!(
        recall(&sandbox, &["heron vault", "--clearance", "secret"]).to_string().contains("vault")
    );
    assert_eq!(ids(&recall(&sandbox, &["anything", "--tag", "bird"])), ["facts/titled"]);
    // A note that names no time has that of its file.
    sandbox.write("procedures/old.md", "The otter sleeps");
    let file =
        std::fs::File::options().write(true).open(sandbox.path("procedures/old.md")).unwrap();
    assert_eq!(sandbox.run(&["reindex"]).status, 0);
    assert_eq!(
        ids(&recall(&sandbox, &["otter", "--since", "30d", "--layer", "procedures"])).len(),
        1
    );
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_600_000_000))
        .unwrap();
    assert_eq!(
        ids(&recall(&sandbox, &["otter", "--since", "30d", "--layer", "procedures"])).len(),
        0
    );
}

#[test]
fn a_hit_names_the_line_its_passage_starts_at() {
    let sandbox = Sandbox::new();
    let lines: Vec<_> =
        (1..=400).map(|line| format!("This is line number {line} of one paragraph")).collect();
    sandbox.write("facts/long.md", format!("{}\nthe albatross flies\n", lines.join("\n")));
    let answer = recall(&sandbox, &["albatross"]);
    let hit = &answer["hits"][0];
    let (line, text) = (hit["line"].as_u64().unwrap(), hit["text"].as_str().unwrap());
    // It may start in the middle of a line.
    let at = text.find(&format!("number {line} of"));
    assert!(at.is_some_and(|at| at < 15) && line > 370, "{line} {text:.80}");
}

#[test]
fn limits_and_thresholds_are_checked() {
    let sandbox = Sandbox::new();
    let many: Vec<_> =
        (0..600).map(|at| json!({"text": format!("ship number {at}")}).to_string()).collect();
    let lines = [many.join("\n").into_bytes(), b"\n{\"text\":\"caf\xe9\"}\n".to_vec()].concat();
    let ran = sandbox.pipe(&["import", "-", "--json"], lines);
    assert_eq!(
        (&ran.json()["imported"], &ran.json()["skipped"][0]["line"]),
        (&json!(600), &json!(601))
    );
    let answer = recall(&sandbox, &["ship", "-n", "500", "--threshold", "0"]);
    assert_eq!(answer["hits"].as_array().unwrap().len(), 500);
    for threshold in ["nan", "2", "-1", "high"] {
        assert_eq!(
            sandbox.run(&["recall", "ship", &format!("--threshold={threshold}")]).status,
            2,
            "{threshold}"
        );
    }
    let none = sandbox.run(&["recall", "ship", "--tag", "none"]).stdout;
    assert_eq!(none, "nothing is remembered that this question may find\n");
    // A link in the place of the indexes is not followed.
    std::fs::remove_dir_all(sandbox.path(".carnet/index")).unwrap();
    std::fs::create_dir_all(sandbox.outside("thesis/v1")).unwrap();
    std::fs::write(sandbox.outside("thesis/v1/thesis.txt"), "years of work").unwrap();
    std::os::unix::fs::symlink(sandbox.outside("thesis"), sandbox.path(".carnet/index")).unwrap();
    assert_eq!(sandbox.run(&["reindex"]).status, 1);
    assert_eq!(recall(&sandbox, &["ship number 77"])["hits"][0]["text"], "ship number 77");
    assert!(sandbox.outside("thesis/v1/thesis.txt").exists());
}
