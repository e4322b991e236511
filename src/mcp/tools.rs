//! The tools: their schemas, and what each calls.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::{
    notes::{Importance, Layer},
    profile::Profile,
    tool,
};

/// A tool of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Memory,
    Recall,
    Store,
    List,
    Forget,
}

impl Named {
    const ALL: [Self; 5] = [Self::Memory, Self::Recall, Self::Store, Self::List, Self::Forget];

    /// Returns the tool of this name.
    pub(super) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Recall => "memory_recall",
            Self::Store => "memory_store",
            Self::List => "memory_list",
            Self::Forget => "memory_forget",
        }
    }

    /// Answers one call.
    pub(super) fn call(self, profile: &Profile, arguments: &Value) -> Value {
        match self {
            Self::Memory => profile.call(arguments),
            Self::Recall => profile.ask(arguments),
            Self::Store => profile.store_call(arguments),
            Self::List => profile.list_call(arguments),
            Self::Forget => profile.forget_call(arguments),
        }
    }

    /// Returns the tool as the client sees it.
    fn described(self) -> Tool {
        let (description, input) = match self {
            Self::Memory => {
                let schema = tool::schema();
                let part = |name: &str| schema.get(name).cloned().unwrap_or_default();
                let description = part("description").as_str().unwrap_or_default().to_owned();
                (description, part("parameters"))
            }
            Self::Recall => (RECALL.to_owned(), recall_input()),
            Self::Store => (STORE.to_owned(), store_input()),
            Self::List => (LIST.to_owned(), list_input()),
            Self::Forget => (FORGET.to_owned(), forget_input()),
        };
        // What an edit takes out is archived and can be taken back: no edit destroys anything.
        let reads = matches!(self, Self::Recall | Self::List);
        let hints = ToolAnnotations::new()
            .read_only(reads)
            .destructive(self == Self::Forget)
            .idempotent(reads || self == Self::Store)
            .open_world(false);
        Tool::new(self.name(), description, object(input))
            .with_raw_output_schema(object(output()))
            .with_annotations(hints)
    }
}

/// Returns all tools.
pub(super) fn all() -> Vec<Tool> {
    Named::ALL.into_iter().map(Named::described).collect()
}

const RECALL: &str = "Search everything that is remembered: the entries of both files and all notes (facts, episodes, \
sessions, procedures), by words and by meaning, in French and in English. Ask in plain words, or give an identifier, path \
or error code as it is written. `hits` are relevant, best first; `closest` holds at most three that are less so.";

const STORE: &str = "Keep a note in the notebook behind the two files: a fact, a preference, a procedure or an episode. It is \
found by memory_recall, and takes no room in the prompt. A fact has a key: the same key again brings it up to date, and the \
older text goes to the archive. Give in `quote` what the user said, word for word, where he said it. The answer says what \
happened: created, updated, unchanged, confirmed, candidate, or pending where a surer note says otherwise and the user has \
to decide.";

const LIST: &str = "List what is remembered, layer by layer: entries and notes with their ids, the surest facts first. To find \
something, use memory_recall.";

const FORGET: &str = "Forget entries or notes, in two steps. The first call names them (by id, by a text they hold, by topic, \
category, period or session; each narrows the others) and answers what it would touch, with a confirm_token. Show that to the \
user. The second call carries the confirm_token and does it. What is forgotten goes to the archive, out of recall and of the \
prompt.";

fn store_input() -> Value {
    let text = |description: &str| json!({ "type": "string", "description": description });
    let list = |description: &str| json!({ "type": "array", "items": { "type": "string" }, "description": description });
    let layers = ["fact", "preference", "procedure", "episode"];
    let importance = Importance::ALL.map(Importance::as_str);
    json!({
        "type": "object",
        "properties": {
            "key": text("Names a fact or procedure, such as archi_react_router; made of the text if left out."),
            "content": text("What to remember, in a sentence or a few, in the user's language."),
            "value": text("The same as content."),
            "text": text("The same as content."),
            "layer": { "type": "string", "enum": layers, "description": "fact if left out." },
            "type": { "type": "string", "enum": layers, "description": "The same as layer." },
            "category": text("identity, project, tech, preferences, general, or another word."),
            "confidence": { "type": "number", "minimum": 0, "maximum": 1, "description": "How sure you are; the source may make it less." },
            "importance": { "type": "string", "enum": importance, "description": "normal if left out." },
            "expires": text("When it stops being true: 2027-01-01, or a length of time from now such as 30d."),
            "tags": list("Words to find it by."),
            "related": list("Ids or keys of notes it belongs to."),
            "quote": text("What the user said, word for word."),
            "date": text("When an episode happened, such as 2026-05-14; now if left out.")
        }
    })
}

fn list_input() -> Value {
    let layers = Layer::ALL.map(Layer::as_str).into_iter().chain(["profile", "all"]);
    let layers: Vec<_> = layers.filter(|layer| *layer != "archive").collect();
    json!({
        "type": "object",
        "properties": {
            "layer": { "type": "string", "enum": layers, "description": "all if left out; profile is who the user is." },
            "category": { "type": "string", "description": "Only this category." }
        }
    })
}

fn forget_input() -> Value {
    let text = |description: &str| json!({ "type": "string", "description": description });
    let date = "2026-05-14, a time in RFC 3339, or a length of time back such as 1h";
    json!({
        "type": "object",
        "properties": {
            "id": text("The entry or note of this id, as recall and list show it."),
            "match": text("What holds this text."),
            "topic": text("Notes with this tag, or this word in their title or key."),
            "category": text("Notes of this category."),
            "since": text(&format!("What is dated from here on: {date}.")),
            "until": text(&format!("What is dated before: {date}.")),
            "session": text("Notes that come from this session."),
            "confirm_token": text("The token of the first answer: do it now.")
        }
    })
}

fn recall_input() -> Value {
    let layers: Vec<_> =
        Layer::ALL.map(Layer::as_str).into_iter().filter(|layer| *layer != "archive").collect();
    let date = "2026-05-14, a time in RFC 3339, or a length of time back such as 30d";
    json!({
        "type": "object",
        "properties": {
            "query": { "type": "string", "description": "The question, in any words." },
            "limit": { "type": "integer", "minimum": 1, "description": "Hits at most; 5 if left out." },
            "layer": { "type": "string", "enum": layers, "description": "Only this layer." },
            "category": { "type": "string", "description": "Only this category." },
            "since": { "type": "string", "description": format!("Only what is dated from here on: {date}.") },
            "until": { "type": "string", "description": format!("Only what is dated before: {date}.") },
            "threshold": { "type": "number", "minimum": 0, "maximum": 1, "description": "How relevant a hit must be." }
        },
        "required": ["query"]
    })
}

/// What every answer holds.
fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "success": { "type": "boolean" },
            "profile": { "type": "string" },
            "code": { "type": "string", "description": "Why it was refused." },
            "error": { "type": "string" },
            "hint": { "type": "string", "description": "What to do next." }
        },
        "required": ["success"]
    })
}

fn object(value: Value) -> Arc<JsonObject> {
    match value {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_flat_objects_with_all_hints() {
        for tool in all() {
            let output = tool.output_schema.clone().unwrap();
            for schema in [&tool.input_schema, &output] {
                assert_eq!(schema["type"], "object");
                for word in ["anyOf", "oneOf", "allOf", "$ref", "not"] {
                    assert!(!schema.contains_key(word), "{} {word}", tool.name);
                }
            }
            let hints = serde_json::to_value(tool.annotations.unwrap()).unwrap();
            for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
                assert!(hints[hint].is_boolean(), "{hint}");
            }
            assert!(tool.description.unwrap().chars().count() < 2_048);
        }
    }
}
