//! Memories as a person copies them out of a chat: one a line, with or without a date and a bullet.

use super::{Sink, draft::Draft};
use crate::notes::parse_time;

/// Lets `sink` hear each memory under the number of its line; a heading is a tag of those below it.
pub(super) fn read(origin: &'static str, text: &str, sink: &mut Sink<'_>) {
    let mut heading = None;
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with("```") || line.chars().all(|c| "-=*_".contains(c)) {
            continue;
        }
        if line.starts_with('#') {
            heading = Some(line.trim_matches(['#', ' ', '*', ':']).to_owned());
            continue;
        }
        let (created, text) = dated(without_bullet(line));
        let draft = Draft {
            text: text.to_owned(),
            created: created.map(str::to_owned),
            layer: Some("facts".to_owned()),
            tags: heading.clone().into_iter().collect(),
            origin: Some(origin),
            ..Draft::default()
        };
        sink(number, draft.into_item(number));
    }
}

fn without_bullet(line: &str) -> &str {
    let numbered = line.split_once(['.', ')']);
    let numbered = numbered.filter(|(digits, rest)| {
        !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit()) && rest.starts_with(' ')
    });
    let bulleted = ["- ", "* ", "• ", "+ "].iter().find_map(|bullet| line.strip_prefix(bullet));
    bulleted.or(numbered.map(|(_, rest)| rest)).unwrap_or(line).trim()
}

/// Parts the day that a memory was saved on from its text: `[2026-03-01] - text`.
fn dated(line: &str) -> (Option<&str>, &str) {
    let parted = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let Some((date, text)) = parted else { return (None, line) };
    let date = date.trim();
    let text = text.trim_start_matches([' ', '-', '–', '—', ':']).trim();
    match parse_time(date) {
        Some(_) if !text.is_empty() => (Some(date), text),
        // It was not known when.
        None if date.eq_ignore_ascii_case("unknown") && !text.is_empty() => (None, text),
        _ => (None, line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bullets_numbers_and_dates_are_no_part_of_a_memory() {
        let check = |line: &str, date: Option<&str>, text: &str| {
            assert_eq!(dated(without_bullet(line)), (date, text), "{line}");
        };
        check("- Likes tea", None, "Likes tea");
        check("12. Likes tea", None, "Likes tea");
        check("1.5 litres a day", None, "1.5 litres a day");
        check("[2026-03-01] - Aime le thé", Some("2026-03-01"), "Aime le thé");
        check("* [unknown] – Likes tea", None, "Likes tea");
        check("[x] is done", None, "[x] is done");
        check("[2026-03-01]", None, "[2026-03-01]");
    }
}
