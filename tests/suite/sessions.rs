//! `carnet session`: what a session has brought, verified, and what is left to do.

use serde_json::{Value, json};

use crate::support::{Sandbox, write};

#[track_caller]
fn end(sandbox: &Sandbox, session: &Value) -> Value {
    let ran = sandbox.pipe(&["session", "end", "--json"], session.to_string());
    assert_eq!(ran.status, 0, "{} {}", ran.stdout, ran.stderr);
    ran.json()
}

fn session() -> Value {
    json!({
        "session_id": "s-1", "topic": "Router", "summary": "We chose React Router v7.",
        "started": "2026-05-14T09:00:00Z", "ended": "2026-05-14T10:30:00Z",
        "notable_events": [{"type": "decision", "text": "React Router v7 it is", "importance": "high"}],
        "new_facts": [
            {"key": "router", "text": "Le projet utilise React Router v7, pas de Redux", "category": "tech", "quote": "on part sur React Router v7, pas de Redux"},
            {"key": "kafka", "text": "The project uses Kafka", "quote": "we would use Kafka for"},
            {"key": "cache", "text": "The cache is Redis 7", "quote": "we cache everything there"},
            {"text": "no quote"}, {"text": 7},
        ],
        "open_items": ["write the migration", "ask Paul"],
        "transcript": [
            {"role": "user", "text": "Bon, on part sur React Router v7, pas de Redux."},
            {"role": "assistant", "text": "Noted. If traffic doubled we would use Kafka for it."},
            {"role": "user", "text": "If traffic doubled we would use Kafka for events. We cache everything there."},
        ],
    })
}

#[test]
fn a_session_keeps_what_the_user_said_and_tells_what_it_refuses() {
    let sandbox = Sandbox::new();
    let answer = end(&sandbox, &session());
    assert_eq!(answer["session"], "sessions/2026/2026-05-14-router");
    assert_eq!(answer["episodes"], json!(["episodes/2026/2026-05-14-react-router-v7-it-is"]));
    assert_eq!(
        answer["facts"],
        json!([{"key": "router", "action": "created"}, {"key": "cache", "action": "pending"}])
    );
    let reasons: Vec<_> = answer["refused"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["reason"].as_str().unwrap())
        .collect();
    assert_eq!(reasons.len(), 3, "{answer}");
    assert!(
        reasons.iter().any(|why| why.contains("supposed"))
            && reasons.iter().any(|why| why.contains("no quote")),
        "{answer}"
    );
    let fact = sandbox.read("facts/tech/router.md");
    assert!(fact.contains("confidence: 0.95\n") && fact.contains("source: agent\n"), "{fact}");
    assert!(fact.contains("sessions/2026/2026-05-14-router"), "{fact}");
    let note = sandbox.read("sessions/2026/2026-05-14-router.md");
    assert!(
        note.contains("facts_learned: [router]\n") && note.ends_with("We chose React Router v7.\n"),
        "{note}"
    );
    let learned = sandbox.run(&["history", "--session", "s-1", "--json"]).json();
    assert_eq!(learned["facts"][0]["key"], "router", "{learned}");

    // The same session again doubles nothing.
    let again = end(&sandbox, &session());
    assert_eq!(again["session"], answer["session"]);
    assert_eq!(again["facts"][0]["action"], "unchanged");
    assert_eq!(sandbox.names("sessions/2026").len(), 1);
    assert_eq!(sandbox.names("episodes/2026").len(), 1);
}

#[test]
fn open_items_are_listed_and_closed() {
    let sandbox = Sandbox::new();
    end(&sandbox, &session());
    let open = || {
        let listed = sandbox.run(&["session", "open-items", "--json"]).json();
        let items = listed["open_items"].as_array().unwrap().clone();
        items.iter().map(|item| item["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(open(), ["write the migration", "ask Paul"]);
    let listed = sandbox.run(&["session", "open-items", "--json"]).json();
    let id = listed["open_items"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(sandbox.run(&["session", "close-item", &id]).status, 0);
    assert_eq!(open(), ["ask Paul"]);
    let later = json!({"session_id": "s-2", "summary": "Paul was asked.", "closed_items": ["ask Paul", "never open"]});
    let answer = end(&sandbox, &later);
    assert_eq!(answer["refused"][0]["field"], "closed_items", "{answer}");
    assert_eq!(open(), [""; 0]);
    // What was closed does not open again with the same session.
    end(&sandbox, &session());
    assert_eq!(open(), [""; 0]);
    assert_eq!(sandbox.run(&["session", "close-item", "o-00000000"]).status, 1);
    assert_eq!(
        sandbox.run(&["session", "list", "--json"]).json()["sessions"].as_array().unwrap().len(),
        2
    );
}

#[test]
fn a_transcript_may_stand_in_the_clients_own_file() {
    let sandbox = Sandbox::new();
    let line = |text: &str| {
        json!({"type": "user", "message": {"role": "user", "content": text}}).to_string()
    };
    let path = sandbox.outside("t.jsonl");
    write(&path, format!("{}\nnot json\n", line("Our staging database is called heron.")));
    let facts = json!({"session_id": "s-9", "summary": "x", "new_facts": [
        {"key": "db", "text": "The staging database is called heron", "quote": "staging database is called heron"}]});
    let path = path.display().to_string();
    let ran = sandbox.pipe(&["session", "end", "--transcript", &path, "--json"], facts.to_string());
    assert_eq!(ran.json()["facts"][0]["action"], "created", "{}", ran.stdout);
    // Without the flag it is found where the hooks were told that it stands.
    let other = Sandbox::new();
    other.write("MEMORY.md", "x\n");
    let start = json!({"session_id": "s-9", "source": "startup", "transcript_path": path});
    other.pipe(&["hook", "session-start", "--harness", "claude"], start.to_string());
    assert_eq!(end(&other, &facts)["facts"][0]["action"], "created");
    // Where there is none, nothing can be verified.
    let third = Sandbox::new();
    assert!(
        end(&third, &facts)["refused"][0]["reason"].as_str().unwrap().contains("no transcript")
    );
}

#[test]
fn five_sessions_that_show_the_same_propose_a_procedure() {
    let sandbox = Sandbox::new();
    for number in 0..5 {
        assert!(!sandbox.run(&["review"]).stdout.contains("short answers"), "{number}");
        let signals = json!({"session_id": format!("s-{number}"), "summary": format!("session {number}"),
            "preference_signals": ["prefers short answers"]});
        end(&sandbox, &signals);
    }
    let waiting = sandbox.run(&["review", "--json"]).json();
    let id = waiting["pending"][0]["id"].as_str().unwrap();
    assert_eq!(sandbox.run(&["review", "--approve", id]).status, 0);
    assert!(
        sandbox.read("procedures/prefers_short_answers.md").ends_with("prefers short answers\n")
    );
}

#[test]
fn wrong_input_names_the_field_and_keeps_nothing() {
    let sandbox = Sandbox::new();
    for (input, what) in [
        ("not json", "standard input is not JSON"),
        ("[]", "not a JSON object"),
        ("{\"summary\": \"\"}", "`summary`"),
        ("{\"summary\": \"x\", \"sumary\": 1}", "`sumary`"),
        ("{\"summary\": \"x\", \"new_facts\": 1}", "`new_facts`"),
    ] {
        let ran = sandbox.pipe(&["session", "end"], input);
        assert!(ran.status == 1 && ran.stderr.contains(what), "{input}: {}", ran.stderr);
    }
    assert!(!sandbox.path("sessions").exists());
    let ran =
        sandbox.pipe(&["session", "end", "--transcript", "/dev/null"], "{\"summary\": \"x\"}");
    assert!(ran.status == 1 && ran.stderr.contains("holds no turns"), "{}", ran.stderr);
}

#[test]
fn a_session_waits_for_a_person_where_writes_do() {
    let sandbox = Sandbox::new();
    sandbox.write("config.yaml", "write_approval: true\n");
    let answer = end(&sandbox, &session());
    assert_eq!(answer["pending"], true);
    assert!(!sandbox.path("sessions").exists());
    assert_eq!(
        sandbox.run(&["review", "--approve", answer["session"].as_str().unwrap()]).status,
        0
    );
    assert!(sandbox.read("facts/tech/router.md").contains("confidence: 0.95"));
}
