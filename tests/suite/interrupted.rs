//! Changes of several notes: killed on the way, or two at once.

use std::{process::Stdio, thread, time::Duration};

use serde_json::json;

use crate::{
    consolidate::{DEPLOYS, cluster, filled, notes, plan},
    support::{Sandbox, finish, start},
};

#[test]
fn of_two_runs_at_once_one_merges_and_the_other_is_told() {
    let sandbox = filled(&DEPLOYS);
    let before = notes(&sandbox);
    let cluster = cluster(&plan(&sandbox), "facts/general/deploys");
    let merges =
        json!({ "merges": [{ "cluster": cluster, "text": DEPLOYS[0].1, "confidence": 1 }] });
    let file = sandbox.outside("merges.json");
    std::fs::write(&file, merges.to_string()).unwrap();
    let args = ["consolidate", "--apply", file.to_str().unwrap(), "--json"];
    let children: Vec<_> = (0..4).map(|_| start(&mut sandbox.command(&args))).collect();
    let answers: Vec<_> = children.into_iter().map(|child| finish(child).json()).collect();
    let done = answers.iter().filter(|answer| !answer["run"].is_null()).count();
    let told = answers
        .iter()
        .filter(|answer| answer["refused"].to_string().contains("changed since"))
        .count();
    assert_eq!((done, told), (1, 3), "{answers:?}");
    assert_eq!(sandbox.run(&["undo"]).status, 0);
    assert_eq!(notes(&sandbox), before);
}

#[test]
fn a_run_killed_at_any_moment_is_the_old_state_or_the_new_one_after_the_next_write() {
    let sandbox = Sandbox::new();
    let places = ["Paris", "Lyon", "Nantes", "Brest", "Lille", "Metz", "Dijon", "Tours"];
    for place in places {
        let text = format!("The office in {place} is closed on Mondays");
        sandbox.write(
            &format!("facts/general/{place}.md"),
            format!("---\nkey: {place}\n---\n{text}\n"),
        );
        let text = format!("The office in {place} is closed on all Mondays");
        sandbox.write(
            &format!("facts/general/{place}2.md"),
            format!("---\nkey: {place}2\n---\n{text}\n"),
        );
    }
    let old = notes(&sandbox);
    // Two hashes of a pair name its cluster, whatever else is close.
    let found = plan(&sandbox);
    let merges: Vec<_> = found["clusters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cluster| {
            let texts = cluster["notes"].as_array().unwrap().iter();
            let texts: Vec<_> = texts.map(|note| note["text"].as_str().unwrap()).collect();
            json!({ "cluster": cluster["id"], "text": texts.join(". "), "confidence": 1 })
        })
        .collect();
    assert!(merges.len() > 1, "{found}");
    let left = merges.len();
    sandbox.write("merges.json", json!({ "merges": merges }).to_string());
    let file = sandbox.path("merges.json");
    let args = ["consolidate", "--apply", file.to_str().unwrap()];
    let intent = sandbox.path(".carnet/intent.json");
    let mut finished = 0;
    for round in 0..40_u64 {
        let mut command = sandbox.command(&args);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        if round % 4 == 0 {
            thread::sleep(Duration::from_millis(round));
        } else {
            // In the middle of it.
            while !intent.exists() && child.try_wait().unwrap().is_none() {}
            thread::sleep(Duration::from_micros(round * 40));
        }
        let _ = child.kill();
        child.wait().unwrap();
        let interrupted = intent.exists();
        let told = sandbox.run(&["status"]).stdout.contains("was interrupted");
        assert_eq!(told, interrupted);
        let next = sandbox.run(&["add", &format!("entry {round}")]);
        assert_eq!(next.status, 0, "{}", next.stderr);
        assert_eq!(
            next.stderr.contains("was interrupted: it is finished now"),
            interrupted,
            "{}",
            next.stderr
        );
        finished += u32::from(interrupted);
        assert!(!intent.exists());
        let now = notes(&sandbox);
        if now == old {
            continue;
        }
        assert!(now.len() == left && now.values().all(|note| note.contains("aliases:")), "{now:?}");
        // The entry, and then the run as a whole.
        assert_eq!(sandbox.run(&["undo"]).status, 0);
        let undone = sandbox.run(&["undo", "--json"]).json();
        assert_eq!((&undone["exact"], notes(&sandbox)), (&json!(true), old.clone()), "{undone}");
    }
    assert!(finished > 3, "only {finished} were killed in the middle");
}
