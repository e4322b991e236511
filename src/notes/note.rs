//! One note, read.

use jiff::Timestamp;

use super::{
    Fields, Importance, Layer, Passage, day_in, parse_time, passages, read_markdown, split,
};
use crate::{config::Sensitivity, memory::to_lf};

/// Characters in which front matter is looked for where it cannot be read.
const HEAD: usize = 8 * 1024;

/// Confidence of a note that does not say.
const CONFIDENCE: f64 = 1.0;

/// Confidence from which what was concluded is recalled: it was concluded in two sessions.
const RECALLED: f64 = 0.7;

/// A note as recall sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Its path without `.md`, or the id of an entry.
    pub id: String,
    /// Where it belongs.
    pub layer: Layer,
    /// Its fields; none where they are malformed.
    pub fields: Fields,
    /// What is wrong with its front matter.
    pub malformed: Option<String>,
    /// Its title: the field, else its first heading, else its key or name.
    pub title: String,
    /// Its text as it is written, without the front matter.
    pub body: String,
    /// Its text in passages.
    pub passages: Vec<Passage>,
    /// Targets of its links.
    pub links: Vec<String>,
    /// The line that each passage starts at, from 1.
    pub lines: Vec<usize>,
    /// When it began to be known.
    pub created: Timestamp,
    /// When it was last changed.
    pub updated: Timestamp,
}

impl Note {
    /// Reads the note `id` of `layer`; `modified` is the time of its file.
    pub fn read(id: &str, layer: Layer, text: &str, modified: Timestamp) -> Self {
        let (fields, malformed, body) = match split(text) {
            None => (closed(text), unended(text), 0),
            Some((yaml, body)) => match Fields::parse(yaml) {
                Ok(fields) => (fields, None, body),
                // Its words are still worth finding; what it meant to say of its sensitivity cannot be known.
                Err(error) => (closed(text), Some(error), 0),
            },
        };
        let content = text.get(body..).unwrap_or_default();
        let markdown = read_markdown(content);
        let name = id.rsplit('/').next().unwrap_or(id);
        let heading = markdown
            .blocks
            .iter()
            .find(|block| block.heading)
            .map(|block| block.text.trim().to_owned());
        let title = fields
            .title
            .clone()
            .or(heading)
            .or_else(|| fields.key.clone())
            .unwrap_or_else(|| name.to_owned());
        let mut passages = passages(&markdown);
        if passages.is_empty() {
            // A title without a text is still a note.
            passages.push(Passage { text: title.clone(), start: 0 });
        }
        let lines = lines(text, body, &passages);
        let time = |field: &Option<String>| field.as_deref().and_then(parse_time);
        let created = time(&fields.created).or_else(|| day_in(name)).unwrap_or(modified);
        let updated = time(&fields.updated).unwrap_or(created);
        Self {
            id: id.to_owned(),
            layer,
            malformed,
            title,
            body: to_lf(content).into_owned(),
            passages,
            links: markdown.links,
            lines,
            created,
            updated,
            fields,
        }
    }

    /// Returns its category, `general` where it does not say.
    pub fn category(&self) -> &str {
        self.fields.category.as_deref().unwrap_or("general")
    }

    /// Returns how far it may travel.
    pub fn sensitivity(&self) -> Sensitivity {
        self.fields.sensitivity.unwrap_or_default()
    }

    /// Returns how much it matters.
    pub fn importance(&self) -> Importance {
        self.fields.importance.unwrap_or_default()
    }

    /// Returns how sure it is, from 0 to 1.
    pub fn confidence(&self) -> f64 {
        self.fields.confidence.unwrap_or(CONFIDENCE).clamp(0.0, 1.0)
    }

    /// Returns whether it was only concluded, and not often enough to be recalled unasked.
    pub fn is_candidate(&self) -> bool {
        self.fields.source.as_deref() == Some("inferred") && self.confidence() < RECALLED
    }

    /// Returns its text as it is written, without its front matter and the blanks around it.
    pub fn text(&self) -> &str {
        self.body.trim()
    }

    /// Returns whether it has stopped being true at `now`.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.fields.expires.as_deref().and_then(parse_time).is_some_and(|end| end <= now)
    }
}

/// Returns the fields of a note whose front matter cannot be read: what says anything of its sensitivity is secret.
fn closed(text: &str) -> Fields {
    let begins = text.trim_start_matches('\u{feff}').trim_start().starts_with("---");
    let head = split(text).map_or_else(
        || text.char_indices().nth(HEAD).and_then(|(end, _)| text.get(..end)).unwrap_or(text),
        |(yaml, _)| yaml,
    );
    let says = |line: &str| {
        let line = line.trim_start().trim_start_matches(['"', '\'']).to_lowercase();
        let rest = line.strip_prefix("sensitivity").unwrap_or_default();
        rest.trim_start_matches(['"', '\'', ' ']).starts_with(':')
    };
    let hidden = begins && head.split(['\n', '\r']).any(says);
    Fields { sensitivity: hidden.then_some(Sensitivity::Secret), ..Fields::default() }
}

/// Returns what is wrong with a note that has no front matter and says something of its sensitivity all the same.
fn unended(text: &str) -> Option<String> {
    let is_meant = closed(text).sensitivity.is_some();
    is_meant.then(|| "it does not begin at the first byte, or does not end".to_owned())
}

/// Returns the line that each of `passages`, which stand in order after the byte `body`, starts at, from 1.
fn lines(text: &str, body: usize, passages: &[Passage]) -> Vec<usize> {
    let (mut line, mut at) = (1, 0);
    let mut lines = Vec::with_capacity(passages.len());
    for passage in passages {
        let start = body + passage.start;
        line += text.get(at..start).unwrap_or_default().matches('\n').count();
        at = start.max(at);
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(id: &str, text: &str) -> Note {
        Note::read(id, Layer::Facts, text, parse_time("2026-01-01").unwrap())
    }

    #[test]
    fn a_note_says_when_from_its_fields_its_name_or_its_file() {
        assert_eq!(read("a/b", "x").created.to_string(), "2026-01-01T00:00:00Z");
        assert_eq!(read("a/2026-04-22-router", "x").created.to_string(), "2026-04-22T00:00:00Z");
        let note =
            read("a/2026-04-22-router", "---\ncreated: 2026-05-01\nexpires: 2026-06-01\n---\nx");
        assert_eq!(note.created.to_string(), "2026-05-01T00:00:00Z");
        assert!(
            note.is_expired(parse_time("2026-06-01").unwrap())
                && !note.is_expired(parse_time("2026-05-31").unwrap())
        );
    }

    #[test]
    fn what_cannot_be_read_and_speaks_of_sensitivity_is_secret() {
        for text in [
            "---\nsensitivity: secret\ntags: {a: b}\n---\nx",
            "---\nSensitivity: secret\nconfidence: [\n---\nx",
            "---\nsensitivity: secret\nnever closed",
            "---\rsensitivity: secret\r---\rx",
            "\n---\n\"sensitivity\" : secret\n---\nx",
            "---\nsensitivity: secrte\n---\nx",
        ] {
            let note = read("a/b", text);
            assert!(
                note.sensitivity() == Sensitivity::Secret && note.malformed.is_some(),
                "{text:?}"
            );
        }
        for text in [
            "the sensitivity: of film",
            "---\nconfidence: [\n---\nx",
            "sensitivity: secret\n",
            "---\n\nA rule above",
        ] {
            assert_eq!(read("a/b", text).sensitivity(), Sensitivity::Internal, "{text:?}");
        }
    }

    #[test]
    fn malformed_front_matter_is_text_and_is_told() {
        let note = read("a/b", "---\nconfidence: [\n---\nbody words\n");
        assert!(note.malformed.is_some() && note.passages[0].text.contains("confidence"));
        assert_eq!(note.lines, [2]);
        let note = read("a/b", "---\ntitle: T\n---\n\nbody\n");
        assert_eq!(
            (note.title.as_str(), note.lines[0], note.passages[0].text.as_str()),
            ("T", 5, "body")
        );
    }
}
