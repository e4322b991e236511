//! Forgetting: what is meant is shown first, then it goes to the archive.

use std::{
    collections::HashSet,
    sync::PoisonError,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{EditRequest, Profile, parse_bound};
use crate::{
    digest,
    error::MemoryError,
    lifecycle::Selector,
    memory::{Edit, EntryId, Target, preview},
    notes::{Layer, Note},
    storage::{Author, Change, Kind, NoteRun, NoteStep, Pending, Reason, new_run, scan},
    tool,
};

/// The tool by which an agent forgets, and the name of what waits of it.
pub(super) const FORGET: &str = "memory_forget";

/// What a selector means, as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meant {
    /// The entry or note.
    pub id: String,
    /// Where it belongs.
    pub layer: Layer,
    /// BLAKE3 of it, in hex.
    pub hash: String,
    /// The beginning of its text.
    pub text: String,
}

impl Meant {
    pub(super) fn of(id: String, layer: Layer, bytes: &[u8], text: &str) -> Self {
        Self { id, layer, hash: digest::hex(bytes), text: preview(text, PREVIEW) }
    }
}

/// What was forgotten.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// The entries and notes that have left memory.
    pub ids: Vec<String>,
    /// What could not be done, and what the caller should know beside, one line each.
    pub warnings: Vec<String>,
}

/// What an agent has been shown and may confirm.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    token: String,
    selector: Selector,
    meant: Vec<Meant>,
    at: Instant,
}

/// How long a confirmation is waited for, and how many at once.
const CONFIRMED_WITHIN: Duration = Duration::from_secs(600);
const WAITING: usize = 8;

/// Characters of a text that a preview shows.
const PREVIEW: usize = 200;

/// Notes and entries that a preview shows at most.
const MOST: usize = 100;

/// The files and the layers of their entries.
const LAYERS: [(Target, Layer); 2] = [(Target::Memory, Layer::Memory), (Target::User, Layer::User)];

/// Reads what an agent wants to forget and a person has approved.
pub(super) fn waiting_to_be_forgotten(request: &Value) -> Vec<Meant> {
    let text = |one: &Value, name: &str| one.get(name).and_then(Value::as_str).map(str::to_owned);
    let one = |one: &Value| {
        let (id, hash) = (text(one, "id")?, text(one, "hash")?);
        let layer = match EntryId::parse(&id).map(|id| id.target()) {
            Some(Target::Memory) => Layer::Memory,
            Some(Target::User) => Layer::User,
            None => id.split('/').next()?.parse().ok()?,
        };
        Some(Meant { id, layer, hash, text: String::new() })
    };
    request["ids"].as_array().into_iter().flatten().filter_map(one).collect()
}

/// A call of `memory_forget`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Call {
    id: Option<String>,
    #[serde(rename = "match")]
    matching: Option<String>,
    topic: Option<String>,
    category: Option<String>,
    since: Option<String>,
    until: Option<String>,
    session: Option<String>,
    confirm_token: Option<String>,
}

impl Profile {
    /// Returns what `selector` means, without the archive, and what could not be looked at. An agent is shown nothing above its
    /// clearance.
    pub fn meant(&self, selector: &Selector) -> Result<(Vec<Meant>, Vec<String>), MemoryError> {
        let hint = "name an id, a text it holds, a topic, a category, a period or a session";
        selector.check().map_err(|what| MemoryError::bad_request(what, hint))?;
        let (mut meant, mut warnings) = (Vec::new(), Vec::new());
        let records = self.store.journal()?;
        let first = |id: &str| {
            let mut effects = records.iter().flat_map(|record| {
                record.effects.iter().map(move |effect| (record.at, effect.new.as_deref()))
            });
            effects.find(|(_, new)| *new == Some(id)).map(|(at, _)| at)
        };
        for (target, layer) in LAYERS {
            let document = self.store.read(target)?.document;
            for entry in document.distinct() {
                let id = EntryId::of(target, entry).to_string();
                if selector.takes_entry(&id, entry.as_str(), first(&id)) {
                    let text = entry.as_str();
                    meant.push(Meant::of(id, layer, text.as_bytes(), text));
                }
            }
        }
        let layers: Vec<_> =
            Layer::FOLDERS.into_iter().filter(|layer| *layer != Layer::Archive).collect();
        let found = scan(self.store.place(), &layers);
        let is_agent = self.author() == Author::Agent;
        warnings.extend(
            found
                .unknown
                .iter()
                .map(|folder| self.unread(&folder.prefix, &folder.source.to_string())),
        );
        for file in found.files {
            let seen = match self.store.see_note(&file.id) {
                Ok(seen) => seen,
                Err(error) => {
                    warnings.push(self.unread(&file.id, &error.chain()));
                    continue;
                }
            };
            let text = String::from_utf8_lossy(&seen.bytes);
            let modified = seen.modified().unwrap_or_default();
            let note = Note::read(&file.id, file.layer, &text, modified);
            let may_see = !is_agent || note.sensitivity() <= self.config.recall.clearance;
            if may_see && selector.takes_note(&note, &text) {
                meant.push(Meant::of(file.id, file.layer, &seen.bytes, note.text()));
            }
        }
        Ok((meant, warnings))
    }

    /// Returns what is said of what cannot be read; an agent is not told which it is.
    fn unread(&self, what: &str, why: &str) -> String {
        match self.author() {
            Author::Agent => "something cannot be read, and is not among these".to_owned(),
            _ => format!("{what} cannot be read: {why}"),
        }
    }

    /// Takes what is meant out of memory, into the archive, as one change. What has changed since it was looked at stays.
    pub fn forget(&self, meant: &[Meant]) -> Result<Forgotten, MemoryError> {
        self.check_write()?;
        let mut forgotten = Forgotten::default();
        let name = new_run(Timestamp::now());
        for (target, layer) in LAYERS {
            let wanted: HashSet<&str> =
                meant.iter().filter(|one| one.layer == layer).map(|one| one.id.as_str()).collect();
            let document = self.store.read(target)?.document;
            let ids = document.entries().iter().map(|entry| EntryId::of(target, entry).to_string());
            // One that stands twice goes twice.
            let ids: Vec<_> = ids.filter(|id| wanted.contains(id.as_str())).collect();
            if ids.is_empty() {
                continue;
            }
            let edits = ids.iter().map(|id| Edit::Remove { old_text: id.clone() }).collect();
            let request = EditRequest { target, edits, expected_sha256: None };
            let change = Change { run: Some(name.clone()), ..self.change(target) };
            match self.make_as(&request, Kind::Edit, &change) {
                Ok(edited) => {
                    let new: Vec<_> =
                        ids.into_iter().filter(|id| !forgotten.ids.contains(id)).collect();
                    forgotten.ids.extend(new);
                    forgotten.ids.dedup();
                    forgotten.warnings.extend(edited.warnings);
                }
                Err(refusal) => forgotten.warnings.push(refusal.error.chain()),
            }
        }
        let mut reports = Vec::new();
        let run = NoteRun { name: Some(name), ..self.run_of(Kind::Edit) };
        let is_note = |one: &&Meant| !matches!(one.layer, Layer::Memory | Layer::User);
        let notes: Vec<_> = meant.iter().filter(is_note).collect();
        let (_, (ids, kept)) = self.store.change_notes(&run, &mut reports, || {
            let (mut steps, mut ids, mut kept) = (Vec::new(), Vec::new(), Vec::new());
            for note in &notes {
                let seen = self.store.see_note(&note.id)?;
                if !seen.exists() || digest::hex(&seen.bytes) != note.hash {
                    kept.push(format!("{} has changed since, and stays", note.id));
                    continue;
                }
                ids.push(note.id.clone());
                let (id, reason) = (note.id.clone(), Some(Reason::Forgotten));
                steps.push(NoteStep { id, seen, after: None, from: None, reason });
            }
            Ok((steps, (ids, kept)))
        })?;
        forgotten.ids.extend(ids);
        forgotten.warnings.extend(kept);
        forgotten.warnings.append(&mut reports);
        Ok(forgotten)
    }

    /// Answers one call of the tool `memory_forget`: the first shows what it would touch, the second confirms it.
    pub fn forget_call(&self, arguments: &Value) -> Value {
        let answer = self.forget_step(arguments).unwrap_or_else(|error| tool::failure(&error));
        self.audited(FORGET, self.named(answer))
    }

    fn forget_step(&self, arguments: &Value) -> Result<Value, MemoryError> {
        let wrong =
            |what: String| MemoryError::bad_request(what, "correct the call and send it again");
        let call = Call::deserialize(arguments).map_err(|error| wrong(error.to_string()))?;
        let now = Timestamp::now();
        let bound = |name: &str, text: Option<String>| {
            text.map(|text| parse_bound(name, &text, now)).transpose()
        };
        let selector = Selector {
            id: call.id,
            matching: call.matching,
            topic: call.topic,
            category: call.category,
            since: bound("since", call.since)?,
            until: bound("until", call.until)?,
            session: call.session,
            all: false,
        };
        if let Some(token) = call.confirm_token {
            return self.confirmed(&token, &selector);
        }
        let (meant, warnings) = self.meant(&selector)?;
        self.check_write()?;
        let shown = meant.iter().take(MOST);
        let shown: Vec<_> = shown
            .map(|one| json!({ "id": one.id, "layer": one.layer.as_str(), "text": one.text }))
            .collect();
        if meant.is_empty() {
            let hint = "recall it first, and name it by its id";
            return Err(MemoryError::not_found("nothing in memory is meant by that", hint));
        }
        let token = self.show(selector, meant.clone());
        Ok(json!({
            "success": true,
            "would_forget": shown,
            "count": meant.len(),
            "confirm_token": token,
            "warnings": warnings,
            "message": "Nothing is forgotten yet. Show this to the user, and repeat the call with confirm_token if that is what he wants.",
        }))
    }

    /// Remembers what an agent was shown; returns the token that confirms it.
    fn show(&self, selector: Selector, meant: Vec<Meant>) -> String {
        let ids: Vec<_> = meant.iter().map(|one| one.id.as_str()).collect();
        let seed = format!("{} {:?} {}", Timestamp::now(), Instant::now(), ids.join("\n"));
        let token = format!("f-{}", digest::short(seed, 16));
        let mut waiting = self.waiting_for.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|shown| shown.at.elapsed() < CONFIRMED_WITHIN);
        if waiting.len() >= WAITING {
            waiting.remove(0);
        }
        waiting.push(Shown { token: token.clone(), selector, meant, at: Instant::now() });
        token
    }

    fn confirmed(&self, token: &str, selector: &Selector) -> Result<Value, MemoryError> {
        let mut waiting = self.waiting_for.lock().unwrap_or_else(PoisonError::into_inner);
        let at = waiting
            .iter()
            .position(|shown| shown.token == token && shown.at.elapsed() < CONFIRMED_WITHIN);
        let again = "call again without it, and confirm with the token of that answer";
        let Some(at) = at else {
            let what = format!("`{token}` confirms nothing that was shown in the last ten minutes");
            return Err(MemoryError::bad_request(what, again));
        };
        if *selector != Selector::default()
            && waiting.get(at).is_some_and(|shown| shown.selector != *selector)
        {
            let what = format!("`{token}` confirms something else than what this call asks for");
            return Err(MemoryError::bad_request(what, again));
        }
        let shown = waiting.remove(at);
        drop(waiting);
        if self.config.write_approval && self.author() == Author::Agent {
            let ids = shown.meant.iter().map(|one| json!({ "id": one.id, "hash": one.hash }));
            let request = json!({ "ids": ids.collect::<Vec<_>>() });
            let at = format!("{:.3}", Timestamp::now());
            let place = self.store.place();
            let pending = Pending::stage(place, FORGET, &request, self.client(), None, at)?;
            return Ok(json!({ "success": true, "staged": true, "pending_id": pending.id }));
        }
        let forgotten = self.forget(&shown.meant)?;
        if forgotten.ids.is_empty() {
            let what = format!("nothing was forgotten: {}", forgotten.warnings.join("; "));
            return Err(MemoryError::bad_request(what, again));
        }
        Ok(json!({
            "success": true,
            "done": true,
            "forgotten": forgotten.ids,
            "message": "It is in the archive: out of recall and of the next snapshot, and the user can bring it back.",
            "warnings": forgotten.warnings,
        }))
    }
}
