//! Our own notes and entries as JSON Lines, from which they come back byte for byte.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Item, NewNote, Place};
use crate::{
    config::parse_yaml,
    memory::{EntryId, Target},
    notes::{Layer, Note, split},
};

/// The field that tells such a line from others, and says what it is.
pub(super) const MARK: &str = "carnet";

/// A line as it is read; what else stands in it says the same for other programs.
#[derive(Debug, Deserialize)]
#[serde(tag = "carnet", rename_all = "lowercase")]
enum Line {
    Entry {
        target: String,
        text: String,
    },
    Note {
        id: String,
        text: String,
        #[serde(default)]
        front_matter: String,
        modified: Option<Timestamp>,
    },
}

/// Returns an entry as a line.
pub fn entry_line(target: Target, id: &EntryId, text: &str) -> String {
    let line = json!({ MARK: "entry", "target": target.as_str(), "id": id.as_str(), "text": text });
    format!("{line}\n")
}

/// Returns a note, whose file holds `content`, as a line.
pub fn note_line(note: &Note, content: &str, modified: Option<Timestamp>) -> String {
    let (yaml, body) = split(content).unwrap_or_default();
    let line = json!({
        MARK: "note",
        "id": note.id,
        "layer": note.layer.as_str(),
        "sensitivity": note.sensitivity().as_str(),
        "fields": note.malformed.is_none().then(|| parse_yaml::<Value>(yaml).ok()),
        "modified": modified,
        "front_matter": content.get(..body),
        "text": content.get(body..),
    });
    format!("{line}\n")
}

/// Reads a line.
pub(super) fn read(line: Value) -> Result<Item, String> {
    match serde_json::from_value(line).map_err(|error| error.to_string())? {
        Line::Entry { target, text } => {
            let target = target.parse().map_err(|_| format!("there is no file `{target}`"))?;
            Ok(Item::Entry { target, text })
        }
        Line::Note { id, text, front_matter, modified } => {
            let layer = Layer::FOLDERS.into_iter().find(|layer| {
                id.strip_prefix(layer.as_str()).is_some_and(|rest| rest.starts_with('/'))
            });
            let layer = layer.ok_or_else(|| format!("`{id}` is no id of a note"))?;
            let content = front_matter + &text;
            let has_keys = matches!(layer, Layer::Facts | Layer::Procedures);
            let note = Note::read(&id, layer, &content, Timestamp::UNIX_EPOCH);
            let key = note.fields.key.filter(|_| has_keys);
            let place = Place::Exact { id, layer, key };
            Ok(Item::Note(Box::new(NewNote { place, content, modified })))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_note_comes_back_to_the_byte(
            head in "(\u{feff}?---\r?\n([a-z]{1,6}: [ -~é]{0,9}\r?\n|# c\r?\n){0,4}---\r?\n)?",
            body in "([ -~é\u{2028}]{0,12}\r?\n?){0,4}", name in "[a-z0-9%_-]{1,9}", key in "[ -~é]{1,6}",
        ) {
            for content in [format!("{head}{body}"), format!("---\nkey: {}\nodd: [1, {{a: 2}}]\n---\n{body}", Value::from(key))] {
                let id = format!("facts/x/{name}");
                let note = Note::read(&id, Layer::Facts, &content, Timestamp::UNIX_EPOCH);
                let at = Timestamp::from_microsecond(1_700_000_000_123_456).unwrap();
                let line = note_line(&note, &content, Some(at));
                prop_assert_eq!(line.matches('\n').count(), 1);
                let Ok(Item::Note(read)) = read(serde_json::from_str(&line).unwrap()) else { panic!("{line}") };
                prop_assert_eq!(&read.content, &content);
                prop_assert_eq!(read.modified, Some(at));
                prop_assert_eq!(read.place, Place::Exact { id, layer: Layer::Facts, key: note.fields.key });
            }
        }
    }

    #[test]
    fn an_id_that_leads_elsewhere_is_refused() {
        for id in ["", "facts", "memory/a", "../a", "factsx/a"] {
            assert!(read(json!({ "carnet": "note", "id": id, "text": "x" })).is_err(), "{id}");
        }
        assert!(read(json!({ "carnet": "entry", "target": "other", "text": "x" })).is_err());
        assert!(read(json!({ "carnet": "page", "text": "x" })).is_err());
    }
}
