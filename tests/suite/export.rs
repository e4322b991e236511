//! What a profile exports, and what comes of it in another.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use carnet::{
    Options, Profile,
    exchange::Format,
    lifecycle::NoteRequest,
    profile::{ExportForm, ExportRequest, ImportFrom, ImportRequest},
    storage::Overwrite,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Sandbox, names, read, write};

fn filled() -> Sandbox {
    let sandbox = Sandbox::new();
    for (target, text) in [
        ("memory", "This machine runs Debian 13"),
        ("memory", "Deployments:\n- staging first\n- then production"),
        ("user", "L'utilisateur préfère le thé vert"),
    ] {
        assert_eq!(sandbox.run(&["add", "--target", target, text]).status, 0);
    }
    for (key, text, more) in [
        ("veille:2026-10-24:claude", "Sonnet est sorti en octobre", ["--category", "veille"]),
        ("goût préféré", "Le thé oolong, jamais de café", ["--tag", "boisson"]),
        ("db", "The staging database is called heron", ["--importance", "critical"]),
        ("db", "The staging database is called ibis", ["--tag", "data"]),
    ] {
        assert_eq!(sandbox.run(&[&["fact", "set", key, text][..], &more].concat()).status, 0);
    }
    assert_eq!(sandbox.run(&["procedure", "set", "Ship it", "just ship", "--always"]).status, 0);
    let episode = ["episode", "add", "We chose Axum over Actix.", "--date", "2026-04-22"];
    assert_eq!(sandbox.run(&episode).status, 0);
    sandbox.write(
        "facts/by hand.md",
        "\u{feff}---\r\ncolour: [blue, {deep: 1}]  # unknown\r\nrelated: db\r\n---\r\n\r\nThe harbour is *closed* in winter, see [[db]].\r\n\r\n",
    );
    sandbox.write("facts/odd/broken.md", "---\nkey: [\n---\nA marmot sleeps here");
    sandbox.write("facts/vault.md", "---\nsensitivity: secret\n---\nThe code is under the lamp\n");
    sandbox.write("facts/open.md", "---\nsensitivity: public\n---\nThe shop opens at nine\n");
    sandbox
}

/// Returns every note of a profile with its bytes.
fn notes(dir: &Path) -> Vec<(String, String)> {
    fn walk(dir: &Path, prefix: &str, found: &mut Vec<(String, String)>) {
        for name in names(dir) {
            let path = dir.join(&name);
            if path.is_dir() {
                walk(&path, &format!("{prefix}/{name}"), found);
            } else {
                found.push((format!("{prefix}/{name}"), read(&path)));
            }
        }
    }
    let mut found = Vec::new();
    for layer in ["facts", "episodes", "sessions", "procedures", "archive"] {
        walk(&dir.join(layer), layer, &mut found);
    }
    found
}

/// Returns what a question finds, with the fields of each hit that are its own.
fn hits(sandbox: &Sandbox, question: &str) -> Value {
    let all = ["--clearance", "secret", "--threshold", "0", "-n", "20"];
    let answer = sandbox.run(&[&["recall", question, "--json"][..], &all].concat()).json();
    let hit = |hit: &Value| {
        ["id", "text", "title", "category", "sensitivity", "layer"]
            .map(|field| hit[field].clone())
            .to_vec()
            .into()
    };
    answer["hits"].as_array().unwrap().iter().map(hit).collect::<Vec<Value>>().into()
}

#[test]
fn a_profile_that_is_imported_into_an_empty_one_recalls_the_same() {
    let (here, there) = (filled(), Sandbox::new());
    let file = here.outside("all.jsonl");
    let path = file.to_str().unwrap();
    let args = ["export", "--output", path, "--clearance", "secret", "--archive", "--json"];
    let answer = here.run(&args).json();
    assert_eq!((&answer["entries"], &answer["notes"]), (&json!(3), &json!(10)), "{answer}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let imported = there.run(&["import", path, "--json"]).json();
    assert_eq!(
        (&imported["imported"], &imported["skipped"]),
        (&json!(13), &json!([])),
        "{imported}"
    );
    assert_eq!(notes(&here.path("")), notes(&there.path("")));
    for command in [&["list"][..], &["fact", "list"], &["procedure", "list"], &["links", "db"]] {
        let shown = |sandbox: &Sandbox| {
            let mut answer = sandbox.run(&[command, &["--json"]].concat()).json();
            answer.as_object_mut().unwrap().remove("sha256");
            answer
        };
        assert_eq!(shown(&here), shown(&there), "{command:?}");
    }
    for question in [
        "quel thé préfère l'utilisateur ?",
        "which database is staging?",
        "harbour in winter",
        "where does the marmot sleep?",
        "que s'est-il passé avec Axum ?",
        "Debian",
        "code under the lamp",
    ] {
        let found = hits(&here, question);
        assert!(!found.as_array().unwrap().is_empty(), "{question}");
        assert_eq!(found, hits(&there, question), "{question}");
    }
    let again = there.run(&["import", path, "--json"]).json();
    assert_eq!((&again["imported"], &again["unchanged"]), (&json!(0), &json!(13)), "{again}");
    // What is there and says something else stays, and so does the note that has a key already.
    there.write("facts/open.md", "The shop opens at ten\n");
    fs::remove_file(there.path("facts/general/db.md")).unwrap();
    there.write("facts/mine/other.md", "---\nkey: DB\n---\nMine.\n");
    let answer = there.run(&["import", path, "--json"]).json();
    let why = answer["skipped"].to_string();
    assert!(
        why.contains("facts/open is there and says something else")
            && why.contains("its key `db` is that of facts/mine/other"),
        "{answer}"
    );
    assert_eq!(there.read("facts/open.md"), "The shop opens at ten\n");
}

#[test]
fn a_line_writes_nowhere_but_among_the_notes() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.path("facts")).unwrap();
    std::os::unix::fs::symlink(sandbox.outside(""), sandbox.path("facts/out")).unwrap();
    let ids =
        ["facts/../../evil", "/etc/evil", "facts/.evil", "facts//evil", "facts/out/evil", "evil"];
    let lines = ids.map(|id| json!({"carnet": "note", "id": id, "text": "x"}).to_string());
    let ran = sandbox.pipe(&["import", "-", "--json"], lines.join("\n"));
    let answer = ran.json();
    assert_eq!((ran.status, &answer["success"]), (1, &json!(false)), "{answer}");
    assert_eq!(answer["skipped"].as_array().unwrap().len(), ids.len(), "{answer}");
    assert!(!sandbox.outside("evil.md").exists() && !sandbox.home().join("evil.md").exists());
    let entry = json!({"carnet": "entry", "target": "memory", "text": "a\n§\nb"}).to_string();
    assert_eq!(sandbox.pipe(&["import", "-"], entry).status, 1);
}

#[test]
fn the_clearance_bounds_what_leaves() {
    let sandbox = filled();
    let content = |args: &[&str]| {
        let answer = sandbox.run(&[&["export", "--json"], args].concat()).json();
        (answer["content"].as_str().unwrap().to_owned(), answer["left_out"].as_u64().unwrap())
    };
    let (all, left_out) = content(&[]);
    assert!(all.contains("Debian") && !all.contains("lamp") && left_out == 1, "{all}");
    let line: Value = serde_json::from_str(all.lines().next().unwrap()).unwrap();
    assert_eq!((&line["carnet"], &line["target"]), (&json!("entry"), &json!("memory")), "{line}");
    let (public, left_out) = content(&["--clearance", "public"]);
    assert_eq!((public.lines().count(), left_out), (1, 11), "{public}");
    assert!(public.contains("The shop opens at nine"));
    assert!(!content(&["--format", "markdown"]).0.contains("lamp"));
}

#[test]
fn markdown_is_a_document_or_a_folder_of_the_files_as_they_are() {
    let sandbox = filled();
    let document = sandbox.run(&["export", "--format", "markdown"]).stdout;
    for part in [
        "# MEMORY.md\n\n- This machine runs Debian 13\n- Deployments:\n  - staging first\n",
        "# USER.md\n",
        "# Facts\n",
        "## db\n\n`facts/general/db`",
        "The staging database is called ibis\n",
        "# Procedures\n",
    ] {
        assert!(document.contains(part), "{part}: {document}");
    }
    let folder = sandbox.outside("copy");
    let args = ["export", "--format", "markdown", "--output", folder.to_str().unwrap()];
    assert_eq!(sandbox.run(&args).status, 0);
    let mut live = notes(&sandbox.path(""));
    live.retain(|(name, _)| !name.starts_with("archive") && name != "facts/vault.md");
    assert_eq!(notes(&folder), live);
    assert_eq!(read(&folder.join("MEMORY.md")), sandbox.read("MEMORY.md"));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&folder.join("MEMORY.md"))), (0o700, 0o600));
    assert_eq!(sandbox.run(&args).status, 1, "what is there stays");
    let forced = sandbox.run(&[&args[..], &["--force"]].concat());
    assert!(forced.status == 0 && forced.stderr.contains("is still there"), "{}", forced.stderr);
}

#[test]
fn what_is_there_is_not_overwritten_unasked() {
    let sandbox = filled();
    let file = sandbox.outside("out.jsonl");
    write(&file, "mine");
    insta::assert_snapshot!(sandbox.shown(&["export", "--output", "out.jsonl"]), @r"
    error: out.jsonl is there already
    hint: name another output, or say that it may be overwritten
    [exit status: 1]
    ");
    assert_eq!(read(&file), "mine");
    assert_eq!(sandbox.run(&["export", "--output", "out.jsonl", "--force"]).status, 0);
    assert!(read(&file).starts_with("{\"carnet\":\"entry\""));
    assert_eq!(sandbox.run(&["export", "--output", "no/where.jsonl"]).status, 1);
    assert_eq!(sandbox.run(&["export", "--format", "csv"]).status, 2);
}

fn profile(home: &Path) -> Profile {
    let options = Options { home: Some(home.to_owned()), ..Options::default() };
    Profile::open_by_hand(&options).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_notes_come_back_as_they_were(
        facts in proptest::collection::vec(
            ("[ -~éÉß日\u{301}]{1,10}", "[ -~é\n]{1,30}", "[a-zé ]{1,8}"), 0..4),
        files in proptest::collection::vec(
            ("[a-z0-9%. -]{1,8}", "(---\r?\n([a-z]{1,5}: [a-z0-9é]{0,5}( # c)?\r?\n){0,3}---\r?\n)?([ -~é]{0,9}\r?\n){0,4}"), 0..4),
    ) {
        let root = tempfile::tempdir().unwrap();
        let (here, there) = (root.path().join("here"), root.path().join("there"));
        let from = profile(&here);
        for (key, text, category) in facts {
            let (key, category) = (Some(key), Some(category));
            // What is refused is not there to be exported.
            let _ = from.remember(&NoteRequest { key, text, category, ..NoteRequest::default() });
        }
        for (name, content) in files.into_iter().filter(|(name, _)| !name.starts_with('.')) {
            write(&here.join(format!("profiles/default/facts/files/{name}.md")), content);
        }
        let request = ExportRequest {
            form: ExportForm::Jsonl,
            output: None,
            overwrite: Overwrite::No,
            clearance: Some(carnet::config::Sensitivity::Secret),
            archive: true,
        };
        let exported = from.export(&request, &mut |_| {}).unwrap();
        let bytes = ImportFrom::Bytes(exported.text.into_bytes());
        let request = ImportRequest { from: bytes, format: Some(Format::Jsonl), dry_run: false };
        let imported = profile(&there).import(request, &mut |_| {}).unwrap();
        let dir = |home: &Path| notes(&home.join("profiles/default"));
        let (one, other) = (dir(&here), dir(&there));
        // Two files that a hand gave one key cannot both come.
        let of_keys = imported.skipped.iter().all(|skipped| skipped.why.contains("its key"));
        prop_assert!(of_keys, "{:?}", imported.skipped);
        prop_assert_eq!(one.len(), other.len() + imported.skipped.len());
        prop_assert!(other.iter().all(|note| one.contains(note)));
    }
}
