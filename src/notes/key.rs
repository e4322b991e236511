//! Keys, which name facts and procedures, and the file names they make.

use std::fmt::Write;

use unicode_normalization::UnicodeNormalization;

use crate::digest;

/// Bytes of a file name that a key makes; a file system takes 255, and a temporary name beside it is longer.
const MAX_NAME: usize = 180;

/// The name of a fact or procedure: any text that can stand in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Parses `text`, without the blanks around it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err("the key is empty".to_owned());
        }
        if matches!(text, "." | "..") {
            return Err(format!("`{text}` is no key"));
        }
        if let Some(c) = text.chars().find(|c| c.is_control() || matches!(c, '/' | '\\')) {
            return Err(format!("a key may not hold `{}`", c.escape_debug()));
        }
        Ok(Self(text.nfc().collect()))
    }

    /// Returns it as it was written, composed.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name of its file, without `.md`: the same for two keys that match, and for no others.
    pub fn file_name(&self) -> String {
        file_name(&self.0)
    }

    /// Returns whether `other` is the same key.
    pub fn matches(&self, other: &str) -> bool {
        folded(&self.0) == folded(other.trim())
    }

    /// Returns the key with a part that only this text has.
    #[must_use]
    pub fn told_apart_by(&self, text: &str) -> Self {
        Self(format!("{}_{}", self.0, digest::short(text, 8)))
    }

    /// Makes a key of the first words of `text`.
    pub fn of_text(text: &str) -> Self {
        const WORDS: usize = 6;
        let mut words = Vec::new();
        let mut word = String::new();
        for c in text.nfd().flat_map(char::to_lowercase).chain([' ']) {
            if c.is_ascii_alphanumeric() {
                word.push(c);
            } else if !unicode_normalization::char::is_combining_mark(c) && !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
        }
        words.truncate(WORDS);
        let key = words.join("_");
        let key = key.get(..60).unwrap_or(&key).trim_end_matches('_').to_owned();
        Self(if key.is_empty() { format!("note_{}", digest::short(text, 8)) } else { key })
    }
}

/// Returns `name` composed and in one case: what two spellings of a key have in common.
fn folded(name: &str) -> String {
    name.nfc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect()
}

/// Returns the name of a file or folder for `name`: what is not `[a-z0-9_-]` of its folded form is percent-encoded.
///
/// What would be too long is cut and given a hash of the whole.
pub fn file_name(name: &str) -> String {
    let folded = folded(name);
    let mut encoded = String::new();
    for byte in folded.bytes() {
        if byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-') {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    if encoded.len() <= MAX_NAME {
        return encoded;
    }
    let hash = digest::short(&folded, 16);
    // What is encoded is ASCII.
    format!("{}%-{hash}", encoded.get(..MAX_NAME - 18).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keys_make_file_names_that_no_other_key_makes() {
        let cases = [
            ("archi_react_router", "archi_react_router"),
            ("Router", "router"),
            ("veille:2025-10-24:claude", "veille%3A2025-10-24%3Aclaude"),
            ("goût préféré", "go%C3%BBt%20pr%C3%A9f%C3%A9r%C3%A9"),
            ("100%", "100%25"),
            (".hidden", "%2Ehidden"),
        ];
        for (key, name) in cases {
            assert_eq!(Key::parse(key).unwrap().file_name(), name);
        }
        let decomposed = Key::parse("gou\u{302}t").unwrap();
        assert_eq!(decomposed.file_name(), Key::parse("GOÛT").unwrap().file_name());
        assert!(decomposed.matches(" Goût "));
        let (long, longer) = ("é".repeat(200), "é".repeat(201));
        let name = |text: &str| Key::parse(text).unwrap().file_name();
        assert!(name(&long) != name(&longer) && name(&long).len() <= MAX_NAME);
    }

    #[test]
    fn what_cannot_name_a_file_is_no_key() {
        for text in ["", "  ", ".", "..", "a/b", "a\\b", "a\nb", "a\0"] {
            assert!(Key::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_text_makes_a_key_of_its_first_words() {
        let key = |text: &str| Key::of_text(text).as_str().to_owned();
        assert_eq!(
            key("L'équipe préfère les puces, toujours"),
            "l_equipe_prefere_les_puces_toujours"
        );
        assert!(key("日本語").starts_with("note_"));
    }

    proptest! {
        #[test]
        fn two_keys_share_a_file_only_where_they_match(a in ".{0,12}", b in ".{0,12}") {
            if let (Ok(a), Ok(b)) = (Key::parse(&a), Key::parse(&b)) {
                prop_assert_eq!(a.file_name() == b.file_name(), a.matches(b.as_str()));
                prop_assert!(!a.file_name().starts_with('.') && !a.file_name().contains('/'));
            }
        }
    }
}
