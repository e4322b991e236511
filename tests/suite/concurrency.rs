//! Several real processes at once.

use std::collections::BTreeSet;

use crate::support::{Sandbox, finish, names, start};

/// Starts `count` processes that each add one entry, and returns the entries of the file.
fn add_at_once(sandbox: &Sandbox, count: usize) -> BTreeSet<String> {
    let children: Vec<_> = (0..count)
        .map(|number| start(&mut sandbox.command(&["add", &format!("entry number {number}")])))
        .collect();
    for child in children {
        let ran = finish(child);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    let list = sandbox.run(&["list", "--target", "memory", "--json"]).json();
    list["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["text"].as_str().unwrap().to_owned())
        .collect()
}

#[track_caller]
fn check(count: usize) {
    let sandbox = Sandbox::new();
    let expected: BTreeSet<_> = (0..count).map(|number| format!("entry number {number}")).collect();
    assert_eq!(add_at_once(&sandbox, count), expected);
    let history = sandbox.run(&["history", "--json"]).json();
    assert_eq!(history["changes"].as_array().unwrap().len(), count);
    // One copy as last seen, no temporary file.
    let base = names(&sandbox.path(".carnet/base"));
    assert_eq!(base.iter().filter(|name| name.contains(".seen.")).count(), 1, "{base:?}");
    assert_eq!(sandbox.names(""), [".carnet", "MEMORY.md"]);
}

#[test]
fn two_processes_add_at_once_and_both_entries_are_there() {
    check(2);
}

#[test]
fn eight_processes_add_at_once_and_every_entry_is_there() {
    check(8);
}

#[test]
fn the_same_first_fact_from_eight_processes_is_there_once() {
    let sandbox = Sandbox::new();
    let children: Vec<_> =
        (0..8).map(|_| start(&mut sandbox.command(&["add", "the one fact"]))).collect();
    for child in children {
        assert_eq!(finish(child).status, 0);
    }
    assert_eq!(sandbox.read("MEMORY.md"), "the one fact\n");
}

#[test]
fn a_session_that_eight_processes_freeze_at_once_has_one_snapshot() {
    let sandbox = Sandbox::new();
    sandbox.write("MEMORY.md", "a");
    let children: Vec<_> = (0..8)
        .map(|number| {
            let lang = if number % 2 == 0 { "en" } else { "fr" };
            start(&mut sandbox.command(&["snapshot", "--session", "s", "--lang", lang]))
        })
        .collect();
    let snapshots: BTreeSet<_> = children.into_iter().map(|child| finish(child).stdout).collect();
    assert_eq!(snapshots.len(), 1, "{snapshots:?}");
}
