//! What of the notebook stands in the prompt: read without an index, and in bounded time.

use jiff::Timestamp;

use super::Profile;
use crate::{
    digest,
    notes::{Layer, Note},
    snapshot::{Extra, ExtraKind},
    storage::{Found, latest, read_note, scan_folder},
};

/// Sessions whose notes are read for what they left to do, and whose summaries are shown.
const READ: usize = 50;
const SHOWN: usize = 3;

/// Facts and procedures that are read at most.
const MOST: usize = 100;

impl Profile {
    /// Returns the lines of the notebook that belong in the prompt, in their order, within the configured clearance.
    pub(super) fn extras(&self) -> Vec<Extra> {
        if self.config.snapshot.extra_chars == 0 {
            return Vec::new();
        }
        let place = self.store.place();
        let folder = |layer, name: &str| {
            let files = scan_folder(place, layer, name).files.into_iter();
            self.alive(files.take(MOST))
        };
        let mut extras = Vec::new();
        let mut add = |kind, id: &str, text: &str| {
            extras.push(Extra { kind, id: id.to_owned(), text: text.to_owned() });
        };
        let mut facts = folder(Layer::Facts, "identity");
        facts.sort_by(|one, other| {
            other.confidence().total_cmp(&one.confidence()).then(one.id.cmp(&other.id))
        });
        for note in &facts {
            add(ExtraKind::Identity, &note.id, note.text());
        }
        for note in folder(Layer::Procedures, "always") {
            add(ExtraKind::Always, &note.id, note.text());
        }
        let sessions = self.alive(latest(place, Layer::Sessions, READ).into_iter());
        let mut known = Vec::new();
        for text in sessions.iter().flat_map(|note| &note.fields.open_items) {
            if !known.contains(&text) {
                known.push(text);
                add(ExtraKind::Open, &format!("o-{}", digest::short(text, 8)), text);
            }
        }
        for note in sessions.iter().take(SHOWN) {
            let day = note.created.strftime("%Y-%m-%d");
            let topic =
                note.fields.topic.as_ref().map_or_else(String::new, |topic| format!("{topic}: "));
            add(ExtraKind::Sessions, &note.id, &format!("{day} {topic}{}", note.text()));
        }
        extras
    }

    /// Reads the notes that may stand in the prompt: within the clearance, not expired, no candidates.
    fn alive(&self, files: impl Iterator<Item = Found>) -> Vec<Note> {
        let (place, now) = (self.store.place(), Timestamp::now());
        let read =
            files.filter_map(|file| Some(read_note(place, &file.id, file.layer).ok()??.note));
        let may = |note: &Note| {
            note.sensitivity() <= self.config.recall.clearance
                && !note.is_expired(now)
                && !note.is_candidate()
                && note.malformed.is_none()
        };
        read.filter(may).collect()
    }
}
