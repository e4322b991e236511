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
