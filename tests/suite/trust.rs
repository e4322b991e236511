//! Directories of others.

use std::{fs, os::unix::fs::symlink, path::PathBuf};

use crate::support::{Ran, Sandbox, names, read, write};

fn foreign(sandbox: &Sandbox) -> PathBuf {
    let dir = sandbox.outside("foreign");
    fs::create_dir_all(&dir).unwrap();
    dir
}

fn run(sandbox: &Sandbox, args: &[&str]) -> Ran {
    let dir = sandbox.outside("foreign");
    let mut all = vec!["--dir", dir.to_str().unwrap()];
    all.extend(args);
    sandbox.run(&all)
}

#[test]
fn any_directory_is_a_profile_and_only_what_is_used_is_created() {
    let sandbox = Sandbox::new();
    let dir = foreign(&sandbox);
    write(&dir.join("MEMORY.md"), "a\n§\nb");
    assert_eq!(run(&sandbox, &["list"]).status, 0);
    assert_eq!(names(&dir), ["MEMORY.md"]);
    assert_eq!(run(&sandbox, &["add", "c"]).status, 0);
    assert_eq!(read(&dir.join("MEMORY.md")), "a\n§\nb\n§\nc");
    // The peer's lock files are taken, and stay.
    assert_eq!(names(&dir), [".carnet", "MEMORY.md", "MEMORY.md.lock", "USER.md.lock"]);
}

#[test]
fn a_foreign_configuration_may_choose_the_language_and_lower_limits() {
    let sandbox = Sandbox::new();
    let dir = foreign(&sandbox);
    write(
        &dir.join("config.yaml"),
        "language: fr\nmemory_char_limit: 20\nuser_char_limit: 9999\nscan: off\nsharing: shared\n",
    );
    write(&dir.join("MEMORY.md"), "a");
    let ran = run(&sandbox, &["snapshot"]);
    assert!(
        ran.stdout.contains("MÉMOIRE (vos notes personnelles) [5 % — 1/20 caractères]"),
        "{}",
        ran.stdout
    );
    let status = run(&sandbox, &["status", "--json"]).json();
    assert_eq!(status["files"][1]["limit"], 1375);
    let warnings: Vec<_> =
        status["warnings"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    for key in ["`scan`", "`sharing`", "`user_char_limit`"] {
        assert!(
            warnings.iter().any(|line| line.contains(key) && line.contains("not trusted")),
            "{key}: {warnings:?}"
        );
    }
    for (text, foreign) in
        [("a", "theme: dark\nplugins: [a]\n"), ("b", "not: [closed"), ("c", "\0")]
    {
        write(&dir.join("config.yaml"), foreign);
        assert_eq!(run(&sandbox, &["add", text]).status, 0, "{foreign:?} stops nothing");
    }
}

#[test]
fn foreign_templates_and_links_that_leave_are_not_used() {
    let sandbox = Sandbox::new();
    let dir = foreign(&sandbox);
    write(&dir.join("templates/snapshot.en.md.j2"), "obey {{ blocks }}");
    write(&dir.join("MEMORY.md"), "a");
    let ran = run(&sandbox, &["snapshot"]);
    assert!(
        ran.stdout.starts_with("═") && ran.stderr.contains("is not used"),
        "{} {}",
        ran.stdout,
        ran.stderr
    );
    let secret = sandbox.outside("secret.md");
    write(&secret, "outside");
    symlink(&secret, dir.join("USER.md")).unwrap();
    for args in [
        &["list", "--json"][..],
        &["snapshot", "--json"],
        &["add", "--target", "user", "x", "--json"],
    ] {
        let ran = run(&sandbox, args);
        assert_eq!((ran.status, ran.json()["code"].as_str()), (1, Some("read_failed")), "{args:?}");
    }
    assert_eq!(read(&secret), "outside");
    fs::remove_file(dir.join("USER.md")).unwrap();
    symlink("MEMORY.md", dir.join("USER.md")).unwrap();
    assert_eq!(run(&sandbox, &["list"]).status, 0, "a link that stays inside is fine");
}

#[test]
fn machine_state_that_is_a_link_is_refused_in_a_foreign_directory() {
    let sandbox = Sandbox::new();
    let dir = foreign(&sandbox);
    let outside = sandbox.outside("outside");
    fs::create_dir_all(&outside).unwrap();
    for name in [".carnet", "archive"] {
        symlink(&outside, dir.join(name)).unwrap();
        write(&dir.join("MEMORY.md"), "a\n§\nb");
        let ran = run(&sandbox, &["remove", "a", "--json"]);
        assert_eq!((ran.status, ran.json()["code"].as_str()), (1, Some("write_failed")), "{name}");
        assert_eq!(
            (names(&outside).len(), read(&dir.join("MEMORY.md"))),
            (0, "a\n§\nb".to_owned()),
            "{name}"
        );
        fs::remove_file(dir.join(name)).unwrap();
    }
    fs::remove_file(dir.join(".carnet/journal.jsonl")).unwrap();
    let victim = sandbox.outside("victim");
    write(&victim, "kept");
    symlink(&victim, dir.join(".carnet/journal.jsonl")).unwrap();
    assert_eq!(run(&sandbox, &["add", "x"]).status, 1);
    assert_eq!(read(&victim), "kept");
}

#[test]
fn a_listed_directory_is_ours() {
    let sandbox = Sandbox::new();
    let dir = foreign(&sandbox);
    write(&sandbox.home().join("config.yaml"), format!("trusted: [{}]\n", dir.display()));
    write(&dir.join("config.yaml"), "memory_char_limit: 9999\n");
    write(&dir.join("templates/snapshot.en.md.j2"), "own template, {{ blocks | length }} block");
    write(&dir.join("MEMORY.md"), "a");
    assert_eq!(run(&sandbox, &["snapshot"]).stdout, "own template, 1 block");
    assert_eq!(run(&sandbox, &["status", "--json"]).json()["files"][0]["limit"], 9999);
}

#[test]
fn no_profile_name_escapes_its_directory() {
    let sandbox = Sandbox::new();
    for name in ["..", "a/b", "", "A", "é", "-a", "_a", &"a".repeat(65)] {
        let ran = sandbox.run(&[&format!("--profile={name}"), "add", "x", "--json"]);
        assert_eq!((ran.status, ran.json()["code"].as_str()), (2, Some("bad_request")), "{name:?}");
    }
    assert!(!sandbox.home().exists());
    assert_eq!(sandbox.run(&["--profile", "work-2_b", "add", "x"]).status, 0);
    assert!(sandbox.home().join("profiles/work-2_b/MEMORY.md").exists());
}

#[test]
fn a_foreign_directory_cannot_make_carnet_delete_read_or_serve_what_is_not_its_own() {
    let sandbox = Sandbox::new();
    let dir = foreign(&sandbox);
    let victim = sandbox.outside("victim/important.md");
    write(&victim, "kept");
    let secret = sandbox.outside("secret");
    write(&secret, "aws_secret_access_key");
    write(&dir.join("MEMORY.md"), "hello");
    let hash = blake3::hash(b"hello").to_hex();
    write(&dir.join(format!(".carnet/base/MEMORY.md.seen.{hash}")), "hello");
    write(&dir.join(format!(".carnet/base/MEMORY.md.seen.{}", "0".repeat(64))), "x");
    let stem = victim.with_extension("");
    for archive in [stem.display().to_string(), "archive/../../victim/important".to_owned()] {
        let line = serde_json::json!({
            "run": "r-1", "at": "2026-01-01T00:00:00Z", "by": "agent", "kind": "edit", "target": "memory",
            "before": hash.as_str(), "after": "y", "effects": [{"old": "m-ea8f163d", "archive": archive}],
        });
        write(&dir.join(".carnet/journal.jsonl"), format!("{line}\n"));
        symlink(&secret, dir.join(".carnet/base/MEMORY.md.old.r.0.0")).ok();
        run(&sandbox, &["add", "x"]);
        run(&sandbox, &["undo"]);
        assert_eq!(read(&victim), "kept");
    }
    assert!(!read(&dir.join("MEMORY.md")).contains("aws"), "{}", read(&dir.join("MEMORY.md")));
    // A snapshot it brings along is not served.
    let name = blake3::hash(b"main").to_hex();
    let forged = serde_json::json!({
        "text": "obey", "digest": blake3::hash(b"obey").to_hex().as_str(), "lang": "en", "entries": [],
    });
    write(&dir.join(format!(".carnet/snapshots/{name}.json")), forged.to_string());
    assert!(!run(&sandbox, &["snapshot", "--session", "main"]).stdout.contains("obey"));
    // Nor can what waits for review name a file elsewhere.
    let waiting = serde_json::json!({"id": "../../victim/important", "at": "x", "client": null, "request": {}});
    write(&dir.join("pending/a.json"), waiting.to_string());
    run(&sandbox, &["review", "--reject", "../../victim/important"]);
    assert_eq!(read(&victim), "kept");
}

#[test]
fn pipes_in_place_of_machine_state_are_no_reason_to_wait() {
    let sandbox = Sandbox::new();
    let dir = foreign(&sandbox);
    let name = blake3::hash(b"s").to_hex();
    for path in [
        format!(".carnet/refusals/{name}.json"),
        ".carnet/owner.json".to_owned(),
        "config.yaml".to_owned(),
    ] {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    }
    let mut command = sandbox.command(&["--dir", dir.to_str().unwrap(), "tool"]);
    let ran = crate::support::pipe(
        command.env("CARNET_SESSION", "s"),
        r#"{"action":"remove","old_text":"x"}"#,
    );
    assert_eq!(ran.json()["code"], "no_match");
    assert_eq!(run(&sandbox, &["status"]).status, 0);
}

#[test]
fn trusted_paths_are_absolute_or_begin_at_home() {
    let sandbox = Sandbox::new();
    let dir = foreign(&sandbox);
    write(&dir.join("config.yaml"), "memory_char_limit: 9999\n");
    write(&sandbox.home().join("config.yaml"), "trusted: [~/foreign]\n");
    let mut command = sandbox.command(&["--dir", dir.to_str().unwrap(), "status", "--json"]);
    let ran = crate::support::pipe(command.env("HOME", sandbox.outside("")), "");
    assert_eq!(ran.json()["files"][0]["limit"], 9999);
    write(&sandbox.home().join("config.yaml"), "trusted: [foreign]\n");
    assert_eq!(run(&sandbox, &["list", "--json"]).json()["code"], "bad_config");
}
