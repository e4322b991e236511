//! Editing as splicing: bytes outside the edited entry stay as they are.

use std::ops::Range;

use super::{Document, EditError, Entry, EntryId, SEPARATOR, Target, Usage, matching::find};

/// One change that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Appends an entry.
    Add {
        /// The new entry.
        entry: Entry,
    },
    /// Puts an entry in the place of another.
    Replace {
        /// Names the entry that goes.
        old_text: String,
        /// The new entry.
        entry: Entry,
    },
    /// Takes an entry out.
    Remove {
        /// Names the entry that goes.
        old_text: String,
    },
}

impl Edit {
    /// Returns the word of the tool for it.
    pub fn action(&self) -> &'static str {
        match self {
            Self::Add { .. } => "add",
            Self::Replace { .. } => "replace",
            Self::Remove { .. } => "remove",
        }
    }
}

/// Bytes `cut` of a text give way to `insert`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The byte range that goes, in the text before.
    pub cut: Range<usize>,
    /// What comes in its place.
    pub insert: String,
}

impl Splice {
    fn apply(&self, text: &str) -> String {
        let before = text.get(..self.cut.start).unwrap_or_default();
        let after = text.get(self.cut.end..).unwrap_or_default();
        [before, &self.insert, after].concat()
    }
}

/// What one edit did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The entry was appended.
    Added {
        /// The new entry.
        new: Entry,
        /// The change of the bytes.
        splice: Splice,
    },
    /// One entry gave way to another.
    Replaced {
        /// The entry that went.
        old: Entry,
        /// Where its own bytes stood in the text before.
        span: Range<usize>,
        /// The new entry.
        new: Entry,
        /// Whether another entry already said the same.
        duplicate: bool,
        /// The change of the bytes.
        splice: Splice,
    },
    /// The entry was taken out.
    Removed {
        /// The entry that went.
        old: Entry,
        /// Where its own bytes stood in the text before.
        span: Range<usize>,
        /// The change of the bytes.
        splice: Splice,
    },
    /// The file already says so: nothing is written.
    Unchanged {
        /// The entry that says it.
        entry: Entry,
    },
}

/// The file after all edits, and what each of them did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The file as it will be.
    pub document: Document,
    /// One step an edit, in their order.
    pub steps: Vec<Step>,
}

/// Applies `edits` to `document` in order, all or none; the limit is compared with the final state only.
///
/// An edit that makes a file smaller is accepted even where the file stays over its limit.
pub fn apply(document: &Document, edits: &[Edit], target: Target, limit: usize) -> Result<Outcome, EditError> {
    let mut outcome = Outcome { document: document.clone(), steps: Vec::with_capacity(edits.len()) };
    for (index, edit) in edits.iter().enumerate() {
        let (after, step) = apply_one(&outcome.document, edit, target).map_err(|source| match edits {
            [_] => source,
            _ => EditError::Operation { number: index + 1, action: edit.action(), source: Box::new(source) },
        })?;
        outcome.steps.push(step);
        if let Some(after) = after {
            outcome.document = after;
        }
    }
    let (current, needed) = (document.usage(limit), outcome.document.usage(limit));
    let shrinks = (needed.used, outcome.document.text().len()) < (current.used, document.text().len());
    let changed = outcome.steps.iter().any(|step| !matches!(step, Step::Unchanged { .. }));
    if needed.used > limit && changed && !shrinks {
        return Err(EditError::LimitExceeded { needed, current });
    }
    Ok(outcome)
}

/// Applies `edit` to `document`: the document afterwards where it changes, and what was done.
fn apply_one(document: &Document, edit: &Edit, target: Target) -> Result<(Option<Document>, Step), EditError> {
    let mut intended = document.entries().to_vec();
    let step = match edit {
        Edit::Add { entry } if intended.contains(entry) => {
            return Ok((None, Step::Unchanged { entry: entry.clone() }));
        }
        Edit::Add { entry } => {
            intended.push(entry.clone());
            Step::Added { new: entry.clone(), splice: appended(document, entry) }
        }
        Edit::Replace { old_text, entry } => {
            let position = find(document, target, old_text)?;
            let Some(place) = intended.get_mut(position) else { return Err(EditError::MissingOldText) };
            if place == entry {
                return Ok((None, Step::Unchanged { entry: entry.clone() }));
            }
            let old = std::mem::replace(place, entry.clone());
            let span = document.span(position);
            let insert = document.line_ending().write(entry.as_str());
            let duplicate = document.entries().contains(entry);
            Step::Replaced { old, new: entry.clone(), duplicate, splice: Splice { cut: span.clone(), insert }, span }
        }
        Edit::Remove { old_text } => {
            let position = find(document, target, old_text)?;
            let old = intended.remove(position);
            Step::Removed { old, span: document.span(position), splice: removed(document, position) }
        }
    };
    let splice = match &step {
        Step::Added { splice, .. } | Step::Replaced { splice, .. } | Step::Removed { splice, .. } => splice,
        Step::Unchanged { .. } => return Ok((None, step)),
    };
    let after = Document::of(splice.apply(document.text()));
    if after.entries() != intended {
        let mut all = document.entries().iter().chain(match &step {
            Step::Added { new, .. } | Step::Replaced { new, .. } => Some(new),
            _ => None,
        });
        let open = all.find(|entry| entry.leaves_a_fence_open()).map(|entry| EntryId::of(target, entry));
        return Err(EditError::NotReadBack { open });
    }
    Ok((Some(after), step))
}

/// Returns the splice that appends `entry`: behind the last entry, or behind a delimiter that ends the file.
fn appended(document: &Document, entry: &Entry) -> Splice {
    let text = document.text();
    let eol = document.line_ending();
    let body = eol.write(entry.as_str());
    let eol = eol.as_str();
    let last_entry = document.entries().len().checked_sub(1).map(|position| document.span(position).end);
    let last_delimiter = document.delimiters().last().map(|line| line.end);
    let ends_line = text.ends_with(['\n', '\r']);
    match (last_entry, last_delimiter) {
        (Some(end), delimiter) if delimiter.is_none_or(|line| line <= end) => {
            Splice { cut: end..end, insert: format!("{eol}{SEPARATOR}{eol}{body}") }
        }
        (_, Some(end)) => {
            let before = if end == text.len() && !ends_line { eol } else { "" };
            let after = if end == text.len() && ends_line { eol } else { "" };
            Splice { cut: end..end, insert: format!("{before}{body}{after}") }
        }
        (_, None) => {
            let start = document.body_start();
            // A new file ends with a newline; blanks that stand in the file keep their place behind the entry.
            let after = if start == text.len() { eol } else { "" };
            Splice { cut: start..start, insert: format!("{body}{after}") }
        }
    }
}

/// Returns the splice that takes out the entry at `position` with the delimiter before it; for the first, the one after.
fn removed(document: &Document, position: usize) -> Splice {
    let text = document.text();
    let span = document.span(position);
    let before = document.delimiters().iter().rfind(|line| line.end <= span.start);
    let after = document.delimiters().iter().find(|line| line.start >= span.end);
    let cut = match (before, after) {
        (Some(before), Some(after)) => before.start..after.start,
        // The line end before the delimiter goes with it, so that the file ends as it did.
        (Some(before), None) => line_end_before(text, before.start)..span.end,
        (None, Some(after)) => span.start..after.end,
        (None, None) => span,
    };
    Splice { cut, insert: String::new() }
}

/// Returns where the line end that stands right before `at` begins.
fn line_end_before(text: &str, at: usize) -> usize {
    let head = text.get(..at).unwrap_or_default();
    let stripped = head.strip_suffix("\r\n").or_else(|| head.strip_suffix(['\n', '\r']));
    stripped.map_or(at, str::len)
}

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
    let mut rest = outcome.document.distinct();
    let fresh = |entry: &Entry| !document.entries().contains(entry);
    let mut suggestions = Vec::new();
    for entry in oldest_first {
        let Some(position) = rest.iter().position(|kept| *kept == entry && !fresh(kept)) else { continue };
        rest.remove(position);
        let used = rest.iter().map(|kept| kept.chars()).sum::<usize>() + 3 * rest.len().saturating_sub(1);
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

    fn replace(old_text: &str, text: &str) -> Edit {
        Edit::Replace { old_text: old_text.to_owned(), entry: Entry::parse(text).unwrap() }
    }

    fn remove(old_text: &str) -> Edit {
        Edit::Remove { old_text: old_text.to_owned() }
    }

    fn edited(text: &str, edits: &[Edit], limit: usize) -> Result<String, EditError> {
        let document = Document::of(text.to_owned());
        apply(&document, edits, Target::Memory, limit).map(|outcome| outcome.document.text().to_owned())
    }

    #[track_caller]
    fn check(text: &str, edit: Edit, expected: &str) {
        assert_eq!(edited(text, &[edit], 2200), Ok(expected.to_owned()), "{text:?}");
    }

    #[test]
    fn an_added_entry_takes_its_place_at_the_end() {
        check("", add("N"), "N\n");
        check("\u{feff}", add("N"), "\u{feff}N\n");
        check("\n\n", add("N"), "N\n\n");
        check("a\n§\nb", add("N"), "a\n§\nb\n§\nN");
        check("a\n§\nb\n", add("N"), "a\n§\nb\n§\nN\n");
        check("a  \n\n", add("N"), "a\n§\nN  \n\n");
        check("a\r\n§\r\nb\r\n", add("N\nM"), "a\r\n§\r\nb\r\n§\r\nN\r\nM\r\n");
        check("a\r§\rb", add("N"), "a\r§\rb\r§\rN");
        check("a\n§\n", add("N"), "a\n§\nN\n");
        check("a\n§", add("N"), "a\n§\nN");
        check("a\n§\n\n", add("N"), "a\n§\nN\n");
        check("§", add("N"), "§\nN");
        check("\n§\n", add("N"), "\n§\nN\n");
        check("```\nopen", add("N"), "```\nopen\n§\nN");
    }

    #[test]
    fn a_replaced_entry_changes_and_nothing_else() {
        check("\u{feff}a\r\n\r\n§ \r\n\r\n b \r\n§\r\nc", replace("b", "N\nM"), "\u{feff}a\r\n\r\n§ \r\n\r\n N\r\nM \r\n§\r\nc");
        check("a", replace("a", "a"), "a");
        check("a\n§\nb", replace("a", "b"), "b\n§\nb");
    }

    #[test]
    fn a_removed_entry_takes_one_delimiter_along() {
        check("a\n§\nb\n§\nc\n", remove("a"), "b\n§\nc\n");
        check("a\n§\nb\n§\nc\n", remove("b"), "a\n§\nc\n");
        check("a\n§\nb\n§\nc\n", remove("c"), "a\n§\nb\n");
        check("a\n§\nb", remove("b"), "a");
        check("a\r\n§\r\nb", remove("b"), "a");
        check("a\r§\rb\r", remove("b"), "a\r");
        check("a\n\n§\n\nb\n\n§\n\nc", remove("b"), "a\n\n§\n\nc");
        check("\n\na\n§\nb", remove("a"), "\n\nb");
        check("§\na\n§\nb", remove("a"), "§\nb");
        check("a\n", remove("a"), "\n");
        check("a", remove("a"), "");
        check("a\n§\n§\nb", remove("b"), "a\n§");
        check("a\n§\na", remove("a"), "a");
    }

    #[test]
    fn a_duplicate_is_accepted_without_a_change() {
        let document = Document::of("a\r\nb".to_owned());
        let outcome = apply(&document, &[add("a\nb")], Target::Memory, 1).unwrap();
        assert_eq!(outcome.document, document);
        assert!(matches!(&outcome.steps[..], [Step::Unchanged { .. }]));
    }

    #[test]
    fn a_batch_is_judged_on_its_final_state_all_or_nothing() {
        let batch = [add("12345"), remove("abc"), replace("12345", "x")];
        assert_eq!(edited("abc", &batch, 3), Ok("x".to_owned()));
        let error = edited("abc", &[add("x"), remove("zz")], 99).unwrap_err();
        assert_eq!(error.to_string(), "operation 2 (remove): no entry matched `zz`; no operations were applied");
    }

    #[test]
    fn an_over_full_file_may_only_get_smaller() {
        assert!(matches!(edited("abcdef", &[add("x")], 7), Err(EditError::LimitExceeded { .. })));
        assert_eq!(edited("abcdef", &[add("x")], 10), Ok("abcdef\n§\nx".to_owned()));
        assert_eq!(edited("abcdef", &[replace("a", "abcde")], 3), Ok("abcde".to_owned()));
        assert!(matches!(edited("abcdef", &[replace("a", "ghijkl")], 3), Err(EditError::LimitExceeded { .. })));
        assert_eq!(edited("abcdef\n§\nabcdef", &[remove("abc")], 3), Ok("abcdef".to_owned()));
        assert_eq!(edited("abcdef", &[add("abcdef")], 3), Ok("abcdef".to_owned()));
    }

    #[test]
    fn an_edit_that_would_not_read_back_is_refused() {
        let error = edited("```\nopen\n§\nb", &[add("```sh\nls\n```")], 2200).unwrap_err();
        let EditError::NotReadBack { open: Some(id) } = error else { panic!("{error}") };
        assert_eq!(id, EntryId::of(Target::Memory, &Entry::parse("```\nopen").unwrap()));
    }

    #[test]
    fn the_oldest_entries_are_suggested_until_the_edit_fits() {
        let document = Document::of("old\n§\nyoung\n§\nnew".to_owned());
        let oldest_first = document.entries().to_vec();
        let suggestions = suggest(&document, &[add("123456")], Target::Memory, 16, &oldest_first);
        let found: Vec<_> = suggestions.iter().map(|s| (s.entry.as_str(), s.usage.used)).collect();
        assert_eq!(found, [("old", 20), ("young", 12)]);
        assert_eq!(suggest(&document, &[add("12345678901234567")], Target::Memory, 16, &oldest_first), []);
        let replaced = suggest(&document, &[replace("old", "12345678901")], Target::Memory, 17, &oldest_first);
        assert_eq!(replaced.iter().map(|s| s.entry.as_str()).collect::<Vec<_>>(), ["young"]);
    }
}
