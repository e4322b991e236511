//! Recall as JSON: what a tool asks, and what every interface answers.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Profile, RecallRequest, Recalled, keep::archived};
use crate::{
    error::MemoryError,
    index::Filter,
    notes::{Layer, Note, parse_ago},
    recall::{Hit, Period},
    storage::{note_file, read_note},
    tool,
};

/// A question of a tool. Clearance is never one of its arguments.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    query: String,
    limit: Option<usize>,
    layer: Option<String>,
    category: Option<String>,
    since: Option<String>,
    until: Option<String>,
    threshold: Option<f32>,
}

/// Reads a time, or a length of time back from `now`, which is called `name`.
pub fn parse_bound(name: &str, text: &str, now: Timestamp) -> Result<Timestamp, MemoryError> {
    parse_ago(text, now).ok_or_else(|| {
        let what = format!("`{name}` is no date: `{text}`");
        let hint = "write 2026-05-14, a time in RFC 3339, or a length of time back such as 30d";
        MemoryError::bad_request(what, hint)
    })
}

impl Profile {
    /// Answers one call of the tool `memory_recall`: JSON in, JSON out, a refusal included.
    pub fn ask(&self, arguments: &Value) -> Value {
        let start = Instant::now();
        let answered = request(arguments).and_then(|request| {
            let recalled = self.recall(&request, &mut |_| {})?;
            Ok(recalled.to_json(&request.query, start.elapsed()))
        });
        let answer = answered.unwrap_or_else(|error| tool::failure(&error));
        self.audited("memory_recall", self.named(answer))
    }
}

/// Reads the arguments of a call.
fn request(arguments: &Value) -> Result<RecallRequest, MemoryError> {
    let wrong = |what: String| MemoryError::bad_request(what, "correct the call and send it again");
    let question = Question::deserialize(arguments).map_err(|error| wrong(error.to_string()))?;
    let now = Timestamp::now();
    let time = |name: &str, text: Option<String>| {
        text.map(|text| parse_bound(name, &text, now)).transpose()
    };
    let layer = question.layer.map(|layer| layer.parse::<Layer>().map_err(wrong)).transpose()?;
    if layer == Some(Layer::Archive) {
        return Err(archived());
    }
    if question.threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
        return Err(wrong("`threshold` is a number from 0 to 1".to_owned()));
    }
    Ok(RecallRequest {
        query: question.query,
        limit: question.limit,
        threshold: question.threshold,
        filter: Filter {
            layers: layer.into_iter().collect(),
            category: question.category,
            since: time("since", question.since)?,
            until: time("until", question.until)?,
            ..Filter::default()
        },
        ..RecallRequest::default()
    })
}

impl Profile {
    /// Returns the text of the note `id`, within the configured clearance and out of the archive.
    pub fn note(&self, id: &str) -> Result<String, MemoryError> {
        let missing = || {
            let what = format!("there is no note `{id}`");
            MemoryError::not_found(what, "give an id as recall shows it")
        };
        let place = self.store.place();
        let (layer, _) = note_file(place, id).ok_or_else(missing)?;
        let read = read_note(place, id, layer).map_err(MemoryError::reading(id))?;
        let read = read.ok_or_else(missing)?;
        if layer == Layer::Archive || read.note.sensitivity() > self.config.recall.clearance {
            return Err(missing());
        }
        Ok(read.note.text().to_owned())
    }
}

impl Recalled {
    /// Returns the answer to `query`, which took so long, as JSON.
    pub fn to_json(&self, query: &str, took: Duration) -> Value {
        let as_json = |hits: &[(Hit, Note)]| {
            hits.iter().filter_map(|(hit, note)| wire(hit, note)).collect::<Vec<_>>()
        };
        json!({
            "success": true,
            "query": query,
            "period": self.period.as_ref().map(period_to_json),
            "hits": as_json(&self.hits),
            "closest": as_json(&self.closest),
            "took_ms": u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            "warnings": self.warnings,
        })
    }
}

fn period_to_json(period: &Period) -> Value {
    let time = |at: Option<Timestamp>| at.map(|at| format!("{at:.0}"));
    json!({ "since": time(period.since), "until": time(period.until), "from": period.from })
}

fn wire(hit: &Hit, note: &Note) -> Option<Value> {
    let passage = note.passages.get(hit.passage)?;
    let path = match note.layer {
        Layer::Memory => "MEMORY.md".to_owned(),
        Layer::User => "USER.md".to_owned(),
        _ => format!("{}.md", note.id),
    };
    let parts = hit.scores;
    Some(json!({
        "id": note.id,
        "layer": note.layer.as_str(),
        "path": path,
        "line": note.lines.get(hit.passage),
        "text": passage.text,
        "title": note.title,
        "score": hit.score,
        "scores": {
            "lexical": parts.lexical, "semantic": parts.semantic, "graph": parts.graph,
            "recency": parts.recency, "importance": parts.importance, "confidence": parts.confidence,
        },
        "relevance": hit.relevance,
        "created": format!("{:.0}", note.created),
        "updated": format!("{:.0}", note.updated),
        "category": note.category(),
        "sensitivity": note.sensitivity().as_str(),
    }))
}
