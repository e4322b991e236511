//! What an edit asks for, and what it did.

use super::{
    Document, EditError, Entry, EntryId, Target,
    matching::find,
    splice::{Inverse, Splice},
};

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

/// What one edit did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The entry that went.
    pub old: Option<Entry>,
    /// The entry that came, or that was there already.
    pub new: Option<Entry>,
    /// Whether an entry of the file already said the same, or still says what was asked for.
    pub duplicate: bool,
    /// How to take the change back; `None` where nothing was changed.
    pub inverse: Option<Inverse>,
}

impl Step {
    /// Returns whether the file already said so, and nothing was done.
    pub fn is_unchanged(&self) -> bool {
        self.duplicate && self.inverse.is_none()
    }
}

/// The file after all edits, and what each of them did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The file as it will be.
    pub document: Document,
    /// One step an edit, in their order.
    pub steps: Vec<Step>,
}

impl Outcome {
    /// Returns whether the file is any different.
    pub fn is_changed(&self) -> bool {
        self.steps.iter().any(|step| step.inverse.is_some())
    }
}

/// Applies `edits` to `document` in order, all or none; the limit is compared with the final state only.
///
/// An edit that makes a file smaller is accepted even where the file stays over its limit.
pub fn apply(
    document: &Document,
    edits: &[Edit],
    target: Target,
    limit: usize,
) -> Result<Outcome, EditError> {
    let mut outcome =
        Outcome { document: document.clone(), steps: Vec::with_capacity(edits.len()) };
    for (index, edit) in edits.iter().enumerate() {
        let step =
            apply_one(&mut outcome.document, edit, target).map_err(|source| match edits {
                [_] => source,
                _ => EditError::Operation {
                    number: index + 1,
                    action: edit.action(),
                    source: Box::new(source),
                },
            })?;
        outcome.steps.push(step);
    }
    let (current, needed) = (document.usage(limit), outcome.document.usage(limit));
    let shrinks =
        (needed.used, outcome.document.text().len()) < (current.used, document.text().len());
    if needed.used > limit && outcome.is_changed() && !shrinks {
        return Err(EditError::LimitExceeded { needed });
    }
    Ok(outcome)
}

/// Applies `edit` to `document`; where it is refused the document is as it was.
fn apply_one(document: &mut Document, edit: &Edit, target: Target) -> Result<Step, EditError> {
    let mut intended = document.entries().to_vec();
    let (old, new, splice) = match edit {
        Edit::Add { entry } => {
            intended.push(entry.clone());
            (None, Some(entry), Splice::append(document, entry))
        }
        Edit::Replace { old_text, entry } => {
            let position = find(document, target, old_text)?;
            let others =
                document.entries().iter().enumerate().filter(|(index, _)| *index != position);
            if others.into_iter().any(|(_, other)| other == entry) {
                // Two entries that say the same would count once and take their place twice.
                (Some(intended.remove(position)), None, Splice::remove(document, position))
            } else {
                let old = intended.splice(position..=position, [entry.clone()]).next();
                (old, Some(entry), Splice::replace(document, position, entry))
            }
        }
        Edit::Remove { old_text } => {
            let position = find(document, target, old_text)?;
            (Some(intended.remove(position)), None, Splice::remove(document, position))
        }
    };
    let wanted = match edit {
        Edit::Add { entry } | Edit::Replace { entry, .. } => Some(entry),
        Edit::Remove { .. } => old.as_ref(),
    };
    let there = if new.is_some() { document.entries() } else { &intended[..] };
    let duplicate = wanted.is_some_and(|wanted| there.contains(wanted));
    let new = new.cloned();
    if duplicate && new.is_some() && (old.is_none() || old == new) {
        return Ok(Step { old: None, new, duplicate, inverse: None });
    }
    let after = Document::of(splice.apply(document.text()));
    if after.entries() != intended {
        let mut all = document.entries().iter().chain(&new);
        let open =
            all.find(|entry| entry.leaves_a_fence_open()).map(|entry| EntryId::of(target, entry));
        return Err(EditError::NotReadBack { open });
    }
    let inverse = Some(splice.inverse(document.text()));
    *document = after;
    Ok(Step { old, new, duplicate, inverse })
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
        apply(&document, edits, Target::Memory, limit)
            .map(|outcome| outcome.document.text().to_owned())
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
        check(
            "\u{feff}a\r\n\r\n§ \r\n\r\n b \r\n§\r\nc",
            replace("b", "N\nM"),
            "\u{feff}a\r\n\r\n§ \r\n\r\n N\r\nM \r\n§\r\nc",
        );
        check("a", replace("a", "a"), "a");
        check("a\n§\nb", replace("a", "b"), "b");
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
        assert!(!outcome.is_changed());
    }

    #[test]
    fn a_batch_is_judged_on_its_final_state_all_or_nothing() {
        let batch = [add("12345"), remove("abc"), replace("12345", "x")];
        assert_eq!(edited("abc", &batch, 3), Ok("x".to_owned()));
        let error = edited("abc", &[add("x"), remove("zz")], 99).unwrap_err();
        assert_eq!(
            error.to_string(),
            "operation 2 (remove) is refused, so no operations were applied"
        );
    }

    #[test]
    fn an_over_full_file_may_only_get_smaller() {
        assert!(matches!(edited("abcdef", &[add("x")], 7), Err(EditError::LimitExceeded { .. })));
        assert_eq!(edited("abcdef", &[add("x")], 10), Ok("abcdef\n§\nx".to_owned()));
        assert_eq!(edited("abcdef", &[replace("a", "abcde")], 3), Ok("abcde".to_owned()));
        assert!(matches!(
            edited("abcdef", &[replace("a", "ghijkl")], 3),
            Err(EditError::LimitExceeded { .. })
        ));
        assert_eq!(edited("abcdef\n§\nabcdef", &[remove("abc")], 3), Ok("abcdef".to_owned()));
        assert_eq!(edited("abcdef", &[add("abcdef")], 3), Ok("abcdef".to_owned()));
    }

    #[test]
    fn an_edit_that_would_not_read_back_is_refused() {
        let error = edited("```\nopen\n§\nb", &[add("```sh\nls\n```")], 2200).unwrap_err();
        let EditError::NotReadBack { open: Some(id) } = error else { panic!("{error}") };
        assert_eq!(id, EntryId::of(Target::Memory, &Entry::parse("```\nopen").unwrap()));
    }

    /// Takes the steps of `edits` back one by one, as an undo does.
    #[track_caller]
    fn check_inverse(text: &str, edits: &[Edit]) {
        let document = Document::of(text.to_owned());
        let outcome = apply(&document, edits, Target::Memory, usize::MAX).unwrap();
        let mut after = outcome.document.text().to_owned();
        for step in outcome.steps.iter().rev() {
            let Some(inverse) = &step.inverse else { continue };
            after = inverse.apply(&after, step.old.as_ref().map(Entry::as_str)).unwrap();
        }
        assert_eq!(after, text);
    }

    #[test]
    fn every_step_can_be_taken_back_to_the_byte() {
        for text in [
            "",
            "\u{feff}a\n\n§ \n\nb\n§\nc",
            "a\r\nx\r\n§\r\nb\r\n§\r\nc\r\n",
            "a\n§\nb\n§\nc\n§\n",
        ] {
            check_inverse(text, &[add("N\nM"), add("N\nM"), add("O")]);
            if !text.is_empty() {
                check_inverse(text, &[remove("a"), replace("b", "N\nM"), remove("c")]);
                check_inverse(text, &[remove("b"), add("b"), remove("c"), replace("a", "é")]);
            }
        }
    }
}
