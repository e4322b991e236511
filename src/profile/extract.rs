//! What a configured model makes of a conversation.

use std::path::Path;

use serde_json::Value;

use super::{Profile, SessionKept, conversation, turns_in};
use crate::{
    config::Sensitivity,
    digest,
    error::MemoryError,
    lifecycle::{Turn, questions, session_of},
    llm::json_in,
    storage::ClientSession,
};

/// Bytes of a conversation that a model is asked about at once.
const AT_ONCE: usize = 24 * 1024;

const INSTRUCTIONS: &str = include_str!("../../templates/prompts/extract.md");

/// A session, with what was said in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// Its id: the client's own where a hook told of it, else the name of its file.
    pub session: String,
    /// When it began and ended, RFC 3339, where a hook told of it.
    pub times: (Option<String>, Option<String>),
    /// What was said.
    pub turns: Vec<Turn>,
}

impl Conversation {
    /// Makes one of the text of a conversation, in the forms of a client's file; its id is made of the text.
    pub fn of_text(text: &str) -> Result<Self, MemoryError> {
        let turns = turns_in(text, "the text")?;
        let session = format!("text-{}", digest::short(text, 16));
        Ok(Self { session, times: (None, None), turns })
    }
}

impl Profile {
    /// Reads a conversation from the file where its client keeps it.
    pub fn conversation(&self, path: &Path) -> Result<Conversation, MemoryError> {
        let turns = conversation(path)?;
        let is_it = |known: &ClientSession| {
            known.transcript.as_ref().is_some_and(|known| same_file(Path::new(known), path))
        };
        let told = ClientSession::all(self.store.place()).into_iter().find(is_it);
        let stem = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(match told {
            Some(told) => Conversation {
                session: told.session,
                times: (Some(told.started), told.ended),
                turns,
            },
            None => Conversation { session: stem(), times: (None, None), turns },
        })
    }

    /// Returns where the conversations stand that have ended, as hooks told, and of which nothing is kept yet.
    pub fn ended_sessions(&self) -> Vec<String> {
        let kept: Vec<_> =
            self.session_notes().into_iter().filter_map(|note| note.fields.session_id).collect();
        let told = ClientSession::all(self.store.place()).into_iter();
        let is_due = |told: &ClientSession| told.ended.is_some() && !kept.contains(&told.session);
        told.filter(is_due).filter_map(|told| told.transcript).collect()
    }

    /// Asks the configured model what a conversation has brought, and returns it as the object that [`Self::end_session`]
    /// takes, which checks every fact against the user's own words. Nothing of memory is sent, and what carnet put into the
    /// conversation is left out; a conversation counts as internal for `egress`.
    pub fn extract(&self, conversation: &Conversation) -> Result<Value, MemoryError> {
        let client = self.model("let the agent's own model end the session")?;
        if !client.stays_here() && self.config.egress < Sensitivity::Internal {
            let what = "a conversation is internal, and the model is on another machine";
            return Err(MemoryError::bad_request(
                what,
                "raise `egress`, or use a model on this one",
            ));
        }
        let ask = |question: &Value| {
            let answer = client.ask(INSTRUCTIONS, &question.to_string());
            let answer = answer.and_then(|words| json_in(&words));
            answer.map_err(|why| {
                MemoryError::bad_request(
                    why,
                    "see that the model answers, and try again; nothing was kept",
                )
            })
        };
        let asked = questions(&conversation.turns, AT_ONCE);
        let answers = asked.iter().map(ask).collect::<Result<Vec<_>, _>>()?;
        let mut session = session_of(&answers, &conversation.session, &conversation.turns);
        let (started, ended) = &conversation.times;
        for (name, time) in [("started", started), ("ended", ended)] {
            if let Some(time) = time {
                session.insert(name.to_owned(), time.as_str().into());
            }
        }
        Ok(Value::Object(session))
    }

    /// Extracts a conversation, and keeps what it has brought.
    pub fn keep_conversation(
        &self,
        conversation: &Conversation,
    ) -> Result<SessionKept, MemoryError> {
        self.check_write()?;
        self.end_session(&self.extract(conversation)?)
    }
}

fn same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(one).is_some_and(|one| real(other) == Some(one))
}
