//! Editing as splicing: bytes outside the edited entry stay as they are.

use std::ops::Range;

use super::{Document, Entry, LineEnding, SEPARATOR};

/// Bytes `cut` of a text give way to `insert`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Splice {
    cut: Range<usize>,
    insert: String,
    /// The bytes of the entry that goes; empty where none goes.
    entry: Range<usize>,
}

/// What takes a splice back: at byte `at`, `len` bytes give way to `before`, the entry that went and `after`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inverse {
    /// Byte position.
    pub at: usize,
    /// Bytes that give way.
    pub len: usize,
    /// Delimiter and blanks before the entry.
    pub before: String,
    /// Delimiter and blanks behind it.
    pub after: String,
    /// How the lines of the entry ended.
    pub eol: LineEnding,
}

impl Inverse {
    /// Returns the text before the splice; `None` where `text` is not what the splice left.
    pub fn apply(&self, text: &str, old: Option<&str>) -> Option<String> {
        let head = text.get(..self.at)?;
        let tail = text.get(self.at.checked_add(self.len)?..)?;
        let old = self.eol.write(old.unwrap_or_default());
        Some([head, &self.before, &old, &self.after, tail].concat())
    }
}

impl Splice {
    pub(super) fn apply(&self, text: &str) -> String {
        let before = text.get(..self.cut.start).unwrap_or_default();
        let after = text.get(self.cut.end..).unwrap_or_default();
        [before, &self.insert, after].concat()
    }

    /// Returns what takes this splice of `text` back.
    pub(super) fn inverse(&self, text: &str) -> Inverse {
        let part = |range: Range<usize>| text.get(range).unwrap_or_default();
        Inverse {
            at: self.cut.start,
            len: self.insert.len(),
            before: part(self.cut.start..self.entry.start).to_owned(),
            after: part(self.entry.end..self.cut.end).to_owned(),
            eol: LineEnding::of(part(self.entry.clone())),
        }
    }

    fn insert(at: usize, insert: String) -> Self {
        Self { cut: at..at, insert, entry: at..at }
    }

    /// Puts `entry` in the place of the one at `position`.
    pub(super) fn replace(document: &Document, position: usize, entry: &Entry) -> Self {
        let span = document.span(position);
        Self {
            cut: span.clone(),
            insert: document.line_ending().write(entry.as_str()),
            entry: span,
        }
    }

    /// Appends `entry`: behind the last entry, or behind a delimiter that ends the file.
    pub(super) fn append(document: &Document, entry: &Entry) -> Self {
        let text = document.text();
        let eol = document.line_ending();
        let body = eol.write(entry.as_str());
        let eol = eol.as_str();
        let last_entry =
            document.entries().len().checked_sub(1).map(|position| document.span(position).end);
        let last_delimiter = document.delimiters().last().map(|line| line.end);
        let ends_line = text.ends_with(['\n', '\r']);
        match (last_entry, last_delimiter) {
            (Some(end), delimiter) if delimiter.is_none_or(|line| line <= end) => {
                Self::insert(end, format!("{eol}{SEPARATOR}{eol}{body}"))
            }
            (_, Some(end)) => {
                let before = if end == text.len() && !ends_line { eol } else { "" };
                let after = if end == text.len() && ends_line { eol } else { "" };
                Self::insert(end, format!("{before}{body}{after}"))
            }
            (_, None) => {
                let start = document.body_start();
                // A new file ends with a newline; blanks that stand in the file keep their place behind the entry.
                let after = if start == text.len() { eol } else { "" };
                Self::insert(start, format!("{body}{after}"))
            }
        }
    }

    /// Takes out the entry at `position` with the delimiter before it; for the first, the one after.
    pub(super) fn remove(document: &Document, position: usize) -> Self {
        let text = document.text();
        let span = document.span(position);
        let before = document.delimiters().iter().rfind(|line| line.end <= span.start);
        let after = document.delimiters().iter().find(|line| line.start >= span.end);
        let cut = match (before, after) {
            (Some(before), Some(after)) => before.start..after.start,
            // The line end before the delimiter goes with it, so that the file ends as it did.
            (Some(before), None) => line_end_before(text, before.start)..span.end,
            (None, Some(after)) => span.start..after.end,
            (None, None) => span.clone(),
        };
        Self { cut, insert: String::new(), entry: span }
    }
}

/// Returns where the line end that stands right before `at` begins.
fn line_end_before(text: &str, at: usize) -> usize {
    let head = text.get(..at).unwrap_or_default();
    let stripped = head.strip_suffix("\r\n").or_else(|| head.strip_suffix(['\n', '\r']));
    stripped.map_or(at, str::len)
}
