//! The real peer beside carnet: the Python package `hermes-agent`, where it is installed.
//!
//! `CARNET_PEER_PYTHON` names the interpreter that has it, `python3` by default.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::support::{Ran, Sandbox, finish, names, read, write};

/// Returns the interpreter that has the package, or says why the test is skipped.
fn python() -> Option<PathBuf> {
    let python =
        PathBuf::from(std::env::var_os("CARNET_PEER_PYTHON").unwrap_or_else(|| "python3".into()));
    let found = Command::new(&python)
        .args(["-c", "import tools.memory_tool"])
        .stderr(Stdio::null())
        .status();
    if found.is_ok_and(|status| status.success()) {
        return Some(python);
    }
    eprintln!("skipped: {} has no hermes-agent; set CARNET_PEER_PYTHON", python.display());
    None
}

/// A Hermes home with its `memories/` folder.
struct Peer {
    sandbox: Sandbox,
    python: PathBuf,
}

impl Peer {
    fn new() -> Option<Self> {
        let python = python()?;
        let sandbox = Sandbox::new();
        fs::create_dir_all(sandbox.outside("hermes/memories")).unwrap();
        Some(Self { sandbox, python })
    }

    fn memories(&self) -> PathBuf {
        self.sandbox.outside("hermes/memories")
    }

    fn file(&self) -> PathBuf {
        self.memories().join("MEMORY.md")
    }

    fn python(&self, script: &str, args: &[&str]) -> Command {
        let mut command = Command::new(&self.python);
        command.arg("-c").arg(script).args(args).env("HERMES_HOME", self.sandbox.outside("hermes"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    #[track_caller]
    fn run(&self, script: &str, args: &[&str]) -> Ran {
        let ran = finish(self.python(script, args).spawn().unwrap());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran
    }

    fn carnet(&self, args: &[&str]) -> Command {
        let memories = self.memories();
        let mut all = vec!["--dir", memories.to_str().unwrap()];
        all.extend(args);
        let mut command = self.sandbox.command(&all);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

const BLOCKS: &str = "
import json, sys
from tools.memory_tool import MemoryStore
store = MemoryStore()
store.load_from_disk()
blocks = [store.format_for_system_prompt(target) for target in ('memory', 'user')]
print(json.dumps({'blocks': '\\n\\n'.join(block for block in blocks if block), 'entries': store.memory_entries}))
";

/// Adds `count` entries from one process, each through the peer's own tool.
const ADD: &str = "
import sys
from tools.memory_tool import MemoryStore
store = MemoryStore(memory_char_limit=100000)
store.load_from_disk()
for number in range(int(sys.argv[1])):
    answer = store.add('memory', f'peer fact number {number}')
    assert answer['success'], answer
";

#[test]
fn the_peer_and_carnet_never_lose_each_others_writes() {
    let Some(peer) = Peer::new() else { return };
    write(
        &peer.sandbox.home().join("config.yaml"),
        format!("memory_char_limit: 100000\ntrusted: [{}]\n", peer.memories().display()),
    );
    let count = 25;
    let mut peers: Vec<_> =
        (0..2).map(|_| peer.python(ADD, &[&count.to_string()]).spawn().unwrap()).collect();
    for number in 0..count {
        let ran =
            finish(peer.carnet(&["add", &format!("carnet fact number {number}")]).spawn().unwrap());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    for child in peers.drain(..) {
        let ran = finish(child);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    let text = read(&peer.file());
    for number in 0..count {
        for who in ["peer", "carnet"] {
            let line = format!("{who} fact number {number}");
            assert_eq!(text.lines().filter(|found| **found == line).count(), 1, "{line}\n{text}");
        }
    }
    let left = names(&peer.memories());
    assert!(left.iter().all(|name| !name.contains(".bak") && !name.contains("tmp")), "{left:?}");
}

#[test]
fn a_lock_that_the_peer_holds_is_waited_for() {
    let Some(peer) = Peer::new() else { return };
    let hold = "
import fcntl, sys, time
lock = open(sys.argv[1], 'a+')
fcntl.flock(lock, fcntl.LOCK_EX)
print('held', flush=True)
sys.stdin.read()
";
    let lock = peer.memories().join("MEMORY.md.lock");
    let mut holder =
        peer.python(hold, &[lock.to_str().unwrap()]).stdin(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(
        &mut std::io::BufReader::new(holder.stdout.take().unwrap()),
        &mut line,
    )
    .unwrap();
    let ran = finish(peer.carnet(&["--json", "add", "a"]).spawn().unwrap());
    assert_eq!((ran.status, ran.json()["code"].as_str()), (3, Some("lock_timeout")));
    drop(holder.stdin.take());
    holder.wait().unwrap();
    assert_eq!(finish(peer.carnet(&["add", "a"]).spawn().unwrap()).status, 0);
}

/// Checks that both render the same bytes from `text`.
#[track_caller]
fn check(peer: &Peer, memory: &str, user: &str) {
    write(&peer.file(), memory);
    write(&peer.memories().join("USER.md"), user);
    let theirs: Value = peer.run(BLOCKS, &[]).json();
    let ours = finish(peer.carnet(&["snapshot"]).spawn().unwrap());
    assert_eq!(ours.stdout, theirs["blocks"].as_str().unwrap(), "{memory:?}");
}

#[test]
fn the_snapshot_is_the_peers_byte_for_byte() {
    let Some(peer) = Peer::new() else { return };
    check(&peer, "Uses tabs.\n§\n日本語", "Name: Ada");
    check(&peer, "a\r\n§\r\nb\r\n", "");
    check(&peer, "\u{1c}a\n\n§\n\nb \n§\nc\n§\nc\n§\n", "\u{2028}u");
    check(&peer, &"x".repeat(638), &"é".repeat(1375));
    check(&peer, &format!("{}\n§\n😀\n§\n{}", "y".repeat(1000), "z\nz".repeat(300)), "e\u{301}");
    check(&peer, "", " \n\n");
}

#[test]
fn the_peer_reads_and_edits_what_carnet_writes() {
    let Some(peer) = Peer::new() else { return };
    for text in ["first fact", "second fact\nof two lines", "third fact"] {
        assert_eq!(finish(peer.carnet(&["add", text]).spawn().unwrap()).status, 0);
    }
    let edit = "
from tools.memory_tool import MemoryStore
store = MemoryStore()
store.load_from_disk()
assert store.memory_entries == ['first fact', 'second fact\\nof two lines', 'third fact'], store.memory_entries
answer = store.replace('memory', 'of two', 'second fact, by the peer')
assert answer['success'], answer
answer = store.remove('memory', 'third')
assert answer['success'], answer
";
    peer.run(edit, &[]);
    assert_eq!(finish(peer.carnet(&["add", "fourth fact"]).spawn().unwrap()).status, 0);
    assert_eq!(read(&peer.file()), "first fact\n§\nsecond fact, by the peer\n§\nfourth fact");
    // What the peer took out is archived as what a hand took out.
    let archived = crate::support::archived(Path::new(&peer.memories()));
    assert_eq!(archived, ["second fact\nof two lines", "third fact"]);
}

#[test]
fn both_answer_a_call_alike() {
    let Some(peer) = Peer::new() else { return };
    let script = "
import json, sys
from tools.memory_tool import MemoryStore, memory_tool
store = MemoryStore()
store.load_from_disk()
print(memory_tool(store=store, **json.loads(sys.argv[1])))
";
    for request in [
        r#"{"action":"add","target":"memory","content":"Uses Axum"}"#,
        r#"{"action":"add","target":"memory","content":"Uses Axum"}"#,
        r#"{"action":"replace","target":"memory","old_text":"Axum","content":"Uses Axum and SQLx"}"#,
        r#"{"action":"add","target":"user","content":"Préfère le français"}"#,
        r#"{"action":"remove","target":"memory","old_text":"nothing like it"}"#,
        r#"{"target":"memory","operations":[{"action":"add","content":"b"},{"action":"remove","old_text":"SQLx"}]}"#,
    ] {
        let theirs: Value = peer.run(script, &[request]).json();
        let ran = crate::support::pipe(
            &mut {
                let memories = peer.sandbox.outside("ours");
                peer.sandbox.command(&["--dir", memories.to_str().unwrap(), "tool"])
            },
            request,
        );
        let ours = ran.json();
        for key in ["success", "done", "target", "usage", "entry_count", "current_entries"] {
            if let Some(value) = theirs.get(key) {
                assert_eq!(ours.get(key), Some(value), "{key} of {request}: {ours}");
            }
        }
    }
}
