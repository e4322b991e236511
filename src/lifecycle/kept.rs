//! What a merged text must keep of each of its notes: numbers, proper names, identifiers and paths.

use std::collections::{BTreeSet, HashSet};

use super::sense::numbers;
use crate::index::{analyze, folded_words, is_function_word};

/// Returns what `merged` drops of `notes`: numbers, names, identifiers and paths, each once.
pub fn dropped(notes: &[&str], merged: &str) -> Vec<String> {
    let known = Words::of(merged);
    let has_numbers = numbers(merged);
    let mut dropped = BTreeSet::new();
    for note in notes {
        dropped.extend(numbers(note).into_iter().filter(|number| !has_numbers.contains(number)));
        for token in tokens(note) {
            if is_identifier(token.text) {
                if !stands_in(token.text, merged) {
                    dropped.insert(token.text.to_owned());
                }
            } else if is_name(&token) && !known.hold(&token) {
                dropped.insert(token.text.to_owned());
            }
        }
    }
    // A number that an identifier holds is told by the identifier.
    let whole: Vec<_> = dropped.iter().filter(|one| is_identifier(one)).cloned().collect();
    let is_part = |one: &String| whole.iter().any(|whole| whole != one && whole.contains(one));
    dropped.into_iter().filter(|one| !is_part(one)).collect()
}

/// A part of a text between blanks, without the punctuation around it.
#[derive(Clone, Copy, Debug)]
struct Token<'t> {
    text: &'t str,
    /// Whether a sentence or a line begins with it.
    begins: bool,
}

/// Words that stand before an apostrophe and are no part of what follows.
const ELIDED: [&str; 9] = ["c", "d", "j", "l", "m", "n", "qu", "s", "t"];

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        let mut begins = true;
        for part in line.split_whitespace() {
            let text = part.trim_start_matches(is_opening).trim_end_matches(is_closing);
            let text = without_elision(text);
            let text = ["'s", "’s"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
            if text.chars().any(char::is_alphanumeric) {
                tokens.push(Token { text, begins });
                begins = false;
            }
            begins |= part.ends_with(['.', '?', '!', ':', '…']);
        }
    }
    tokens
}

fn is_opening(c: char) -> bool {
    matches!(c, '(' | '[' | '{' | '<' | '"' | '\'' | '`' | '«' | '“' | '‘' | '*' | ',' | ';')
}

fn is_closing(c: char) -> bool {
    is_opening(c)
        || matches!(c, ')' | ']' | '}' | '>' | '»' | '”' | '’' | '.' | ':' | '!' | '?' | '…')
}

fn without_elision(text: &str) -> &str {
    let Some(at) = text.find(['\'', '’']) else { return text };
    let is_elided =
        text.get(..at).is_some_and(|word| ELIDED.contains(&word.to_lowercase().as_str()));
    let rest = text.get(at..).map(|rest| rest.trim_start_matches(['\'', '’']));
    rest.filter(|_| is_elided).unwrap_or(text)
}

/// Returns whether `text` is more than a word: a path, a version, a flag, an address, `ERR_AUTH_401`, `reactRouter`.
fn is_identifier(text: &str) -> bool {
    if matches!(text.to_lowercase().as_str(), "and/or" | "et/ou") {
        return false;
    }
    let chars: Vec<char> = text.chars().collect();
    let inner = chars.windows(3).any(|three| match three {
        [before, '.' | ':' | '=' | '+', after] => {
            before.is_alphanumeric() && after.is_alphanumeric()
        }
        _ => false,
    });
    let humps = chars.windows(2).any(|two| match two {
        [before, after] => before.is_lowercase() && after.is_uppercase(),
        _ => false,
    });
    let has = |test: fn(char) -> bool| chars.iter().copied().any(test);
    let mixed = has(char::is_alphabetic) && has(|c| c.is_ascii_digit());
    let marked = has(|c| matches!(c, '/' | '\\' | '_' | '@' | '#' | '~' | '$'));
    let led = matches!(chars.as_slice(), ['-' | '.', second, ..] if !second.is_ascii_digit());
    inner || humps || mixed || marked || led
}

/// Returns whether `word` stands in `text` and is not a part of something longer there.
fn stands_in(word: &str, text: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let mut after = text.get(at + word.len()..).unwrap_or_default().chars();
        let (next, second) = (after.next(), after.next());
        let joins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '\\');
        let goes_on = matches!(next, Some('.' | '-' | ':'))
            && second.is_some_and(char::is_alphanumeric)
            && !word.contains('/');
        !before.is_some_and(|c| joins(c) || matches!(c, '.' | '-'))
            && !next.is_some_and(joins)
            && !goes_on
    })
}

/// Returns whether the word is written as a name: with a capital, and is not one that any sentence begins with.
fn is_name(token: &Token<'_>) -> bool {
    let capital = token.text.chars().next().is_some_and(char::is_uppercase);
    let function = folded_words(token.text).iter().all(|word| is_function_word(word));
    capital && !function
}

/// The words of a merged text, as they are and by their stems.
struct Words {
    folded: HashSet<String>,
    stems: HashSet<String>,
}

impl Words {
    fn of(text: &str) -> Self {
        let terms = analyze(text);
        Self {
            folded: terms.folded.into_iter().collect(),
            stems: terms.english.into_iter().chain(terms.french).collect(),
        }
    }

    /// Returns whether the name is there; a word that begins a sentence may be no name, so that its stem is enough.
    fn hold(&self, token: &Token<'_>) -> bool {
        let terms = analyze(token.text);
        let same = terms.folded.iter().all(|word| self.folded.contains(word));
        let mut stems = terms.english.iter().chain(&terms.french);
        same || (token.begins && stems.any(|stem| self.stems.contains(stem)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(note: &str, merged: &str, expected: &[&str]) {
        assert_eq!(dropped(&[note], merged), expected, "{note} | {merged}");
    }

    #[test]
    fn numbers_names_identifiers_and_paths_must_stay() {
        check("The API listens on port 8080", "The API listens on a port", &["8080"]);
        check("Marie travaille chez Airbus", "Elle travaille chez Airbus", &["Marie"]);
        check(
            "Notre fournisseur est l'éditeur Mistral",
            "Notre fournisseur est un éditeur",
            &["Mistral"],
        );
        check("See src/lib.rs:42", "See src/lib.rs", &["src/lib.rs:42"]);
        check("Set `--no-verify` and .env", "Set it", &["--no-verify", ".env"]);
        check("It fails with ERR_AUTH_401", "It fails with ERR_AUTH_402", &["ERR_AUTH_401"]);
        check("Use reactRouter v7", "Use reactRouter", &["v7"]);
        check("The version is 1.0", "The version is 1.0.21", &["1.0"]);
        check("Logs are in /var/log/app", "Logs are in /var/log/apps", &["/var/log/app"]);
        check("Write to ada@example.org", "Write to Ada", &["ada@example.org"]);
    }

    #[test]
    fn what_says_the_same_in_other_words_drops_nothing() {
        check("Deploys run on Fridays at 18:30", "Deployments are run on Fridays, at 18:30.", &[]);
        check("L'utilisateur préfère les puces", "Les puces sont préférées par l'utilisateur", &[]);
        check("There are three servers in ~/code/api", "3 servers (`~/code/api`)", &[]);
        check("Ada's editor is Vim", "Vim is the editor of Ada", &[]);
        check("- Use pnpm and/or npm", "pnpm or npm is used", &[]);
    }
}
