//! One profile, one agent, one directory.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use carnet::{Options, Profile};
use serde_json::json;

use crate::support::Sandbox;

const HOME: &str = "CARNET_TEST_AGENT_HOME";

fn options(sandbox: &Sandbox) -> Options {
    Options { home: Some(sandbox.home()), ..Options::default() }
}

/// Runs in a process of its own: an agent that holds the profile until its input ends.
#[test]
#[ignore = "the other process of the tests below"]
fn agent() {
    let Some(home) = std::env::var_os(HOME) else { return };
    let options = Options { home: Some(home.into()), ..Options::default() };
    let profile = Profile::open(&options, "the other agent").unwrap();
    println!("\nholds: {}", profile.may_write());
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
}

/// Starts an agent in another process and waits until it has opened the profile.
fn start_agent(sandbox: &Sandbox) -> (Child, bool) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "owner::agent", "--ignored", "--nocapture"]).env(HOME, sandbox.home());
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = lines.map_while(Result::ok).find(|line| line.contains("holds: ")).unwrap();
    (child, line.ends_with("true"))
}

fn end(mut agent: Child) {
    drop(agent.stdin.take());
    agent.wait().unwrap();
}

#[test]
fn a_second_agent_reads_and_is_promoted_when_the_first_ends() {
    let sandbox = Sandbox::new();
    sandbox.write("MEMORY.md", "a\n");
    let (other, holds) = start_agent(&sandbox);
    assert!(holds);
    let profile = Profile::open(&options(&sandbox), "second").unwrap();
    assert!(!profile.may_write());
    assert_eq!(profile.list(carnet::memory::Target::Memory).unwrap().entries.len(), 1);
    assert!(profile.snapshot(&carnet::profile::SnapshotRequest::default()).is_ok());
    let add = json!({"action":"add","content":"b"});
    let answer = profile.call(&add);
    assert_eq!(answer["code"], "profile_locked");
    assert_eq!(
        (&answer["holder"]["client"], &answer["holder"]["pid"]),
        (&json!("the other agent"), &json!(other.id()))
    );
    assert!(
        answer["error"].as_str().unwrap().contains("is held by `the other agent` (process "),
        "{answer}"
    );
    assert!(answer["hint"].as_str().unwrap().contains("sharing: shared"), "{answer}");
    let status = sandbox.run(&["status", "--json"]).json();
    assert_eq!(status["holder"]["client"], "the other agent");
    // The command line is a person's hand, and one call of the tool takes no more than the write lock.
    assert_eq!(sandbox.run(&["add", "by a person"]).status, 0);
    assert_eq!(sandbox.tool(&json!({"action":"add","content":"by a call"}))["success"], true);
    end(other);
    assert_eq!(profile.call(&add)["success"], true);
    assert!(profile.may_write());
    assert_eq!(sandbox.read("MEMORY.md"), "a\n§\nby a person\n§\nby a call\n§\nb\n");
    drop(profile);
    assert_eq!(sandbox.run(&["status", "--json"]).json()["holder"], json!(null));
}

#[test]
fn a_killed_agent_leaves_nothing_to_clean() {
    let sandbox = Sandbox::new();
    let (mut other, _) = start_agent(&sandbox);
    other.kill().unwrap();
    other.wait().unwrap();
    let profile = Profile::open(&options(&sandbox), "next").unwrap();
    assert!(profile.may_write());
    assert_eq!(sandbox.run(&["status", "--json"]).json()["holder"]["client"], "next");
}

#[test]
fn a_shared_profile_takes_several_agents_and_serialises_their_writes() {
    let sandbox = Sandbox::new();
    sandbox.write("config.yaml", "sharing: shared\n");
    let (other, holds) = start_agent(&sandbox);
    assert!(holds);
    let profiles: Vec<_> =
        (0..4).map(|_| Profile::open(&options(&sandbox), "shared").unwrap()).collect();
    std::thread::scope(|scope| {
        for (number, profile) in profiles.iter().enumerate() {
            scope.spawn(move || {
                for round in 0..5 {
                    let answer = profile
                        .call(&json!({"action":"add","content":format!("fact {number} {round}")}));
                    assert_eq!(answer["success"], true, "{answer}");
                }
            });
        }
    });
    assert_eq!(sandbox.read("MEMORY.md").matches("fact").count(), 20);
    end(other);
}

#[test]
fn an_agent_cannot_decide_what_waits_for_review() {
    let sandbox = Sandbox::new();
    sandbox.write("config.yaml", "write_approval: true\n");
    let profile = Profile::open(&options(&sandbox), "agent").unwrap();
    let answer = profile.call(&json!({"action":"add","content":"a"}));
    let refusal = profile.approve(answer["pending_id"].as_str().unwrap()).unwrap_err();
    assert_eq!(refusal.error.code(), "bad_request");
    assert!(!sandbox.path("MEMORY.md").exists());
}
