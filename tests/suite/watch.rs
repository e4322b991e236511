//! `carnet watch`: a second process that keeps the indexes up to date.

use std::{
    fs,
    io::{BufRead, BufReader, Lines},
    process::{Child, ChildStdout},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    index::filled,
    support::{Sandbox, finish, start},
};

/// A watch that runs until it is dropped.
struct Watch {
    process: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Watch {
    fn start(sandbox: &Sandbox, args: &[&str]) -> Self {
        let mut all = vec!["watch", "--json"];
        all.extend(args);
        let mut process = start(&mut sandbox.command(&all));
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut watch = Self { process, lines };
        watch.wait("ready");
        watch
    }

    /// Waits for the next event of this name.
    #[track_caller]
    fn wait(&mut self, event: &str) -> Value {
        loop {
            let line =
                self.lines.next().unwrap_or_else(|| panic!("it ended before `{event}`")).unwrap();
            let said: Value = serde_json::from_str(&line).unwrap();
            if said["event"] == event {
                return said;
            }
        }
    }

    /// Interrupts the watch, as ctrl-c does, and returns how it ended.
    fn interrupt(mut self) -> i32 {
        let pid = self.process.id().to_string();
        assert!(
            std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success()
        );
        self.process.wait().unwrap().code().unwrap_or(-1)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn ids(sandbox: &Sandbox, question: &str) -> Vec<String> {
    let answer = sandbox.run(&["recall", "--json", question]).json();
    let hits = ["hits", "closest"].into_iter().flat_map(|key| answer[key].as_array().unwrap());
    hits.map(|hit| hit["id"].as_str().unwrap().to_owned()).collect()
}

fn status(sandbox: &Sandbox) -> Value {
    sandbox.run(&["status", "--json"]).json()["index"].clone()
}

#[test]
fn changes_are_indexed_as_they_happen() {
    let sandbox = filled();
    let mut watch = Watch::start(&sandbox, &[]);
    assert_eq!(
        (&status(&sandbox)["followed"], &status(&sandbox)["behind"]),
        (&json!(true), &json!(0))
    );
    sandbox.write("facts/heron.md", "The heron nests on the roof");
    assert_eq!(watch.wait("updated")["indexed"], 1);
    assert_eq!(ids(&sandbox, "where does the heron nest?")[0], "facts/heron");
    // As editors do it: a temporary file, renamed.
    sandbox.write("facts/.heron.md.swp", "The heron nests");
    sandbox.write("facts/heron.md~", "The heron nests in the old file");
    sandbox.write("facts/4913", "");
    sandbox.write("facts/new.tmp", "The heron nests by the lake");
    fs::rename(sandbox.path("facts/new.tmp"), sandbox.path("facts/heron.md")).unwrap();
    watch.wait("updated");
    let answer = sandbox.run(&["recall", "--json", "where does the heron nest?"]).json();
    assert_eq!(answer["hits"][0]["text"], "The heron nests by the lake", "{answer}");
    // A folder with a note in it, made at once.
    sandbox.write("episodes/2027/deep/down/otter.md", "The otter swims at night");
    watch.wait("updated");
    assert_eq!(ids(&sandbox, "when does the otter swim?")[0], "episodes/2027/deep/down/otter");
    fs::remove_dir_all(sandbox.path("episodes/2027")).unwrap();
    assert_eq!(watch.wait("updated")["removed"], 1);
    assert!(
        !ids(&sandbox, "when does the otter swim?")
            .contains(&"episodes/2027/deep/down/otter".to_owned())
    );
    assert_eq!(watch.interrupt(), 0);
    assert_eq!(status(&sandbox)["followed"], false);
    assert!(!sandbox.path(".carnet/index.mark").exists());
}

#[test]
fn a_directory_that_was_deleted_and_made_again_is_followed() {
    let sandbox = filled();
    let mut watch = Watch::start(&sandbox, &[]);
    fs::remove_dir_all(sandbox.path("")).unwrap();
    sandbox.write("facts/phoenix.md", "The phoenix rises from the ashes");
    watch.wait("updated");
    assert_eq!(ids(&sandbox, "what rises from the ashes?"), ["facts/phoenix"]);
    // Also a folder of notes, and what is written after it came back.
    fs::remove_dir_all(sandbox.path("facts")).unwrap();
    watch.wait("updated");
    sandbox.write("facts/owl.md", "The owl hunts mice");
    watch.wait("updated");
    sandbox.write("facts/owl.md", "The owl hunts bats");
    watch.wait("updated");
    let answer = sandbox.run(&["recall", "--json", "what does the owl hunt?"]).json();
    assert_eq!(answer["hits"][0]["text"], "The owl hunts bats", "{answer}");
    assert_eq!(status(&sandbox)["followed"], true);
}

#[test]
fn files_are_polled_where_that_is_asked_for() {
    let sandbox = filled();
    let mut watch = Watch::start(&sandbox, &["--poll"]);
    sandbox.write("facts/heron.md", "The heron nests on the roof");
    watch.wait("updated");
    assert_eq!(ids(&sandbox, "where does the heron nest?")[0], "facts/heron");
}

#[test]
fn one_process_follows_the_files() {
    let sandbox = filled();
    let _watch = Watch::start(&sandbox, &[]);
    let second = sandbox.run(&["watch", "--json"]);
    assert_eq!((second.status, &second.json()["code"]), (3, &json!("lock_timeout")));
    // Recall does not need the lock.
    assert!(!ids(&sandbox, "which key opens the kitchen?").is_empty());
}

#[test]
fn a_watch_that_was_killed_or_stopped_is_not_believed() {
    let sandbox = filled();
    let mut watch = Watch::start(&sandbox, &[]);
    watch.process.kill().unwrap();
    watch.process.wait().unwrap();
    sandbox.write("facts/heron.md", "The heron nests on the roof");
    assert_eq!(ids(&sandbox, "where does the heron nest?")[0], "facts/heron");
    // Its mark is left behind, and another goes on from there.
    let mut watch = Watch::start(&sandbox, &[]);
    assert_eq!(ids(&sandbox, "where does the heron nest?")[0], "facts/heron");
    sandbox.write("facts/otter.md", "The otter swims at night");
    watch.wait("updated");
    assert_eq!(ids(&sandbox, "when does the otter swim?")[0], "facts/otter");
}

#[test]
fn a_note_that_became_secret_while_the_watch_was_stopped_is_not_shown() {
    let sandbox = filled();
    sandbox.write("facts/otter.md", "The otter swims at night");
    let mut watch = Watch::start(&sandbox, &[]);
    let pid = watch.process.id().to_string();
    assert!(std::process::Command::new("kill").args(["-STOP", &pid]).status().unwrap().success());
    sandbox.write("facts/otter.md", "---\nsensitivity: secret\n---\nThe otter swims at noon");
    let answer = sandbox.run(&["recall", "--json", "when does the otter swim?"]).stdout;
    assert!(!answer.contains("otter swims"), "{answer}");
    sandbox.write("facts/otter.md", "The otter swims at dawn");
    let answer = sandbox.run(&["recall", "--json", "when does the otter swim?"]).stdout;
    assert!(answer.contains("The otter swims at dawn"), "{answer}");
    assert!(std::process::Command::new("kill").args(["-CONT", &pid]).status().unwrap().success());
    watch.wait("updated");
}

#[test]
fn indexes_that_cannot_be_written_are_not_trusted() {
    let sandbox = filled();
    assert_eq!(sandbox.run(&["reindex"]).status, 0);
    // No file may grow past half a kibibyte, as on a disk without room.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_carnet"), "watch", "--json"])
        .env_clear()
        .env("CARNET_HOME", sandbox.home());
    let mut process = start(&mut command);
    let lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let mut watch = Watch { process, lines };
    watch.wait("warning");
    sandbox.write("facts/heron.md", "The heron nests on the roof");
    for _ in 0..3 {
        assert_eq!(ids(&sandbox, "where does the heron nest?")[0], "facts/heron");
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
    assert_eq!(status(&sandbox)["followed"], false);
}

#[test]
fn what_a_scan_would_not_read_the_watch_does_not_read_either() {
    let sandbox = filled();
    let outside = sandbox.outside("elsewhere");
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("diary.md"), "The private zebra diary").unwrap();
    std::os::unix::fs::symlink(&outside, sandbox.path("sessions")).unwrap();
    std::os::unix::fs::symlink(&outside, sandbox.path("facts/sub")).unwrap();
    let mut watch = Watch::start(&sandbox, &[]);
    fs::write(outside.join("diary.md"), "The private zebra diary, continued").unwrap();
    sandbox.write("facts/otter.md", "The otter swims at night");
    watch.wait("updated");
    let answer = sandbox.run(&["recall", "--json", "private zebra diary"]).stdout;
    assert!(!answer.contains("zebra diary,"), "{answer}");
    // A folder that is called as a note is, with a note in it.
    fs::create_dir_all(sandbox.outside("d.md")).unwrap();
    fs::write(sandbox.outside("d.md/in.md"), "The nautilus shell").unwrap();
    fs::rename(sandbox.outside("d.md"), sandbox.path("facts/d.md")).unwrap();
    watch.wait("updated");
    assert_eq!(ids(&sandbox, "nautilus shell")[0], "facts/d.md/in");
    fs::rename(sandbox.path("facts/d.md"), sandbox.outside("d.md")).unwrap();
    watch.wait("updated");
    assert!(!ids(&sandbox, "nautilus shell").contains(&"facts/d.md/in".to_owned()));
    // A note that is none any more.
    fs::remove_file(sandbox.path("facts/otter.md")).unwrap();
    fs::create_dir(sandbox.path("facts/otter.md")).unwrap();
    watch.wait("updated");
    assert!(!ids(&sandbox, "when does the otter swim?").contains(&"facts/otter".to_owned()));
}

#[test]
fn what_could_not_be_indexed_is_indexed_with_the_next_change() {
    let sandbox = filled();
    let mut watch = Watch::start(&sandbox, &[]);
    let (index, aside) = (sandbox.path(".carnet/index"), sandbox.outside("aside"));
    fs::rename(&index, &aside).unwrap();
    std::os::unix::fs::symlink(&aside, &index).unwrap();
    sandbox.write("facts/heron.md", "The heron nests on the roof");
    watch.wait("warning");
    fs::remove_file(&index).unwrap();
    fs::rename(&aside, &index).unwrap();
    sandbox.write("facts/otter.md", "The otter swims at night");
    watch.wait("updated");
    assert_eq!(ids(&sandbox, "where does the heron nest?")[0], "facts/heron");
    assert_eq!(ids(&sandbox, "when does the otter swim?")[0], "facts/otter");
}

#[test]
fn a_profile_that_was_deleted_is_not_made_again() {
    let sandbox = filled();
    let watch = Watch::start(&sandbox, &[]);
    let backup = sandbox.outside("backup");
    fs::rename(sandbox.path(""), &backup).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert!(!sandbox.path("").exists());
    fs::rename(&backup, sandbox.path("")).unwrap();
    assert!(!ids(&sandbox, "which key opens the kitchen?").is_empty());
    assert_eq!(watch.interrupt(), 0);
}

#[test]
fn what_a_recall_finds_damaged_the_watch_makes_anew() {
    let sandbox = filled();
    let mut watch = Watch::start(&sandbox, &[]);
    let dir = sandbox.path(".carnet/index/v1/internal");
    let table = fs::read_dir(&dir).unwrap().map(|file| file.unwrap().path());
    let table = table.into_iter().find(|path| path.to_str().unwrap().contains("table.")).unwrap();
    fs::write(table, "damaged").unwrap();
    let ran = sandbox.run(&["recall", "--json", "which key opens the kitchen?"]);
    assert!(ran.status == 0 && ran.stderr.contains("the indexes are not used"), "{}", ran.stderr);
    assert!(!ran.json()["hits"].as_array().unwrap().is_empty());
    watch.wait("updated");
    assert_eq!(sandbox.run(&["recall", "which key opens the kitchen?"]).stderr, "");
    fs::remove_dir_all(sandbox.path(".carnet/index")).unwrap();
    watch.wait("updated");
    assert_eq!(sandbox.run(&["doctor"]).status, 0);
}

#[test]
fn damage_is_mended_by_the_watch() {
    let sandbox = filled();
    assert_eq!(sandbox.run(&["reindex"]).status, 0);
    for name in ["manifest", "table."] {
        let files = crate::index::files(&sandbox.path(".carnet/index"));
        let path = files.into_iter().find(|path| path.to_str().unwrap().contains(name)).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        bytes[60] ^= 1;
        fs::write(&path, bytes).unwrap();
        let watch = Watch::start(&sandbox, &[]);
        sandbox.write("facts/heron.md", "The heron nests on the roof");
        let mut watch = watch;
        watch.wait("updated");
        assert_eq!(watch.interrupt(), 0);
        assert_eq!(sandbox.run(&["doctor"]).status, 0);
        fs::remove_file(sandbox.path("facts/heron.md")).unwrap();
        finish(start(&mut sandbox.command(&["reindex"])));
    }
}

#[test]
fn what_a_watch_has_heard_of_is_found_before_it_is_indexed() {
    let sandbox = Sandbox::new();
    for number in 0..300 {
        sandbox.write(&format!("facts/f{number}.md"), format!("The herd number {number} grazes"));
    }
    let _watch = Watch::start(&sandbox, &[]);
    let set = |key: &str, text: &str| {
        sandbox.run(&["fact", "set", key, text, "--json"]).json()["id"].clone()
    };
    for number in 0..15 {
        let hand = format!("facts/hand{number}");
        let text = format!("---\nkey: by_hand_{number}\n---\nplinth {number}");
        sandbox.write(&format!("{hand}.md"), text);
        let heard = Instant::now();
        while ids(&sandbox, &format!("plinth {number}")).first() != Some(&hand) {
            assert!(heard.elapsed() < Duration::from_secs(5), "{hand} is not found");
        }
        assert_eq!(set(&format!("by_hand_{number}"), "The plinth is gone"), json!(hand));
    }
}
