//! Calls of the `memory` tool.

use jiff::Timestamp;
use serde_json::Value;

use std::sync::PoisonError;

use super::{EditRequest, Profile};
use crate::{
    error::MemoryError,
    memory::EditError,
    storage::{Author, Pending, Refusals},
    tool::{self, Refusal, Request},
};

impl Profile {
    /// Answers one call of the tool; every failure is an answer too.
    pub fn call(&self, request: &Value) -> Value {
        let (answer, batch) = match Request::parse(request) {
            Ok(parsed) => (self.perform(request, &parsed), parsed.batch),
            Err(error) => (Err(self.misread(error, request)), request.get("operations").is_some()),
        };
        match answer {
            Ok(answer) => {
                self.set_refusals(Refusals::default());
                answer
            }
            Err(refusal) if tool::counts(refusal.error.code(), batch) => {
                let (refusals, is_final) =
                    tool::record(self.refusals(), Timestamp::now().as_millisecond());
                self.set_refusals(refusals);
                if is_final {
                    tool::terminal(&refusal.error, self.name())
                } else {
                    tool::refusal(&refusal, self.name())
                }
            }
            Err(refusal) => tool::refusal(&refusal, self.name()),
        }
    }

    fn perform(&self, raw: &Value, request: &Request) -> Result<Value, Refusal> {
        let edit = EditRequest {
            target: request.target,
            edits: request.edits.clone(),
            expected_sha256: request.expected_sha256.clone(),
        };
        if self.config.write_approval && self.author() == Author::Agent {
            self.check_write()?;
            self.try_edit(&edit)?;
            let at = format!("{:.3}", Timestamp::now());
            let pending = Pending::stage(self.store.place(), raw, self.client(), at)?;
            return Ok(tool::staged(&pending.id, request.target, self.name()));
        }
        Ok(tool::success(&self.edit(&edit)?, self.name()))
    }

    /// Returns the refusal of a call that could not be read; one without `old_text` gets the entries to choose from.
    fn misread(&self, error: MemoryError, request: &Value) -> Refusal {
        let target = match &error {
            MemoryError::Edit { target, source }
                if matches!(source.cause(), EditError::MissingOldText) =>
            {
                *target
            }
            MemoryError::Edit { target, .. } if request.get("operations").is_some() => *target,
            _ => return error.into(),
        };
        self.refusal_with_state(error, target)
    }

    fn refusals(&self) -> Refusals {
        match &self.session {
            Some(session) => Refusals::load(self.store.place(), session),
            None => *self.refusals.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    fn set_refusals(&self, refusals: Refusals) {
        match &self.session {
            Some(session) => refusals.store(self.store.place(), session),
            None => *self.refusals.lock().unwrap_or_else(PoisonError::into_inner) = refusals,
        }
    }
}
