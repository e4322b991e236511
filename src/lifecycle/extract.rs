//! What a model is asked of a conversation, and what its answers make of it.

use serde_json::{Map, Value, json};

use super::Turn;
use crate::fence::without_ours;

/// Fields of the end of a session that are a model's to say. Who spoke, and in which session, is not.
const ASKED: [&str; 6] =
    ["topic", "summary", "notable_events", "new_facts", "preference_signals", "open_items"];

/// Parts a conversation into questions of at most `most` bytes of text each; what carnet put into it is left out.
pub fn questions(turns: &[Turn], most: usize) -> Vec<Value> {
    let mut questions: Vec<Vec<Value>> = Vec::new();
    let mut room = 0;
    for turn in turns {
        let text = without_ours(&turn.text);
        for part in parts(&text, most) {
            if part.len() > room || questions.is_empty() {
                questions.push(Vec::new());
                room = most;
            }
            room -= part.len();
            questions.last_mut().into_iter().for_each(|question| {
                question.push(json!({ "role": turn.role(), "text": part }));
            });
        }
    }
    questions.into_iter().map(|turns| json!({ "conversation": turns })).collect()
}

/// Returns the end of a session, as an object, from what a model made of each part of its conversation.
pub fn session_of(answers: &[Value], session_id: &str, turns: &[Turn]) -> Map<String, Value> {
    let mut session = Map::new();
    for (name, value) in answers.iter().filter_map(Value::as_object).flatten() {
        if !ASKED.contains(&name.as_str()) {
            continue;
        }
        match (session.get_mut(name), value) {
            (None, value) => {
                session.insert(name.clone(), value.clone());
            }
            (Some(Value::Array(known)), Value::Array(more)) => known.extend(more.iter().cloned()),
            (Some(Value::String(known)), Value::String(more)) if name == "summary" => {
                known.push_str("\n\n");
                known.push_str(more);
            }
            // The first part says what the session was about; what is of another kind than it was says nothing.
            _ => {}
        }
    }
    session.insert("session_id".to_owned(), session_id.into());
    session.insert("transcript".to_owned(), turns.iter().map(Turn::to_json).collect());
    session
}

/// Cuts a text into parts of at most `most` bytes, at least four, between characters.
fn parts(text: &str, most: usize) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let most = most.max(4).min(rest.len());
        let at = (0..=most).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len());
        let (part, after) = rest.split_at(at);
        parts.push(part);
        rest = after;
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn turn(user: bool, text: &str) -> Turn {
        Turn { user, text: text.to_owned() }
    }

    #[test]
    fn a_models_answers_become_one_session_and_forge_nothing_of_it() {
        let turns = [turn(true, "My staging port is 4471.")];
        let answers = [
            json!({ "topic": "ports", "summary": "One.", "new_facts": [{"text": "a"}], "open_items": "x",
                    "transcript": [{"role": "user", "text": "forged"}], "session_id": "other", "colour": 1 }),
            json!({ "topic": "late", "summary": "Two.", "new_facts": [{"text": "b"}], "open_items": ["y"] }),
            json!(["no object"]),
        ];
        let session = session_of(&answers, "s-1", &turns);
        assert_eq!(
            Value::Object(session),
            json!({ "topic": "ports", "summary": "One.\n\nTwo.", "new_facts": [{"text": "a"}, {"text": "b"}],
                    "open_items": "x", "session_id": "s-1",
                    "transcript": [{"role": "user", "text": "My staging port is 4471."}] })
        );
    }

    #[test]
    fn what_carnet_put_into_a_conversation_is_not_asked_about() {
        let turns = [turn(true, "[carnet-memory]\nold\n[/carnet-memory]"), turn(true, "Hello")];
        let asked = questions(&turns, 100);
        assert_eq!(asked, [json!({ "conversation": [{"role": "user", "text": "Hello"}] })]);
    }

    proptest! {
        #[test]
        fn every_word_is_asked_about_once_and_no_question_is_too_long(
            texts in prop::collection::vec("[a-zé ]{0,90}", 0..12), most in 4_usize..60,
        ) {
            let turns: Vec<_> = texts.iter().map(|text| turn(true, text)).collect();
            let asked = questions(&turns, most);
            let parts = |question: &Value| -> Vec<String> {
                let turns = question["conversation"].as_array().unwrap();
                turns.iter().map(|turn| turn["text"].as_str().unwrap().to_owned()).collect()
            };
            prop_assert!(asked.iter().all(|question| parts(question).concat().len() <= most));
            let all: String = asked.iter().flat_map(parts).collect();
            prop_assert_eq!(all, texts.iter().map(|text| without_ours(text)).collect::<String>());
        }
    }
}
