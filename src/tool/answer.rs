//! What a call gets back.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::{
    error::{Holder, MemoryError},
    memory::{Document, EditError, EntryId, Step, Suggestion, Target, Usage, preview},
};

/// An edit that was made, or that found its work done.
#[derive(Clone, Debug)]
pub struct Edited {
    /// The file.
    pub target: Target,
    /// How full it is now.
    pub usage: Usage,
    /// How many entries it holds now.
    pub entry_count: usize,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// What each edit did.
    pub steps: Vec<Step>,
    /// Names the change; `None` where nothing was written.
    pub run: Option<String>,
    /// What the caller should know beside, one line each.
    pub warnings: Vec<String>,
}

impl Edited {
    /// Returns the id of the entry that a single edit added or left.
    pub fn id(&self) -> Option<EntryId> {
        let [step] = &self.steps[..] else { return None };
        step.new.as_ref().map(|entry| EntryId::of(self.target, entry))
    }

    /// Returns what was done, in a sentence or two.
    pub fn message(&self) -> String {
        let [step] = &self.steps[..] else {
            return format!("Applied {} operation(s).", self.steps.len());
        };
        let message = match (&step.inverse, &step.old, &step.new) {
            (None, ..) => "Entry already exists; nothing was written.",
            (Some(_), None, _) => "Entry added.",
            (Some(_), Some(_), None) => "Entry removed.",
            (Some(_), Some(_), Some(_)) if step.duplicate => {
                "Entry replaced. Another entry says the same; remove one of them."
            }
            (Some(_), Some(_), Some(_)) => "Entry replaced.",
        };
        message.to_owned()
    }
}

/// An edit that was refused, with what the next call needs.
#[derive(Debug)]
pub struct Refusal {
    /// Why.
    pub error: Box<MemoryError>,
    /// What the file holds, where it was read.
    pub state: Option<Box<State>>,
    /// Entries to archive so that the edit fits.
    pub suggestions: Vec<Suggestion>,
    /// The entry that took the place of the one that was named.
    pub successor: Option<String>,
    /// Where the text of an editor is kept.
    pub kept: Option<PathBuf>,
}

/// A file at the time of a refusal.
#[derive(Clone, Debug)]
pub struct State {
    /// The file.
    pub target: Target,
    /// What it holds.
    pub document: Document,
    /// How full it is.
    pub usage: Usage,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// The entries as they may be shown: hostile ones masked.
    pub shown: Vec<String>,
}

impl From<MemoryError> for Refusal {
    fn from(error: MemoryError) -> Self {
        Self {
            error: Box::new(error),
            state: None,
            suggestions: Vec::new(),
            successor: None,
            kept: None,
        }
    }
}

impl Refusal {
    /// Returns what to do next.
    pub fn hint(&self) -> String {
        match (&self.successor, &self.kept) {
            (Some(successor), _) => {
                format!("that entry was replaced by `{successor}`; use that id")
            }
            (None, Some(kept)) => {
                format!("{}; your text is kept in {}", self.error.hint(), kept.display())
            }
            (None, None) => self.error.hint(),
        }
    }
}

/// Characters of an entry that a list of candidates shows.
const PREVIEW: usize = 80;

/// Returns the answer to a call that was done.
pub fn success(edited: &Edited, profile: &str) -> Value {
    let mut answer = json!({
        "success": true,
        "done": true,
        "target": edited.target.as_str(),
        "usage": edited.usage.to_string(),
        "entry_count": edited.entry_count,
        "message": edited.message(),
        "sha256": edited.sha256,
        "profile": profile,
    });
    if let Some(id) = edited.id() {
        set(&mut answer, "id", json!(id.as_str()));
    }
    if !edited.warnings.is_empty() {
        set(&mut answer, "warnings", json!(edited.warnings));
    }
    answer
}

/// Returns the answer to a call that waits for a person.
pub fn staged(pending_id: &str, target: Target, profile: &str) -> Value {
    json!({
        "success": true,
        "staged": true,
        "pending_id": pending_id,
        "target": target.as_str(),
        "message": "Waits for the user's approval; nothing is written yet. Do not repeat it.",
        "profile": profile,
    })
}

/// Returns the answer to any failure: code, error and hint.
pub fn failure(error: &MemoryError) -> Value {
    let mut answer = json!({
        "success": false,
        "code": error.code(),
        "error": chain(error),
        "hint": error.hint(),
    });
    if let MemoryError::ProfileLocked {
        holder: Some(Holder { pid, host, client, since }), ..
    } = error
    {
        set(
            &mut answer,
            "holder",
            json!({ "pid": pid, "host": host, "client": client, "since": since }),
        );
    }
    answer
}

/// Returns the answer to a call that was refused.
pub fn refusal(refusal: &Refusal, profile: &str) -> Value {
    let mut answer = failure(&refusal.error);
    set(&mut answer, "hint", json!(refusal.hint()));
    set(&mut answer, "profile", json!(profile));
    let Some(state) = &refusal.state else { return answer };
    set(&mut answer, "target", json!(state.target.as_str()));
    set(&mut answer, "usage", json!(state.usage.ratio()));
    set(&mut answer, "sha256", json!(state.sha256));
    let ids =
        state.document.entries().iter().map(|entry| EntryId::of(state.target, entry).to_string());
    let inventory: Vec<(String, &String)> = ids.zip(&state.shown).collect();
    let cause = match &*refusal.error {
        MemoryError::Edit { source, .. } => Some(source.cause()),
        _ => None,
    };
    if let Some(EditError::AmbiguousMatch { candidates, .. }) = cause {
        let ids: Vec<_> = candidates.iter().map(|candidate| candidate.id.as_str()).collect();
        let shown = |id: &str| {
            inventory.iter().find(|(known, _)| known == id).map_or("", |(_, text)| text.as_str())
        };
        let matches: Vec<_> = ids.iter().map(|id| preview(shown(id), PREVIEW)).collect();
        set(&mut answer, "matches", json!(matches));
        set(&mut answer, "ids", json!(ids));
    } else {
        let (ids, entries): (Vec<_>, Vec<_>) = inventory.iter().cloned().unzip();
        set(&mut answer, "current_entries", json!(entries));
        set(&mut answer, "ids", json!(ids));
    }
    if matches!(cause, Some(EditError::LimitExceeded { .. })) {
        let suggestions: Vec<_> =
            refusal.suggestions.iter().map(|it| suggestion(state.target, it, &inventory)).collect();
        set(&mut answer, "suggestions", json!(suggestions));
    }
    answer
}

fn suggestion(target: Target, suggestion: &Suggestion, inventory: &[(String, &String)]) -> Value {
    let id = EntryId::of(target, &suggestion.entry).to_string();
    let text =
        inventory.iter().find(|(known, _)| *known == id).map_or("", |(_, text)| text.as_str());
    json!({
        "id": id,
        "text": preview(text, PREVIEW),
        "chars": suggestion.entry.chars(),
        "usage": suggestion.usage.ratio(),
    })
}

/// Returns the answer to one refusal too many: it tells the model to go on without.
pub fn terminal(error: &MemoryError, profile: &str) -> Value {
    json!({
        "success": false,
        "done": true,
        "code": error.code(),
        "error": format!("{}; too many refusals in a row: leave the memory as it is and continue with your reply", chain(error)),
        "hint": "do not call this tool again in this turn; a later turn may",
        "profile": profile,
    })
}

/// Returns an error and its causes, joined by colons.
fn chain(error: &MemoryError) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

fn set(answer: &mut Value, key: &str, value: Value) {
    let fields: Option<&mut Map<String, Value>> = answer.as_object_mut();
    if let Some(fields) = fields {
        fields.insert(key.to_owned(), value);
    }
}
