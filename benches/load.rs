//! What a long-lived process pays: loading, scanning and rendering 200 entries, and a durable add, over and over.
//!
//! `cargo bench --bench load` prints the medians in microseconds; `benches/against_peer.py` runs it beside the peer's work
//! on the same file.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints its figures and has no one to report to"
)]

use std::{fs, path::PathBuf, time::Instant};

use carnet::{
    Options, Profile,
    memory::{Edit, Entry, Target},
    profile::{EditRequest, SnapshotRequest},
};

const ROUNDS: usize = 100;

fn main() {
    let scratch = tempfile::tempdir().unwrap();
    let dir = std::env::var_os("CARNET_BENCH_DIR")
        .map_or_else(|| scratch.path().to_owned(), PathBuf::from);
    fs::write(dir.join("MEMORY.md"), entries()).unwrap();
    let options = Options { dir: Some(dir), ..Options::default() };
    let load = median(|_| {
        let profile = Profile::open_by_hand(&options).unwrap();
        let snapshot = profile.snapshot(&SnapshotRequest::default()).unwrap();
        assert!(!snapshot.frozen.text.is_empty());
    });
    println!("load of 200 entries: median {load} µs");
    let profile = Profile::open_by_hand(&options).unwrap();
    let edit = |edit: Edit| {
        profile
            .edit(&EditRequest { target: Target::User, edits: vec![edit], expected_sha256: None })
            .unwrap();
    };
    let add =
        median(|number| edit(Edit::Add { entry: Entry::parse(&format!("n {number}")).unwrap() }));
    println!("durable add: median {add} µs");
}

/// Returns the median time of a round in microseconds.
fn median(mut round: impl FnMut(usize)) -> u128 {
    let mut micros: Vec<u128> = (0..ROUNDS)
        .map(|number| {
            let start = Instant::now();
            round(number);
            start.elapsed().as_micros()
        })
        .collect();
    micros.sort_unstable();
    micros.get(micros.len() / 2).copied().unwrap()
}

/// Returns 200 entries of about ten characters, within the default limit.
fn entries() -> String {
    (0..200).map(|number| format!("fact {number:03}")).collect::<Vec<_>>().join("\n§\n")
}
