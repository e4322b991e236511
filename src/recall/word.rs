//! PURE: the words of a question, with their places.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A word of the question, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// In lower case, without accents.
    pub(super) text: String,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it begins with a capital.
    pub(super) capital: bool,
    /// Whether an apostrophe stands before it.
    pub(super) bound: bool,
}

/// Returns the words of `text`: what is written without a blank is one, but for apostrophes and the punctuation around it.
pub(super) fn words(text: &str) -> Vec<Word> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '\'' | '’');
    let mut words = Vec::new();
    let mut start = 0;
    let mut bound = false;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if !is_end(c) {
            continue;
        }
        let part = text.get(start..at).unwrap_or_default();
        let trimmed = part.trim_matches(|c: char| !c.is_alphanumeric());
        if !trimmed.is_empty() {
            let from = start + part.find(trimmed).unwrap_or_default();
            words.push(Word {
                text: fold(trimmed),
                start: from,
                end: from + trimmed.len(),
                capital: trimmed.chars().next().is_some_and(char::is_uppercase),
                bound,
            });
        }
        bound = !c.is_whitespace() && !trimmed.is_empty();
        start = at + c.len_utf8();
    }
    words
}

/// Returns whether `word` is one of `list`, which are parted by blanks.
pub(super) fn is_one(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

fn fold(word: &str) -> String {
    word.to_lowercase().nfd().filter(|c| !is_combining_mark(*c)).collect()
}

/// Returns whether the question is about what was, and not about a habit or a plan.
pub(super) fn is_past(words: &[Word]) -> bool {
    const PAST: &str = "did didn was were had happened decided chose agreed discussed said made went ai \
        avons avez ont avait avions avaient etait etaient fut furent a-t-on a-t-il a-t-elle est-il est-elle ont-ils \
        ont-elles avons-nous avez-vous avait-on";
    let has = |list: &str| words.iter().any(|word| is_one(list, &word.text));
    // `a` is a verb in French and an article in English.
    has(PAST) || (has("a") && !has("in during the today"))
}
