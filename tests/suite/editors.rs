//! Hand edits: the save dances of editors, and what becomes of the text they take out.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use serde_json::{Value, json};

use crate::support::{Sandbox, archived, read, write};

const BEFORE: &str = "first\n§\nsecond\n§\nthird\n";
const AFTER: &str = "first\n§\nsecond, by hand\n§\nthird\n";

/// Saves by `dance` while carnet knows the file, then lets carnet write.
#[track_caller]
fn check(dance: impl Fn(&Path)) {
    let sandbox = Sandbox::new();
    for text in ["first", "second", "third"] {
        assert_eq!(sandbox.run(&["add", text]).status, 0);
    }
    assert_eq!(sandbox.read("MEMORY.md"), BEFORE);
    dance(&sandbox.path("MEMORY.md"));
    assert_eq!(sandbox.read("MEMORY.md"), AFTER);
    assert_eq!(
        archived(&sandbox.path("")),
        [""; 0],
        "reading and saving archive nothing by themselves"
    );
    assert_eq!(sandbox.run(&["add", "fourth"]).status, 0);
    assert_eq!(sandbox.read("MEMORY.md"), "first\n§\nsecond, by hand\n§\nthird\n§\nfourth\n");
    assert_eq!(archived(&sandbox.path("")), ["second"]);
    let history = sandbox.run(&["history", "--json"]).json();
    let kinds: Vec<_> = history["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["kind"].clone())
        .collect();
    assert_eq!(kinds, ["edit", "edit", "edit", "hand", "edit"]);
    assert_eq!(history["changes"][3]["by"], "hand");
}

#[test]
fn vim_renames_the_old_file_to_a_backup_and_writes_a_new_one() {
    check(|path| {
        let backup = path.with_file_name("MEMORY.md~");
        fs::rename(path, &backup).unwrap();
        write(path, AFTER);
        fs::remove_file(backup).unwrap();
    });
}

#[test]
fn vs_code_writes_into_the_file() {
    check(|path| fs::write(path, AFTER).unwrap());
}

#[test]
fn sed_renames_a_new_file_over_it() {
    check(|path| {
        let done = Command::new("sed")
            .args(["-i", "s/^second$/second, by hand/"])
            .arg(path)
            .status()
            .unwrap();
        assert!(done.success());
    });
}

#[test]
fn a_deleted_file_is_archived_entry_by_entry() {
    let sandbox = Sandbox::new();
    for text in ["a", "b"] {
        assert_eq!(sandbox.run(&["add", text]).status, 0);
    }
    fs::remove_file(sandbox.path("MEMORY.md")).unwrap();
    assert_eq!(sandbox.run(&["add", "c"]).status, 0);
    assert_eq!(
        (sandbox.read("MEMORY.md"), archived(&sandbox.path(""))),
        ("c\n".into(), vec!["a".into(), "b".into()])
    );
}

#[test]
fn layout_that_a_hand_leaves_stays() {
    let sandbox = Sandbox::new();
    sandbox.write("MEMORY.md", "\u{feff}a\r\n\r\n  §\t\r\n\r\nb \u{a0}\r\n§\r\n");
    assert_eq!(sandbox.run(&["add", "line one\nline two"]).status, 0);
    assert_eq!(
        sandbox.read("MEMORY.md"),
        "\u{feff}a\r\n\r\n  §\t\r\n\r\nb \u{a0}\r\n§\r\nline one\r\nline two\r\n"
    );
    assert_eq!(sandbox.run(&["remove", "b"]).status, 0);
    assert_eq!(sandbox.read("MEMORY.md"), "\u{feff}a\r\n\r\n§\r\nline one\r\nline two\r\n");
}

#[test]
fn an_unclosed_fence_in_the_middle_hides_nothing_and_stops_no_one_who_opens_none() {
    let sandbox = Sandbox::new();
    sandbox.write("MEMORY.md", "a\n§\n```\nopen\n§\nb\n");
    assert_eq!(sandbox.run(&["add", "c"]).status, 0);
    let answer = sandbox.tool(&json!({"action":"add","content":"```sh\nls\n```"}));
    assert_eq!(answer["code"], "separator_in_entry");
    assert!(answer["hint"].as_str().unwrap().contains("close that code fence"), "{answer}");
    let status = sandbox.run(&["status", "--json"]).json();
    assert!(status["warnings"][0].as_str().unwrap().contains("opens a code fence"), "{status}");
    assert_eq!(
        sandbox.tool(&json!({"action":"replace","old_text":"open","content":"```\nclosed\n```"}))["success"],
        true
    );
    assert_eq!(sandbox.tool(&json!({"action":"add","content":"```sh\nls\n```"}))["success"], true);
    assert_eq!(
        sandbox.read("MEMORY.md"),
        "a\n§\n```\nclosed\n```\n§\nb\n§\nc\n§\n```sh\nls\n```\n"
    );
}

/// Makes an editor of a shell script; `$1` is the file.
fn editor(sandbox: &Sandbox, script: &str) -> String {
    let path = sandbox.outside("editor.sh");
    write(&path, format!("#!/bin/sh\nset -e\n{script}\n"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

fn edit(sandbox: &Sandbox, script: &str) -> (i32, Value) {
    let editor = editor(sandbox, script);
    let mut command = sandbox.command(&["edit", "--json"]);
    let ran = crate::support::pipe(command.env("EDITOR", editor), "");
    (ran.status, ran.json())
}

#[test]
fn the_edit_command_saves_what_the_editor_leaves() {
    let sandbox = Sandbox::new();
    sandbox.write("MEMORY.md", BEFORE);
    let (status, answer) = edit(&sandbox, "sed -i 's/^second$/second, by hand/' \"$1\"");
    assert_eq!((status, &answer["changed"]), (0, &json!(true)), "{answer}");
    assert_eq!(
        (sandbox.read("MEMORY.md"), archived(&sandbox.path(""))),
        (AFTER.into(), vec!["second".into()])
    );
    let (status, answer) = edit(&sandbox, "true");
    assert_eq!((status, &answer["changed"]), (0, &json!(false)));
    let (status, answer) = edit(&sandbox, "exit 3");
    assert_eq!((status, &answer["code"]), (1, &json!("bad_request")));
    let (status, answer) = edit(&sandbox, "printf 'caf\\351' > \"$1\"");
    assert_eq!((status, &answer["code"]), (1, &json!("not_utf8")));
    let kept =
        answer["hint"].as_str().unwrap().rsplit_once("your text is kept in ").unwrap().1.to_owned();
    assert_eq!(fs::read(&kept).unwrap(), b"caf\xe9");
    fs::remove_file(kept).unwrap();
    assert_eq!(sandbox.read("MEMORY.md"), AFTER);
}

#[test]
fn the_edit_command_merges_with_what_an_agent_wrote_meanwhile() {
    let sandbox = Sandbox::new();
    sandbox.write("MEMORY.md", BEFORE);
    let carnet = env!("CARGO_BIN_EXE_carnet");
    let script = format!(
        "'{carnet}' add 'by the agent' > /dev/null\nprintf 'first\\n§\\nsecond, by hand\\n§\\nthird\\n§\\nnew by hand\\n' > \"$1\""
    );
    let (status, answer) = edit(&sandbox, &script);
    assert_eq!(status, 0, "{answer}");
    assert_eq!(
        sandbox.read("MEMORY.md"),
        "first\n§\nthird\n§\nby the agent\n§\nsecond, by hand\n§\nnew by hand\n"
    );
    assert_eq!(archived(&sandbox.path("")), ["second"]);
    assert_eq!(read(&sandbox.path("MEMORY.md")).matches("third").count(), 1);
}

#[test]
fn ctrl_c_is_the_editors_and_what_it_saves_afterwards_is_kept() {
    let sandbox = Sandbox::new();
    sandbox.write("MEMORY.md", BEFORE);
    // The signal a terminal sends to the whole group, given to carnet while it waits for the editor;
    // a shell may stand between the two.
    let script = "p=$PPID\n[ \"$(ps -o comm= -p $p)\" = carnet ] || p=$(ps -o ppid= -p $p)\n\
        kill -INT $p || exit 1\nsleep 0.2\nsed -i 's/^second$/second, by hand/' \"$1\"";
    let (status, answer) = edit(&sandbox, script);
    assert_eq!((status, sandbox.read("MEMORY.md").as_str()), (0, AFTER), "{answer}");
}

#[test]
fn an_editor_that_empties_the_file_before_it_fills_it_loses_nothing() {
    let sandbox = Sandbox::new();
    for text in ["aaa1", "bbb1"] {
        assert_eq!(sandbox.run(&["add", text]).status, 0);
    }
    let mut editor = fs::File::options().write(true).open(sandbox.path("MEMORY.md")).unwrap();
    editor.set_len(0).unwrap();
    assert_eq!(sandbox.run(&["add", "eee"]).status, 0);
    std::io::Write::write_all(&mut editor, "aaa1\n§\nbbb1\n§\nnew person\n".as_bytes()).unwrap();
    assert_eq!(sandbox.run(&["add", "fff"]).status, 0);
    for text in ["aaa1", "bbb1", "new person", "eee", "fff"] {
        assert!(sandbox.read("MEMORY.md").contains(text), "{text}: {}", sandbox.read("MEMORY.md"));
    }
}

#[test]
fn what_a_hand_took_out_is_told_even_where_the_edit_is_refused() {
    let sandbox = Sandbox::new();
    for text in ["a", "b"] {
        assert_eq!(sandbox.run(&["add", text]).status, 0);
    }
    sandbox.write("MEMORY.md", "a\n");
    let answer = sandbox.tool(&json!({"action":"remove","old_text":"nothing like it"}));
    assert!(answer["warnings"][0].as_str().unwrap().contains("took out archive/"), "{answer}");
    assert_eq!(archived(&sandbox.path("")), ["b"]);
}
