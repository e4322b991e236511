//! Text as the peer's language sees it: what is blank, how lines end, how numbers are grouped.

use std::borrow::Cow;

/// Returns whether Python's `str.strip` would take `c` off.
///
/// That is Unicode white space and the four separators U+001C to U+001F, which [`char::is_whitespace`] lacks.
pub fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Returns `text` without the blanks at both ends, as Python's `str.strip`.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// Returns `text` with CRLF and lone CR turned into LF.
pub fn to_lf(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns `number` in groups of three digits: `1,474` for a separator of `,`.
pub fn grouped(number: usize, separator: char) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            out.push(separator);
        }
        out.push(digit);
    }
    out
}

/// Returns the first `width` characters of `text`, with `...` behind them where some are left out.
pub fn preview(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strip_takes_what_python_takes() {
        assert_eq!(strip("\u{1c}\u{1f}\u{2028}\u{a0} a b \u{85}\n"), "a b");
        assert_eq!(strip("\u{200b}a\u{feff}"), "\u{200b}a\u{feff}");
    }

    #[test]
    fn every_line_end_becomes_lf() {
        assert_eq!(to_lf("a\r\nb\rc\nd\r\r\n"), "a\nb\nc\nd\n\n");
    }

    #[test]
    fn thousands_are_grouped() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (22_001, "22,001"),
            (1_234_567, "1,234,567"),
        ];
        for (number, text) in cases {
            assert_eq!(grouped(number, ','), text);
        }
    }

    #[test]
    fn a_preview_counts_characters_and_not_bytes() {
        assert_eq!(preview("été", 3), "été");
        assert_eq!(preview("étés", 3), "été...");
    }
}
