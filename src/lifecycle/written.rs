//! What a request makes of a note: where it stands, its fields, its evidence.

use jiff::{Span, Timestamp, tz::Offset};
use serde_json::{Value, json};

use super::{NoteRequest, Source};
use crate::{
    config::{Sensitivity, parse_yaml},
    notes::{FieldChange, FieldValue, Importance, Key, Layer, Note, file_name, parse_time, split},
};

/// Returns where the note of `key` is to stand.
pub fn place_of(layer: Layer, key: &Key, request: &NoteRequest, known: Option<&Note>) -> String {
    let name = known.map_or_else(
        || key.file_name(),
        |note| note.id.rsplit('/').next().unwrap_or_default().to_owned(),
    );
    if layer == Layer::Procedures {
        let is_always = |note: &Note| note.id.starts_with("procedures/always/");
        let always = request.always.unwrap_or_else(|| known.is_some_and(is_always));
        let folder = if always { "procedures/always" } else { "procedures" };
        return format!("{folder}/{name}");
    }
    match (&request.category, known) {
        (None, Some(note)) => note.id.clone(),
        // A hand may have put it into another folder than that of its category.
        (Some(category), Some(note)) if file_name(category) == file_name(note.category()) => {
            note.id.clone()
        }
        (category, _) => {
            let category = category.as_deref().unwrap_or("general");
            format!("{layer}/{}/{name}", file_name(category))
        }
    }
}

/// Returns the fields that the request sets.
pub fn fields_of(request: &NoteRequest) -> Vec<FieldChange> {
    let text = |name, value: Option<&str>| value.map(|value| FieldChange::text(name, value));
    let list = |name, value: Option<&Vec<String>>| {
        value.map(|value| FieldChange::set(name, FieldValue::List(value.clone())))
    };
    let importance = request.importance.map(Importance::as_str);
    let sensitivity = request.sensitivity.map(Sensitivity::as_str);
    [
        text("category", request.category.as_deref()),
        text("importance", importance),
        text("sensitivity", sensitivity),
        text("expires", request.expires.as_deref()),
        list("tags", request.tags.as_ref()),
        list("related", request.related.as_ref()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the sessions and quotes that a note gives as its evidence.
pub fn evidence_of(text: &str) -> Vec<(Option<String>, Value)> {
    let Some((yaml, _)) = split(text) else { return Vec::new() };
    let Ok(fields) = parse_yaml::<Value>(yaml) else { return Vec::new() };
    let Some(all) = fields.get("evidence").and_then(Value::as_array) else { return Vec::new() };
    let session = |one: &Value| one.get("session").and_then(Value::as_str).map(str::to_owned);
    all.iter().map(|one| (session(one), one.clone())).collect()
}

/// Sessions and quotes that a note keeps as its evidence, the first and the latest.
const MOST_EVIDENCE: usize = 8;

/// Returns the evidence of the note `text` with what this request adds; `None` where it stays as it is. What is there already
/// goes where the note is to say something else: then `text` is empty, and `anew`.
pub fn evidence(request: &NoteRequest, text: &str, anew: bool) -> Option<FieldChange> {
    let is_wanted = request.quote.is_some() || request.source == Some(Source::Inferred);
    let mut one = serde_json::Map::new();
    if is_wanted {
        one.extend(request.session.iter().map(|id| ("session".to_owned(), json!(id))));
        one.extend(request.quote.iter().map(|quote| ("quote".to_owned(), json!(quote))));
    }
    let one = Value::Object(one);
    let mut all: Vec<_> = evidence_of(text).into_iter().map(|(_, one)| one).collect();
    if one == json!({}) || all.contains(&one) {
        return anew.then_some(FieldChange { name: "evidence", value: None });
    }
    if all.len() >= MOST_EVIDENCE {
        all.remove(1);
    }
    all.push(one);
    Some(FieldChange::set("evidence", FieldValue::Json(Value::from(all))))
}

/// Returns whether the note `text` has that field as it is to be.
pub fn holds(text: &str, change: &FieldChange) -> bool {
    let Some((yaml, _)) = split(text) else { return false };
    let Ok(fields) = parse_yaml::<Value>(yaml) else { return false };
    let wanted = match &change.value {
        None => return fields.get(change.name).is_none(),
        Some(FieldValue::Text(text)) => json!(text),
        Some(FieldValue::Number(number)) => json!(number),
        Some(FieldValue::List(texts)) => json!(texts),
        Some(FieldValue::Json(value)) => value.clone(),
    };
    let found = fields.get(change.name);
    match (found.and_then(Value::as_f64), wanted.as_f64()) {
        (Some(found), Some(wanted)) => (found - wanted).abs() < 1e-9,
        _ => found == Some(&wanted),
    }
}

/// Reads a date or time, or a length of time from `now` on, as a date or time.
pub fn time_ahead(text: &str, now: Timestamp) -> Option<String> {
    let text = text.trim();
    if parse_time(text).is_some() {
        return Some(text.to_owned());
    }
    let span: Span = text.parse().ok().filter(|span: &Span| !span.is_negative())?;
    let at = Offset::UTC.to_timestamp(Offset::UTC.to_datetime(now).checked_add(span).ok()?).ok()?;
    Some(format!("{at:.0}"))
}
