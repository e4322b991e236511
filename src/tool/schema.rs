//! What a model is told about the tool.

use serde_json::{Value, json};

const DESCRIPTION: &str = "Your memory across conversations: two small files that are in your prompt from the start of \
each one. `memory` holds what you noted (the environment, the project, conventions, lessons); `user` holds who the user \
is (name, role, preferences, habits). Add what will still matter in a month and would spare the user repeating it: a \
preference, a correction, a fact about the machine or the project. State facts, in the user's language; do not write \
orders. Leave out task progress, TODO state, logs, raw dumps, and what can be looked up again; past conversations are \
found with memory_recall, or session_search where there is one. Never store secrets: note where they are kept. A change is shown in the prompt from \
the next conversation on. When a file is full, replace or remove what is outdated, merging several entries into a \
shorter one, in the same call: `operations` is all or nothing and only its final state must fit. `old_text` is any part \
of the entry that no other has, or its id.";

/// Returns the schema of the tool in the function format of `OpenAI`.
pub fn schema() -> Value {
    let action = json!({
        "type": "string",
        "enum": ["add", "replace", "remove"],
        "description": "What to do. Left out when `operations` is used."
    });
    let content = json!({
        "type": "string",
        "description": "Text of the entry for add; the whole new entry for replace. No line with only §."
    });
    let old_text = json!({
        "type": "string",
        "description": "For replace and remove: a part of the entry that no other has, or its id."
    });
    let new_text =
        json!({ "type": "string", "description": "Another name for `content` in a replace." });
    json!({
        "type": "function",
        "name": "memory",
        "description": DESCRIPTION,
        "parameters": {
            "type": "object",
            "properties": {
                "action": action,
                "target": {
                    "type": "string",
                    "enum": ["memory", "user"],
                    "description": "The file: memory for your notes, user for who the user is. memory if left out."
                },
                "content": content,
                "old_text": old_text,
                "new_text": new_text,
                "operations": {
                    "type": "array",
                    "description": "Several changes of one target at once, in order, all or nothing.",
                    "items": {
                        "type": "object",
                        "properties": { "action": action, "content": content, "old_text": old_text, "new_text": new_text },
                        "required": ["action"]
                    }
                },
                "expected_sha256": {
                    "type": "string",
                    "description": "Optional: the sha256 of an earlier answer; the call is refused where the file has changed since."
                }
            },
            "required": ["target"]
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_keeps_what_models_and_backends_rely_on() {
        let schema = schema();
        let parameters = &schema["parameters"];
        assert_eq!(parameters["required"], json!(["target"]));
        for word in ["anyOf", "oneOf", "allOf", "enum", "not", "$ref"] {
            assert!(parameters.get(word).is_none(), "{word}");
        }
        let description = schema["description"].as_str().unwrap().to_lowercase();
        for word in ["task progress", "session_search", "todo state"] {
            assert!(description.contains(word), "{word}");
        }
        // One client cuts a description there.
        assert!(description.chars().count() < 2_048);
    }
}
