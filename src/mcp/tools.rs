//! The tools: their schemas, and what each calls.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::{notes::Layer, profile::Profile, tool};

/// A tool of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Memory,
    Recall,
}

impl Named {
    const ALL: [Self; 2] = [Self::Memory, Self::Recall];

    /// Returns the tool of this name.
    pub(super) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Recall => "memory_recall",
        }
    }

    /// Answers one call.
    pub(super) fn call(self, profile: &Profile, arguments: &Value) -> Value {
        match self {
            Self::Memory => profile.call(arguments),
            Self::Recall => profile.ask(arguments),
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
        };
        // What an edit takes out is archived and can be taken back: no edit destroys anything.
        let reads = self == Self::Recall;
        let hints = ToolAnnotations::new()
            .read_only(reads)
            .destructive(false)
            .idempotent(reads)
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

fn recall_input() -> Value {
    let layers = Layer::ALL.map(Layer::as_str);
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
