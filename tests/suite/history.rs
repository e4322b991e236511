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
    let history = sandbox.run(&["history", "--json"]).json();
    let run =
        history["changes"].as_array().unwrap().last().unwrap()["run"].as_str().unwrap().to_owned();
    let answer = sandbox.run(&["undo", &run, "--json"]).json();
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

#[test]
fn a_hand_edit_is_the_last_change_like_any_other() {
    let sandbox = Sandbox::new();
    for text in ["one", "two"] {
        sandbox.run(&["add", text]);
    }
    let before = sandbox.read("MEMORY.md");
    sandbox.write("MEMORY.md", "\n\none by hand\n\n§\ntwo\n");
    let status = sandbox.run(&["status", "--json"]).json();
    assert!(status["warnings"][0].as_str().unwrap().contains("took out 1 entry"), "{status}");
    let answer = undo(&sandbox);
    assert_eq!((&answer["exact"], sandbox.read("MEMORY.md")), (&json!(true), before), "{answer}");
    for left in ["one\n", ""] {
        assert_eq!(undo(&sandbox)["exact"], true);
        assert_eq!(sandbox.read("MEMORY.md"), left);
    }
    assert_eq!(undo(&sandbox)["code"], "no_match");
}

#[test]
fn an_undo_goes_on_to_the_change_before_where_nothing_of_the_last_is_left() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "--target", "user", "likes tea"]);
    sandbox.run(&["add", "alpha"]);
    std::fs::remove_file(sandbox.path(".carnet/undo").join("x")).ok();
    sandbox.run(&["remove", "alpha"]);
    // What the remove took out is lost, and the entry is not there: neither can be taken back.
    std::fs::remove_dir_all(sandbox.path("archive")).unwrap();
    let ran = sandbox.run(&["undo"]);
    assert_eq!((ran.status, sandbox.read("USER.md")), (0, String::new()), "{}", ran.stderr);
    assert!(ran.stderr.contains("nothing of r-"), "{}", ran.stderr);
}

#[test]
fn an_edit_in_an_editor_is_taken_back_to_the_byte() {
    let sandbox = Sandbox::new();
    sandbox.write("config.yaml", "memory_char_limit: 20\n");
    for (before, after) in [
        ("\n\na\n\n § \n\nb\nb2\n§\nc\n\n", "a\n§\nc new\n"),
        ("a\n\n§\n\nb", "b\n§\na\n"),
        (&*"x".repeat(50), "y"),
    ] {
        sandbox.write("MEMORY.md", before);
        let editor = sandbox.outside("editor.sh");
        crate::support::write(&editor, format!("printf '%s' '{after}' > \"$1\"\n"));
        let mut command = sandbox.command(&["edit"]);
        let ran =
            crate::support::pipe(command.env("EDITOR", format!("sh {}", editor.display())), "");
        assert_eq!((ran.status, sandbox.read("MEMORY.md").as_str()), (0, after), "{}", ran.stderr);
        let answer = undo(&sandbox);
        assert_eq!(
            (&answer["exact"], sandbox.read("MEMORY.md").as_str()),
            (&json!(true), before),
            "{answer}"
        );
    }
}

#[test]
fn an_entry_with_a_separator_in_a_closed_fence_comes_back() {
    let sandbox = Sandbox::new();
    let fenced = "```\nx\n§\ny\n```";
    sandbox.write("MEMORY.md", format!("a\n§\n{fenced}\n§\nb\n"));
    let id =
        sandbox.run(&["list", "--json"]).json()["entries"][1]["id"].as_str().unwrap().to_owned();
    assert_eq!(sandbox.run(&["remove", &id]).status, 0);
    assert_eq!(sandbox.run(&["restore", &id]).status, 0);
    assert_eq!(sandbox.read("MEMORY.md"), format!("a\n§\nb\n§\n{fenced}\n"));
}

#[test]
fn an_undo_hits_no_entry_that_only_quotes_an_id() {
    let sandbox = Sandbox::new();
    let answer = sandbox.tool(&json!({"action":"add","content":"lives in Lyon"}));
    let id = answer["id"].as_str().unwrap();
    let history = sandbox.run(&["history", "--json"]).json();
    let run = history["changes"][0]["run"].as_str().unwrap();
    let moved = format!("moved to Paris, supersedes {id}\n");
    sandbox.write("MEMORY.md", &moved);
    assert_eq!(sandbox.run(&["undo", run]).status, 1);
    assert_eq!(sandbox.read("MEMORY.md"), moved);
}

#[test]
fn a_batch_is_taken_back_as_a_whole_where_only_the_whole_fits() {
    let sandbox = Sandbox::new();
    sandbox.write("config.yaml", "memory_char_limit: 100\n");
    sandbox.write("MEMORY.md", "a".repeat(60));
    let batch =
        json!([{"action":"add","content":"b".repeat(60)},{"action":"remove","old_text":"aaa"}]);
    assert_eq!(sandbox.tool(&json!({"operations":batch}))["success"], true);
    let history = sandbox.run(&["history", "--json"]).json();
    let run = history["changes"][1]["run"].as_str().unwrap().to_owned();
    sandbox.write("MEMORY.md", format!("{}\n\n", "b".repeat(60)));
    assert_eq!(sandbox.run(&["undo", &run, "--json"]).json()["could_not"], json!([]));
    assert!(sandbox.read("MEMORY.md").contains(&"a".repeat(60)));
}
