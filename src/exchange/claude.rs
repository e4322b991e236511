//! Claude: the conversations and memories of its data export, a memory that was copied out, and `CLAUDE.md`.

use std::io::BufRead;

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

const ORIGIN: &str = "claude";

/// A conversation of `conversations.json`.
#[derive(Debug, Deserialize)]
struct Exported {
    uuid: String,
    name: Option<String>,
    created_at: Option<String>,
    chat_messages: Vec<Value>,
}

/// A message of it.
#[derive(Debug, Deserialize)]
struct Message {
    uuid: Option<String>,
    sender: String,
    text: Option<String>,
    content: Option<Vec<Value>>,
    attachments: Option<Vec<Value>>,
    created_at: Option<String>,
}

/// An account of `memories.json`.
#[derive(Debug, Deserialize)]
struct Memories {
    conversations_memory: Option<String>,
    project_memories: Option<Map<String, Value>>,
}

pub(super) fn read(
    source: Source<'_>,
    reader: &mut dyn BufRead,
    sink: &mut Sink<'_>,
) -> Result<(), String> {
    if source.file().eq_ignore_ascii_case("CLAUDE.md") {
        sink(1, instructions(source, text(reader)?).into_item(1));
        return Ok(());
    }
    if matches!(ending(source.file()).as_str(), "md" | "txt") {
        listed::read(ORIGIN, &text(reader)?, sink);
        return Ok(());
    }
    elements(reader, &["conversations"], &mut |number, element| {
        if is_memories(&element) {
            memories(element, number, sink);
        } else {
            match conversation(element) {
                Ok(conversation) => conversation.tell(number, sink),
                Err(why) => sink(number, Err(why)),
            }
        }
        true
    })
}

/// Returns whether it is a conversation of this export.
pub(super) fn is_conversation(element: &Value) -> bool {
    element.get("chat_messages").is_some()
}

/// Returns whether it is the memory of an account.
pub(super) fn is_memories(element: &Value) -> bool {
    element.get("conversations_memory").is_some() || element.get("project_memories").is_some()
}

/// Returns what a person told Claude to do as one procedure.
fn instructions(source: Source<'_>, text: String) -> Draft {
    Draft {
        id: Some(format!("{}/CLAUDE.md", source.folder)),
        title: Some(format!("CLAUDE.md {}", source.folder).trim().to_owned()),
        layer: Some("procedures".to_owned()),
        origin: Some(ORIGIN),
        text,
        ..Draft::default()
    }
}

fn memories(element: Value, number: usize, sink: &mut Sink<'_>) {
    let read: Memories = match serde_json::from_value(element) {
        Ok(read) => read,
        Err(error) => return sink(number, Err(error.to_string())),
    };
    let of_projects = read.project_memories.into_iter().flatten();
    let all = read
        .conversations_memory
        .map(|text| ("conversations".to_owned(), Value::from(text)))
        .into_iter()
        .chain(of_projects);
    for (name, text) in all {
        let Some(text) = text.as_str() else {
            sink(number, Err(format!("the memory of `{name}` is no text")));
            continue;
        };
        let is_general = name == "conversations";
        let draft = Draft {
            title: Some(if is_general {
                "What Claude remembers".to_owned()
            } else {
                format!("What Claude remembers of the project {name}")
            }),
            category: Some(if is_general { "general" } else { "project" }.to_owned()),
            layer: Some("facts".to_owned()),
            origin: Some(ORIGIN),
            text: text.to_owned(),
            confidence: Some(AGENT_SAID),
            id: Some(format!("memory/{name}")),
            ..Draft::default()
        };
        sink(number, draft.into_item(number));
    }
}

fn conversation(element: Value) -> Result<Conversation, String> {
    let read: Exported = serde_json::from_value(element).map_err(|error| error.to_string())?;
    Ok(Conversation {
        origin: ORIGIN,
        id: read.uuid,
        title: read.name,
        created: read.created_at.as_deref().map(time),
        turns: read.chat_messages.into_iter().map(turn).collect(),
    })
}

fn turn(message: Value) -> Result<Turn, String> {
    let read: Message = serde_json::from_value(message).map_err(|error| error.to_string())?;
    let word = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let is_text = |block: &&Value| block.get("type").and_then(Value::as_str) == Some("text");
    let blocks =
        read.content.iter().flatten().filter(is_text).filter_map(|block| word(block, "text"));
    let mut parts: Vec<String> = blocks.filter(|text| !text.trim().is_empty()).collect();
    if parts.is_empty() {
        parts.extend(read.text);
    }
    // What was pasted is what was said.
    for file in read.attachments.iter().flatten() {
        let name = word(file, "file_name").unwrap_or_default();
        let text = word(file, "extracted_content").filter(|text| !text.trim().is_empty());
        parts.extend(text.map(|text| format!("{name}\n\n{text}").trim().to_owned()));
    }
    let speaker = if read.sender == "human" { "user".to_owned() } else { read.sender };
    let at = read.created_at.as_deref().map(time);
    Ok(Turn { id: read.uuid, speaker, text: parts.join("\n\n"), at })
}
