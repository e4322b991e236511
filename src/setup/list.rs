//! A list or an object as it is written: where its items stand, and how some come or go without touching the others.

use std::ops::Range;

use serde_json::Value;

use super::style::Style;

/// What becomes of some bytes.
type Splice = (Range<usize>, String);

/// A list or an object in a text.
pub(super) struct List<'a> {
    text: &'a str,
    /// From its opening bracket to its closing one.
    range: Range<usize>,
    items: Vec<Range<usize>>,
}

impl<'a> List<'a> {
    pub(super) fn new(text: &'a str, range: Range<usize>, items: Vec<Range<usize>>) -> Self {
        Self { text, range, items }
    }

    /// Returns the splices that put items behind the others.
    pub(super) fn with(&self, more: &[(Option<&str>, &Value)], style: &Style) -> Vec<Splice> {
        let close = self.range.end - 1;
        let Some(last) = self.items.last() else {
            return vec![self.first(more, style)];
        };
        let next = skip(self.text, last.end);
        let comma = self.byte(next) == Some(b',');
        let after = if comma { next + 1 } else { last.end };
        let (anchor, line_comment) = end_of_line(self.text, after, close);
        let before = self.blanks_before(last.start);
        let blanks = self.slice(before..last.start);
        let parted = match blanks.rsplit_once('\n') {
            Some((_, indent)) => format!("{}{indent}", style.end),
            None if line_comment => format!("{}{}", style.end, self.indent()),
            None => style.blank.to_owned(),
        };
        let indent = blanks.rsplit_once('\n').map(|(_, indent)| indent);
        let mut text = style.items(more, &parted, indent);
        if comma {
            text.push(',');
        }
        if comma || anchor == last.end {
            let head = if comma { "" } else { "," };
            return vec![(anchor..anchor, format!("{head}{text}"))];
        }
        vec![(last.end..last.end, ",".to_owned()), (anchor..anchor, text)]
    }

    /// Returns the splice that puts items where there are none.
    fn first(&self, more: &[(Option<&str>, &Value)], style: &Style) -> Splice {
        let close = self.range.end - 1;
        let open = self.range.start + 1;
        let anchor = last_comment(self.text, open, close).unwrap_or(open);
        if style.one_line {
            return (anchor..anchor, style.items(more, "", None).trim_start().to_owned());
        }
        let outer = self.indent();
        let indent = format!("{outer}{}", style.unit);
        let parted = format!("{}{indent}", style.end);
        let mut text = style.items(more, &parted, Some(&indent));
        if !self.slice(anchor..close).contains('\n') {
            text.push_str(style.end);
            text.push_str(outer);
        }
        (anchor..anchor, text)
    }

    /// Returns the splices that take the items at these places out.
    pub(super) fn without(&self, gone: &[usize]) -> Vec<Splice> {
        let mut splices = Vec::new();
        let mut last_comma = None;
        let mut last_kept_comma = None;
        for (index, item) in self.items.iter().enumerate() {
            let next = skip(self.text, item.end);
            let comma = (self.byte(next) == Some(b',')).then_some(next);
            last_comma = comma;
            if !gone.contains(&index) {
                last_kept_comma = comma;
                continue;
            }
            let end = match comma {
                Some(comma) if comma == item.end => comma + 1,
                Some(comma) => {
                    splices.push((comma..comma + 1, String::new()));
                    item.end
                }
                None => item.end,
            };
            splices.push((self.start_of(item.start, end)..end, String::new()));
        }
        // A list that had no comma behind its last item has none now.
        if last_comma.is_none() && !gone.is_empty() {
            splices.extend(last_kept_comma.map(|comma| (comma..comma + 1, String::new())));
        }
        if gone.len() == self.items.len() && !gone.is_empty() {
            let inside = self.range.start + 1..self.range.end - 1;
            if last_comment(self.text, inside.start, inside.end).is_none() {
                return vec![(inside, String::new())];
            }
        }
        splices
    }

    /// Returns where the bytes begin that go with an item: its blanks, unless they end a line comment.
    fn start_of(&self, start: usize, end: usize) -> usize {
        let before = self.blanks_before(start);
        let line = self.slice(0..before).rsplit('\n').next().unwrap_or_default();
        let rest = self.slice(end..self.range.end).trim_start_matches([' ', '\t', '\r']);
        if !line.contains("//") || rest.starts_with('\n') {
            return before;
        }
        self.slice(before..start).find('\n').map_or(start, |at| before + at + 1)
    }

    /// Returns the indent of the line that the list opens on.
    fn indent(&self) -> &str {
        let line = self.slice(0..self.range.start).rsplit('\n').next().unwrap_or_default();
        line.get(..line.len() - line.trim_start().len()).unwrap_or_default()
    }

    fn blanks_before(&self, at: usize) -> usize {
        self.slice(self.range.start + 1..at).trim_end().len() + self.range.start + 1
    }

    fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }
}

/// Returns the place behind blanks and comments.
fn skip(text: &str, mut at: usize) -> usize {
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let blank = rest.len() - rest.trim_start().len();
        match comment(rest.trim_start()) {
            0 => return at + blank,
            comment => at += blank + comment,
        }
    }
}

/// Returns the length of the comment that a text begins with.
fn comment(text: &str) -> usize {
    if text.starts_with("//") {
        text.find('\n').unwrap_or(text.len())
    } else if text.starts_with("/*") {
        text.find("*/").map_or(text.len(), |at| at + 2)
    } else {
        0
    }
}

/// Returns the place behind the comments that stand on the same line, and whether the last runs to its end.
fn end_of_line(text: &str, at: usize, close: usize) -> (usize, bool) {
    let (mut end, mut line) = (at, false);
    loop {
        let rest = text.get(end..close).unwrap_or_default();
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let rest = rest.get(blanks..).unwrap_or_default();
        let length = comment(rest);
        if length == 0 || line {
            return (end, line);
        }
        line = rest.starts_with("//");
        let text = rest.get(..length).unwrap_or_default();
        end += blanks + text.trim_end_matches('\r').len();
    }
}

/// Returns the place behind the last comment between two places.
fn last_comment(text: &str, mut at: usize, close: usize) -> Option<usize> {
    let mut last = None;
    loop {
        let rest = text.get(at..close).unwrap_or_default();
        let blanks = rest.len() - rest.trim_start().len();
        let rest = rest.trim_start();
        let length = comment(rest);
        if length == 0 {
            return last;
        }
        let shown = rest.get(..length).unwrap_or_default().trim_end_matches('\r').len();
        last = Some(at + blanks + shown);
        at += blanks + length;
    }
}
