//! Conversations: an episode a turn, in the order in which they were spoken.

use super::{
    Sink,
    draft::{Draft, slug},
};
use crate::{digest, notes::parse_time};

/// A conversation of another program.
#[derive(Debug)]
pub(super) struct Conversation {
    /// The program.
    pub(super) origin: &'static str,
    pub(super) id: String,
    pub(super) title: Option<String>,
    /// When it began.
    pub(super) created: Option<String>,
    /// Its turns; or why one of them cannot be read.
    pub(super) turns: Vec<Result<Turn, String>>,
}

/// What one of the two said.
#[derive(Debug, Default)]
pub(super) struct Turn {
    pub(super) id: Option<String>,
    pub(super) speaker: String,
    pub(super) text: String,
    pub(super) at: Option<String>,
}

impl Conversation {
    /// Lets `sink` hear every turn that holds a text, under the number of the conversation.
    pub(super) fn tell(self, number: usize, sink: &mut Sink<'_>) {
        let title = self.title.filter(|title| !title.trim().is_empty());
        let first = self.turns.iter().flatten().find_map(|turn| turn.at.clone());
        let start = self.created.or(first);
        let day = start.as_deref().and_then(parse_time);
        let day = day.map(|at| at.strftime("%Y-%m-%d").to_string());
        // Turns of one conversation stand side by side, whatever else was said on that day.
        let name = format!(
            "{}-{}",
            slug(title.as_deref().unwrap_or("conversation")),
            digest::short(&self.id, 6)
        );
        for (turn, at) in self.turns.into_iter().zip(1..) {
            let Turn { id, speaker, text, at: spoken } = match turn {
                Ok(turn) if turn.text.trim().is_empty() => continue,
                Ok(turn) => turn,
                Err(why) => {
                    sink(number, Err(format!("message {at}: {why}")));
                    continue;
                }
            };
            let draft = Draft {
                id: Some(format!("{}/{}", self.id, id.unwrap_or_else(|| at.to_string()))),
                text,
                title: title.clone(),
                created: spoken.or_else(|| start.clone()),
                speaker: Some(speaker),
                session: Some(self.id.clone()),
                origin: Some(self.origin),
                name: day.clone().map(|day| (day, format!("{name}-{at:05}"))),
                ..Draft::default()
            };
            sink(number, draft.into_item(at).map_err(|why| format!("message {at}: {why}")));
        }
    }
}
