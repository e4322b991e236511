//! The indexes follow the files, and no answer depends on them.

use std::{
    fs,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};

use crate::support::{Sandbox, finish, start};

/// Notes enough for an index: fewer are scored from memory.
const MANY: usize = 340;

/// Returns a profile of many notes in every layer that an import writes, one of them secret.
pub(crate) fn filled() -> Sandbox {
    let sandbox = Sandbox::new();
    let line = |number: usize| {
        let topic = ["parking", "kitchen", "printer", "garden", "archive room"][number % 5];
        let layer = ["facts", "episodes", "procedures"][number % 3];
        let category = ["tech", "project"][number % 2];
        json!({
            "id": number.to_string(),
            "text": format!("Note {number} about the {topic}: the key is number {}", number * 7),
            "layer": layer,
            "category": category,
            "created": format!("2026-03-{:02}T10:00:00Z", number % 28 + 1),
        })
    };
    let mut lines: Vec<_> = (0..MANY).map(|number| line(number).to_string()).collect();
    let secret = "The vault behind the kitchen opens with the word zanzibar";
    lines.push(json!({"text": secret, "layer": "facts", "sensitivity": "secret"}).to_string());
    assert_eq!(sandbox.pipe(&["import", "-"], lines.join("\n")).status, 0);
    sandbox.write("MEMORY.md", "The kitchen is on the second floor\n");
    sandbox
}

const QUESTIONS: [&str; 4] =
    ["which key opens the kitchen?", "note 17", "où est la clé du jardin ?", "number 1617"];

/// Returns the hits of a question, without what a clock decides.
fn hits(sandbox: &Sandbox, args: &[&str]) -> Value {
    let mut all = vec!["recall", "--json", "-n", "8"];
    all.extend(args);
    let ran = sandbox.run(&all);
    assert_eq!(ran.status, 0, "{args:?}: {}{}", ran.stdout, ran.stderr);
    let answer = ran.json();
    let kept = |key: &str| -> Vec<Value> {
        let hits = answer[key].as_array().unwrap().iter();
        let rounded = |hit: &Value| (hit["score"].as_f64().unwrap() * 1e4).round();
        hits.map(|hit| json!([hit["id"], hit["text"], hit["line"], rounded(hit)])).collect()
    };
    json!([kept("hits"), kept("closest")])
}

fn answers(sandbox: &Sandbox) -> Vec<Value> {
    QUESTIONS.iter().map(|question| hits(sandbox, &[question])).collect()
}

fn index(sandbox: &Sandbox) -> PathBuf {
    sandbox.path(".carnet/index")
}

/// Returns every file under `dir`, sorted.
pub(crate) fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

#[test]
fn deleting_the_indexes_changes_no_answer() {
    let sandbox = filled();
    let first = answers(&sandbox);
    assert!(index(&sandbox).join("v1/manifest").exists());
    assert_eq!(answers(&sandbox), first, "from the indexes");
    fs::remove_dir_all(index(&sandbox)).unwrap();
    assert_eq!(answers(&sandbox), first, "from indexes made anew");
    let made = sandbox.run(&["reindex", "--json"]).json();
    assert_eq!((&made["notes"], &made["vectors"]), (&json!(MANY + 1), &json!(MANY + 1)), "{made}");
    assert_eq!(answers(&sandbox), first, "after a rebuild");
    // Where they cannot be kept, memory answers.
    fs::remove_dir_all(index(&sandbox)).unwrap();
    sandbox.write(".carnet/index", "a file in the way");
    assert_eq!(answers(&sandbox), first, "from memory");
}

#[test]
fn an_answer_comes_from_the_present_whatever_the_indexes_hold() {
    let sandbox = filled();
    answers(&sandbox);
    let note = sandbox.names("facts").into_iter().find(|name| name.starts_with("note-0-")).unwrap();
    let path = format!("facts/{note}");
    let id = path.strip_suffix(".md").unwrap();
    let found = |question: &str| hits(&sandbox, &[question, "--threshold", "0"]).to_string();
    // Changed in place, with the size and the times it had.
    let before = fs::metadata(sandbox.path(&path)).unwrap();
    let text = sandbox.read(&path);
    sandbox.write(&path, text.replace("parking", "cellars"));
    let file = fs::File::options().write(true).open(sandbox.path(&path)).unwrap();
    file.set_modified(before.modified().unwrap()).unwrap();
    assert!(found("cellars").contains(id), "changed");
    // New, renamed, gone.
    sandbox.write("facts/new.md", "The heron nests on the roof");
    assert!(found("heron nests").contains("facts/new"), "new");
    fs::rename(sandbox.path("facts/new.md"), sandbox.path("facts/renamed.md")).unwrap();
    let answer = found("heron nests");
    assert!(answer.contains("facts/renamed") && !answer.contains("facts/new\""), "renamed");
    fs::remove_file(sandbox.path("facts/renamed.md")).unwrap();
    fs::remove_file(sandbox.path(&path)).unwrap();
    assert!(!found("heron nests").contains("heron") && !found("cellars").contains(id), "gone");
    // A note that becomes secret is secret at once, and the other way round.
    sandbox.write("facts/x.md", "The otter swims at night");
    assert!(found("otter").contains("facts/x"));
    assert_eq!(sandbox.run(&["reindex"]).status, 0);
    sandbox.write("facts/x.md", "---\nsensitivity: secret\n---\nThe otter swims at night");
    assert!(!found("otter").contains("facts/x"), "secret now");
    assert_eq!(sandbox.run(&["reindex"]).status, 0);
    assert!(!found("otter").contains("facts/x"), "secret in the indexes");
    sandbox.write("facts/x.md", "The otter swims at night");
    assert!(found("otter").contains("facts/x"), "open again");
}

type Damage = fn(&Path);

#[test]
fn damaged_indexes_are_made_anew_with_one_line() {
    let sandbox = filled();
    assert_eq!(sandbox.run(&["reindex"]).status, 0);
    let expected = answers(&sandbox);
    let names: Vec<_> = files(&index(&sandbox))
        .into_iter()
        .map(|path| path.strip_prefix(index(&sandbox)).unwrap().to_owned())
        .collect();
    assert!(names.len() > 8, "{names:?}");
    let kept = sandbox.outside("kept");
    let copy = |from: &Path, to: &Path| {
        let _ = fs::remove_dir_all(to);
        assert!(Command::new("cp").arg("-a").args([from, to]).status().unwrap().success());
    };
    copy(&index(&sandbox), &kept);
    let damages: [(&str, Damage); 4] = [
        ("gone", |path| fs::remove_file(path).unwrap()),
        ("empty", |path| fs::write(path, "").unwrap()),
        ("cut", |path| {
            let bytes = fs::read(path).unwrap();
            fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        }),
        ("flipped", |path| {
            let mut bytes = fs::read(path).unwrap();
            let at = bytes.len() / 2;
            bytes[at] ^= 0x10;
            fs::write(path, bytes).unwrap();
        }),
    ];
    for name in &names {
        for (what, damage) in &damages {
            copy(&kept, &index(&sandbox));
            damage(&index(&sandbox).join(name));
            let ran = sandbox.run(&["recall", "--json", "-n", "8", QUESTIONS[0]]);
            assert_eq!(ran.status, 0, "{name:?} {what}: {}", ran.stderr);
            assert!(ran.stderr.lines().count() <= 1, "{name:?} {what}: {}", ran.stderr);
            assert_eq!(hits(&sandbox, &[QUESTIONS[0]]), expected[0], "{name:?} {what}");
        }
    }
    // Another format, and what no carnet has written.
    copy(&kept, &index(&sandbox));
    fs::rename(index(&sandbox).join("v1"), index(&sandbox).join("v0")).unwrap();
    assert_eq!(answers(&sandbox), expected);
    assert!(!index(&sandbox).join("v0").exists(), "the old format is taken away");
}

#[test]
fn doctor_says_what_is_wrong_and_what_to_do() {
    let sandbox = filled();
    assert_eq!(sandbox.run(&["doctor"]).status, 0, "without an index");
    assert_eq!(sandbox.run(&["reindex"]).status, 0);
    let well = sandbox.run(&["doctor", "--json"]);
    assert_eq!(well.status, 0, "{}", well.stdout);
    assert!(
        well.stdout.contains("341 of 341 rows") || well.stdout.contains("340 of 340 rows"),
        "{}",
        well.stdout
    );
    sandbox.write("facts/late.md", "came later");
    assert!(sandbox.run(&["doctor"]).stdout.contains("1 on disk are new, changed or gone"));
    for end in [".usearch", ".term", "vectors.", "table."] {
        let path = files(&index(&sandbox)).into_iter().find(|path| {
            path.to_str().unwrap().contains(end) && path.to_str().unwrap().contains("/internal/")
        });
        let path = path.unwrap();
        let mut bytes = fs::read(&path).unwrap();
        bytes[100] ^= 1;
        fs::write(&path, bytes).unwrap();
        let ill = sandbox.run(&["doctor", "--json"]);
        assert_eq!(
            (ill.status, &ill.json()["code"]),
            (1, &json!("unhealthy")),
            "{end}: {}",
            ill.stdout
        );
        assert!(sandbox.run(&["doctor"]).stdout.contains("carnet reindex") || end == ".usearch");
        assert_eq!(sandbox.run(&["reindex"]).status, 0);
        assert_eq!(sandbox.run(&["doctor"]).status, 0, "{end}");
    }
}

#[test]
fn what_is_above_the_clearance_is_not_opened() {
    let sandbox = filled();
    assert_eq!(sandbox.run(&["reindex"]).status, 0);
    let asked = ["which word opens the vault behind the kitchen?"];
    let expected = hits(&sandbox, &asked);
    assert!(!expected.to_string().contains("zanzibar"));
    // Damage there goes without notice, until someone may look.
    for path in
        files(&index(&sandbox)).iter().filter(|path| path.to_str().unwrap().contains("/secret/"))
    {
        fs::write(path, "damaged").unwrap();
    }
    let ran = sandbox.run(&["recall", "--json", asked[0]]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert_eq!(hits(&sandbox, &asked), expected);
    let ran = sandbox.run(&["recall", "--json", "--clearance", "secret", asked[0]]);
    assert!(
        ran.stdout.contains("zanzibar") && ran.stderr.contains("made anew"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    assert!(ran.stderr.contains("level `secret`"), "{}", ran.stderr);
}

#[test]
fn a_folder_that_cannot_be_read_is_unknown_and_not_gone() {
    let sandbox = filled();
    let sealed = sandbox.path("procedures");
    assert_eq!(sandbox.run(&["reindex"]).status, 0);
    let notes = |sandbox: &Sandbox| sandbox.run(&["status", "--json"]).json()["index"].clone();
    // Root reads everything, so the questions are asked as nobody.
    let root = sandbox.home().parent().unwrap().to_owned();
    let owned =
        Command::new("chown").args(["-R", "65534:65534"]).arg(&root).status().unwrap().success();
    let ask = |question: &str| {
        let mut command = sandbox.command(&["recall", "--json", "-n", "8", question]);
        if owned {
            command.uid(65534).gid(65534);
        }
        finish(start(&mut command))
    };
    assert!(ask(QUESTIONS[1]).status == 0);
    fs::set_permissions(&sealed, fs::Permissions::from_mode(0o000)).unwrap();
    let ran = ask("note 17 about the printer");
    if ran.status == 126 || fs::read_dir(&sealed).is_ok() && !owned {
        return eprintln!("skipped: this user reads every folder");
    }
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let warnings = ran.json()["warnings"].to_string();
    assert!(warnings.contains("procedures cannot be read"), "{warnings}");
    fs::set_permissions(&sealed, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(
        (&notes(&sandbox)["notes"], &notes(&sandbox)["behind"]),
        (&json!(MANY + 1), &json!(0))
    );
}

#[test]
fn a_full_disk_answers_from_memory() {
    let sandbox = filled();
    let expected = answers(&sandbox);
    fs::remove_dir_all(index(&sandbox)).unwrap();
    // No file may grow past half a kibibyte, as on a disk without room.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
    let mut command = Command::new("sh");
    command
        .args([
            "-c",
            script,
            "sh",
            env!("CARGO_BIN_EXE_carnet"),
            "recall",
            "--json",
            "-n",
            "8",
            QUESTIONS[0],
        ])
        .env_clear()
        .env("CARNET_HOME", sandbox.home());
    let ran = finish(start(&mut command));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("memory answers"), "{}", ran.stderr);
    assert_eq!(ran.json()["hits"][0]["id"], expected[0][0][0][0]);
    let mut command = Command::new("sh");
    command
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_carnet"), "reindex", "--json"])
        .env_clear()
        .env("CARNET_HOME", sandbox.home());
    let refused = finish(start(&mut command));
    assert_eq!((refused.status, &refused.json()["code"]), (1, &json!("write_failed")));
    assert_eq!(answers(&sandbox), expected, "with room again");
}

#[test]
fn readers_are_never_blocked_and_one_process_writes() {
    let sandbox = filled();
    let expected = answers(&sandbox);
    let mut writers: Vec<_> =
        (0..2).map(|_| start(&mut sandbox.command(&["reindex", "--quiet"]))).collect();
    let mut asked = 0;
    while writers.iter_mut().any(|writer| writer.try_wait().unwrap().is_none()) || asked < 10 {
        assert_eq!(hits(&sandbox, &[QUESTIONS[asked % 4]]), expected[asked % 4]);
        asked += 1;
    }
    for writer in writers {
        let ran = finish(writer);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    assert_eq!(answers(&sandbox), expected);
}

#[test]
fn a_killed_writer_leaves_the_old_indexes_or_the_new_ones() {
    let sandbox = filled();
    let expected = answers(&sandbox);
    for round in 0..12 {
        let mut writer = start(&mut sandbox.command(&["reindex", "--quiet"]));
        std::thread::sleep(std::time::Duration::from_millis(round * 9));
        let _ = writer.kill();
        finish(writer);
        // What recall finds broken it makes anew; it may say so, and never fails.
        assert_eq!(hits(&sandbox, &[QUESTIONS[0]]), expected[0], "round {round}");
    }
    assert_eq!(sandbox.run(&["doctor"]).status, 0);
}

#[test]
fn filters_narrow_in_the_indexes_too() {
    let sandbox = filled();
    sandbox.write("archive/2026/old.md", "Note 9 about the kitchen that burned down");
    sandbox.write("facts/past.md", "---\nexpires: 2026-01-01\n---\nNote 9 about the kitchen party");
    assert_eq!(sandbox.run(&["reindex"]).status, 0);
    let found = |args: &[&str]| {
        let mut all = vec!["kitchen note", "--threshold", "0"];
        all.extend(args);
        hits(&sandbox, &all)
    };
    let ids = |answer: &Value| -> Vec<String> {
        let hits = answer[0].as_array().unwrap();
        hits.iter().map(|hit| hit[0].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&found(&[])).len(), 8);
    let facts = ids(&found(&["--layer", "facts"]));
    assert!(facts.len() == 8 && facts.iter().all(|id| id.starts_with("facts/")), "{facts:?}");
    let tech = found(&["--category", "tech", "--layer", "episodes"]);
    assert!(!ids(&tech).is_empty() && ids(&tech).iter().all(|id| id.starts_with("episodes/")));
    let day = ids(&found(&["--since", "2026-03-05", "--until", "2026-03-06"]));
    assert!(!day.is_empty() && day.iter().all(|id| !id.contains("2026-03-06")), "{day:?}");
    assert!(
        !found(&[]).to_string().contains("burned") && !found(&[]).to_string().contains("party")
    );
    assert!(
        sandbox
            .run(&["recall", "--json", "--archive", "kitchen that burned down"])
            .stdout
            .contains("burned")
    );
    let archived = ids(&found(&["--layer", "archive"]));
    assert_eq!(archived, ["archive/2026/old"]);
    assert_eq!(found(&["--tag", "nothing has this tag"]), json!([[], []]));
}
