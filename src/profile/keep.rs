//! The tools that write and list notes: JSON in, JSON out.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{ListRequest, Profile, Remembered, note_to_json, remember::STORE};
use crate::{
    error::MemoryError,
    lifecycle::NoteRequest,
    memory::Target,
    notes::{Importance, Layer},
    tool,
};

/// A call of `memory_store`. What may be said of a note but is a person's to decide is no argument.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Stored {
    key: Option<String>,
    content: Option<String>,
    value: Option<String>,
    text: Option<String>,
    layer: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    category: Option<String>,
    confidence: Option<f64>,
    importance: Option<Importance>,
    expires: Option<String>,
    tags: Option<Vec<String>>,
    related: Option<Vec<String>>,
    quote: Option<String>,
    date: Option<String>,
}

/// A call of `memory_list`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Listed {
    layer: Option<String>,
    category: Option<String>,
}

/// Notes that a list holds at most, and characters of their texts in all.
const MOST: usize = 200;
const MOST_CHARS: usize = 40_000;

/// Characters that it shows of one of them.
const MOST_OF_ONE: usize = 4_000;

/// Categories that say who the user is.
const PROFILE: [&str; 2] = ["identity", "preferences"];

/// Refuses an agent what has left memory.
pub(super) fn archived() -> MemoryError {
    let hint = "ask the user: `carnet recall --archive` and `carnet restore` are his";
    MemoryError::bad_request("the archive has left memory, and is the user's", hint)
}

fn wrong(what: String) -> MemoryError {
    MemoryError::bad_request(what, "correct the call and send it again")
}

impl Profile {
    /// Answers one call of the tool `memory_store`.
    pub fn store_call(&self, arguments: &Value) -> Value {
        let stored = note_request(arguments).and_then(|request| self.remember(&request));
        let answer = match stored {
            Ok(remembered) => stored_answer(&remembered),
            Err(error) => tool::failure(&error),
        };
        self.audited(STORE, self.named(answer))
    }

    /// Answers one call of the tool `memory_list`.
    pub fn list_call(&self, arguments: &Value) -> Value {
        let answer = self.listed(arguments).unwrap_or_else(|error| tool::failure(&error));
        self.audited("memory_list", self.named(answer))
    }

    /// Returns an answer with the name of the profile, which every answer says.
    pub(super) fn named(&self, mut answer: Value) -> Value {
        if let Some(answer) = answer.as_object_mut() {
            answer.insert("profile".to_owned(), self.name().into());
        }
        answer
    }

    fn listed(&self, arguments: &Value) -> Result<Value, MemoryError> {
        let Listed { layer, category } =
            Listed::deserialize(arguments).map_err(|error| wrong(error.to_string()))?;
        let (targets, layers, only): (&[Target], Vec<Layer>, &[&str]) = match layer.as_deref() {
            None | Some("all") => (&Target::ALL, Vec::new(), &[]),
            Some("profile") => (&[Target::User], vec![Layer::Facts], &PROFILE),
            Some(word) => match word.parse::<Layer>().map_err(wrong)? {
                Layer::Memory => (&[Target::Memory], Vec::new(), &[]),
                Layer::User => (&[Target::User], Vec::new(), &[]),
                Layer::Archive => return Err(archived()),
                layer => (&[], vec![layer], &[]),
            },
        };
        let files_only = matches!(layer.as_deref(), Some("memory" | "user"));
        let mut shown = Vec::new();
        for target in targets.iter().filter(|_| category.is_none()) {
            for (id, entry) in self.shown_entries(*target)? {
                shown.push(json!({ "id": id, "layer": target.as_str(), "text": entry }));
            }
        }
        let mut warnings = Vec::new();
        if !files_only {
            let request = ListRequest { layers, category, clearance: None };
            let (notes, mut found) = self.notes(&request)?;
            warnings.append(&mut found);
            let is_wanted = |word: &str| only.is_empty() || only.contains(&word);
            let wanted = notes.iter().filter(|note| is_wanted(note.category()));
            shown.extend(wanted.map(note_to_json));
        }
        let all = shown.len();
        let mut room = MOST_CHARS;
        shown.truncate(MOST);
        shown.iter_mut().for_each(cut);
        shown.retain(|note| {
            let chars = note["text"].as_str().map_or(0, |text| text.chars().count());
            let fits = chars <= room;
            room -= if fits { chars } else { 0 };
            fits
        });
        let left_out = all - shown.len();
        Ok(json!({ "success": true, "notes": shown, "left_out": left_out, "warnings": warnings }))
    }
}

/// Returns what was given under one of several names; two that differ are a mistake.
fn one_of(name: &str, given: [Option<String>; 3]) -> Result<Option<String>, MemoryError> {
    let mut given = given.into_iter().flatten();
    let first = given.next();
    if given.any(|other| first.as_ref() != Some(&other)) {
        return Err(wrong(format!("`{name}` is given twice, under two names")));
    }
    Ok(first)
}

/// Cuts the text of a note that is longer than a list may show of one, and says so.
fn cut(note: &mut Value) {
    let Some(text) = note["text"].as_str() else { return };
    let Some((end, _)) = text.char_indices().nth(MOST_OF_ONE) else { return };
    let shown = format!("{} …", text.get(..end).unwrap_or_default());
    note["text"] = json!(shown);
    note["cut"] = json!(true);
}

/// Reads the arguments of `memory_store`.
fn note_request(arguments: &Value) -> Result<NoteRequest, MemoryError> {
    let stored = Stored::deserialize(arguments).map_err(|error| wrong(error.to_string()))?;
    let text = one_of("content", [stored.content, stored.value, stored.text])?.unwrap_or_default();
    let (layer, category) = match one_of("layer", [stored.layer, stored.kind, None])?.as_deref() {
        None | Some("fact" | "facts") => (Layer::Facts, None),
        Some("preference" | "preferences") => (Layer::Facts, Some("preferences".to_owned())),
        Some("procedure" | "procedures") => (Layer::Procedures, None),
        Some("episode" | "episodes") => (Layer::Episodes, None),
        Some(word) => {
            let what =
                format!("`{word}` is not written: it is fact, preference, procedure or episode");
            return Err(wrong(what));
        }
    };
    Ok(NoteRequest {
        layer: Some(layer),
        key: stored.key,
        text,
        category: stored.category.or(category),
        confidence: stored.confidence,
        importance: stored.importance,
        expires: stored.expires,
        tags: stored.tags,
        related: stored.related,
        quote: stored.quote,
        date: stored.date,
        ..NoteRequest::default()
    })
}

/// Returns the request as it waits for a person: the call with what an agent may not say beside it.
pub(super) fn as_waiting(request: &NoteRequest) -> Value {
    let mut call = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        call.extend(value.map(|value| (name.to_owned(), value)));
    };
    put("key", request.key.as_ref().map(|key| json!(key)));
    put("content", Some(json!(request.text)));
    put("layer", request.layer.map(|layer| json!(layer.as_str())));
    put("category", request.category.as_ref().map(|word| json!(word)));
    put("confidence", request.confidence.map(|sure| json!(sure)));
    put("importance", request.importance.map(|level| json!(level.as_str())));
    put("expires", request.expires.as_ref().map(|time| json!(time)));
    put("tags", request.tags.as_ref().map(|tags| json!(tags)));
    put("related", request.related.as_ref().map(|ids| json!(ids)));
    put("quote", request.quote.as_ref().map(|quote| json!(quote)));
    put("date", request.date.as_ref().map(|date| json!(date)));
    put("sensitivity", request.sensitivity.map(|level| json!(level.as_str())));
    put("session", request.session.as_ref().map(|id| json!(id)));
    put("kind", request.kind.as_ref().map(|kind| json!(kind)));
    put("always", request.always.map(|always| json!(always)));
    Value::Object(call)
}

/// Reads a request that waited.
pub(super) fn waiting_request(waiting: &Value) -> Result<NoteRequest, MemoryError> {
    let mut call = waiting.clone();
    let mut take = |name: &str| call.as_object_mut().and_then(|call| call.shift_remove(name));
    let text = |value: Option<Value>| value.and_then(|value| value.as_str().map(str::to_owned));
    let sensitivity = text(take("sensitivity"));
    let (session, kind) = (text(take("session")), text(take("kind")));
    let always = take("always").and_then(|value| value.as_bool());
    let sensitivity = sensitivity.map(|word| word.parse().map_err(wrong)).transpose()?;
    Ok(NoteRequest { sensitivity, session, kind, always, ..note_request(&call)? })
}

fn stored_answer(remembered: &Remembered) -> Value {
    let mut answer = remembered.to_json();
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("done".to_owned(), json!(true));
    }
    answer
}
