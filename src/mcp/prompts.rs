//! The prompts that a user may ask for: closing a session, and tidying up.

use rmcp::model::{GetPromptResult, Prompt, PromptMessage, Role};

use crate::config::Language;

/// A prompt of the server.
struct Named {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    english: &'static str,
    french: &'static str,
}

const ALL: [Named; 2] = [
    Named {
        name: "close-session",
        title: "Close the session",
        description: "Keep what this conversation has brought: facts with the user's words, decisions, ways of working",
        english: include_str!("../../templates/prompts/close-session.en.md"),
        french: include_str!("../../templates/prompts/close-session.fr.md"),
    },
    Named {
        name: "consolidate",
        title: "Consolidate what is remembered",
        description: "Merge what says the same, show what contradicts itself, and lose nothing",
        english: include_str!("../../templates/prompts/consolidate.en.md"),
        french: include_str!("../../templates/prompts/consolidate.fr.md"),
    },
];

/// Returns all prompts.
pub(super) fn all() -> Vec<Prompt> {
    let prompt = |named: &Named| {
        Prompt::new(named.name, Some(named.description), None).with_title(named.title)
    };
    ALL.iter().map(prompt).collect()
}

/// Returns the prompt `name` in `language`.
pub(super) fn get(name: &str, language: Language) -> Option<GetPromptResult> {
    let named = ALL.iter().find(|named| named.name == name)?;
    let text = match language {
        Language::English => named.english,
        Language::French => named.french,
    };
    let mut result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]);
    result.description = Some(named.description.to_owned());
    Some(result)
}
