//! Killed processes, full disks, files that may not be written, and replaced files that are still written to.

use std::{
    fs::{self, OpenOptions},
    io::Write,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    process::{Command, Stdio},
    time::Duration,
};

use serde_json::json;

use crate::support::{Sandbox, archived, finish, names, pipe, read, start, write};

#[test]
fn a_writer_killed_at_any_moment_leaves_the_old_file_or_the_new_one() {
    let sandbox = Sandbox::new();
    let long = "x".repeat(900);
    sandbox.write("MEMORY.md", format!("{long}\n§\nsecond entry\n"));
    let mut killed = 0;
    for round in 0..150_u64 {
        let before = sandbox.read("MEMORY.md");
        let text = format!("{} {round}", "y".repeat(900));
        let old = if before.starts_with('x') { "xxx" } else { "yyy" };
        let mut child = sandbox
            .command(&["replace", old, &text])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(round * 60));
        child.kill().unwrap();
        let acknowledged = child.wait().unwrap().success();
        killed += u32::from(!acknowledged);
        let after = sandbox.read("MEMORY.md");
        let new = format!("{text}\n§\nsecond entry\n");
        assert!(after == new || (after == before && !acknowledged), "round {round}: {after:?}");
    }
    assert!(killed > 10, "only {killed} writers were killed in time");
    // Nothing is left to clean: the next write goes through, and what it replaces can be taken back to the byte.
    let before = sandbox.read("MEMORY.md");
    assert_eq!(sandbox.run(&["remove", "second entry"]).status, 0);
    let undone = sandbox.run(&["undo", "--json"]).json();
    assert_eq!((&undone["exact"], sandbox.read("MEMORY.md")), (&json!(true), before));
    let history = sandbox.run(&["history", "-n", "1000", "--json"]).json();
    let hands = history["changes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|change| change["kind"] == "hand")
        .count();
    assert_eq!(hands, 1, "only the file we began with came by hand");
    let copies: Vec<_> =
        sandbox.names(".carnet/base").into_iter().filter(|name| name.contains(".seen.")).collect();
    assert_eq!(copies.len(), 1, "{copies:?}");
}

#[test]
fn a_full_disk_leaves_the_file_as_it_was_and_the_caller_is_told() {
    let sandbox = Sandbox::new();
    let mount = sandbox.outside("disk");
    fs::create_dir_all(&mount).unwrap();
    // A mount that only this process and its children see goes away with them.
    let script = r#"
        mount -t tmpfs -o size=256k tmpfs "$2" || exit 77
        "$1" --dir "$2" add "the first entry" || exit 1
        before=$(cat "$2/MEMORY.md")
        dd if=/dev/zero of="$2/filler" bs=1k count=1024 2>/dev/null
        "$1" --dir "$2" --json replace "first" "a longer entry that finds no room on this disk" ; echo "status $?"
        [ "$(cat "$2/MEMORY.md")" = "$before" ] || exit 2
        "$1" --dir "$2" list || exit 3
        rm "$2/filler"
        "$1" --dir "$2" replace "first" "the second entry" || exit 4
        cat "$2/MEMORY.md"; ls -A "$2" "$2/.carnet/base"
    "#;
    let mut command = Command::new("unshare");
    command
        .args([
            "--mount",
            "--map-root-user",
            "sh",
            "-c",
            script,
            "sh",
            env!("CARGO_BIN_EXE_carnet"),
        ])
        .arg(&mount);
    command.env("CARNET_HOME", sandbox.home());
    let ran =
        match command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn() {
            Ok(child) => finish(child),
            Err(error) => return eprintln!("skipped: unshare cannot be started: {error}"),
        };
    if ran.status == 77 || ran.stderr.contains("unshare") {
        return eprintln!("skipped: this machine lets no test mount a small disk: {}", ran.stderr);
    }
    assert_eq!(ran.status, 0, "{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("\"code\":\"write_failed\""), "{}", ran.stdout);
    assert!(ran.stdout.contains("status 1\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nthe second entry\n"), "{}", ran.stdout);
    let (_, listing) = ran.stdout.split_once("\nthe second entry\n").unwrap();
    assert!(!listing.contains(".tmp"), "{listing}");
    assert_eq!(ran.stdout.matches(".seen.").count(), 1, "{}", ran.stdout);
}

#[test]
fn a_file_marked_read_only_is_not_written() {
    let sandbox = Sandbox::new();
    sandbox.write("USER.md", "likes green tea");
    let path = sandbox.path("USER.md");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let answer = sandbox.tool(&json!({"action":"add","target":"user","content":"lives in Lyon"}));
    assert_eq!(answer["code"], "write_failed");
    assert!(
        answer["error"].as_str().unwrap().ends_with("the file is marked read-only"),
        "{answer}"
    );
    assert_eq!(
        (read(&path), fs::metadata(&path).unwrap().mode() & 0o777),
        ("likes green tea".to_owned(), 0o444)
    );
}

#[test]
fn mode_owner_and_symbolic_link_are_kept() {
    let sandbox = Sandbox::new();
    let real = sandbox.outside("notes/real.md");
    write(&real, "a\n");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    // Only root can give a file away.
    let _ = std::os::unix::fs::chown(&real, Some(1234), Some(1234));
    let before = fs::metadata(&real).unwrap();
    fs::create_dir_all(sandbox.path("")).unwrap();
    symlink(&real, sandbox.path("MEMORY.md")).unwrap();
    assert_eq!(sandbox.run(&["add", "b"]).status, 0);
    let after = fs::metadata(&real).unwrap();
    assert_eq!(read(&real), "a\n§\nb\n");
    assert_eq!(
        (after.mode(), after.uid(), after.gid()),
        (before.mode(), before.uid(), before.gid())
    );
    assert!(fs::symlink_metadata(sandbox.path("MEMORY.md")).unwrap().is_symlink());
    assert_eq!(names(real.parent().unwrap()), ["real.md"]);
}

#[test]
fn a_dangling_link_creates_the_file_it_names_and_a_loop_is_refused() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.path("")).unwrap();
    symlink("elsewhere.md", sandbox.path("MEMORY.md")).unwrap();
    assert_eq!(sandbox.run(&["add", "a"]).status, 0);
    assert_eq!(sandbox.read("elsewhere.md"), "a\n");
    symlink("USER.md", sandbox.path("USER.md")).unwrap();
    let ran = sandbox.run(&["add", "--target", "user", "a", "--json"]);
    assert_eq!((ran.status, ran.json()["code"].as_str()), (1, Some("read_failed")));
}

#[test]
fn new_files_are_for_their_owner_only() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["add", "a"]).status, 0);
    let mode = |name: &str| fs::metadata(sandbox.path(name)).unwrap().mode() & 0o777;
    assert_eq!(
        (mode("MEMORY.md"), mode(""), mode(".carnet"), mode(".carnet/journal.jsonl")),
        (0o600, 0o700, 0o700, 0o600)
    );
}

/// Opens the file, lets carnet replace it, writes through the old handle, and returns what the next write says.
fn write_late(sandbox: &Sandbox, late: &[u8]) -> crate::support::Ran {
    sandbox.write("MEMORY.md", "one\n§\ntwo\n");
    let mut editor = OpenOptions::new().append(true).open(sandbox.path("MEMORY.md")).unwrap();
    assert_eq!(sandbox.run(&["add", "three"]).status, 0);
    editor.write_all(late).unwrap();
    drop(editor);
    assert!(!sandbox.read("MEMORY.md").contains("late"));
    let status = sandbox.run(&["status", "--json"]).json();
    assert!(
        status["warnings"][0].as_str().unwrap().contains("wrote into a replaced MEMORY.md"),
        "{status}"
    );
    sandbox.run(&["add", "four"])
}

#[test]
fn what_an_editor_writes_into_a_replaced_file_is_brought_in() {
    let sandbox = Sandbox::new();
    let ran = write_late(&sandbox, "§\nlate entry\n".as_bytes());
    assert_eq!(ran.status, 0);
    assert!(
        ran.stderr
            .contains("an editor wrote into a MEMORY.md that had been replaced: added 1 entry"),
        "{}",
        ran.stderr
    );
    assert_eq!(sandbox.read("MEMORY.md"), "one\n§\ntwo\n§\nthree\n§\nlate entry\n§\nfour\n");
    // Once is enough, and what the editor did not write comes not back.
    assert_eq!(sandbox.run(&["remove", "two"]).stderr, "");
    assert_eq!(sandbox.read("MEMORY.md"), "one\n§\nthree\n§\nlate entry\n§\nfour\n");
    assert_eq!(sandbox.run(&["status", "--json"]).json()["warnings"], json!([]));
}

#[test]
fn what_an_editor_writes_late_and_finds_no_room_is_archived() {
    let sandbox = Sandbox::new();
    sandbox.write("config.yaml", "memory_char_limit: 40\n");
    let ran = write_late(&sandbox, format!("§\nlate {}\n", "x".repeat(40)).as_bytes());
    assert!(ran.stderr.contains("archived archive/"), "{}", ran.stderr);
    assert_eq!(archived(&sandbox.path("")), [format!("late {}", "x".repeat(40))]);
    let sandbox = Sandbox::new();
    write_late(&sandbox, b"late \xff bytes");
    let note = sandbox.names("archive/2026").into_iter().chain(sandbox.names("archive")).count();
    assert!(note > 0, "bytes that are no text are kept as well");
}

#[test]
fn a_directory_or_a_pipe_in_place_of_a_file_is_an_error_and_not_a_wait() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.path("MEMORY.md")).unwrap();
    let made = Command::new("mkfifo").arg(sandbox.path("USER.md")).status().unwrap();
    assert!(made.success());
    for target in ["memory", "user"] {
        for args in [
            &["add", "--target", target, "a", "--json"][..],
            &["list", "--target", target, "--json"],
        ] {
            let ran = sandbox.run(args);
            assert_eq!(
                (ran.status, ran.json()["code"].as_str()),
                (1, Some("read_failed")),
                "{args:?}"
            );
        }
    }
    assert_eq!(sandbox.run(&["status", "--json"]).json()["warnings"].as_array().unwrap().len(), 2);
}

#[test]
fn bytes_that_are_no_text_are_shown_kept_and_not_written() {
    let sandbox = Sandbox::new();
    let bytes = b"caf\xe9\n\xc2\xa7\nb";
    sandbox.write("MEMORY.md", bytes);
    let list = sandbox.run(&["list", "--target", "memory", "--json"]).json();
    assert_eq!(list["entries"][0]["text"], "caf\u{fffd}");
    for request in
        [json!({"action":"add","content":"c"}), json!({"action":"remove","old_text":"b"})]
    {
        let answer = sandbox.tool(&request);
        assert_eq!(answer["code"], "not_utf8");
        assert!(answer["error"].as_str().unwrap().contains("first at byte 3"), "{answer}");
    }
    assert_eq!(fs::read(sandbox.path("MEMORY.md")).unwrap(), bytes);
    let shown = sandbox.run(&["snapshot"]);
    assert_eq!((shown.status, shown.stdout.contains("caf\u{fffd}\n§\nb")), (0, true));
}

#[test]
fn a_lock_is_waited_for_and_then_named() {
    let sandbox = Sandbox::new();
    sandbox.write(".carnet/write.lock", "");
    let held = fs::File::open(sandbox.path(".carnet/write.lock")).unwrap();
    fs4::FileExt::lock(&held).unwrap();
    let begun = std::time::Instant::now();
    let ran = sandbox.pipe(&["tool"], json!({"action":"add","content":"a"}).to_string());
    assert_eq!((ran.status, ran.json()["code"].as_str()), (3, Some("lock_timeout")));
    assert!(begun.elapsed() < Duration::from_secs(9));
    // A lock that comes free in time is no failure.
    let child = start(&mut sandbox.command(&["add", "a"]));
    drop(held);
    assert_eq!(finish(child).status, 0);
    assert_eq!(sandbox.read("MEMORY.md"), "a\n");
}

#[test]
fn a_journal_with_torn_lines_is_read_and_goes_on() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["add", "a"]).status, 0);
    let path = sandbox.path(".carnet/journal.jsonl");
    let mut torn = read(&path);
    torn.push_str("{\"run\":\"r-half");
    write(&path, torn);
    assert_eq!(sandbox.run(&["add", "b"]).status, 0);
    let history = sandbox.run(&["history", "--json"]).json();
    assert_eq!(history["changes"].as_array().unwrap().len(), 2);
}

#[test]
fn deleting_the_machine_state_changes_no_entry() {
    let sandbox = Sandbox::new();
    for text in ["a", "b"] {
        assert_eq!(sandbox.run(&["add", text]).status, 0);
    }
    let before = sandbox.run(&["list", "--json"]).stdout;
    fs::remove_dir_all(sandbox.path(".carnet")).unwrap();
    assert_eq!(sandbox.run(&["list", "--json"]).stdout, before);
    assert_eq!(sandbox.run(&["remove", "a"]).status, 0);
    assert_eq!(
        (sandbox.read("MEMORY.md"), archived(&sandbox.path(""))),
        ("b\n".to_owned(), vec!["a".to_owned()])
    );
}

#[test]
fn reading_commands_write_nothing() {
    let sandbox = Sandbox::new();
    for args in [
        &["list"][..],
        &["status"],
        &["history"],
        &["snapshot"],
        &["review"],
        &["export"],
        &["tool", "--schema"],
        &["demo"],
    ] {
        let ran = pipe(&mut sandbox.command(args), "");
        assert_eq!(ran.status, 0, "{args:?}: {}", ran.stderr);
    }
    assert!(!sandbox.home().exists());
}

#[test]
fn a_copy_that_cannot_be_read_stops_the_write_and_not_the_archiving() {
    let sandbox = Sandbox::new();
    for text in ["a", "b"] {
        assert_eq!(sandbox.run(&["add", text]).status, 0);
    }
    sandbox.write("MEMORY.md", "a\n");
    let copy =
        sandbox.names(".carnet/base").into_iter().find(|name| name.contains(".seen.")).unwrap();
    let copy = sandbox.path(".carnet/base").join(copy);
    let bytes = fs::read(&copy).unwrap();
    // Where a test runs as root no mode stops a read; something that is no file does.
    fs::remove_file(&copy).unwrap();
    fs::create_dir(&copy).unwrap();
    let ran = sandbox.run(&["add", "c", "--json"]);
    assert_eq!((ran.status, ran.json()["code"].as_str()), (1, Some("read_failed")));
    fs::remove_dir(&copy).unwrap();
    fs::write(&copy, bytes).unwrap();
    assert_eq!(sandbox.run(&["add", "c"]).status, 0);
    assert_eq!(archived(&sandbox.path("")), ["b"]);
}

#[test]
fn what_a_killed_writer_left_is_dropped_unless_it_is_an_editors_file() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["add", "a"]).status, 0);
    let abandon = |name: &str, text: &str| {
        let hash = blake3::hash(b"never acknowledged").to_hex();
        let path = sandbox.path(&format!(".carnet-MEMORY.md-{}-{name}.tmp", &hash[..16]));
        write(&path, text);
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(std::time::SystemTime::now() - Duration::from_secs(120)).unwrap();
    };
    abandon("x", "never acknowledged");
    abandon("y", "a\n§\nsaved by an editor");
    assert_eq!(sandbox.run(&["add", "b"]).status, 0);
    assert_eq!(sandbox.run(&["add", "c"]).status, 0);
    let text = sandbox.read("MEMORY.md");
    assert!(text.contains("saved by an editor") && !text.contains("never acknowledged"), "{text}");
    assert_eq!(sandbox.names(""), [".carnet", "MEMORY.md"]);
}
