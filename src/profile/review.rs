//! What waits for a person's approval.

use serde_json::Value;

use super::{
    EditRequest, Forgotten, Profile, Remembered, SessionKept,
    forget::{FORGET, waiting_to_be_forgotten},
    keep::waiting_request,
    remember::STORE,
    sessions::SESSION,
};
use crate::{
    error::MemoryError,
    lifecycle::NoteRequest,
    storage::{Author, Change, Kind, Pending},
    tool::{Edited, Refusal, Request},
};

/// What was approved.
#[derive(Clone, Debug)]
pub enum Approved {
    /// An edit of a bounded file.
    Entry(Edited),
    /// A note.
    Note(Remembered),
    /// The end of a session.
    Session(SessionKept),
    /// What was to be forgotten.
    Forgotten(Forgotten),
}

impl Profile {
    /// Returns the calls that wait, oldest first.
    pub fn pending(&self) -> Vec<Pending> {
        Pending::all(self.store.place())
    }

    /// Makes the change that waits as `id`; an agent cannot.
    pub fn approve(&self, id: &str) -> Result<Approved, Refusal> {
        let pending = self.waiting(id)?;
        if pending.tool == SESSION {
            let mut kept = self.end_session(&pending.request)?;
            kept.warnings.extend(self.dropped(&pending));
            return Ok(Approved::Session(kept));
        }
        if pending.tool == FORGET {
            let mut forgotten = self.forget(&waiting_to_be_forgotten(&pending.request))?;
            forgotten.warnings.extend(self.dropped(&pending));
            return Ok(Approved::Forgotten(forgotten));
        }
        if pending.tool == STORE {
            // A person says so now, whoever asked.
            let source = None;
            let request =
                NoteRequest { confidence: None, source, ..waiting_request(&pending.request)? };
            let mut remembered = self.remember(&request)?;
            remembered.warnings.extend(self.dropped(&pending));
            return Ok(Approved::Note(remembered));
        }
        let Request { target, edits, expected_sha256, .. } = Request::parse(&pending.request)?;
        let request = EditRequest { target, edits, expected_sha256 };
        self.scan(&request)?;
        let mut edited = {
            let change = Change { client: pending.client.clone(), ..self.change(target) };
            self.make_as(&request, Kind::Edit, &change)?
        };
        edited.warnings.extend(self.dropped(&pending));
        Ok(Approved::Entry(edited))
    }

    /// Drops what waited; the change is made, so that it still waits is told and does not undo it.
    fn dropped(&self, pending: &Pending) -> Option<String> {
        pending.drop_from(self.store.place()).err().map(|error| error.chain())
    }

    /// Drops the change that waits as `id`; an agent cannot.
    pub fn reject(&self, id: &str) -> Result<Pending, MemoryError> {
        let pending = self.waiting(id)?;
        pending.drop_from(self.store.place())?;
        Ok(pending)
    }

    /// Puts another call in the place of the one that waits as `id`; returns its id.
    pub fn rewrite_waiting(&self, id: &str, request: Value) -> Result<String, MemoryError> {
        let waiting = self.waiting(id)?;
        match waiting.tool.as_str() {
            STORE => drop(waiting_request(&request)?),
            "memory" => drop(Request::parse(&request)?),
            _ => {}
        }
        let changed = Pending { request, ..waiting };
        changed.replace(self.store.place())?;
        Ok(changed.id)
    }

    /// Returns what waits as `id`, for a person to decide on.
    pub fn waiting(&self, id: &str) -> Result<Pending, MemoryError> {
        if self.author() == Author::Agent {
            return Err(MemoryError::bad_request(
                "an agent cannot decide what waits for review",
                "ask the user",
            ));
        }
        Pending::get(self.store.place(), id)
    }
}
