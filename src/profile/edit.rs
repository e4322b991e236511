//! Edits of the bounded files.

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::Profile;
use crate::{
    config::ScanMode,
    error::MemoryError,
    guard::Scanner,
    memory::{Document, Edit, EditError, Entry, EntryId, Outcome, Target, apply, suggest},
    snapshot::masks,
    storage::{Change, Kind, Plan, Seen},
    tool::{Edited, Refusal, State},
};

/// Edits of one file, all or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditRequest {
    /// The file.
    pub target: Target,
    /// The edits, in order.
    pub edits: Vec<Edit>,
    /// Refuse them where the file is not the one of this SHA-256.
    pub expected_sha256: Option<String>,
}

/// Entries that a refusal lists at most; a file within its limit never has as many.
const SHOWN: usize = 1000;

impl Profile {
    /// Makes the edits, or says why not and what the file holds.
    pub fn edit(&self, request: &EditRequest) -> Result<Edited, Refusal> {
        let mut warnings = self.scan(request)?;
        self.check_write()?;
        let mut edited = self.make(request, Kind::Edit)?;
        warnings.append(&mut edited.warnings);
        Ok(Edited { warnings, ..edited })
    }

    /// Makes the edits and journals them as `kind`.
    pub(super) fn make(&self, request: &EditRequest, kind: Kind) -> Result<Edited, Refusal> {
        self.make_as(request, kind, &self.change(request.target))
    }

    /// Makes the edits as `change` says: on behalf of another client, or as a part of a larger change.
    pub(super) fn make_as(
        &self,
        request: &EditRequest,
        kind: Kind,
        change: &Change,
    ) -> Result<Edited, Refusal> {
        let mut state = None;
        let mut reports = Vec::new();
        let made = self.store.change(change, &mut reports, |seen| {
            let decided = self.decide(request, seen);
            let outcome =
                decided.inspect_err(|_| state = Some(self.state(request.target, seen)))?;
            let text = outcome.document.text().to_owned();
            Ok((Plan { text, steps: outcome.steps.clone(), kind, undoes: None }, outcome.steps))
        });
        match made {
            Ok((written, steps)) => {
                let edited = self.edited(request.target, &written.seen);
                Ok(Edited { steps, run: written.run, warnings: reports, ..edited })
            }
            Err(error) => Err(Refusal { warnings: reports, ..self.refusal(error, request, state) }),
        }
    }

    /// Returns whether the edits would change anything now, without making them.
    pub(super) fn try_edit(&self, request: &EditRequest) -> Result<bool, Refusal> {
        self.scan(request)?;
        let seen = self.store.read(request.target)?;
        let refused = |error| self.refusal(error, request, Some(self.state(request.target, &seen)));
        self.decide(request, &seen).map(|outcome| outcome.is_changed()).map_err(refused)
    }

    fn decide(&self, request: &EditRequest, seen: &Seen) -> Result<Outcome, MemoryError> {
        let expected = request.expected_sha256.as_deref();
        if expected.is_some_and(|expected| !expected.eq_ignore_ascii_case(&sha256(&seen.bytes))) {
            return Err(MemoryError::Conflict { what: request.target.file_name().to_owned() });
        }
        let (target, limit) = (request.target, self.config.limits.of(request.target));
        apply(&seen.document, &request.edits, target, limit)
            .map_err(|source| MemoryError::Edit { target, source })
    }

    pub(super) fn change(&self, target: Target) -> Change {
        Change {
            target,
            limit: self.config.limits.of(target),
            by: self.author(),
            client: self.client().map(str::to_owned),
            now: Timestamp::now(),
            run: None,
        }
    }

    /// Returns what the file holds, as the result of an edit that did nothing.
    pub(super) fn edited(&self, target: Target, seen: &Seen) -> Edited {
        let document = &seen.document;
        Edited {
            target,
            usage: document.usage(self.config.limits.of(target)),
            entry_count: document.entries().len(),
            sha256: sha256(&seen.bytes),
            steps: Vec::new(),
            run: None,
            warnings: Vec::new(),
        }
    }

    /// Refuses new text that breaks a rule of the guard; returns warnings where the rules only warn.
    pub(super) fn scan(&self, request: &EditRequest) -> Result<Vec<String>, MemoryError> {
        let mut warnings = Vec::new();
        for edit in &request.edits {
            if let Edit::Add { entry } | Edit::Replace { entry, .. } = edit {
                self.refuse_erased(entry.as_str())?;
            }
        }
        if self.config.scan == ScanMode::Off {
            return Ok(warnings);
        }
        for (index, edit) in request.edits.iter().enumerate() {
            let (Edit::Add { entry } | Edit::Replace { entry, .. }) = edit else { continue };
            let findings = Scanner::get().scan(entry.as_str());
            let Some(finding) = findings.into_iter().next() else { continue };
            let operation = (request.edits.len() > 1).then_some(index + 1);
            if self.config.scan == ScanMode::Block {
                return Err(MemoryError::Unsafe {
                    operation,
                    rule: finding.rule,
                    what: finding.what,
                });
            }
            warnings.push(format!(
                "it matches the rule `{}`: stored, and masked in the snapshot",
                finding.rule
            ));
        }
        Ok(warnings)
    }

    fn state(&self, target: Target, seen: &Seen) -> Box<State> {
        Box::new(State {
            target,
            usage: seen.document.usage(self.config.limits.of(target)),
            sha256: sha256(&seen.bytes),
            shown: self.shown(target, &seen.document),
            document: seen.document.clone(),
        })
    }

    /// Returns the entries as an agent may see them: hostile ones masked.
    pub(super) fn shown(&self, target: Target, document: &Document) -> Vec<String> {
        let entries: Vec<_> = document.entries().iter().take(SHOWN).collect();
        let masks = masks(target, &entries, self.config.scan, self.config.language);
        let shown = |(entry, mask): (&&Entry, Option<String>)| {
            mask.unwrap_or_else(|| entry.as_str().to_owned())
        };
        entries.iter().zip(masks).map(shown).collect()
    }

    /// Gathers what the next call needs.
    fn refusal(
        &self,
        error: MemoryError,
        request: &EditRequest,
        state: Option<Box<State>>,
    ) -> Refusal {
        let mut refusal = Refusal { state, ..error.into() };
        let (MemoryError::Edit { source, .. }, Some(state)) = (&*refusal.error, &refusal.state)
        else {
            return refusal;
        };
        match source.cause() {
            EditError::LimitExceeded { needed, .. } => {
                let oldest_first = self.store.oldest_first(request.target, &state.document);
                refusal.suggestions = suggest(
                    &state.document,
                    &request.edits,
                    request.target,
                    needed.limit,
                    &oldest_first,
                );
            }
            EditError::NoMatch { old_text } => {
                refusal.successor =
                    EntryId::parse(old_text).and_then(|id| self.store.successor(&id));
            }
            _ => {}
        }
        refusal
    }

    /// Returns what the file holds now, where it can be read.
    pub(super) fn present_state(&self, target: Target) -> Option<Box<State>> {
        self.store.read(target).ok().map(|seen| self.state(target, &seen))
    }
}

/// Returns the SHA-256 of `bytes` in hex.
pub(super) fn sha256(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}
