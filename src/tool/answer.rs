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
            (Some(_), Some(_), None) if step.duplicate => {
                "Entry removed; another one already says the same."
            }
            (Some(_), Some(_), None) => "Entry removed.",
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
    /// What was found and done on the way all the same, one line each.
    pub warnings: Vec<String>,
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

impl State {
    /// Returns the ids of the entries and what may be shown of them.
    fn inventory(&self) -> impl Iterator<Item = (String, &str)> {
        let ids =
            self.document.entries().iter().map(|entry| EntryId::of(self.target, entry).to_string());
        ids.zip(self.shown.iter().map(String::as_str))
    }

    /// Returns what may be shown of the entry `id`.
    pub fn shown(&self, id: &EntryId) -> &str {
        self.inventory().find(|(known, _)| known == id.as_str()).map_or("", |(_, text)| text)
    }
}

impl From<MemoryError> for Refusal {
    fn from(error: MemoryError) -> Self {
        Self {
            error: Box::new(error),
            state: None,
            suggestions: Vec::new(),
            successor: None,
            kept: None,
            warnings: Vec::new(),
        }
    }
}

impl Refusal {
    /// Returns what to do next.
    pub fn hint(&self) -> String {
        if let MemoryError::Edit { target, source } = &*self.error {
            match source.cause() {
                EditError::NoMatch { old_text } => {
                    if let Some(id) = EntryId::parse(old_text).filter(|id| id.target() != *target) {
                        return format!(
                            "`{id}` is an id of {}: name that target",
                            id.target().file_name()
                        );
                    }
                }
                EditError::LimitExceeded { .. } if self.suggestions.is_empty() => {
                    return "whatever is archived, it does not fit: shorten the text".to_owned();
                }
                _ => {}
            }
        }
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
    if edited.steps.len() > 1 {
        let id = |step: &Step| {
            step.new.as_ref().map(|entry| EntryId::of(edited.target, entry).to_string())
        };
        set(&mut answer, "ids", json!(edited.steps.iter().map(id).collect::<Vec<_>>()));
    }
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
        "error": error.chain(),
        "hint": error.hint(),
    });
    if let MemoryError::ProfileLocked { holder: Some(holder), .. } = error {
        let Holder { pid, host, client, since, .. } = &**holder;
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
    if !refusal.warnings.is_empty() {
        set(&mut answer, "warnings", json!(refusal.warnings));
    }
    let Some(state) = &refusal.state else { return answer };
    set(&mut answer, "target", json!(state.target.as_str()));
    set(&mut answer, "usage", json!(state.usage.ratio()));
    set(&mut answer, "sha256", json!(state.sha256));
    let cause = match &*refusal.error {
        MemoryError::Edit { source, .. } => Some(source.cause()),
        _ => None,
    };
    let (mut ids, mut entries): (Vec<String>, Vec<&str>) = state.inventory().unzip();
    if let Some(EditError::AmbiguousMatch { candidates, .. }) = cause {
        let matches: Vec<_> =
            candidates.iter().map(|it| preview(state.shown(&it.id), PREVIEW)).collect();
        set(&mut answer, "matches", json!(matches));
        if !matches!(&*refusal.error, MemoryError::Edit { source: EditError::Operation { .. }, .. })
        {
            entries.clear();
            ids = candidates.iter().map(|candidate| candidate.id.to_string()).collect();
        }
    }
    if !entries.is_empty() || !answer.as_object().is_some_and(|it| it.contains_key("matches")) {
        set(&mut answer, "current_entries", json!(entries));
    }
    set(&mut answer, "ids", json!(ids));
    if matches!(cause, Some(EditError::LimitExceeded { .. })) {
        let suggestions: Vec<_> =
            refusal.suggestions.iter().map(|it| suggestion(state, it)).collect();
        set(&mut answer, "suggestions", json!(suggestions));
    }
    answer
}

fn suggestion(state: &State, suggestion: &Suggestion) -> Value {
    let id = EntryId::of(state.target, &suggestion.entry);
    json!({
        "id": id.as_str(),
        "text": preview(state.shown(&id), PREVIEW),
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
        "error": format!("{}; too many refusals in a row: leave the memory as it is and continue with your reply", error.chain()),
        "hint": "do not call this tool again in this turn; a later turn may",
        "profile": profile,
    })
}

fn set(answer: &mut Value, key: &str, value: Value) {
    let fields: Option<&mut Map<String, Value>> = answer.as_object_mut();
    if let Some(fields) = fields {
        fields.insert(key.to_owned(), value);
    }
}
