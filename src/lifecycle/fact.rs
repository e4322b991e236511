//! What a new value of a fact does to the one that is known.

use unicode_normalization::UnicodeNormalization;

use super::{Source, heard};

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It is new.
    Created,
    /// It says something else now, or has other fields.
    Updated,
    /// It was known, to the word.
    Unchanged,
    /// It was known, and is surer now.
    Confirmed,
    /// It was concluded and not said: it waits for another session to say so too.
    Candidate,
    /// A person has to decide.
    Pending,
}

impl Action {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Confirmed => "confirmed",
            Self::Candidate => "candidate",
            Self::Pending => "pending",
        }
    }
}

/// What is known of a fact.
#[derive(Clone, Debug, PartialEq)]
pub struct Before {
    /// Its text.
    pub text: String,
    /// How sure it is.
    pub confidence: f64,
    /// Whether it was only concluded.
    pub inferred: bool,
    /// Sessions that it was concluded in.
    pub sessions: Vec<String>,
}

/// What becomes of a fact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decision {
    /// It is written anew, or over the one before, which is archived where it says something else.
    Write {
        /// What is said of it.
        action: Action,
        /// How sure it is.
        confidence: f64,
    },
    /// It says the same: only its other fields may change.
    Keep,
    /// It contradicts a surer one.
    Ask,
}

/// Returns whether two texts say the same, word for word, however they are spaced, composed or capitalised.
pub fn same_text(one: &str, other: &str) -> bool {
    let folded = |text: &str| {
        let words: Vec<String> = text
            .split_whitespace()
            .map(|word| word.nfc().flat_map(char::to_lowercase).collect())
            .collect();
        words.join(" ").replace(['’', '‘'], "'")
    };
    folded(one) == folded(other)
}

/// Decides on `text`, heard from `source` with `confidence`, in `session`.
pub fn decide(
    before: Option<&Before>,
    text: &str,
    source: Source,
    confidence: f64,
    session: Option<&str>,
) -> Decision {
    let written = |action: Action, confidence: f64| {
        let is_candidate = source == Source::Inferred && confidence < heard(source, false, 2);
        let action = if is_candidate { Action::Candidate } else { action };
        Decision::Write { action, confidence }
    };
    let Some(before) = before else { return written(Action::Created, confidence) };
    if !same_text(&before.text, text) {
        return if confidence >= before.confidence {
            written(Action::Updated, confidence)
        } else {
            Decision::Ask
        };
    }
    if source == Source::Inferred && before.inferred {
        let is_known = |session: &str| before.sessions.iter().any(|known| known == session);
        // Where no session is named nobody can tell that it is another one.
        if session.is_none_or(is_known) {
            return Decision::Keep;
        }
        let again = heard(source, false, before.sessions.len().max(1) + 1);
        return written(Action::Confirmed, again.max(before.confidence));
    }
    if confidence > before.confidence {
        return written(Action::Confirmed, confidence);
    }
    Decision::Keep
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(text: &str, confidence: f64) -> Before {
        Before { text: text.to_owned(), confidence, inferred: false, sessions: Vec::new() }
    }

    fn write(action: Action, confidence: f64) -> Decision {
        Decision::Write { action, confidence }
    }

    #[test]
    fn the_surer_one_wins_and_a_less_sure_one_asks() {
        let before = known("Postgres 14", 0.95);
        let told =
            |source, confidence| decide(Some(&before), "Postgres 15", source, confidence, None);
        assert_eq!(told(Source::User, 1.0), write(Action::Updated, 1.0));
        assert_eq!(told(Source::Agent, 0.95), write(Action::Updated, 0.95));
        assert_eq!(told(Source::Agent, 0.7), Decision::Ask);
        assert_eq!(decide(None, "x", Source::Agent, 0.7, None), write(Action::Created, 0.7));
    }

    #[test]
    fn the_same_again_confirms_or_changes_nothing() {
        let before = known("L'équipe  aime les puces", 0.7);
        let told = |confidence| {
            decide(Some(&before), "l’équipe aime les puces", Source::User, confidence, None)
        };
        assert_eq!(told(1.0), write(Action::Confirmed, 1.0));
        assert_eq!(told(0.7), Decision::Keep);
        assert!(!same_text("not a", "a not"));
    }

    #[test]
    fn what_is_concluded_waits_for_other_sessions() {
        let once = decide(None, "x", Source::Inferred, 0.5, Some("a"));
        assert_eq!(once, write(Action::Candidate, 0.5));
        let before = |sessions: &[&str], confidence| Before {
            text: "x".to_owned(),
            confidence,
            inferred: true,
            sessions: sessions.iter().map(|session| (*session).to_owned()).collect(),
        };
        let again = |sessions: &[&str], confidence, session| {
            decide(Some(&before(sessions, confidence)), "x", Source::Inferred, 0.5, session)
        };
        assert_eq!(again(&["a"], 0.5, Some("a")), Decision::Keep);
        assert_eq!(again(&["a"], 0.5, None), Decision::Keep);
        assert_eq!(again(&["a"], 0.5, Some("b")), write(Action::Confirmed, 0.7));
        assert_eq!(again(&["a", "b"], 0.7, Some("c")), write(Action::Confirmed, 0.85));
    }
}
