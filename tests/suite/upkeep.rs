//! `carnet maintain`, `carnet audit`, `carnet review --edit`.

use serde_json::json;

use crate::{mcp_client::Server, support::Sandbox};

#[test]
fn what_is_due_goes_once() {
    let sandbox = Sandbox::new();
    sandbox.write("facts/a/old.md", "---\nkey: old\nexpires: 2020-01-01\n---\nnot true any more\n");
    sandbox.write("facts/a/new.md", "---\nexpires: 2999-01-01\n---\nstill true\n");
    sandbox.write("episodes/2019/2019-05-01-long-ago.md", "it happened long ago\n");
    sandbox.write("sessions/2019/2019-05-01-talk.md", "we talked about the walrus\n");
    sandbox.write("sessions/2999/2999-05-01-talk.md", "we will talk\n");
    let config = "retention: {episodes: {after: 24 months, then: archive}, sessions: {after: 1 year, then: erase}}\n";
    sandbox.write("config.yaml", config);
    let done = sandbox.run(&["maintain", "--json"]);
    assert_eq!(done.status, 0, "{} {}", done.stdout, done.stderr);
    let done = done.json();
    assert_eq!(
        (&done["expired"], &done["archived"], &done["erased"]),
        (&json!(["facts/a/old"]), &json!(["episodes/2019/2019-05-01-long-ago"]), &json!(1))
    );
    assert_eq!(sandbox.names("facts/a"), ["new.md"]);
    assert!(sandbox.path("sessions/2999/2999-05-01-talk.md").exists());
    let reasons = std::process::Command::new("grep")
        .args(["-rl", "walrus"])
        .arg(sandbox.home())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&reasons.stdout), "");
    assert_eq!(sandbox.run(&["maintain"]).stdout, "nothing was due\n");
    assert_eq!(sandbox.run(&["undo"]).status, 0);
}

#[test]
fn each_access_of_an_agent_is_noted_by_its_ids() {
    let sandbox = Sandbox::new();
    sandbox.write("facts/otter.md", "The otter swims at night\n");
    let mut server = Server::start(&sandbox, &[]);
    server.initialize("codex-mcp-client");
    server.call("memory_recall", &json!({"query": "when does the otter swim?"}));
    server.call("memory_store", &json!({"key": "k", "content": "a text of its own"}));
    server.ask("resources/read", &json!({"uri": "carnet://note/facts/otter"}));
    sandbox.run(&["recall", "otter"]);
    let noted = sandbox.run(&["audit", "--json"]).json();
    let accesses = noted["accesses"].as_array().unwrap();
    let tools: Vec<_> = accesses.iter().map(|access| access["tool"].as_str().unwrap()).collect();
    assert_eq!(tools, ["memory_recall", "memory_store", "resource"], "{noted}");
    assert_eq!(
        (&accesses[0]["ids"], &accesses[0]["client"]),
        (&json!(["facts/otter"]), &json!("codex-mcp-client"))
    );
    let log = sandbox.read(".carnet/audit.jsonl");
    assert!(!log.contains("swims") && !log.contains("text of its own"), "{log}");
}

#[test]
fn a_person_may_change_what_waits_and_an_agent_may_not_decide() {
    let sandbox = Sandbox::new();
    sandbox.write("config.yaml", "write_approval: true\n");
    let staged = sandbox.tool(&json!({"action": "add", "content": "The user likes tee"}));
    let id = staged["pending_id"].as_str().unwrap();
    let edit = |editor: &str| {
        let mut command = sandbox.command(&["review", "--edit", id]);
        crate::support::pipe(command.env("EDITOR", editor), "")
    };
    assert_eq!(edit("false").status, 1);
    assert_eq!(edit("sed -i s/content/contents/").status, 1);
    assert_eq!(edit("sed -i s/tee/tea/").status, 0);
    assert_eq!(sandbox.run(&["review", "--approve", id]).status, 0);
    assert_eq!(sandbox.read("MEMORY.md"), "The user likes tea\n");
}
