//! Random files with every oddity of hands and editors, and random edits of them.

use carnet::memory::{
    Document, Edit, EditError, Entry, Limits, Target, apply, find, is_blank, strip, to_lf,
};
use proptest::prelude::*;

/// A piece of a file: text, blanks, delimiters, line ends, fences, marks.
fn piece() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "§",
        " § ",
        "\n§\n",
        "\r\n§\r\n",
        "\r§\r",
        "\n\n",
        "\r\n",
        "\n",
        "\r",
        "\t",
        " ",
        "\u{a0}",
        "\u{1c}",
        "\u{1f}",
        "\u{2028}",
        "\u{85}",
        "```",
        "```\n",
        "\n```rust\n",
        "~~~~\n",
        "\n> ",
        "\n- ",
        "    ",
        "<!-- ",
        "-->",
        "e\u{301}",
        "é",
        "日本",
        "😀",
        "\u{200b}",
        "\u{feff}",
        "\0",
        "x§",
        "§y",
        "# ",
        "a",
        "b c",
        "l'été",
    ]);
    prop_oneof![8 => fixed.prop_map(str::to_owned), 1 => "[a-z ]{1,8}"]
}

fn file() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

fn content() -> impl Strategy<Value = Entry> {
    prop::collection::vec(piece(), 1..6)
        .prop_filter_map("no entry", |pieces| Entry::parse(&pieces.concat()).ok())
}

/// Reads a file the slow way: lines, then segments; fences are taken from the document under test.
fn is_delimiter(line: &str) -> bool {
    strip(line) == "§"
}

fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => at + 2,
            b'\r' | b'\n' => at + 1,
            _ => {
                at += 1;
                continue;
            }
        };
        lines.push(&text[start..end]);
        start = end;
        at = end;
    }
    lines.push(&text[start..]);
    lines
}

/// Reads entries without any knowledge of fences.
fn naive(text: &str) -> Vec<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut segments = vec![String::new()];
    for line in lines(text) {
        if is_delimiter(line) {
            segments.push(String::new());
        } else {
            segments.last_mut().unwrap().push_str(line);
        }
    }
    segments
        .iter()
        .map(|segment| to_lf(strip(segment)).into_owned())
        .filter(|entry| !entry.is_empty())
        .collect()
}

fn texts(document: &Document) -> Vec<String> {
    document.entries().iter().map(|entry| entry.as_str().to_owned()).collect()
}

/// Returns whether `part` is what is left of `whole` when some bytes are taken out.
fn is_subsequence(part: &[u8], whole: &[u8]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|byte| rest.any(|other| other == byte))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_file_without_fences_reads_as_its_lines_say(text in file()) {
        let text = text.replace("```", "").replace("~~~", "");
        prop_assert_eq!(texts(&Document::of(text.clone())), naive(&text));
    }

    #[test]
    fn a_fence_only_ever_joins_what_its_lines_part(text in file()) {
        let read = texts(&Document::of(text.clone())).concat();
        let keep = |text: &str| text.chars().filter(|c| !is_blank(*c) && *c != '§').collect::<String>();
        prop_assert_eq!(keep(&read), keep(&naive(&text).concat()));
    }

    #[test]
    fn usage_is_the_peers_arithmetic(text in file(), limit in 0_usize..4000) {
        let document = Document::of(text);
        let mut distinct = texts(&document);
        let mut seen = std::collections::HashSet::new();
        distinct.retain(|entry| seen.insert(entry.clone()));
        prop_assert_eq!(document.usage(limit).used, distinct.join("\n§\n").chars().count());
    }

    #[test]
    fn an_added_entry_reads_back_and_no_byte_is_lost(text in file(), entry in content()) {
        let document = Document::of(text.clone());
        match apply(&document, &[Edit::Add { entry: entry.clone() }], Target::Memory, usize::MAX) {
            Ok(outcome) => {
                let mut expected = texts(&document);
                if !expected.contains(&entry.as_str().to_owned()) {
                    expected.push(entry.as_str().to_owned());
                }
                prop_assert_eq!(texts(&outcome.document), expected);
                prop_assert!(is_subsequence(text.as_bytes(), outcome.document.text().as_bytes()));
                let ends = |text: &str| text.ends_with(['\n', '\r']);
                prop_assert!(!ends(&text) || ends(outcome.document.text()), "the final line end is gone");
            }
            Err(error) => prop_assert!(matches!(error, EditError::NotReadBack { .. }), "{error}"),
        }
    }

    #[test]
    fn a_replaced_entry_changes_no_byte_outside(text in file(), entry in content(), pick in any::<prop::sample::Index>()) {
        let document = Document::of(text.clone());
        prop_assume!(!document.entries().is_empty());
        let old_text = pick.get(document.entries()).as_str().to_owned();
        let position = find(&document, Target::Memory, &old_text).unwrap();
        let edit = Edit::Replace { old_text, entry: entry.clone() };
        if let Ok(outcome) = apply(&document, &[edit], Target::Memory, usize::MAX) {
            let mut expected = texts(&document);
            let others = expected.iter().enumerate().filter(|(index, _)| *index != position);
            if others.into_iter().any(|(_, other)| *other == entry.as_str()) {
                expected.remove(position);
                prop_assert_eq!(texts(&outcome.document), expected);
                return Ok(());
            }
            expected[position] = entry.as_str().to_owned();
            prop_assert_eq!(texts(&outcome.document), expected);
            let (before, after) = (text.as_bytes(), outcome.document.text().as_bytes());
            let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
            let tail = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
            // What differs is no longer than the old entry in the file, line ends of two bytes included.
            let old = document.entries()[position].as_str();
            let longest = old.len() + old.matches('\n').count();
            prop_assert!(before.len().saturating_sub(head + tail) <= longest);
        }
    }

    #[test]
    fn a_removed_entry_takes_only_itself_blanks_and_one_delimiter(text in file(), pick in any::<prop::sample::Index>()) {
        let document = Document::of(text.clone());
        prop_assume!(!document.entries().is_empty());
        let old_text = pick.get(document.entries()).as_str().to_owned();
        let position = find(&document, Target::Memory, &old_text).unwrap();
        if let Ok(outcome) = apply(&document, &[Edit::Remove { old_text: old_text.clone() }], Target::Memory, 0) {
            let mut expected = texts(&document);
            expected.remove(position);
            prop_assert_eq!(texts(&outcome.document), expected);
            prop_assert!(is_subsequence(outcome.document.text().as_bytes(), text.as_bytes()));
            let signs = |text: &str| text.matches('§').count();
            prop_assert!(signs(&text) - signs(outcome.document.text()) <= 1 + signs(&old_text));
        }
    }

    #[test]
    fn no_edit_leaves_a_file_over_its_limit_or_fuller_than_before(text in file(), entry in content(), limit in 0_usize..80) {
        let document = Document::of(text);
        let before = document.usage(limit).used;
        if let Ok(outcome) = apply(&document, &[Edit::Add { entry }], Target::Memory, limit) {
            let after = outcome.document.usage(limit).used;
            prop_assert!(after <= limit || after == before);
        }
    }

    #[test]
    fn any_sequence_of_edits_can_be_taken_back_to_the_byte(
        text in file(),
        contents in prop::collection::vec(content(), 1..4),
        pick in any::<prop::sample::Index>(),
    ) {
        // One way of ending lines in an entry, as any editor leaves it.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let document = Document::of(text.clone());
        let mut edits: Vec<_> = contents.into_iter().map(|entry| Edit::Add { entry }).collect();
        if !document.entries().is_empty() {
            edits.push(Edit::Remove { old_text: pick.get(document.entries()).as_str().to_owned() });
        }
        if let Ok(outcome) = apply(&document, &edits, Target::Memory, usize::MAX) {
            let mut after = outcome.document.text().to_owned();
            for step in outcome.steps.iter().rev() {
                if let Some(inverse) = &step.inverse {
                    after = inverse.apply(&after, step.old.as_ref().map(Entry::as_str)).unwrap();
                }
            }
            prop_assert_eq!(after, text);
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let document = Document::parse(&bytes);
        prop_assert_eq!(document.is_utf8(), std::str::from_utf8(&bytes).is_ok());
        let limits = Limits { memory: 10, user: 10 };
        let _ = document.usage(limits.of(Target::User)).to_string();
    }
}
