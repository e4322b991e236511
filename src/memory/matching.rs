//! How an edit names the entry it is about.

use unicode_normalization::UnicodeNormalization;

use super::{
    Candidate, Document, EditError, Entry, EntryId, Target,
    text::{is_blank, strip, to_lf},
};

/// Returns the position of the entry of `target` that `old_text` names.
///
/// Tried in this order: the whole entry, an id, a unique substring (with the blanks at its ends, then without), a unique
/// substring of the folded texts.
pub fn find(document: &Document, target: Target, old_text: &str) -> Result<usize, EditError> {
    let quoted = to_lf(old_text);
    let old_text = to_lf(strip(old_text));
    if old_text.is_empty() {
        return Err(EditError::MissingOldText);
    }
    let id = EntryId::parse(&old_text.to_ascii_lowercase());
    let wanted = folded(&old_text);
    let steps: [&dyn Fn(&Entry) -> bool; 5] = [
        &|entry| entry.as_str() == old_text,
        &|entry| id.as_ref().is_some_and(|id| EntryId::of(target, entry) == *id),
        &|entry| entry.as_str().contains(&*quoted),
        &|entry| entry.as_str().contains(&*old_text),
        &|entry| !wanted.is_empty() && folded(entry.as_str()).contains(&wanted),
    ];
    for named in steps {
        let found: Vec<_> =
            document.entries().iter().enumerate().filter(|(_, entry)| named(entry)).collect();
        let Some((position, first)) = found.first() else { continue };
        if found.iter().all(|(_, entry)| entry == first) {
            return Ok(*position);
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        for candidate in found.iter().map(|(_, entry)| Candidate::of(target, entry)) {
            if !candidates.contains(&candidate) {
                candidates.push(candidate);
            }
        }
        return Err(EditError::AmbiguousMatch { old_text: old_text.to_string(), candidates });
    }
    Err(EditError::NoMatch { old_text: old_text.into_owned() })
}

/// Returns `text` composed (NFC), in lower case, with plain quotes and with each run of blanks as one space.
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = false;
    // Through upper case, so that `ß` meets `SS` and a final sigma any other.
    for c in text.nfc().flat_map(char::to_uppercase).flat_map(char::to_lowercase) {
        if is_blank(c) {
            blank = true;
            continue;
        }
        // French quotes have blanks inside, and nobody types them again.
        let quoted = c == '»' || out.ends_with('\u{ab}');
        if std::mem::take(&mut blank) && !out.is_empty() && !quoted {
            out.push(' ');
        }
        match c {
            '‘' | '’' | '‚' | '‛' | 'ʼ' | '′' => out.push('\''),
            '“' | '”' | '„' | '‟' | '»' | '″' => out.push('"'),
            '\u{2010}' | '\u{2011}' => out.push('-'),
            c => out.push(c),
        }
    }
    out.replace('«', "\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, old_text: &str, expected: usize) {
        let document = Document::parse(text.as_bytes());
        assert_eq!(find(&document, Target::Memory, old_text), Ok(expected), "{old_text:?}");
    }

    #[test]
    fn the_whole_entry_wins_over_a_part_of_another() {
        check("a1x\n§\na1", "a1", 1);
    }

    #[test]
    fn an_id_names_its_entry() {
        let id = EntryId::of(Target::Memory, &Entry::parse("second").unwrap());
        check(&format!("see {id}\n§\nsecond"), id.as_str(), 1);
    }

    #[test]
    fn a_unique_part_names_its_entry() {
        check("alpha\n§\nbeta\nline two", "line two", 1);
        check("alpha\n§\nbeta\r\nline two", "beta\nline", 1);
        check("port 8080 is open\n§\nport 80 is open", "port 80 ", 1);
    }

    #[test]
    fn typography_blanks_composition_and_case_are_folded_last() {
        check("x\n§\nL’utilisateur préfère « le thé »", "l'utilisateur  PRÉFÈRE \"le thé\"", 1);
        check("cafe\u{301} noir", "café", 0);
        check("a\u{202f}b\nc", "A B C", 0);
        check("Paris\n§\nparis", "paris", 1);
        check("x\n§\nStraße", "STRASSE", 1);
    }

    #[test]
    fn several_identical_entries_mean_the_first() {
        check("b\n§\na\n§\na", "a", 1);
    }

    #[test]
    fn several_different_entries_are_ambiguous() {
        let document = Document::parse("tea one\n§\ntea two\n§\ntea one".as_bytes());
        let Err(EditError::AmbiguousMatch { candidates, .. }) =
            find(&document, Target::Memory, "tea")
        else {
            panic!("one entry was picked");
        };
        assert_eq!(
            candidates.iter().map(|c| c.text.as_str()).collect::<Vec<_>>(),
            ["tea one", "tea two"]
        );
    }

    #[test]
    fn what_is_not_there_is_not_matched() {
        let document = Document::parse("a".as_bytes());
        for old_text in ["zz", "m-00000000", "''"] {
            assert!(
                matches!(find(&document, Target::Memory, old_text), Err(EditError::NoMatch { .. })),
                "{old_text}"
            );
        }
        assert_eq!(find(&document, Target::Memory, " \n"), Err(EditError::MissingOldText));
    }
}
