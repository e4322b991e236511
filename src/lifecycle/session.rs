//! The end of a session: what an agent's model made of it, as one JSON object.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Turn;
use crate::notes::{Importance, parse_time};

/// A session that has ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionEnd {
    /// Its id; the same again is the same session.
    pub session_id: Option<String>,
    /// What it was about, in a few words.
    pub topic: Option<String>,
    /// What happened, in a few sentences.
    pub summary: String,
    /// When it began and ended.
    pub started: Option<String>,
    /// When it ended.
    pub ended: Option<String>,
    /// Decisions, milestones, bugs…
    pub events: Vec<Event>,
    /// What the user said that is worth keeping.
    pub facts: Vec<NewFact>,
    /// How the user wants things done, as far as it showed.
    pub signals: Vec<String>,
    /// What is left to do.
    pub open_items: Vec<String>,
    /// What was left to do and is done.
    pub closed_items: Vec<String>,
    /// The conversation, where it comes along.
    pub transcript: Vec<Turn>,
    /// What could not be read, one a part: where it stands, its text, and why.
    pub refused: Vec<Unread>,
}

/// Something that happened.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Event {
    /// decision, milestone, bug, event…
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// What happened.
    pub text: String,
    /// How much it matters.
    pub importance: Option<Importance>,
    /// When.
    pub date: Option<String>,
}

/// Something that the user said.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NewFact {
    /// Its key; one is made of the text where it is left out.
    pub key: Option<String>,
    /// What it says.
    pub text: String,
    /// Any word.
    pub category: Option<String>,
    /// How sure the model is; the quote decides.
    pub confidence: Option<f64>,
    /// What the user said, word for word.
    pub quote: Option<String>,
}

/// A part that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The field, such as `new_facts[2]`.
    pub place: String,
    /// Its key, where it has one.
    pub key: Option<String>,
    /// Its text, where it has one.
    pub text: String,
    /// Why.
    pub reason: String,
}

/// Fields of the object.
const FIELDS: [&str; 11] = [
    "session_id",
    "topic",
    "summary",
    "started",
    "ended",
    "notable_events",
    "new_facts",
    "preference_signals",
    "open_items",
    "closed_items",
    "transcript",
];

impl SessionEnd {
    /// Reads the object. A list item that is wrong is set aside with its place, and the rest is kept; a field that is wrong in
    /// itself, or not known, is an error that names it.
    pub fn read(value: &Value) -> Result<Self, String> {
        let object = value.as_object().ok_or("the session is not a JSON object")?;
        if let Some(unknown) = object.keys().find(|name| !FIELDS.contains(&name.as_str())) {
            return Err(format!(
                "unknown field `{unknown}`, expected one of `{}`",
                FIELDS.join("`, `")
            ));
        }
        let mut session = Self {
            session_id: text(object, "session_id")?,
            topic: text(object, "topic")?,
            summary: text(object, "summary")?.unwrap_or_default(),
            started: time(object, "started")?,
            ended: time(object, "ended")?,
            ..Self::default()
        };
        if session.summary.trim().is_empty() {
            return Err(
                "`summary` is missing or empty: say in a few sentences what happened".to_owned()
            );
        }
        let mut refused = Vec::new();
        session.events = items(object, "notable_events", &mut refused, |event: &Event| {
            let date = event.date.as_deref().filter(|date| parse_time(date).is_none());
            match date {
                _ if event.text.trim().is_empty() => Err("`text` is missing or empty".to_owned()),
                Some(date) => Err(format!("`date` is no date: `{date}`")),
                None => Ok(()),
            }
        })?;
        session.facts = items(object, "new_facts", &mut refused, |fact: &NewFact| {
            if fact.text.trim().is_empty() {
                return Err("`text` is missing or empty".to_owned());
            }
            Ok(())
        })?;
        session.signals = words(object, "preference_signals", &mut refused)?;
        session.open_items = words(object, "open_items", &mut refused)?;
        session.closed_items = words(object, "closed_items", &mut refused)?;
        session.transcript = match object.get("transcript") {
            None | Some(Value::Null) => Vec::new(),
            Some(turns) => turns_of(turns)?,
        };
        session.refused = refused;
        Ok(session)
    }
}

fn text(object: &Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.trim().to_owned())),
        Some(_) => Err(format!("`{name}` is not a text")),
    }
}

fn time(object: &Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    let text = text(object, name)?;
    match text.as_deref().filter(|text| parse_time(text).is_none()) {
        Some(wrong) => {
            Err(format!("`{name}` is no date: `{wrong}`; write 2026-05-14, or a time in RFC 3339"))
        }
        None => Ok(text),
    }
}

fn list<'o>(object: &'o Map<String, Value>, name: &str) -> Result<&'o [Value], String> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(list)) => Ok(list),
        Some(_) => Err(format!("`{name}` is not a list")),
    }
}

fn items<T: for<'de> Deserialize<'de>>(
    object: &Map<String, Value>,
    name: &str,
    refused: &mut Vec<Unread>,
    check: impl Fn(&T) -> Result<(), String>,
) -> Result<Vec<T>, String> {
    let mut kept = Vec::new();
    for (index, item) in list(object, name)?.iter().enumerate() {
        let read = T::deserialize(item).map_err(|error| error.to_string());
        match read.and_then(|item| check(&item).map(|()| item)) {
            Ok(item) => kept.push(item),
            Err(reason) => refused.push(unread(&format!("{name}[{index}]"), item, reason)),
        }
    }
    Ok(kept)
}

/// Reads a list of texts, or of objects that have a `text`.
fn words(
    object: &Map<String, Value>,
    name: &str,
    refused: &mut Vec<Unread>,
) -> Result<Vec<String>, String> {
    let mut kept: Vec<String> = Vec::new();
    for (index, item) in list(object, name)?.iter().enumerate() {
        match item.as_str().or_else(|| item.get("text")?.as_str()).map(str::trim) {
            Some(text) if !text.is_empty() => kept.push(text.to_owned()),
            _ => {
                refused.push(unread(&format!("{name}[{index}]"), item, "it is no text".to_owned()));
            }
        }
    }
    Ok(kept)
}

fn unread(place: &str, item: &Value, reason: String) -> Unread {
    let text = |name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
    let shown = text("text").or_else(|| item.as_str().map(str::to_owned));
    Unread { place: place.to_owned(), key: text("key"), text: shown.unwrap_or_default(), reason }
}

/// Reads turns as `{role, text}`; `content` is accepted for `text`.
fn turns_of(value: &Value) -> Result<Vec<Turn>, String> {
    let list = value.as_array().ok_or("`transcript` is not a list")?;
    let turn = |(index, turn): (usize, &Value)| {
        let wrong = |what: &str| format!("`transcript[{index}]` has no {what}");
        let role = turn.get("role").and_then(Value::as_str).ok_or_else(|| wrong("role"))?;
        let text = turn.get("text").or_else(|| turn.get("content")).and_then(plain);
        Ok(Turn { user: role == "user", text: text.ok_or_else(|| wrong("text"))? })
    };
    list.iter().enumerate().map(turn).collect()
}

/// Returns the text of a message: a string, or the text blocks of a list.
fn plain(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(blocks) => {
            let text = |block: &Value| {
                let is_text =
                    matches!(block.get("type")?.as_str()?, "text" | "input_text" | "output_text");
                is_text.then(|| block.get("text")?.as_str().map(str::to_owned))?
            };
            let texts: Vec<_> = blocks.iter().filter_map(text).collect();
            Some(texts.join("\n\n"))
        }
        _ => None,
    }
}

/// Reads a conversation as a client keeps it: JSON Lines of Claude Code or Codex, or of `{role, text}`, or plain text whose
/// turns begin with `user:` and `assistant:`. Lines that are something else are passed over.
pub fn read_transcript(text: &str) -> Vec<Turn> {
    let lines: Vec<Value> =
        text.lines().filter_map(|line| serde_json::from_str(line.trim()).ok()).collect();
    let turns: Vec<_> = lines.iter().filter_map(turn_of).collect();
    if turns.is_empty() { plain_turns(text) } else { turns }
}

/// Returns the turn of a line of a client's own file.
fn turn_of(line: &Value) -> Option<Turn> {
    let is = |name: &str| line.get(name) == Some(&Value::Bool(true));
    // Claude Code: what the client said for itself, and what subagents said, is nobody's word.
    if is("isMeta") || is("isSidechain") || is("isCompactSummary") {
        return None;
    }
    // Codex: {type: response_item, payload: {type: message, role, content}}.
    let inner = match line.get("type").and_then(Value::as_str) {
        Some("response_item") => line
            .get("payload")
            .filter(|payload| payload.get("type").is_some_and(|kind| kind == "message"))?,
        Some("user" | "assistant") => line.get("message").unwrap_or(line),
        Some("event_msg" | "session_meta" | "turn_context" | "summary" | "system") => return None,
        _ => line,
    };
    let role = inner.get("role").and_then(Value::as_str)?;
    let text = plain(inner.get("content").or_else(|| inner.get("text"))?)?;
    let is_told = matches!(role, "user" | "assistant") && !text.trim().is_empty();
    is_told.then(|| Turn { user: role == "user", text })
}

/// Reads plain text whose turns begin with who speaks.
fn plain_turns(text: &str) -> Vec<Turn> {
    const USER: [&str; 3] = ["user:", "human:", "utilisateur:"];
    const AGENT: [&str; 3] = ["assistant:", "agent:", "ai:"];
    let mut turns: Vec<Turn> = Vec::new();
    for line in text.lines() {
        let lower = line.trim_start().to_lowercase().replace(" :", ":");
        let begins = |names: &[&str]| names.iter().any(|name| lower.starts_with(name));
        let speaker = [(true, begins(&USER)), (false, begins(&AGENT))];
        match (speaker.into_iter().find(|(_, begins)| *begins), turns.last_mut()) {
            (Some((user, _)), _) => {
                let text = line.split_once(':').map_or("", |(_, text)| text).trim().to_owned();
                turns.push(Turn { user, text });
            }
            (None, Some(turn)) => {
                turn.text.push('\n');
                turn.text.push_str(line);
            }
            (None, None) => {}
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn one_bad_part_leaves_the_rest() {
        let session = SessionEnd::read(&json!({
            "summary": " We chose heron. ", "session_id": "s-1", "ended": "2026-05-14T10:30:00Z",
            "notable_events": [{"type": "decision", "text": "heron"}, {"text": ""}, {"text": "x", "date": "soon"}],
            "new_facts": [{"key": "db", "text": "heron", "quote": "a b c"}, {"text": 7}, {"text": "y", "colour": 1}],
            "open_items": ["a", {"text": "b"}, 3], "preference_signals": null,
            "transcript": [{"role": "user", "text": "hello"}, {"role": "assistant", "content": [{"type": "text", "text": "hi"}]}],
        }))
        .unwrap();
        assert_eq!(
            (session.summary.as_str(), session.events.len(), session.facts.len()),
            ("We chose heron.", 1, 1)
        );
        assert_eq!(session.open_items, ["a", "b"]);
        let places: Vec<_> = session.refused.iter().map(|part| part.place.as_str()).collect();
        assert_eq!(
            places,
            [
                "notable_events[1]",
                "notable_events[2]",
                "new_facts[1]",
                "new_facts[2]",
                "open_items[2]"
            ]
        );
        assert_eq!(session.transcript[1], Turn { user: false, text: "hi".to_owned() });
    }

    #[test]
    fn a_wrong_field_is_named() {
        for (value, name) in [
            (json!([]), "not a JSON object"),
            (json!({}), "`summary`"),
            (json!({"summary": "x", "sumary": 1}), "`sumary`"),
            (json!({"summary": "x", "ended": "soon"}), "`ended`"),
            (json!({"summary": "x", "new_facts": {}}), "`new_facts`"),
            (json!({"summary": "x", "transcript": [{"text": "y"}]}), "`transcript[0]`"),
        ] {
            let error = SessionEnd::read(&value).unwrap_err();
            assert!(error.contains(name), "{value}: {error}");
        }
    }

    #[test]
    fn transcripts_are_read_as_clients_keep_them() {
        let claude = [
            json!({"type": "user", "isMeta": true, "message": {"role": "user", "content": "caveat"}}),
            json!({"type": "user", "message": {"role": "user", "content": "We use heron"}}),
            json!({"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "ok"}, {"type": "tool_use"}]}}),
            json!({"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "x"}]}}),
            json!({"type": "file-history-snapshot"}),
        ];
        let codex = [
            json!({"type": "session_meta", "payload": {}}),
            json!({"type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "We use heron"}]}}),
            json!({"type": "response_item", "payload": {"type": "function_call", "name": "x"}}),
            json!({"type": "event_msg", "payload": {"type": "user_message", "message": "We use heron"}}),
            json!({"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]}}),
        ];
        let expected = [
            Turn { user: true, text: "We use heron".to_owned() },
            Turn { user: false, text: "ok".to_owned() },
        ];
        for lines in [&claude[..], &codex[..]] {
            let text: Vec<_> = lines.iter().map(Value::to_string).collect();
            assert_eq!(read_transcript(&text.join("\n")), expected);
        }
        assert_eq!(read_transcript("User: We use heron\nAssistant: ok\n"), expected);
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in ".{0,60}") {
            let _ = read_transcript(&text);
            if let Ok(value) = serde_json::from_str(&text) {
                let _ = SessionEnd::read(&value);
            }
        }
    }
}
