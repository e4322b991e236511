//! Conversations, summed up by a configured model.

use serde_json::{Value, json};

use crate::support::{Sandbox, model};

const TALK: &str = "\
user: Hi. The staging database listens on port 4471.
assistant: Noted. Shall I also switch production to MySQL?
user: No. Let us keep PostgreSQL in production.";

/// A model that learns what was said, what was not, and tries to name another session.
fn summing_up(question: &Value) -> String {
    assert!(question["conversation"].is_array());
    let session = json!({
        "topic": "databases", "summary": "The databases were talked over.", "session_id": "another",
        "new_facts": [
            {"key": "staging_port", "text": "The staging database listens on port 4471", "category": "tech",
             "confidence": 0.9, "quote": "The staging database listens on port 4471"},
            {"key": "mysql", "text": "Production runs on MySQL", "quote": "switch production to MySQL"},
        ],
        "notable_events": [{"type": "decision", "text": "PostgreSQL stays in production", "importance": "high"}],
        "transcript": [{"role": "user", "text": "switch production to MySQL"}],
        "open_items": ["Ask about backups"],
    });
    format!("Here it is:\n```json\n{session}\n```")
}

fn configured(sandbox: &Sandbox, url: &str, more: &str) {
    sandbox.write("config.yaml", format!("llm: {{url: \"{url}\", model: tiny}}\n{more}"));
}

#[test]
fn a_conversation_is_summed_up_and_its_facts_are_looked_up_in_it() {
    let sandbox = Sandbox::new();
    let talk = sandbox.outside("talk.txt");
    std::fs::write(&talk, TALK).unwrap();
    let talk = talk.to_str().unwrap();
    let refused = sandbox.run(&["extract", talk]);
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("no model is configured"), "{}", refused.stderr);

    let (url, asked) = model("127.0.0.1", summing_up);
    configured(&sandbox, &url, "");
    let shown = sandbox.run(&["extract", talk, "--dry-run", "--json"]).json();
    assert_eq!(shown["would_end"]["session_id"], "talk");
    assert!(!sandbox.path("sessions").exists() && !sandbox.path("facts").exists());

    let kept = sandbox.run(&["extract", talk, "--json"]).json();
    assert_eq!(kept["facts"], json!([{ "key": "staging_port", "action": "created" }]));
    let refused = kept["refused"].as_array().unwrap();
    assert_eq!((refused.len(), &refused[0]["key"]), (1, &json!("mysql")), "{kept}");
    let sent = asked.lock().unwrap()[1]["body"]["messages"][1]["content"].clone();
    let sent: Value = serde_json::from_str(sent.as_str().unwrap()).unwrap();
    assert_eq!(sent["conversation"].as_array().unwrap().len(), 3);

    let again = sandbox.run(&["extract", talk, "--json"]).json();
    assert_eq!(again["session"], kept["session"]);
    let sessions = sandbox.run(&["session", "list", "--json"]).json();
    assert_eq!(sessions["sessions"].as_array().map(Vec::len), Some(1), "{sessions}");
    let piped = sandbox.pipe(&["extract", "-", "--json"], TALK).json();
    assert_ne!(piped["session"], kept["session"]);
}

#[test]
fn what_hooks_told_the_end_of_is_extracted_once() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "anything"]);
    let (url, asked) = model("127.0.0.1", summing_up);
    configured(&sandbox, &url, "");
    let talk = sandbox.outside("rollout-1.jsonl");
    let lines: Vec<String> = TALK
        .lines()
        .map(|line| line.split_once(": ").unwrap())
        .map(|(role, text)| json!({ "role": role, "text": text }).to_string())
        .collect();
    std::fs::write(&talk, lines.join("\n")).unwrap();
    let hook = |session: &str, path: &str| {
        for event in ["session-start", "session-end"] {
            let input = json!({ "session_id": session, "transcript_path": path, "reason": "exit" });
            sandbox.pipe(&["hook", event, "--harness", "claude"], input.to_string());
        }
    };
    hook("s-1", talk.to_str().unwrap());
    hook("s-2", "/nowhere/gone.jsonl");
    let first = sandbox.run(&["extract", "--json"]);
    let kept = first.json();
    assert_eq!(kept["sessions"].as_array().unwrap().len(), 1, "{kept}");
    assert!(first.stderr.contains("/nowhere/gone.jsonl"), "{}", first.stderr);
    let learned = sandbox.run(&["history", "--session", "s-1", "--json"]);
    assert!(learned.stdout.contains("staging_port"), "{}", learned.stdout);
    sandbox.run(&["extract"]);
    assert_eq!(asked.lock().unwrap().len(), 1);
}

#[test]
fn nothing_of_memory_is_sent_and_nonsense_keeps_nothing() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "the heron sleeps"]);
    let talk = format!("user: [carnet-memory]\nthe heron sleeps\n[/carnet-memory]\n{TALK}");
    let run = |url: &str, more: &str| {
        configured(&sandbox, url, more);
        sandbox.pipe(&["extract", "-"], &talk)
    };
    // An address that leads to this machine, and does not say so.
    let (url, asked) = model("0.0.0.0", |_| "I would rather not".to_owned());
    let refused = run(&url, "egress: public\n");
    assert_eq!((refused.status, asked.lock().unwrap().len()), (1, 0), "{}", refused.stderr);
    let refused = run(&url, "");
    assert!(refused.status == 1 && refused.stderr.contains("no JSON"), "{}", refused.stderr);
    let sent = json!(*asked.lock().unwrap()).to_string();
    assert!(sent.contains("4471") && !sent.contains("heron"), "{sent}");
    let (url, _) = model("127.0.0.1", |_| "{}".to_owned());
    let refused = run(&url, "");
    assert!(refused.status == 1 && refused.stderr.contains("`summary`"), "{}", refused.stderr);
    let refused = run("http://127.0.0.1:9/v1", "");
    assert!(refused.status == 1 && refused.stderr.contains("127.0.0.1:9"), "{}", refused.stderr);
    assert!(!sandbox.path("sessions").exists());
    assert_eq!(sandbox.pipe(&["extract", "-"], "no turns here").status, 1);
}
