//! From text to terms: the same for notes and for questions.

use std::sync::OnceLock;

use frostem::{Algorithm, Stemmer};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::words::is_function_word;

/// The terms of a text, by the field they are looked for in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Words in lower case without accents and ligatures; CJK in pairs.
    pub folded: Vec<String>,
    /// Their stems in English.
    pub english: Vec<String>,
    /// Their stems in French.
    pub french: Vec<String>,
    /// Identifiers, versions, paths, flags and codes as they are written, in lower case.
    pub exact: Vec<String>,
    /// Those of the others that belong to names; of questions only, and sorted.
    pub names: Vec<String>,
    /// Those of the others that are only parts of an identifier; of questions only, and sorted.
    pub parts: Vec<String>,
}

/// Returns the terms of `text`.
pub fn analyze(text: &str) -> Terms {
    let mut terms = Terms::default();
    for word in words(text) {
        terms.add(&word);
    }
    terms.exact = identifiers(text);
    terms
}

/// Returns the terms of a question: without function words, unless it holds nothing else.
pub fn query_terms(text: &str) -> Terms {
    let all = words(text);
    let content: Vec<_> =
        all.iter().filter(|word| !is_function_word(&fold(word))).cloned().collect();
    let mut terms = Terms::default();
    for word in if content.is_empty() { &all } else { &content } {
        terms.add(word);
    }
    terms.exact = identifiers(text);
    terms.names = names(text);
    terms.parts = parts(&terms.exact);
    terms
}

/// Returns the words of `text` in order, in lower case without accents, and without what French elides.
pub fn folded_words(text: &str) -> Vec<String> {
    words(text).iter().map(|word| fold(word)).collect()
}

impl Terms {
    /// Returns whether a question is made of identifiers and nothing else.
    pub fn are_identifiers(&self) -> bool {
        let is_identifier =
            |word: &String| self.parts.binary_search(word).is_ok() || self.exact.contains(word);
        !self.exact.is_empty() && self.folded.iter().all(is_identifier)
    }

    /// Returns the words of all fields, sorted, each once.
    fn all(self) -> Vec<String> {
        let mut all = [self.folded, self.english, self.french].concat();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Adds a word in lower case.
    fn add(&mut self, word: &str) {
        let folded = fold(word);
        if word.chars().any(is_cjk) {
            let characters: Vec<char> = word.chars().collect();
            if characters.len() < 2 {
                self.folded.push(folded);
            } else {
                self.folded
                    .extend(characters.windows(2).map(|pair| pair.iter().collect::<String>()));
            }
            return;
        }
        let (english, french) = stemmers();
        self.english.push(fold(&english.stem(word)));
        // Stemmed with its accents, which tell endings apart, and folded afterwards.
        self.french.push(fold(&french.stem(word)));
        self.folded.push(folded);
    }
}

fn stemmers() -> &'static (Stemmer, Stemmer) {
    static STEMMERS: OnceLock<(Stemmer, Stemmer)> = OnceLock::new();
    STEMMERS.get_or_init(|| (Stemmer::new(Algorithm::English), Stemmer::new(Algorithm::French)))
}

/// Words elided before a vowel in French.
const ELIDED: [&str; 13] =
    ["c", "d", "j", "l", "m", "n", "qu", "s", "t", "jusqu", "lorsqu", "puisqu", "quoiqu"];

/// Returns the words of `text` in lower case, without what French elides; runs of CJK are one word.
fn words(text: &str) -> Vec<String> {
    let composed: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut cjk = false;
    for c in composed.chars().chain([' ']) {
        if c.is_alphanumeric() && (word.is_empty() || is_cjk(c) == cjk) {
            cjk = is_cjk(c);
            word.push(c);
            continue;
        }
        let elided = matches!(c, '\'' | '’' | 'ʼ') && ELIDED.contains(&word.as_str());
        if elided {
            word.clear();
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            cjk = is_cjk(c);
            word.push(c);
        }
    }
    words
}

/// Returns `word` without accents and ligatures.
fn fold(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for c in word.nfd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'œ' => folded.push_str("oe"),
            'æ' => folded.push_str("ae"),
            'ß' => folded.push_str("ss"),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            c => folded.push(c),
        }
    }
    folded
}

/// Han, kana and Hangul, which are written without blanks.
fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns the terms of words that are written as names: with a capital, and not because a sentence begins.
fn names(text: &str) -> Vec<String> {
    let mut names = Terms::default();
    let mut begins = true;
    for part in text.split_whitespace() {
        let mut letters = part.chars().filter(|c| c.is_alphabetic());
        let capital = letters.next().is_some_and(char::is_uppercase);
        // A word all in capitals shouts, or is an abbreviation that says no more than another word.
        if capital && !begins && letters.any(char::is_lowercase) {
            for word in words(part) {
                names.add(&word);
            }
        }
        begins = part.ends_with(['.', '?', '!', ':', '…']);
    }
    names.all()
}

/// Returns the terms of the words that `identifiers` fall into: `1.0.21` is not told by 1, 0 and 21.
fn parts(identifiers: &[String]) -> Vec<String> {
    let mut parts = Terms::default();
    for identifier in identifiers {
        let words = words(identifier);
        // Words joined by a hyphen say what they say apart.
        let joined = identifier.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '’' | '\''));
        if words.len() > 1 && (!joined || identifier.starts_with('-')) {
            for word in words {
                parts.add(&word);
            }
        }
    }
    parts.all()
}

/// Characters of an identifier as a whole; longer ones are data.
const LONGEST: usize = 80;

/// Returns the parts of `text` that are written without blanks and are more than a word: `1.0.21`, `ERR_AUTH_401`,
/// `src/lib.rs:42`, `--no-verify`.
fn identifiers(text: &str) -> Vec<String> {
    let is_edge = |c: char| {
        matches!(
            c,
            '.' | ','
                | ';'
                | ':'
                | '!'
                | '?'
                | '('
                | ')'
                | '['
                | ']'
                | '{'
                | '}'
                | '"'
                | '\''
                | '`'
                | '«'
                | '»'
                | '“'
                | '”'
                | '‘'
                | '’'
                | '<'
                | '>'
                | '…'
                | '*'
                | '|'
        )
    };
    let parts = text.split_whitespace().map(|part| part.trim_matches(is_edge));
    let is_identifier = |part: &&str| {
        let signs = part
            .chars()
            .any(|c| matches!(c, '.' | '_' | '/' | ':' | '@' | '#' | '\\' | '=' | '+' | '~' | '-'));
        let digits = part.chars().any(|c| c.is_ascii_digit());
        let letters = part.chars().any(char::is_alphabetic);
        let mixed =
            part.chars().skip(1).any(char::is_uppercase) && part.chars().any(char::is_lowercase);
        (2..=LONGEST).contains(&part.chars().count())
            && ((signs && (digits || letters)) || (digits && letters) || mixed)
    };
    parts.filter(is_identifier).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn french_typed_in_a_hurry_meets_french_typed_with_care() {
        let careful = analyze("L’œuvre préférée d'Ève, jusqu'à l'été");
        let hasty = analyze("l'oeuvre preferee d'eve jusqu'a l'ete");
        assert_eq!(careful.folded, hasty.folded);
        assert_eq!(careful.folded, ["oeuvre", "preferee", "eve", "a", "ete"]);
        assert_eq!(analyze("déploiements").french, analyze("déploiement").french);
        assert_eq!(analyze("deploying").english, analyze("deploys").english);
    }

    #[test]
    fn chinese_and_japanese_are_pairs() {
        assert_eq!(analyze("東京都のtest").folded, ["東京", "京都", "都の", "test"]);
    }

    #[test]
    fn identifiers_are_kept_whole() {
        let text = "See 1.0.21, `ERR_AUTH_401` (src/lib.rs:42) and --no-verify; use reactRouter on 8080 or h2.";
        let expected =
            ["1.0.21", "err_auth_401", "src/lib.rs:42", "--no-verify", "reactrouter", "h2"];
        assert_eq!(analyze(text).exact, expected);
    }

    #[test]
    fn a_question_drops_its_function_words_unless_it_has_no_others() {
        assert_eq!(query_terms("quel était le stack du projet ?").folded, ["stack", "projet"]);
        assert_eq!(query_terms("qui est-ce ?").folded, ["qui", "est", "ce"]);
        assert_eq!(query_terms(""), Terms::default());
    }
}
