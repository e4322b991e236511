//! What left memory, and taking changes back.

use serde_json::{Value, json};

use crate::support::{Sandbox, archived};

fn undo(sandbox: &Sandbox) -> Value {
    sandbox.run(&["undo", "--json"]).json()
}

#[test]
fn each_undo_takes_one_change_back_to_the_byte() {
    let sandbox = Sandbox::new();
    let mut states = vec!["\u{feff}a\r\n\r\n§ \r\n\r\nb\r\nx\r\n".to_owned()];
    sandbox.write("MEMORY.md", &states[0]);
    let batch = json!([{"action":"remove","old_text":"b"},{"action":"add","content":"c\nd"},{"action":"replace","old_text":"a","content":"é"}]);
    for request in [
        json!({"action":"add","content":"new"}),
        json!({"action":"replace","old_text":"a","content":"a\na"}),
        json!({"operations":batch}),
        json!({"action":"remove","old_text":"new"}),
    ] {
        assert_eq!(sandbox.tool(&request)["success"], true);
        states.push(sandbox.read("MEMORY.md"));
    }
    for state in states.iter().rev().skip(1) {
        let answer = undo(&sandbox);
        assert_eq!(
            (&answer["success"], &answer["exact"]),
            (&json!(true), &json!(true)),
            "{answer}"
        );
        assert_eq!(&sandbox.read("MEMORY.md"), state);
    }
    assert_eq!(undo(&sandbox)["code"], "no_match");
    assert_eq!(sandbox.read("MEMORY.md"), states[0]);
}

#[test]
fn where_the_file_has_moved_an_undo_goes_entry_by_entry_and_says_what_it_could_not_do() {
    let sandbox = Sandbox::new();
    sandbox.write("MEMORY.md", "a\n§\nb\n");
    let batch = json!([{"action":"remove","old_text":"a"},{"action":"add","content":"c"},{"action":"add","content":"d"}]);
    assert_eq!(sandbox.tool(&json!({"operations":batch}))["success"], true);
    sandbox.write("MEMORY.md", "b\n§\nd\n§\nby hand\n");
    let answer = undo(&sandbox);
    assert_eq!((&answer["success"], &answer["exact"]), (&json!(true), &json!(false)), "{answer}");
    assert_eq!(answer["could_not"].as_array().unwrap().len(), 1, "{answer}");
    assert_eq!(sandbox.read("MEMORY.md"), "b\n§\nby hand\n§\na\n");
    // What the undo took out is archived as well.
    assert_eq!(archived(&sandbox.path("")), ["a", "c", "d"]);
}

#[test]
fn a_change_is_named_and_only_once_taken_back() {
    let sandbox = Sandbox::new();
    for text in ["a", "b"] {
        sandbox.run(&["add", text]);
    }
    let history = sandbox.run(&["history", "--json"]).json();
    let first = history["changes"][0]["run"].as_str().unwrap();
    assert_eq!(sandbox.run(&["undo", first]).status, 0);
    assert_eq!(sandbox.read("MEMORY.md"), "b\n");
    let again = sandbox.run(&["undo", first, "--json"]);
    assert_eq!((again.status, again.json()["code"].as_str()), (1, Some("no_match")));
    assert_eq!(sandbox.run(&["undo", "r-000000000000", "--json"]).json()["code"], "no_match");
}

#[test]
fn what_was_taken_out_is_restored_by_note_or_by_entry() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "--target", "user", "likes tea\nand coffee"]);
    let id =
        sandbox.run(&["list", "--json"]).json()["entries"][0]["id"].as_str().unwrap().to_owned();
    sandbox.run(&["remove", "--target", "user", "tea"]);
    let answer = sandbox.run(&["restore", &id, "--json"]).json();
    assert_eq!(
        (&answer["success"], sandbox.read("USER.md")),
        (&json!(true), "likes tea\nand coffee\n".to_owned())
    );
    let note = answer["archive"].as_str().unwrap().to_owned();
    assert!(sandbox.path(&format!("{note}.md")).exists(), "the note stays");
    sandbox.run(&["remove", "--target", "user", "tea"]);
    assert_eq!(sandbox.run(&["restore", &format!("{note}.md")]).status, 0);
    assert_eq!(undo(&sandbox)["exact"], true);
    for id in [
        "archive/2026/../../x",
        "archive/nothing",
        "m-00000000",
        "",
        "/etc/passwd",
        "archive/.hidden",
    ] {
        let ran = sandbox.run(&["restore", id, "--json"]);
        assert_eq!((ran.status, ran.json()["code"].as_str()), (1, Some("no_match")), "{id}");
    }
}

#[test]
fn an_archived_note_says_why_when_and_from_where() {
    let sandbox = Sandbox::new();
    sandbox.write("MEMORY.md", "---\nnot: front matter\n---\ntext\n");
    assert_eq!(
        sandbox.tool(&json!({"action":"replace","old_text":"text","content":"b"}))["success"],
        true
    );
    let year = &sandbox.names("archive")[0];
    let note = &sandbox.names(&format!("archive/{year}"))[0];
    let content = sandbox.read(&format!("archive/{year}/{note}"));
    let (head, body) = content.split_once("\n---\n").unwrap();
    let keys: Vec<_> = head.lines().skip(1).map(|line| line.split_once(": ").unwrap()).collect();
    assert_eq!(
        keys.iter().map(|(key, _)| *key).collect::<Vec<_>>(),
        ["reason", "archived", "origin", "entry", "by"]
    );
    assert_eq!((keys[0].1, keys[2].1, keys[4].1), ("replaced", "MEMORY.md", "agent"));
    assert_eq!(body, "---\nnot: front matter\n---\ntext\n");
    assert_eq!(undo(&sandbox)["exact"], true);
    assert_eq!(sandbox.read("MEMORY.md"), "---\nnot: front matter\n---\ntext\n");
}

#[test]
fn the_journal_refers_to_texts_and_holds_none() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "sesame opens"]);
    sandbox.run(&["replace", "sesame", "pepper closes"]);
    sandbox.run(&["remove", "pepper"]);
    let journal = sandbox.read(".carnet/journal.jsonl");
    assert!(!journal.contains("sesame") && !journal.contains("pepper"), "{journal}");
}
