//! Loads, scans and renders a profile of 200 entries in this process, over and over.
//!
//! `cargo bench --bench load` prints the median of one round in microseconds; `benches/against_peer.py` runs it beside
//! the peer's load of the same file.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints its figure and has no one to report to"
)]

use std::{fs, time::Instant};

use carnet::{Options, Profile, profile::SnapshotRequest};

const ROUNDS: usize = 400;

fn main() {
    let dir = std::env::var_os("CARNET_BENCH_DIR").map_or_else(
        || {
            let dir = std::env::temp_dir().join(format!("carnet-bench-{}", std::process::id()));
            fs::create_dir_all(&dir).unwrap();
            fs::write(dir.join("MEMORY.md"), entries()).unwrap();
            dir
        },
        Into::into,
    );
    let options = Options { dir: Some(dir), ..Options::default() };
    let mut micros: Vec<u128> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            let profile = Profile::open_by_hand(&options).unwrap();
            let snapshot = profile.snapshot(&SnapshotRequest::default()).unwrap();
            assert!(!snapshot.frozen.text.is_empty());
            start.elapsed().as_micros()
        })
        .collect();
    micros.sort_unstable();
    println!("load of 200 entries: median {} µs", micros.get(ROUNDS / 2).unwrap());
}

/// Returns 200 entries of about ten characters, within the default limit.
fn entries() -> String {
    (0..200).map(|number| format!("fact {number:03}")).collect::<Vec<_>>().join("\n§\n")
}
