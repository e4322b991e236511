//! Which client calls, at which moment of a session, and what it says of it.

use std::{fmt, str::FromStr};

use serde_json::Value;

/// A client whose hooks carnet answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Harness {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Hermes.
    Hermes,
    /// opencode, through its plugin.
    Opencode,
}

impl Harness {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Claude, Self::Codex, Self::Gemini, Self::Hermes, Self::Opencode];

    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Hermes => "hermes",
            Self::Opencode => "opencode",
        }
    }
}

impl Harness {
    /// Returns what it calls itself to a server whose instructions it has read by the time its hooks run.
    pub fn told_as(self) -> Option<&'static str> {
        match self {
            Self::Codex => Some("codex-mcp-client"),
            Self::Gemini => Some("gemini-cli-mcp-client"),
            // The server comes after the hook, is told less, or is not heard; opencode's plugin looks itself.
            Self::Claude | Self::Hermes | Self::Opencode => None,
        }
    }
}

impl fmt::Display for Harness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Harness {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|harness| harness.as_str() == word).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join("`, `");
            format!("unknown harness `{word}`, expected one of `{names}`")
        })
    }
}

/// A moment of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// It begins, or goes on with its context lost: the snapshot is wanted.
    Start,
    /// Its context was summarised: what was learned since the start is wanted too.
    Compacted,
    /// It goes on with the context it had.
    Resume,
    /// The user has asked something.
    Prompt,
    /// The user has asked something, and this is the only moment at which the client takes context.
    FirstPrompt,
    /// Its context is about to be summarised.
    PreCompact,
    /// The agent has answered.
    Stop,
    /// It ends.
    End,
    /// Nothing carnet has a use for.
    Other,
}

/// Returns the moment that `event`, as the command line names it, means to `harness`.
pub fn moment(harness: Harness, event: &str, input: &Input) -> Moment {
    match (harness, event) {
        // Hermes throws away what these print, and ends a "session" with each turn.
        (Harness::Hermes, "session-start") => Moment::Other,
        (Harness::Hermes, "session-end") | (_, "stop" | "after-agent" | "post-llm-call") => {
            Moment::Stop
        }
        (Harness::Hermes, "pre-llm-call") => Moment::FirstPrompt,
        (_, "session-start") => match input.source.as_deref() {
            Some("compact") => Moment::Compacted,
            Some("resume" | "fork") => Moment::Resume,
            _ => Moment::Start,
        },
        (_, "user-prompt-submit" | "before-agent") => Moment::Prompt,
        (_, "pre-compact" | "pre-compress") => Moment::PreCompact,
        (_, "session-end" | "session-finalize") => Moment::End,
        _ => Moment::Other,
    }
}

/// What a client says of the moment. Every field is optional: what is not known, or of another type, is passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// The session.
    pub session: Option<String>,
    /// The client's own name of the event.
    pub event: Option<String>,
    /// How a session starts: startup, resume, clear, compact, fork.
    pub source: Option<String>,
    /// Why it ends.
    pub reason: Option<String>,
    /// What the user has asked.
    pub prompt: Option<String>,
    /// Where the client keeps the conversation.
    pub transcript: Option<String>,
    /// Where the agent works.
    pub cwd: Option<String>,
}

impl Input {
    /// Reads what a client has written.
    pub fn read(value: &Value) -> Self {
        let text = |value: Option<&Value>| {
            let text = value.and_then(Value::as_str).filter(|text| !text.is_empty());
            text.map(str::to_owned)
        };
        let extra = value.get("extra");
        let field = |name: &str| text(value.get(name));
        let beside = |name: &str| text(extra.and_then(|extra| extra.get(name)));
        Self {
            session: field("session_id"),
            event: field("hook_event_name"),
            source: field("source"),
            reason: field("reason").or_else(|| beside("reason")),
            prompt: field("prompt").or_else(|| beside("user_message")),
            transcript: field("transcript_path"),
            cwd: field("cwd"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_not_known_or_of_another_type_is_passed_over() {
        let input = Input::read(&json!({"session_id": 7, "source": "clear", "new": {"deep": []}}));
        assert_eq!(input, Input { source: Some("clear".to_owned()), ..Input::default() });
        assert_eq!(Input::read(&json!([1, 2])), Input::default());
        let hermes =
            json!({"session_id": "s", "extra": {"user_message": "hello", "reason": "shutdown"}});
        let input = Input::read(&hermes);
        assert_eq!(
            (input.prompt.as_deref(), input.reason.as_deref()),
            (Some("hello"), Some("shutdown"))
        );
    }

    #[test]
    fn the_same_event_means_different_moments_to_different_clients() {
        let from = |source: &str| Input { source: Some(source.to_owned()), ..Input::default() };
        let start = |source: &str| moment(Harness::Claude, "session-start", &from(source));
        assert_eq!(start("startup"), Moment::Start);
        assert_eq!(start("clear"), Moment::Start);
        assert_eq!(start("compact"), Moment::Compacted);
        assert_eq!(start("resume"), Moment::Resume);
        assert_eq!(start("fork"), Moment::Resume);
        let none = Input::default();
        assert_eq!(moment(Harness::Hermes, "session-start", &none), Moment::Other);
        assert_eq!(moment(Harness::Hermes, "session-end", &none), Moment::Stop);
        assert_eq!(moment(Harness::Hermes, "session-finalize", &none), Moment::End);
        assert_eq!(moment(Harness::Gemini, "before-agent", &none), Moment::Prompt);
        assert_eq!(moment(Harness::Codex, "post-tool-use", &none), Moment::Other);
        assert_eq!(moment(Harness::Codex, "what-comes-next", &none), Moment::Other);
    }
}
