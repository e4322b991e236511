//! Preference signals: how the user wants things done, counted until it is worth asking.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::clause::words;

/// Sessions in which a signal must have shown until a procedure is proposed.
pub const ALIKE: usize = 5;

/// A preference, and the sessions in which it showed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    /// What showed, as it was first put.
    pub text: String,
    /// Hashes of the sessions.
    pub sessions: BTreeSet<String>,
    /// Whether a person was asked.
    pub proposed: bool,
}

/// Letters of a word that two must share to be alike: endings differ.
const STEM: usize = 5;

/// Share of words that two texts must have in common.
const SHARED: f64 = 0.5;

/// Returns whether two texts say about the same.
pub fn alike(one: &str, other: &str) -> bool {
    let stems = |text: &str| -> BTreeSet<String> {
        let long = words(text).into_iter().filter(|word| word.chars().count() > 3);
        long.map(|word| word.chars().take(STEM).collect()).collect()
    };
    let (one_stems, other_stems) = (stems(one), stems(other));
    let shared = one_stems.intersection(&other_stems).count();
    let all = one_stems.union(&other_stems).count();
    if all == 0 {
        return super::same_text(one, other);
    }
    #[expect(clippy::cast_precision_loss, reason = "a text has few words")]
    let share = shared as f64 / all as f64;
    share >= SHARED
}

/// Counts what showed in `session`; returns the texts of those that have shown often enough now.
pub fn count(known: &mut Vec<Signal>, seen: &[String], session: &str) -> Vec<String> {
    let mut proposed = Vec::new();
    for text in seen {
        let index =
            known.iter().position(|signal| alike(&signal.text, text)).unwrap_or_else(|| {
                known.push(Signal { text: text.clone(), ..Signal::default() });
                known.len() - 1
            });
        let Some(signal) = known.get_mut(index) else { continue };
        signal.sessions.insert(session.to_owned());
        if signal.sessions.len() >= ALIKE && !signal.proposed {
            signal.proposed = true;
            proposed.push(signal.text.clone());
        }
    }
    proposed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_sessions_make_a_proposal_once() {
        let mut known = Vec::new();
        let texts = [
            "prefers short answers",
            "Prefers shorter answers",
            "likes tables",
            "prefer short answers",
        ];
        let mut proposals = Vec::new();
        for session in 0..7 {
            let text = texts[session % texts.len()].to_owned();
            let session = format!("s-{session}");
            proposals.extend(count(&mut known, &[text.clone(), text], &session));
        }
        assert_eq!(proposals, ["prefers short answers"]);
        assert_eq!(known.len(), 2);
        assert!(count(&mut known, &["prefers short answers".to_owned()], "s-0").is_empty());
    }

    #[test]
    fn other_words_are_another_signal() {
        assert!(alike("préfère les réponses courtes", "Préfère des réponses plus courtes"));
        assert!(!alike("prefers short answers", "prefers dark themes"));
    }
}
