//! ChatGPT: the conversations of its data export, of which each is a tree, and its memories.

use std::{collections::HashSet, io::BufRead};

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    Sink, Source,
    chat::{Conversation, Turn},
    draft::{AGENT_SAID, Draft, time},
    elements::elements,
    format::ending,
    listed, text,
};

const ORIGIN: &str = "chatgpt";

/// The tool by which ChatGPT writes its memory.
const MEMORY_TOOL: &str = "bio";

/// A conversation of `conversations.json`.
#[derive(Debug, Deserialize)]
struct Exported {
    id: Option<String>,
    conversation_id: Option<String>,
    title: Option<String>,
    create_time: Option<f64>,
    current_node: Option<String>,
    mapping: Map<String, Value>,
}

/// A message of it.
#[derive(Debug, Deserialize)]
struct Message {
    id: Option<String>,
    author: Author,
    create_time: Option<f64>,
    content: Content,
    recipient: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Author {
    role: String,
}

#[derive(Debug, Deserialize)]
struct Content {
    content_type: String,
    parts: Option<Vec<Value>>,
}

pub(super) fn read(
    source: Source<'_>,
    reader: &mut dyn BufRead,
    sink: &mut Sink<'_>,
) -> Result<(), String> {
    if matches!(ending(source.file()).as_str(), "md" | "txt") {
        listed::read(ORIGIN, &text(reader)?, sink);
        return Ok(());
    }
    elements(reader, &["conversations", "memories"], &mut |number, element| {
        if !is_conversation(&element) {
            sink(number, memory(&element).and_then(|draft| draft.into_item(number)));
            return true;
        }
        match conversation(element) {
            Ok((conversation, memories)) => {
                for memory in memories {
                    sink(number, memory.into_item(number));
                }
                conversation.tell(number, sink);
            }
            Err(why) => sink(number, Err(why)),
        }
        true
    })
}

/// Returns whether it is a conversation of this export.
pub(super) fn is_conversation(element: &Value) -> bool {
    element.get("mapping").is_some()
}

/// Returns a memory that was exported by itself: a text, or an object that holds one.
fn memory(element: &Value) -> Result<Draft, String> {
    let word = |names: &[&str]| {
        names.iter().find_map(|name| element.get(name)?.as_str().map(str::to_owned))
    };
    let text = element.as_str().map(str::to_owned).or_else(|| word(&["content", "memory", "text"]));
    let text = text.ok_or("it is neither a conversation, which has a `mapping`, nor a memory")?;
    Ok(Draft {
        id: word(&["id", "memory_id"]),
        created: word(&["created_at", "updated_at", "create_time"]).map(|text| time(&text)),
        ..fact(text)
    })
}

fn fact(text: String) -> Draft {
    Draft {
        text,
        layer: Some("facts".to_owned()),
        confidence: Some(AGENT_SAID),
        origin: Some(ORIGIN),
        ..Draft::default()
    }
}

/// Returns a conversation, and what ChatGPT has put into its memory while it went on.
fn conversation(element: Value) -> Result<(Conversation, Vec<Draft>), String> {
    let read: Exported = serde_json::from_value(element).map_err(|error| error.to_string())?;
    let id = read.id.or(read.conversation_id).ok_or("it has neither `id` nor `conversation_id`")?;
    let (mut turns, mut memories) = (Vec::new(), Vec::new());
    for node in path(&read.mapping, read.current_node.as_deref()) {
        let Some(message) = read.mapping.get(node).and_then(|node| node.get("message")) else {
            continue;
        };
        if message.is_null() {
            continue;
        }
        let message = match Message::deserialize(message) {
            Ok(message) => message,
            Err(error) => {
                turns.push(Err(error.to_string()));
                continue;
            }
        };
        let text = said(&message.content);
        let at = message.create_time.and_then(at);
        let recipient = message.recipient.as_deref().unwrap_or("all");
        if recipient == MEMORY_TOOL && !text.trim().is_empty() {
            memories.push(Draft { id: message.id, created: at, ..fact(text) });
        } else if recipient == "all" && matches!(message.author.role.as_str(), "user" | "assistant")
        {
            turns.push(Ok(Turn { id: message.id, speaker: message.author.role, text, at }));
        }
    }
    let created = read.create_time.and_then(at);
    Ok((Conversation { origin: ORIGIN, id, title: read.title, created, turns }, memories))
}

/// Returns the nodes from the root to the answer that the person stayed with.
fn path<'m>(mapping: &'m Map<String, Value>, current: Option<&'m str>) -> Vec<&'m str> {
    let parent = |node: &str| mapping.get(node)?.get("parent")?.as_str();
    let last_child = |node: &str| mapping.get(node)?.get("children")?.as_array()?.last()?.as_str();
    let (mut path, mut seen) = (Vec::new(), HashSet::new());
    let known = current.filter(|node| mapping.contains_key(*node));
    let mut next =
        known.or_else(|| mapping.keys().map(String::as_str).find(|node| parent(node).is_none()));
    while let Some(node) = next.filter(|node| seen.insert(*node)) {
        path.push(node);
        next = if known.is_some() { parent(node) } else { last_child(node) };
    }
    if known.is_some() {
        path.reverse();
    }
    path
}

/// Returns the words of a message; code that it ran, and pictures, are none.
fn said(content: &Content) -> String {
    if !matches!(content.content_type.as_str(), "text" | "multimodal_text") {
        return String::new();
    }
    let words = |part: &Value| {
        // What was spoken stands in an object.
        let text = part.as_str().or_else(|| part.get("text")?.as_str())?;
        (!text.trim().is_empty()).then(|| text.to_owned())
    };
    content.parts.iter().flatten().filter_map(words).collect::<Vec<_>>().join("\n\n")
}

/// Returns a time in seconds since 1970 as notes have it.
#[expect(clippy::cast_possible_truncation, reason = "what is no time of ours is left out")]
fn at(seconds: f64) -> Option<String> {
    Timestamp::from_second(seconds as i64).ok().map(|at| format!("{at:.0}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    proptest! {
        #[test]
        fn any_tree_has_a_path_that_ends(parents in proptest::collection::vec(0..9_usize, 1..9), current in 0..9_usize) {
            let children = |of: usize| -> Vec<String> {
                (0..parents.len()).filter(|at| parents[*at] == of).map(|at| at.to_string()).collect()
            };
            let node = |(at, parent): (usize, &usize)| {
                (at.to_string(), json!({ "parent": parent.to_string(), "children": children(at) }))
            };
            let mapping: Map<String, Value> = parents.iter().enumerate().map(node).collect();
            let path = path(&mapping, Some(&current.to_string())).len();
            prop_assert!(path <= mapping.len() + 1);
        }
    }
}
