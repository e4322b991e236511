//! The peer's parse vectors, as files: what it reads in them, what carnet reads, and what an add leaves.

use std::{fs, path::Path};

use carnet::memory::{Document, Edit, Entry, Target, apply};
use serde_json::Value;

/// Each case of `tests/golden/peer-vectors.json`: `file` (the bytes), `peer` (the entries the peer reads), `carnet` (where
/// carnet deliberately reads others), `why` (the reason), `added` (the bytes after adding `ADDED`).
#[test]
fn the_peers_files_are_read_as_the_peer_reads_them_but_for_listed_reasons() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/peer-vectors.json");
    let cases: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let cases = cases.as_array().unwrap();
    assert!(cases.len() >= 22);
    for case in cases {
        let text = case["file"].as_str().unwrap();
        let document = Document::parse(text.as_bytes());
        let found: Vec<_> = document.entries().iter().map(Entry::as_str).collect();
        let expected = case.get("carnet").unwrap_or(&case["peer"]);
        assert_eq!(found, strings(expected), "{text:?}");
        assert_eq!(
            case.get("carnet").is_some(),
            case.get("why").is_some(),
            "{text:?} needs a reason"
        );
        let edit = Edit::Add { entry: Entry::parse("ADDED").unwrap() };
        let added = apply(&document, &[edit], Target::Memory, 2200).unwrap();
        assert_eq!(added.document.text(), case["added"].as_str().unwrap(), "{text:?}");
    }
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}
