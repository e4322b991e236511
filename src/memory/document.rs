//! A bounded file as it was read: the bytes, and where its entries stand in them.

use std::{collections::HashSet, ops::Range};

use super::{
    Entry, LineEnding, SEPARATOR, Usage,
    fences::closed_fences,
    text::{is_blank, strip, to_lf},
};

const BOM: &str = "\u{feff}";

/// A bounded file: its text untouched, and the byte spans of its entries and delimiter lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    text: String,
    utf8: bool,
    spans: Vec<Range<usize>>,
    entries: Vec<Entry>,
    delimiters: Vec<Range<usize>>,
}

impl Document {
    /// Reads `bytes`, which may hold anything.
    ///
    /// Bytes that are not UTF-8 are shown as replacement characters, and [`Document::is_utf8`] is then false.
    pub fn parse(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::of_text(text.to_owned(), true),
            Err(_) => Self::of_text(String::from_utf8_lossy(bytes).into_owned(), false),
        }
    }

    /// Reads `text`.
    pub fn of(text: String) -> Self {
        Self::of_text(text, true)
    }

    fn of_text(text: String, utf8: bool) -> Self {
        let start = body_start(&text);
        let delimiters = delimiters(&text, start);
        let mut spans = Vec::new();
        let mut entries = Vec::new();
        let mut from = start;
        let end = text.len()..text.len();
        for line in delimiters.iter().chain([&end]) {
            let segment = text.get(from..line.start).unwrap_or_default();
            if let Some(entry) = Entry::found(segment) {
                let lead = segment.len() - segment.trim_start_matches(is_blank).len();
                spans.push(from + lead..from + lead + strip(segment).len());
                entries.push(entry);
            }
            from = line.end;
        }
        Self { text, utf8, spans, entries, delimiters }
    }

    /// Returns the text, byte for byte where the file is UTF-8.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether the bytes were UTF-8, so that the file may be written.
    pub fn is_utf8(&self) -> bool {
        self.utf8
    }

    /// Returns the entries in file order, identical ones included.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns each different entry once, in file order, as the peer reads the file.
    pub fn distinct(&self) -> Vec<&Entry> {
        let mut seen = HashSet::new();
        self.entries.iter().filter(|entry| seen.insert(*entry)).collect()
    }

    /// Returns how full the file is: the different entries, joined by a delimiter of 3 characters.
    pub fn usage(&self, limit: usize) -> Usage {
        let distinct = self.distinct();
        let text: usize = distinct.iter().map(|entry| entry.chars()).sum();
        Usage { used: text + 3 * distinct.len().saturating_sub(1), limit }
    }

    /// Returns the line that each entry starts at, from 1.
    pub fn lines(&self) -> Vec<usize> {
        let mut lines = Vec::with_capacity(self.spans.len());
        let (mut at, mut line) = (0, 1);
        for span in &self.spans {
            let between = self.text.get(at..span.start).unwrap_or_default();
            line += to_lf(between).matches('\n').count();
            at = span.start;
            lines.push(line);
        }
        lines
    }

    /// Returns the line ending that new text takes.
    pub fn line_ending(&self) -> LineEnding {
        LineEnding::of(&self.text)
    }

    /// Returns where the text starts behind a byte order mark.
    pub(super) fn body_start(&self) -> usize {
        body_start(&self.text)
    }

    /// Returns the byte span of the entry at `position`.
    pub(super) fn span(&self, position: usize) -> Range<usize> {
        self.spans.get(position).cloned().unwrap_or(self.text.len()..self.text.len())
    }

    /// Returns the spans of the delimiter lines, their line ends included.
    pub(super) fn delimiters(&self) -> &[Range<usize>] {
        &self.delimiters
    }
}

fn body_start(text: &str) -> usize {
    if text.starts_with(BOM) { BOM.len() } else { 0 }
}

/// Returns the spans of the lines from `start` on that hold only `§` and blanks, outside closed fences.
fn delimiters(text: &str, start: usize) -> Vec<Range<usize>> {
    let body = text.get(start..).unwrap_or_default();
    if !body.contains(SEPARATOR) {
        return Vec::new();
    }
    let mut candidates = Vec::new();
    let mut from = 0;
    for line in lines(body) {
        let to = from + line.len();
        if strip(line) == SEPARATOR {
            candidates.push(start + from..start + to);
        }
        from = to;
    }
    if candidates.is_empty() {
        return candidates;
    }
    let fences = closed_fences(body);
    candidates.retain(|line| {
        let next = fences.partition_point(|fence| start + fence.end <= line.start);
        fences.get(next).is_none_or(|fence| line.start < start + fence.start)
    });
    candidates
}

/// Splits `text` behind each LF, CRLF and lone CR.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = match rest.find(['\n', '\r']) {
            None if rest.is_empty() => return None,
            None => rest.len(),
            Some(end) if rest.as_bytes().get(end..end + 2) == Some(b"\r\n") => end + 2,
            Some(end) => end + 1,
        };
        let (line, tail) = rest.split_at(end);
        rest = tail;
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let document = Document::parse(text.as_bytes());
        let found: Vec<_> = document.entries().iter().map(Entry::as_str).collect();
        assert_eq!(found, expected, "{text:?}");
        for (position, entry) in document.entries().iter().enumerate() {
            let raw = &document.text()[document.span(position)];
            assert_eq!(super::super::to_lf(raw), entry.as_str());
        }
    }

    #[test]
    fn what_a_hand_or_an_editor_leaves_is_read() {
        check("", &[]);
        check(" \n\n", &[]);
        check("\u{feff}a\n§\nb\n", &["a", "b"]);
        check("\u{feff}§\na", &["a"]);
        check("a\r\n§\r\nb\r\n", &["a", "b"]);
        check("a\r§\rb", &["a", "b"]);
        check("a\n\n § \t\n\n\u{a0}b\n§", &["a", "b"]);
        check("§\n§\na\n§\n§\n\nb c\nd\n§\n", &["a", "b c\nd"]);
        check("a\n§x\nx§\n§§\n§ §\nb § c", &["a\n§x\nx§\n§§\n§ §\nb § c"]);
        check("a\0b\n§\nc", &["a\0b", "c"]);
        check("a\n§\na", &["a", "a"]);
    }

    #[test]
    fn only_a_closed_fence_hides_a_delimiter() {
        check("a\n§\n```\nx\n§\ny\n```\n§\nb", &["a", "```\nx\n§\ny\n```", "b"]);
        check("a\n§\n```\nx\n§\nb\n§\nc", &["a", "```\nx", "b", "c"]);
        check("\u{feff}```\n§\n```\n§\nb", &["```\n§\n```", "b"]);
        check("```\r§\r```\r§\rb", &["```\n§\n```", "b"]);
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_and_remembered() {
        let document = Document::parse(b"a\n\xa7\n\xc2\xa7\nb");
        assert!(!document.is_utf8());
        assert_eq!(document.entries()[0].as_str(), "a\n\u{fffd}");
        let document = Document::parse(b"a\xff\n\xc2\xa7\nb");
        assert_eq!(document.entries()[0].as_str(), "a\u{fffd}");
        assert_eq!(document.entries().len(), 2);
    }

    #[test]
    fn usage_counts_characters_and_delimiters_and_identical_entries_once() {
        let used = |text: &str| Document::parse(text.as_bytes()).usage(2200).used;
        assert_eq!(used(""), 0);
        assert_eq!(used("日本語テスト"), 6);
        assert_eq!(used("😀😀\r\n§\r\ne\u{301}\r\n"), 7);
        assert_eq!(used("a\n§\na\n§\nb"), 5);
        assert_eq!(used("a\r\nb"), 3);
    }
}
