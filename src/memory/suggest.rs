//! What to archive so that an edit fits.

use std::collections::HashSet;

use super::{Document, Edit, Entry, Target, Usage, edit::apply};

/// Entries to archive so that an edit fits, and how full the file then is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The entry to archive.
    pub entry: Entry,
    /// How full the file is with the edit applied and with this and the suggestions before it archived.
    pub usage: Usage,
}

/// Returns which entries to archive so that `edits` fit, in the order of `oldest_first`; none where that is not enough.
pub fn suggest(
    document: &Document,
    edits: &[Edit],
    target: Target,
    limit: usize,
    oldest_first: &[Entry],
) -> Vec<Suggestion> {
    // Without a limit the edits apply; what they bring in or change is not offered.
    let Ok(outcome) = apply(document, edits, target, usize::MAX) else { return Vec::new() };
    let before: HashSet<&Entry> = document.entries().iter().collect();
    let after = outcome.document.distinct();
    let kept: HashSet<&Entry> =
        after.iter().copied().filter(|entry| before.contains(entry)).collect();
    let mut used = outcome.document.usage(limit).used;
    let mut suggestions = Vec::new();
    for entry in oldest_first.iter().filter(|entry| kept.contains(entry)) {
        used = used.saturating_sub(entry.chars() + 3);
        suggestions.push(Suggestion { entry: entry.clone(), usage: Usage { used, limit } });
        if used <= limit {
            return suggestions;
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(text: &str) -> Edit {
        Edit::Add { entry: Entry::parse(text).unwrap() }
    }

    #[test]
    fn the_oldest_entries_are_suggested_until_the_edit_fits() {
        let document = Document::of("old\n§\nyoung\n§\nnew".to_owned());
        let oldest_first = document.entries().to_vec();
        let suggestions = suggest(&document, &[add("123456")], Target::Memory, 16, &oldest_first);
        let found: Vec<_> = suggestions.iter().map(|s| (s.entry.as_str(), s.usage.used)).collect();
        assert_eq!(found, [("old", 20), ("young", 12)]);
        assert_eq!(
            suggest(&document, &[add("12345678901234567")], Target::Memory, 16, &oldest_first),
            []
        );
        let replaced = suggest(
            &document,
            &[Edit::Replace {
                old_text: "old".to_owned(),
                entry: Entry::parse("12345678901").unwrap(),
            }],
            Target::Memory,
            17,
            &oldest_first,
        );
        assert_eq!(replaced.iter().map(|s| s.entry.as_str()).collect::<Vec<_>>(), ["young"]);
    }
}
