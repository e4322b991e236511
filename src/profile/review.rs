//! What waits for a person's approval.

use super::{EditRequest, Profile};
use crate::{
    error::MemoryError,
    storage::{Author, Kind, Pending},
    tool::{Edited, Refusal, Request},
};

impl Profile {
    /// Returns the calls that wait, oldest first.
    pub fn pending(&self) -> Vec<Pending> {
        Pending::all(self.store.place())
    }

    /// Makes the change that waits as `id`; an agent cannot.
    pub fn approve(&self, id: &str) -> Result<Edited, Refusal> {
        let pending = self.waiting(id)?;
        let Request { target, edits, expected_sha256, .. } = Request::parse(&pending.request)?;
        let request = EditRequest { target, edits, expected_sha256 };
        self.scan(&request)?;
        let mut edited = self.make_for(&request, Kind::Edit, pending.client.clone())?;
        if let Err(error) = pending.drop_from(self.store.place()) {
            // The change is made: that it still waits is told, and does not undo it.
            edited.warnings.push(error.chain());
        }
        Ok(edited)
    }

    /// Drops the change that waits as `id`; an agent cannot.
    pub fn reject(&self, id: &str) -> Result<Pending, MemoryError> {
        let pending = self.waiting(id)?;
        pending.drop_from(self.store.place())?;
        Ok(pending)
    }

    fn waiting(&self, id: &str) -> Result<Pending, MemoryError> {
        if self.author() == Author::Agent {
            return Err(MemoryError::bad_request(
                "an agent cannot decide what waits for review",
                "ask the user",
            ));
        }
        Pending::get(self.store.place(), id)
    }
}
