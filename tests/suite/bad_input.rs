//! No input makes the process panic or hang.

use std::time::{Duration, Instant};

use proptest::{prelude::*, test_runner::TestRunner};
use serde_json::{Value, json};

use crate::support::{Sandbox, pipe};

/// Runs the command with `input` and checks that it ends in good order.
#[track_caller]
fn check(sandbox: &Sandbox, args: &[&str], input: &[u8]) -> Value {
    let start = Instant::now();
    let ran = sandbox.pipe(args, input);
    assert!([0, 1, 2, 3].contains(&ran.status), "{args:?}: {} {}", ran.status, ran.stderr);
    assert!(!ran.stderr.contains("panicked"), "{args:?}: {}", ran.stderr);
    assert!(start.elapsed() < Duration::from_secs(20), "{args:?} took {:?}", start.elapsed());
    let answer = ran.json();
    if answer["success"] == json!(false) {
        for key in ["code", "error", "hint"] {
            assert!(!answer[key].as_str().unwrap().is_empty(), "{args:?}: {answer}");
        }
    }
    answer
}

#[test]
fn whatever_stands_on_standard_input_gets_an_answer() {
    let sandbox = Sandbox::new();
    sandbox.write("MEMORY.md", "a\n§\nb\n");
    let deep = "[".repeat(100_000);
    let long = format!("{{\"action\":\"add\",\"content\":\"{}\"}}", "é".repeat(2_000_000));
    let inputs: [&[u8]; 14] = [
        b"",
        b"null",
        b"{",
        b"[]",
        b"\"add\"",
        b"{\"action\":\"add\",\"content\":\"\\ud800\"}",
        b"\xff\xfe",
        b"\0",
        b"{\"action\":\"add\",\"content\":1e999}",
        deep.as_bytes(),
        long.as_bytes(),
        b"{} {}",
        b"{\"operations\":[{\"operations\":[]}]}",
        b"{\"action\":\"replace\",\"old_text\":\"a\",\"content\":null}",
    ];
    for input in inputs {
        assert_eq!(check(&sandbox, &["tool"], input)["success"], json!(false));
    }
    assert_eq!(sandbox.read("MEMORY.md"), "a\n§\nb\n");
}

#[test]
fn random_calls_are_answered() {
    let sandbox = Sandbox::new();
    let profile = carnet::Options { home: Some(sandbox.home()), ..carnet::Options::default() };
    let profile = carnet::Profile::open(&profile, "test").unwrap();
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop::sample::select(vec![
            "add",
            "replace",
            "remove",
            "memory",
            "user",
            "a",
            "§",
            "",
            "m-00000000"
        ])
        .prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(3, 12, 4, |inner| {
        let key = prop::sample::select(vec![
            "action",
            "target",
            "content",
            "old_text",
            "new_text",
            "old_string",
            "operations",
            "expected_sha256",
            "x",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..6).prop_map(|fields| Value::Object(
                fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            )),
        ]
    });
    let config =
        ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config)
        .run(&value, |request| {
            let answer = profile.call(&request);
            prop_assert!(answer["success"].is_boolean(), "{request}: {answer}");
            prop_assert!(
                answer["success"] == true || answer["code"].is_string(),
                "{request}: {answer}"
            );
            Ok(())
        })
        .unwrap();
}

#[test]
fn strange_files_are_read_in_bounded_time() {
    let sandbox = Sandbox::new();
    let files = [
        "§\n".repeat(300_000),
        "```a\n§\n~~~b\n§\n".repeat(40_000),
        "> ".repeat(20_000) + "\n§\n",
        "- ".repeat(20_000) + "\n```\n§\n```\n",
        "[".repeat(60_000) + "\n```\n§\n```\n",
        "*_".repeat(60_000) + "\n```\n§\n```\n",
        "`".repeat(200_000) + "\n§\n",
        "<!--".repeat(50_000) + "\n```\n§\n```\n",
        "x\n§\n".repeat(100_000),
        "\u{202e}".repeat(100_000),
        "\u{1f3f4}".to_owned() + &"\u{e0041}".repeat(100_000),
        "\u{fe0f}".repeat(50_000) + &"\u{200d}".repeat(50_000),
        "ignore ".repeat(100_000),
        "ignore all previous ".repeat(30_000),
    ];
    for file in &files {
        let start = Instant::now();
        sandbox.write("MEMORY.md", file);
        for args in [
            &["list", "--json"][..],
            &["snapshot", "--json"],
            &["status", "--json"],
            &["add", "x", "--json"],
        ] {
            check(&sandbox, args, b"");
        }
        eprintln!("{:?} {:?}", file.chars().take(12).collect::<String>(), start.elapsed());
    }
}

#[test]
fn whatever_stands_in_the_configuration_is_refused_in_bounded_time() {
    let sandbox = Sandbox::new();
    let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n";
    let files: [Vec<u8>; 12] = [
        "[".repeat(60_000).into(),
        "{".repeat(60_000).into(),
        "- ".repeat(30_000).into(),
        "? ".repeat(30_000).into(),
        bomb.into(),
        b"\xff\xfe".to_vec(),
        b"\0".to_vec(),
        vec![b'a'; 100_000],
        b"memory_char_limit: -1".to_vec(),
        b"a: b\n---\nc: d\n".to_vec(),
        b"memory_char_limit: 99999999999999999999999".to_vec(),
        b"- 1\n".to_vec(),
    ];
    for file in &files {
        sandbox.write("config.yaml", file);
        let answer = check(&sandbox, &["list", "--json"], b"");
        assert_eq!(answer["code"], "bad_config", "{answer}");
    }
}

#[test]
fn a_strange_environment_is_refused_or_ignored() {
    let sandbox = Sandbox::new();
    for (name, value) in [
        ("CARNET_PROFILE", "../../etc"),
        ("CARNET_PROFILE", "A"),
        ("CARNET_PROFILE", "-x"),
        ("CARNET_HOME", "/dev/null"),
        ("CARNET_HOME", "/proc/nowhere"),
    ] {
        let ran = pipe(sandbox.command(&["add", "a", "--json"]).env(name, value), "");
        assert_eq!(ran.json()["success"], false, "{name}={value}");
    }
    let session = "§ / .. \u{202e}".repeat(1000);
    let mut command = sandbox.command(&["tool"]);
    let ran = pipe(
        command.env("CARNET_SESSION", session),
        json!({"action":"remove","old_text":"x"}).to_string(),
    );
    assert_eq!(ran.json()["code"], "no_match");
    let mut command = sandbox.command(&["list", "--json"]);
    let ran = pipe(command.env_remove("CARNET_HOME"), "");
    assert_eq!((ran.status, ran.json()["code"].as_str()), (1, Some("bad_request")));
}
