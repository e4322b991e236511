//! mem0: its memories as its API returns and exports them.

use std::io::BufRead;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    Item, Sink,
    draft::{AGENT_SAID, Draft, time},
    elements::elements,
};

const ORIGIN: &str = "mem0";

/// A memory.
#[derive(Debug, Deserialize)]
struct Memory {
    id: Option<Value>,
    #[serde(rename = "memory")]
    content: String,
    created_at: Option<String>,
    updated_at: Option<String>,
    expiration_date: Option<String>,
    categories: Option<Vec<String>>,
    run_id: Option<String>,
    /// Its metadata, whose it is, and what later versions add.
    #[serde(flatten)]
    beside: Map<String, Value>,
}

pub(super) fn read(reader: &mut dyn BufRead, sink: &mut Sink<'_>) -> Result<(), String> {
    elements(reader, &["results", "memories"], &mut |number, element| {
        sink(number, fact(element, number));
        true
    })
}

/// Returns whether it is a memory of this export.
pub(super) fn is_memory(element: &Value) -> bool {
    element.get("memory").is_some_and(Value::is_string)
}

fn fact(element: Value, number: usize) -> Result<Item, String> {
    let mut memory: Memory = serde_json::from_value(element).map_err(|error| error.to_string())?;
    // How near it was to the question of a search says nothing of the memory.
    memory.beside.shift_remove("score");
    memory.beside.retain(|_, value| !value.is_null());
    let id = memory.id.filter(|id| !id.is_null());
    let tags = memory.categories.unwrap_or_default();
    let metadata = memory.beside.get("metadata").and_then(|metadata| metadata.get("category"));
    let category = metadata.and_then(Value::as_str).or(tags.first().map(String::as_str));
    let draft = Draft {
        id: id.map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned)),
        layer: Some("facts".to_owned()),
        created: memory.created_at.as_deref().map(time),
        updated: memory.updated_at.as_deref().map(time),
        expires: memory.expiration_date.as_deref().map(time),
        category: category.map(str::to_owned),
        session: memory.run_id,
        text: memory.content,
        confidence: Some(AGENT_SAID),
        tags,
        origin: Some(ORIGIN),
        beside: (!memory.beside.is_empty()).then_some(Value::Object(memory.beside)),
        ..Draft::default()
    };
    draft.into_item(number)
}
