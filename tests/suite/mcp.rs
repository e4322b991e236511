//! `carnet mcp`, as clients of both eras speak to it.

use std::fs;

use serde_json::{Value, json};

use crate::{mcp_client::Server, support::Sandbox};

fn filled() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("MEMORY.md", "The kitchen is on the second floor\n");
    sandbox.write("facts/otter.md", "The otter swims at night\n");
    sandbox
}

#[test]
fn a_client_of_the_handshake_lists_calls_and_reads() {
    let sandbox = filled();
    let mut server = Server::start(&sandbox, &[]);
    let opened = server.initialize("codex-mcp-client");
    assert_eq!(
        (&opened["serverInfo"]["name"], &opened["protocolVersion"]),
        (&json!("carnet"), &json!("2025-06-18"))
    );
    let tools = server.ask("tools/list", &json!({}))["result"]["tools"].clone();
    let names: Vec<_> =
        tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["memory", "memory_recall", "memory_store", "memory_list", "memory_forget"]);
    assert_eq!(tools[4]["annotations"]["destructiveHint"], true);
    assert_eq!(tools[0]["annotations"]["destructiveHint"], false);
    assert_eq!(tools[1]["annotations"]["readOnlyHint"], true);

    let added =
        server.call("memory", &json!({"action": "add", "content": "The deploy runs on Fridays"}));
    assert_eq!((&added["success"], &added["profile"]), (&json!(true), &json!("default")));
    assert!(sandbox.read("MEMORY.md").ends_with("§\nThe deploy runs on Fridays\n"));
    let refused =
        server.call("memory", &json!({"action": "remove", "old_text": "nothing like it"}));
    assert_eq!(refused["code"], "no_match");
    let found = server.call("memory_recall", &json!({"query": "when does the otter swim?"}));
    assert_eq!(
        (&found["hits"][0]["id"], &found["profile"]),
        (&json!("facts/otter"), &json!("default"))
    );
    for bad in [
        json!({}),
        json!({"query": " "}),
        json!({"query": "x", "clearance": "secret"}),
        json!({"query": "x", "layer": "dreams"}),
    ] {
        assert_eq!(server.call("memory_recall", &bad)["code"], "bad_request", "{bad}");
    }

    let read = |server: &mut Server, uri: &str| server.ask("resources/read", &json!({"uri": uri}));
    let text = |answer: &Value| {
        answer["result"]["contents"][0]["text"].as_str().unwrap_or_default().to_owned()
    };
    assert!(text(&read(&mut server, "carnet://memory")).contains("Fridays"));
    let snapshot = text(&read(&mut server, "carnet://snapshot"));
    assert!(snapshot.contains("kitchen") && !snapshot.contains("Fridays"), "frozen at the start");
    assert_eq!(text(&read(&mut server, "carnet://note/facts/otter")), "The otter swims at night");
    for uri in [
        "carnet://note/facts/../../secret",
        "carnet://note/../config",
        "carnet://nothing",
        "file:///etc/passwd",
    ] {
        assert!(read(&mut server, uri)["error"]["code"].is_i64(), "{uri}");
    }
    assert_eq!(
        server.ask("resources/list", &json!({}))["result"]["resources"].as_array().unwrap().len(),
        3
    );
    assert_eq!(server.end(), 0);
}

#[test]
fn a_client_of_the_stateless_era_needs_no_handshake() {
    let sandbox = filled();
    let mut server = Server::start(&sandbox, &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let found = server.ask("server/discover", &json!({"_meta": meta}));
    assert!(found["result"]["supportedVersions"].to_string().contains("2026-07-28"), "{found}");
    assert!(found["result"]["instructions"].as_str().unwrap().contains("kitchen"), "{found}");
    let call = json!({"name": "memory_recall", "arguments": {"query": "otter"}, "_meta": meta});
    let answer = server.ask("tools/call", &call);
    assert_eq!(answer["result"]["structuredContent"]["hits"][0]["id"], "facts/otter", "{answer}");
    assert_eq!(server.end(), 0);
}

#[test]
fn each_client_is_told_what_it_takes() {
    let sandbox = filled();
    let told = |name: &str| {
        let mut server = Server::start(&sandbox, &[]);
        let told = server.initialize(name)["instructions"].as_str().unwrap().to_owned();
        assert_eq!(server.end(), 0);
        told
    };
    let claude = told("claude-code");
    assert!(claude.chars().count() < 2000 && !claude.contains("kitchen"));
    for name in ["opencode", "gemini-cli-mcp-client", "one that nobody knows"] {
        assert!(told(name).contains("The kitchen is on the second floor"), "{name}");
    }
    // What the hook froze for the session is what the server shows.
    let session = [("CLAUDE_CODE_SESSION_ID", "s-1")];
    assert_eq!(sandbox.run(&["snapshot", "--session", "s-1"]).status, 0);
    sandbox.write("MEMORY.md", "The kitchen has moved\n");
    let mut server = Server::start(&sandbox, &session);
    server.initialize("claude-code");
    let read = server.ask("resources/read", &json!({"uri": "carnet://snapshot"}));
    assert!(read.to_string().contains("second floor"), "{read}");
}

#[test]
fn nonsense_and_cancelled_calls_are_survived() {
    let sandbox = filled();
    let mut server = Server::start(&sandbox, &[]);
    server.initialize("opencode");
    for line in ["not json", "{\"jsonrpc\":", "[]", "\u{0}\u{1}", ""] {
        server.send(line);
    }
    server.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    server
        .send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#);
    assert_eq!(server.ask("no/such/method", &json!({}))["error"]["code"], -32601);
    assert_eq!(
        server.ask("tools/call", &json!({"name": "nope", "arguments": {}}))["error"]["code"],
        -32602
    );
    assert_eq!(server.call("memory", &json!({"target": 7}))["code"], "bad_request");
    assert_eq!(server.call("memory_recall", &json!({"query": "otter"}))["success"], true);
    assert_eq!(server.end(), 0);
}

#[test]
fn signals_end_it_cleanly_and_the_profile_is_free() {
    let sandbox = filled();
    for signal in ["-INT", "-TERM"] {
        let mut server = Server::start(&sandbox, &[]);
        server.initialize("claude-code");
        server.call("memory_recall", &json!({"query": "otter"}));
        server.kill(signal);
        let mut process = std::mem::replace(
            &mut server.process,
            std::process::Command::new("true").spawn().unwrap(),
        );
        assert_eq!(process.wait().unwrap().code(), Some(0), "{signal}");
        assert_eq!(sandbox.run(&["status", "--json"]).json()["holder"], Value::Null);
    }
    // One that nobody speaks to ends with its input.
    assert_eq!(Server::start(&sandbox, &[]).end(), 0);
}

#[test]
fn a_second_server_reads_until_the_first_has_gone() {
    let sandbox = filled();
    let mut first = Server::start(&sandbox, &[]);
    first.initialize("codex-mcp-client");
    let mut second = Server::start(&sandbox, &[]);
    second.initialize("opencode");
    let add = json!({"action": "add", "content": "from the second"});
    let refused = second.call("memory", &add);
    assert_eq!(refused["code"], "profile_locked");
    assert!(refused["error"].as_str().unwrap().contains("codex-mcp-client"), "{refused}");
    assert_eq!(
        second.call("memory_recall", &json!({"query": "otter"}))["hits"][0]["id"],
        "facts/otter"
    );
    assert_eq!(first.end(), 0);
    assert_eq!(second.call("memory", &add)["success"], true);
}

#[test]
fn a_hand_edit_is_recalled_within_half_a_second() {
    let sandbox = filled();
    let mut server = Server::start(&sandbox, &[]);
    server.initialize("codex-mcp-client");
    server.call("memory_recall", &json!({"query": "otter"}));
    for (number, text) in
        ["The heron nests on the roof", "The heron nests by the lake"].iter().enumerate()
    {
        sandbox.write("facts/heron.md", text);
        let found = server.call("memory_recall", &json!({"query": "where does the heron nest?"}));
        assert_eq!(found["hits"][0]["text"], **text, "{number}");
    }
    fs::remove_file(sandbox.path("facts/heron.md")).unwrap();
    let found = server.call("memory_recall", &json!({"query": "where does the heron nest?"}));
    assert!(!found.to_string().contains("nests"), "{found}");
}

#[test]
fn a_profile_that_cannot_be_opened_is_told_by_each_call() {
    let sandbox = filled();
    sandbox.write("config.yaml", "memory_char_limit: many\n");
    let mut server = Server::start(&sandbox, &[]);
    server.initialize("codex-mcp-client");
    assert_eq!(
        server.call("memory", &json!({"action": "add", "content": "x"}))["code"],
        "bad_config"
    );
    assert_eq!(server.end(), 0);
}
