//! Changing fields of a note and nothing else: comments, unknown fields and the body stay as they are, byte for byte.

use serde_yaml::{Mapping, Value};

use super::{Fields, split};
use crate::config::parse_yaml;

/// What a rewrite does to one field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldChange {
    /// Its name.
    pub name: &'static str,
    /// Its new value; `None` takes it out.
    pub value: Option<FieldValue>,
}

/// A value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// A text.
    Text(String),
    /// A number, as it is written.
    Number(f64),
    /// Texts.
    List(Vec<String>),
    /// Anything else, as JSON, which is YAML too.
    Json(serde_json::Value),
}

impl FieldChange {
    /// Sets the field `name`.
    pub fn set(name: &'static str, value: FieldValue) -> Self {
        Self { name, value: Some(value) }
    }

    /// Sets the field `name` to a text.
    pub fn text(name: &'static str, value: impl Into<String>) -> Self {
        Self::set(name, FieldValue::Text(value.into()))
    }
}

impl FieldValue {
    /// Returns it as YAML on one line.
    fn written(&self) -> String {
        match self {
            Self::Text(text) => scalar(text),
            // With its fraction, so that it is read back as what it is.
            Self::Number(number) => format!("{number:?}"),
            Self::List(texts) => {
                let texts: Vec<_> = texts.iter().map(|text| scalar_in_list(text)).collect();
                format!("[{}]", texts.join(", "))
            }
            Self::Json(value) => value.to_string(),
        }
    }

    fn parsed(&self) -> Value {
        match self {
            Self::Text(text) => Value::from(text.as_str()),
            Self::Number(number) => Value::from(*number),
            Self::List(texts) => Value::from(texts.clone()),
            Self::Json(value) => serde_yaml::to_value(value).unwrap_or_default(),
        }
    }
}

/// Returns `text` plain where YAML reads it back as the same text, else in quotes as JSON writes them.
fn scalar(text: &str) -> String {
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.' | '/' | ':' | '+');
    let begins = text.chars().next().is_some_and(char::is_alphanumeric);
    let is_plain = begins
        && text.chars().all(plain)
        && text.trim() == text
        && !text.contains(": ")
        && !text.ends_with(':')
        && parse_yaml::<Value>(text).is_ok_and(|read| read.as_str() == Some(text));
    if is_plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

fn scalar_in_list(text: &str) -> String {
    let written = scalar(text);
    if written.contains(':') && !written.starts_with('"') {
        return serde_json::Value::from(text).to_string();
    }
    written
}

/// Returns `text` with `changes` made to its front matter, and with `body` for its body where one is given.
///
/// What cannot be changed without touching anything else is refused with a reason.
pub fn rewrite(text: &str, changes: &[FieldChange], body: Option<&str>) -> Result<String, String> {
    let eol = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let (yaml, body_at) = split(text).map_or(("", mark), |(yaml, at)| (yaml, at));
    let before = mapping(yaml)?;
    let mut head = yaml.to_owned();
    for change in changes {
        head = changed(&head, &before, change, eol)?;
    }
    let mut expected = before;
    for FieldChange { name, value } in changes {
        match value {
            Some(value) => drop(expected.insert(Value::from(*name), value.parsed())),
            None => drop(expected.shift_remove(*name)),
        }
    }
    // What would be malformed from then on could never be changed again, nor its sensitivity be read.
    Fields::parse(&head)?;
    if mapping(&head)? != expected {
        return Err(
            "the front matter is written in a way that cannot be changed in part".to_owned()
        );
    }
    let old = text.get(body_at..).unwrap_or_default();
    let new = body.map(|body| format!("{}{eol}", body.replace("\r\n", "\n").replace('\n', eol)));
    let rest = new.as_deref().unwrap_or(old);
    if body_at == mark {
        let bom = text.get(..mark).unwrap_or_default();
        let fence = format!("---{eol}");
        return Ok(if head.is_empty() {
            format!("{bom}{rest}")
        } else {
            format!("{bom}{fence}{head}{fence}{rest}")
        });
    }
    // The lines around the front matter stay as they are too.
    let start = text.find(yaml).filter(|_| !yaml.is_empty());
    let open_end = start.unwrap_or_else(|| mark + line_len(text.get(mark..).unwrap_or_default()));
    let close_start = open_end + yaml.len();
    let (open, close) = (text.get(..open_end), text.get(close_start..body_at));
    let mut close = close.unwrap_or_default().to_owned();
    if !close.ends_with('\n') {
        close.push_str(eol);
    }
    Ok(format!("{}{head}{close}{rest}", open.unwrap_or_default()))
}

fn mapping(yaml: &str) -> Result<Mapping, String> {
    match parse_yaml::<Value>(yaml)? {
        Value::Null => Ok(Mapping::new()),
        Value::Mapping(mapping) => Ok(mapping),
        _ => Err("the front matter is no mapping".to_owned()),
    }
}

/// Makes one change in the lines of the front matter.
fn changed(
    head: &str,
    before: &Mapping,
    change: &FieldChange,
    eol: &str,
) -> Result<String, String> {
    let found = field(head, change.name);
    if found.is_none() && before.contains_key(change.name) {
        return Err(format!(
            "the field `{}` is written in a way that cannot be changed",
            change.name
        ));
    }
    let Some(value) = &change.value else {
        return Ok(match found {
            Some(found) => splice(head, found.start, found.end, ""),
            None => head.to_owned(),
        });
    };
    let written = value.written();
    let Some(found) = found else {
        let missing = if head.is_empty() || head.ends_with('\n') { "" } else { eol };
        return Ok(format!("{head}{missing}{}: {written}{eol}", change.name));
    };
    let before = if found.value_start == found.after_colon { " " } else { "" };
    // A comment may stand where the value was left out.
    let is_comment = head.get(found.value_end..).is_some_and(|rest| rest.starts_with('#'));
    let new = format!("{before}{written}{}", if is_comment { " " } else { "" });
    Ok(splice(head, found.value_start, found.value_end, &new))
}

fn splice(text: &str, start: usize, end: usize, new: &str) -> String {
    let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
    format!("{}{new}{}", part(0..start), part(end..text.len()))
}

/// Where a field stands: its lines, and its value in them.
#[derive(Debug)]
struct Place {
    start: usize,
    end: usize,
    after_colon: usize,
    value_start: usize,
    value_end: usize,
}

/// Finds the field `name` at the left edge of the front matter.
fn field(head: &str, name: &str) -> Option<Place> {
    let mut at = 0;
    for line in head.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(rest) = line.strip_prefix(name) else { continue };
        let Some(after) = rest.trim_start_matches(' ').strip_prefix(':') else { continue };
        if !after.is_empty() && !after.starts_with([' ', '\t', '\r', '\n']) {
            continue;
        }
        let after_colon = start + line.len() - after.len();
        let blanks = after.len() - after.trim_start_matches([' ', '\t']).len();
        let mut value_start = after_colon + blanks;
        let value = head.get(value_start..)?;
        let (mut value_end, is_empty) = match value_len(value) {
            0 => (value_start, true),
            len => (value_start + len, false),
        };
        // What follows deeper in, or as a list at the edge, belongs to the field.
        let line_end = |from: usize| {
            head.get(from..)
                .and_then(|rest| rest.find('\n'))
                .map_or(head.len(), |end| from + end + 1)
        };
        let mut end = line_end(value_end.max(start));
        let mut block_end = None;
        let mut next = end;
        while let Some(line) = head.get(next..).filter(|rest| !rest.is_empty()) {
            let line_len = line.find('\n').map_or(line.len(), |end| end + 1);
            let line = line.get(..line_len).unwrap_or_default();
            let is_blank = line.trim().is_empty();
            if !is_blank
                && !line.starts_with([' ', '\t'])
                && !line.starts_with("- ")
                && line.trim_end() != "-"
            {
                break;
            }
            next += line_len;
            if !is_blank {
                block_end = Some(next);
            }
        }
        if let Some(block) = block_end {
            end = block;
            value_end = block - trailing_break(head.get(..block)?);
            if is_empty {
                value_start = after_colon;
            }
        }
        return Some(Place { start, end, after_colon, value_start, value_end });
    }
    None
}

fn trailing_break(text: &str) -> usize {
    text.len() - text.trim_end_matches(['\n', '\r']).len()
}

/// Returns the length of the value that `text` begins with, without a comment behind it.
fn value_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(quote @ (b'"' | b'\'')) => quoted_len(bytes, *quote),
        Some(b'[' | b'{') => {
            let (mut depth, mut at) = (0_usize, 0);
            while let Some(byte) = bytes.get(at) {
                match byte {
                    b'"' | b'\'' => {
                        at += quoted_len(bytes.get(at..).unwrap_or_default(), *byte);
                        continue;
                    }
                    b'[' | b'{' => depth += 1,
                    b']' | b'}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    break;
                }
            }
            at
        }
        _ => {
            let line = text.lines().next().unwrap_or_default();
            let end = if line.starts_with('#') { 0 } else { line.find(" #").unwrap_or(line.len()) };
            line.get(..end).unwrap_or_default().trim_end().len()
        }
    }
}

/// Returns the length of a quoted text with its quotes.
fn quoted_len(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        if *byte == b'\\' && quote == b'"' {
            at += 1;
        } else if *byte == quote {
            if quote == b'\'' && bytes.get(at) == Some(&b'\'') {
                at += 1;
            } else {
                return at;
            }
        }
    }
    bytes.len()
}

/// Returns the length of the first line with its end.
fn line_len(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |end| end + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn updated(value: &str) -> FieldChange {
        FieldChange::text("updated", value)
    }

    #[test]
    fn what_is_not_changed_stays_to_the_byte() {
        let text = "---\nkey: router   # the key\nupdated: 2026-01-01   # when\nmine: {deep: [1, 2]}\n# a comment\n\ntags:\n- a\n- b\n---\n\nBody  with blanks  \n\n";
        let new = rewrite(text, &[updated("2026-05-14T10:30:00Z")], None).unwrap();
        assert_eq!(new, text.replace("2026-01-01 ", "2026-05-14T10:30:00Z "));
        let tags = FieldChange::set("tags", FieldValue::List(vec!["c".into(), "d e".into()]));
        let new = rewrite(text, &[tags], None).unwrap();
        assert_eq!(new, text.replace("tags:\n- a\n- b\n", "tags: [c, d e]\n"));
        let new = rewrite(text, &[FieldChange { name: "key", value: None }], None).unwrap();
        assert_eq!(new, text.replace("key: router   # the key\n", ""));
        assert_eq!(
            rewrite(text, &[], Some("New.")).unwrap(),
            text.replace("\nBody  with blanks  \n\n", "New.\n")
        );
    }

    #[test]
    fn fields_are_added_behind_the_others_and_to_notes_without_any() {
        let new = |text: &str| rewrite(text, &[updated("2026-01-01")], None).unwrap();
        assert_eq!(new("---\nkey: a\n---\nx"), "---\nkey: a\nupdated: 2026-01-01\n---\nx");
        assert_eq!(new("plain text\n"), "---\nupdated: 2026-01-01\n---\nplain text\n");
        assert_eq!(new("---\n---\nx\n"), "---\nupdated: 2026-01-01\n---\nx\n");
        assert_eq!(
            new("---\r\nkey: a\r\n---\r\nx\r\n"),
            "---\r\nkey: a\r\nupdated: 2026-01-01\r\n---\r\nx\r\n"
        );
        assert_eq!(new("\u{feff}x"), "\u{feff}---\nupdated: 2026-01-01\n---\nx");
        assert_eq!(new("---\nkey: a\n---"), "---\nkey: a\nupdated: 2026-01-01\n---\n");
        assert_eq!(new("---\nupdated:\nkey: a\n---\n"), "---\nupdated: 2026-01-01\nkey: a\n---\n");
        assert_eq!(
            new("---\nupdated: # when\nkey: a\n---\n"),
            "---\nupdated: 2026-01-01# when\nkey: a\n---\n".replace("01#", "01 #")
        );
    }

    #[test]
    fn values_in_several_lines_are_replaced_whole() {
        let new = |text: &str| rewrite(text, &[updated("2026-01-01")], None).unwrap();
        for value in [
            "|\n  one\n  two",
            ">-\n  one",
            "\n  - a\n  - b",
            "[a,\n  b]",
            "\"a\n  b\"",
            "one\n  two",
        ] {
            let text = format!("---\nkey: a\nupdated: {value}\nlast: z\n---\nx\n");
            assert_eq!(
                new(&text),
                "---\nkey: a\nupdated: 2026-01-01\nlast: z\n---\nx\n",
                "{value:?}"
            );
        }
    }

    #[test]
    fn what_cannot_be_changed_in_part_is_refused() {
        for text in [
            "---\n{key: a, updated: b}\n---\nx",
            "---\n\"updated\": b\n---\nx",
            "---\n- a\n---\nx",
            "---\na: [\n---\nx",
        ] {
            assert!(rewrite(text, &[updated("2026-01-01")], None).is_err(), "{text}");
        }
    }

    #[test]
    fn texts_are_quoted_where_they_would_be_read_as_something_else() {
        for text in [
            "",
            "true",
            "1.0",
            "null",
            "a: b",
            "a #b",
            "- a",
            "é",
            "it's \"so\"",
            "a\nb",
            "[x]",
            "2026-01-01",
            "on",
            "~",
            "&a",
            "a:",
        ] {
            let new = rewrite("x", &[updated(text)], None).unwrap();
            let (yaml, _) = split(&new).unwrap();
            assert_eq!(mapping(yaml).unwrap()["updated"], Value::from(text), "{new}");
        }
    }

    proptest! {
        #[test]
        fn a_rewrite_changes_what_it_says_or_refuses(
            head in "([a-z]{1,7}: {0,2}([a-z0-9]{0,6}|\\[a, 'b'\\]|\"q\\\\\" #x\"|'it''s'|\\|\n  t\n  # no)( +# [a-z]{0,4})?\n|# c\n|\n){0,6}",
            value in "[ -~é\n]{0,12}", body in "(.{0,8}\n){0,3}",
        ) {
            let text = format!("---\n{head}---\n{body}");
            let before = split(&text).and_then(|(yaml, _)| mapping(yaml).ok());
            if let (Some(before), Ok(new)) = (before, rewrite(&text, &[updated(&value)], None)) {
                let (yaml, at) = split(&new).unwrap();
                let mut expected = before;
                expected.insert(Value::from("updated"), Value::from(value.as_str()));
                prop_assert_eq!(mapping(yaml).unwrap(), expected);
                prop_assert_eq!(&new[at..], body);
            }
        }

        #[test]
        fn any_text_is_rewritten_without_a_panic(text in "(---\n)?([a-z:é \\[\\]{}\"'|>#-]{0,12}\r?\n){0,8}(---)?.{0,20}") {
            let _ = rewrite(&text, &[updated("x"), FieldChange { name: "a", value: None }], Some("y"));
        }
    }
}
