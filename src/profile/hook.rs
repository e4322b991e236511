//! Answers to the hooks of a client, and what is kept of its sessions.

use jiff::Timestamp;
use serde_json::Value;

use super::{Profile, RecallRequest, SnapshotRequest, TimeWords};
use crate::{
    config::ScanMode,
    error::MemoryError,
    fence::without_ours,
    guard::Scanner,
    hook::{
        Harness, Input, MAX_CONTEXT, MAX_RECALLED, Moment, Recalled, Said, answer, moment,
        recalled, remembered,
    },
    index::Filter,
    notes::Layer,
    storage::{ClientSession, holder, hook_log, log_line},
};

/// What a hook is answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Hooked {
    /// The answer, in the form its client takes.
    pub answer: Value,
    /// What went wrong on the way, for the log.
    pub warnings: Vec<String>,
}

/// Layers that are recalled for a prompt: the two files stand in the snapshot.
const BEHIND: [Layer; 4] = [Layer::Facts, Layer::Episodes, Layer::Sessions, Layer::Procedures];

/// Characters of a prompt that a question is made of.
const ASKED: usize = 2_000;

/// Bytes that the fence around a snapshot may add to it.
const FENCE: usize = 300;

/// What a client is given, and the digest of the snapshot that it has by then.
#[derive(Debug, Default)]
struct Given {
    said: Said,
    snapshot: Option<String>,
}

impl Profile {
    /// Answers the hook `event` of `harness`. Nothing fails it: what goes wrong leaves the answer empty, and is told.
    pub fn hook(&self, harness: Harness, event: &str, input: &Input) -> Hooked {
        let mut warnings = Vec::new();
        let moment = moment(harness, event, input);
        // A profile that is not there remembers nothing, and a hook does not make one.
        if moment == Moment::Other || !self.store.place().dir.is_dir() {
            return Hooked { answer: answer(harness, event, input, &Said::Nothing), warnings };
        }
        let session = input.session.as_deref();
        let place = self.store.place();
        let known = session.and_then(|id| ClientSession::load(place, harness.as_str(), id));
        let was_given = known.as_ref().is_some_and(|known| known.given.is_some());
        let given = self.context(harness, moment, was_given, input, &mut warnings);
        if let Err(error) = self.keep_session(harness, moment, known, given.snapshot, input) {
            warnings.push(error.chain());
        }
        Hooked { answer: answer(harness, event, input, &given.said), warnings }
    }

    /// Writes a line to the log of the profile's hooks.
    pub fn log(&self, line: &str) {
        let place = self.store.place();
        if let Some(path) = hook_log(place).filter(|_| place.dir.is_dir()) {
            let _ = log_line(&path, Timestamp::now(), line);
        }
    }

    fn context(
        &self,
        harness: Harness,
        moment: Moment,
        was_given: bool,
        input: &Input,
        warnings: &mut Vec<String>,
    ) -> Given {
        match moment {
            // What is new since the start has left the agent's context with all the rest of it.
            Moment::Compacted => self.given(harness, true, input, warnings),
            Moment::Resume if was_given => Given::default(),
            Moment::Start | Moment::Resume => self.given(harness, false, input, warnings),
            Moment::FirstPrompt => {
                let first = if was_given {
                    Given::default()
                } else {
                    self.given(harness, false, input, warnings)
                };
                match (first.said, self.for_prompt(input, warnings)) {
                    (Said::Context(text), Said::Context(recalled)) => {
                        Given { said: Said::Context(format!("{text}\n\n{recalled}")), ..first }
                    }
                    (Said::Nothing | Said::Known, recalled) => Given { said: recalled, ..first },
                    (text, _) => Given { said: text, ..first },
                }
            }
            Moment::Prompt => Given { said: self.for_prompt(input, warnings), snapshot: None },
            Moment::PreCompact | Moment::Stop | Moment::End | Moment::Other => Given::default(),
        }
    }

    /// Returns the snapshot as context; nothing where nothing is remembered, or where the client has the very same from its
    /// server.
    fn given(
        &self,
        harness: Harness,
        refresh: bool,
        input: &Input,
        warnings: &mut Vec<String>,
    ) -> Given {
        let request = SnapshotRequest {
            session: input.session.clone(),
            refresh: refresh && input.session.is_some(),
            max_bytes: Some(MAX_CONTEXT - FENCE),
            ..SnapshotRequest::default()
        };
        let frozen = match self.snapshot(&request) {
            Ok(snapshot) => {
                warnings.extend(snapshot.warnings);
                snapshot.frozen
            }
            Err(error) => {
                warnings.push(error.chain());
                return Given::default();
            }
        };
        if frozen.text.is_empty() {
            return Given::default();
        }
        let told = harness.told_as().is_some_and(|name| {
            let holder = holder(self.store.place()).flatten();
            holder
                .is_some_and(|who| who.client == name && who.told.as_ref() == Some(&frozen.digest))
        });
        let said = if told { Said::Known } else { Said::Context(remembered(&frozen.text)) };
        Given { said, snapshot: Some(frozen.digest) }
    }

    /// Returns what is recalled for a prompt, where that is configured: hits only, and nothing that looks hostile.
    fn for_prompt(&self, input: &Input, warnings: &mut Vec<String>) -> Said {
        if !self.config.recall.on_prompt {
            return Said::Nothing;
        }
        let prompt = without_ours(input.prompt.as_deref().unwrap_or_default());
        // A command of the client is no question.
        if prompt.is_empty() || prompt.starts_with('/') {
            return Said::Nothing;
        }
        let request = RecallRequest {
            query: prompt.chars().take(ASKED).collect(),
            limit: Some(MAX_RECALLED),
            filter: Filter { layers: BEHIND.into(), ..Filter::default() },
            // A prompt tells of times, and seldom asks for what was noted then.
            times: TimeWords::Keep,
            ..RecallRequest::default()
        };
        let found = match self.recall(&request, &mut |_| {}) {
            Ok(found) => found,
            Err(error) => {
                warnings.push(error.chain());
                return Said::Nothing;
            }
        };
        warnings.extend(found.warnings);
        let shown = found.hits.iter().filter_map(|(hit, note)| {
            let text = &note.passages.get(hit.passage)?.text;
            let is_hostile =
                self.config.scan != ScanMode::Off && !Scanner::get().scan(text).is_empty();
            (!is_hostile).then(|| Recalled {
                id: note.id.clone(),
                day: note.updated.strftime("%Y-%m-%d").to_string(),
                text: text.clone(),
            })
        });
        recalled(&shown.collect::<Vec<_>>()).map_or(Said::Nothing, Said::Context)
    }

    /// Keeps what is new of the session: that it ran, what it was given, and where its conversation stands.
    fn keep_session(
        &self,
        harness: Harness,
        moment: Moment,
        known: Option<ClientSession>,
        given: Option<String>,
        input: &Input,
    ) -> Result<(), MemoryError> {
        let Some(session) = &input.session else { return Ok(()) };
        let now = format!("{:.0}", Timestamp::now());
        let (is_new, is_news) = (known.is_none(), given.is_some());
        let mut kept = known.unwrap_or_else(|| ClientSession {
            session: session.clone(),
            harness: harness.to_string(),
            started: now.clone(),
            ..ClientSession::default()
        });
        kept.given = given.or(kept.given);
        kept.transcript = input.transcript.clone().or(kept.transcript);
        kept.cwd = input.cwd.clone().or(kept.cwd);
        match moment {
            Moment::Prompt | Moment::Other => return Ok(()),
            Moment::FirstPrompt if !is_new && !is_news => return Ok(()),
            // A client may tell of the end of a session that never began.
            Moment::End if is_new => return Ok(()),
            Moment::End => (kept.ended, kept.reason) = (Some(now.clone()), input.reason.clone()),
            Moment::Stop | Moment::PreCompact => {}
            Moment::Start | Moment::Compacted | Moment::Resume | Moment::FirstPrompt => {
                (kept.ended, kept.reason) = (None, None);
            }
        }
        kept.heard = now;
        kept.store(self.store.place())
    }
}
