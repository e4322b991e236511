//! One remembered text and its id.

use std::fmt;

use super::{
    Target,
    fences::closed_fences,
    text::{strip, to_lf},
};
use crate::digest;

/// The sign that stands alone on a line between two entries.
pub const SEPARATOR: &str = "§";

/// One remembered text: trimmed, never empty, its lines ended by LF.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry(String);

/// Why a text cannot be written as an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// Nothing is left once the blanks are taken off.
    #[error("the content is empty")]
    Empty,
    /// A line holds only the separator, so it would read back as two entries.
    #[error("the content holds a line with only `§`, which separates entries")]
    Separator,
}

impl Entry {
    /// Parses `text` as content to write: it must read back as one entry.
    pub fn parse(text: &str) -> Result<Self, EntryError> {
        let entry = Self::found(text).ok_or(EntryError::Empty)?;
        if entry.0.lines().any(|line| strip(line) == SEPARATOR) {
            return Err(EntryError::Separator);
        }
        Ok(entry)
    }

    /// Takes `text` as found between two delimiters; `None` where only blanks are left.
    ///
    /// A file may hold a separator line inside a closed fence, so that rule of [`Entry::parse`] is not applied.
    pub(crate) fn found(text: &str) -> Option<Self> {
        let text = strip(text);
        (!text.is_empty()).then(|| Self(to_lf(text).into_owned()))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns its length in Unicode scalar values.
    pub fn chars(&self) -> usize {
        self.0.chars().count()
    }

    /// Returns whether it opens a code fence and closes none.
    pub(crate) fn leaves_a_fence_open(&self) -> bool {
        let opens = |line: &str| {
            line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~")
        };
        closed_fences(&self.0).is_empty() && self.0.lines().any(opens)
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of an entry: the letter of its file and the first 8 hex digits of the BLAKE3 of its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryId(String);

impl EntryId {
    /// Returns the id of `entry` in `target`.
    pub fn of(target: Target, entry: &Entry) -> Self {
        Self(format!("{}-{}", target.letter(), digest::short(&entry.0, 8)))
    }

    /// Reads `text` as an id; `None` where it has not the shape of one.
    pub fn parse(text: &str) -> Option<Self> {
        let (letter, hex) = text.split_once('-')?;
        let known = Target::ALL.iter().any(|target| letter.chars().eq([target.letter()]));
        let digits =
            hex.len() == 8 && hex.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        (known && digits).then(|| Self(text.to_owned()))
    }

    /// Returns the file the id belongs to.
    pub fn target(&self) -> Target {
        if self.0.starts_with(Target::User.letter()) { Target::User } else { Target::Memory }
    }

    /// Returns the id as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_trimmed_and_its_lines_end_in_lf() {
        assert_eq!(Entry::parse("\u{1f} a\r\nb\rc \n").unwrap().as_str(), "a\nb\nc");
    }

    #[test]
    fn content_without_text_or_with_a_separator_line_is_refused() {
        assert_eq!(Entry::parse(" \n\u{a0}"), Err(EntryError::Empty));
        for text in ["a\n§\nb", "a\r §\t\rb", "§", "a\n§", "```\n§\n```"] {
            assert_eq!(Entry::parse(text), Err(EntryError::Separator), "{text:?}");
        }
        assert!(Entry::parse("cost §5\n§x\nx§").is_ok());
    }

    #[test]
    fn an_id_is_the_letter_and_the_hash_of_the_text() {
        let entry = Entry::parse("a\r\nb").unwrap();
        let hash = blake3::hash(b"a\nb").to_hex().to_string();
        let id = EntryId::of(Target::User, &entry);
        assert_eq!(id.as_str(), format!("u-{}", &hash[..8]));
        assert_eq!(EntryId::parse(id.as_str()), Some(id.clone()));
        assert_eq!(id.target(), Target::User);
        for text in ["u-12", "x-12345678", "m-1234567G", "m-123456789", "m_12345678", "mm-12345678"]
        {
            assert_eq!(EntryId::parse(text), None, "{text}");
        }
    }
}
