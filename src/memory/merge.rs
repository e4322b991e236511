//! What changed between two readings of a file, entry by entry.

use std::collections::HashMap;

use super::{Edit, Entry, Step};

/// Returns the entries of `left` that `right` has not, or has fewer of, in their order.
pub(super) fn missing(left: &[Entry], right: &[Entry]) -> Vec<Entry> {
    let mut there: HashMap<&Entry, usize> = HashMap::new();
    for entry in right {
        *there.entry(entry).or_default() += 1;
    }
    let mut missing = Vec::new();
    for entry in left {
        match there.get_mut(entry) {
            Some(count) if *count > 0 => *count -= 1,
            _ => missing.push(entry.clone()),
        }
    }
    missing
}

/// Returns what came and went between two readings of a file, as steps that no single edit explains.
pub fn differences(before: &[Entry], after: &[Entry]) -> Vec<Step> {
    let step =
        |old: Option<Entry>, new: Option<Entry>| Step { old, new, duplicate: false, inverse: None };
    let gone = missing(before, after).into_iter().map(|old| step(Some(old), None));
    let come = missing(after, before).into_iter().map(|new| step(None, Some(new)));
    gone.chain(come).collect()
}

/// Returns the edits that make to `current` the changes that lead from `before` to `after`.
///
/// As many entries out as in are taken as replaced one by one; what `current` no longer holds is not taken out.
pub fn rebase(before: &[Entry], after: &[Entry], current: &[Entry]) -> Vec<Edit> {
    let (gone, new) = (missing(before, after), missing(after, before));
    let replaced = gone.len() == new.len() && missing(&gone, current).is_empty();
    let name = |entry: &Entry| entry.as_str().to_owned();
    if replaced {
        let pairs = gone.iter().zip(new);
        return pairs.map(|(old, entry)| Edit::Replace { old_text: name(old), entry }).collect();
    }
    let there = missing(&gone, &missing(&gone, current));
    let removals = there.iter().map(|old| Edit::Remove { old_text: name(old) });
    removals.chain(new.into_iter().map(|entry| Edit::Add { entry })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Document, Target, apply};

    fn entries(text: &str) -> Vec<Entry> {
        Document::of(text.to_owned()).entries().to_vec()
    }

    #[track_caller]
    fn check(before: &str, after: &str, current: &str, expected: &str) {
        let edits = rebase(&entries(before), &entries(after), &entries(current));
        let document = Document::of(current.to_owned());
        let outcome = apply(&document, &edits, Target::Memory, usize::MAX).unwrap();
        assert_eq!(outcome.document.text(), expected);
    }

    #[test]
    fn identical_entries_are_counted() {
        assert_eq!(missing(&entries("a\n§\na\n§\nb"), &entries("a")), entries("a\n§\nb"));
    }

    #[test]
    fn two_changes_of_one_file_are_joined() {
        check("a\n§\nb", "a2\n§\nb", "a\n§\nb\n§\nc", "a2\n§\nb\n§\nc");
        check("a\n§\nb", "b\n§\nx\n§\ny", "a\n§\nb\n§\nc", "b\n§\nc\n§\nx\n§\ny");
        check("a\n§\nb", "a", "a\n§\nc", "a\n§\nc");
        check("a", "a2", "c", "c\n§\na2");
    }
}
