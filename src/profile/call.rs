//! Calls of the `memory` tool.

use std::sync::PoisonError;

use jiff::Timestamp;
use serde_json::Value;

use super::{EditRequest, Profile};
use crate::{
    error::MemoryError,
    storage::{Author, Pending, Refusals},
    tool::{self, Refusal, Request},
};

impl Profile {
    /// Answers one call of the tool; every failure is an answer too.
    pub fn call(&self, request: &Value) -> Value {
        self.audited("memory", self.answer_call(request))
    }

    fn answer_call(&self, request: &Value) -> Value {
        let batch = Request::is_batch(request);
        let answer = match Request::parse(request) {
            Ok(parsed) => self.perform(request, &parsed),
            Err(error) => Err(error.into()),
        };
        let answer = answer.map_err(|refusal| self.with_state(refusal, request));
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
            if !self.try_edit(&edit)? {
                return Ok(tool::success(&self.edit(&edit)?, self.name()));
            }
            let at = format!("{:.3}", Timestamp::now());
            let pending =
                Pending::stage(self.store.place(), "memory", raw, self.client(), None, at)?;
            return Ok(tool::staged(&pending.id, request.target, self.name()));
        }
        Ok(tool::success(&self.edit(&edit)?, self.name()))
    }

    /// Adds to a refusal what the file holds, where it is known which file was meant.
    fn with_state(&self, refusal: Refusal, request: &Value) -> Refusal {
        let is_told = refusal.state.is_some()
            || matches!(
                *refusal.error,
                MemoryError::ProfileLocked { .. } | MemoryError::LockTimeout { .. }
            );
        match Request::target(request) {
            Ok(target) if !is_told => Refusal { state: self.present_state(target), ..refusal },
            _ => refusal,
        }
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
