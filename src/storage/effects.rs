//! The effects of a change: what they take out goes to the archive first.

use std::collections::HashMap;

use super::{
    archive::{self, Reason},
    journal::{Effect, Kind},
    place::Place,
    store::Change,
};
use crate::{
    error::MemoryError,
    memory::{Entry, EntryId, Step},
};

/// Archives what the steps take out, and returns them as the journal tells them.
pub(super) fn archive_steps(
    place: &Place,
    change: &Change,
    kind: Kind,
    steps: &[Step],
) -> Result<Vec<Effect>, MemoryError> {
    let mut effects: Vec<Effect> = Vec::with_capacity(steps.len());
    // Identical entries that go at once share a note.
    let mut notes: HashMap<&Entry, String> = HashMap::new();
    let id = |entry: &Entry| EntryId::of(change.target, entry);
    for step in steps.iter().filter(|step| !step.is_unchanged()) {
        let archive = match &step.old {
            Some(old) if !notes.contains_key(old) => {
                let (text, by) = (old.as_str().as_bytes(), change.by.as_str());
                let put =
                    archive::put_entry(place, &id(old), text, &reason(kind, step), by, change.now);
                let note = put.inspect_err(|_| discard(place, &effects))?;
                notes.insert(old, note.clone());
                Some(note)
            }
            old => old.as_ref().and_then(|old| notes.get(old).cloned()),
        };
        effects.push(Effect {
            new: step.new.as_ref().map(|new| id(new).to_string()),
            old: step.old.as_ref().map(|old| id(old).to_string()),
            archive,
            inverse: step.inverse.as_ref().map(Into::into),
        });
    }
    Ok(effects)
}

fn reason(kind: Kind, step: &Step) -> Reason {
    match (kind, &step.new) {
        (Kind::Undo, _) => Reason::Undone,
        (Kind::Hand, _) => Reason::HandEdit,
        (_, Some(_)) => Reason::Replaced,
        (_, None) => Reason::Removed,
    }
}

/// Takes back the notes of effects that did not happen.
pub(super) fn discard(place: &Place, effects: &[Effect]) {
    for note in effects.iter().filter_map(|effect| effect.archive.as_deref()) {
        archive::discard(place, note);
    }
}
