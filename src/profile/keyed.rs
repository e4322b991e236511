//! Notes that have a key: facts and procedures.

use jiff::Timestamp;

use super::{Profile, Remembered};
use crate::{
    error::MemoryError,
    index::{Level, fold_name},
    lifecycle::{
        Action, Before, Decision, NoteRequest, Source, decide, evidence, evidence_of, fields_of,
        holds, place_of, same_text,
    },
    notes::{FieldChange, FieldValue, Key, Layer, Note, rewrite},
    storage::{Kind, NoteStep, Reason, Seen, by_file_name, has_key, scan},
};

/// A fact as it is written when its key is known.
struct Known {
    id: String,
    seen: Seen,
    note: Note,
}

/// Files that are read one by one where there is no index to look a key up in.
const FEW: usize = 2_000;

impl Profile {
    /// Writes the note of a key, or what a new value of it makes of the one that is there.
    pub(super) fn remember_keyed(
        &self,
        layer: Layer,
        request: &NoteRequest,
    ) -> Result<Remembered, MemoryError> {
        let key = match &request.key {
            Some(key) => Key::parse(key)
                .map_err(|what| MemoryError::bad_request(what, "give the fact another key"))?,
            None => Key::of_text(&request.text),
        };
        let mut warnings = Vec::new();
        let run = self.run_of(Kind::Edit);
        let (run, (id, action)) = self.store.change_notes(&run, &mut warnings, || {
            let known = match self.find_key(layer, &key)? {
                Some(id) => Some(self.known(layer, id)?),
                None => None,
            };
            self.plan(layer, &key, request, known, run.now)
        })?;
        if action == Action::Pending {
            let request = NoteRequest { key: Some(key.as_str().to_owned()), ..request.clone() };
            return self
                .ask_a_person(&request, Some(format!("it contradicts {id}, which is surer")));
        }
        Ok(Remembered { id, key: Some(key.as_str().to_owned()), action, run, warnings })
    }

    /// Returns the note of the key, for a person.
    pub fn keyed_note(&self, layer: Layer, key: &Key) -> Result<Note, MemoryError> {
        let id = self.find_key(layer, key)?.ok_or_else(|| no_such(layer, key))?;
        Ok(self.known(layer, id)?.note)
    }

    /// Takes the note of the key out of memory, into the archive; returns its id and what there is to tell.
    pub fn remove_keyed(
        &self,
        layer: Layer,
        key: &Key,
    ) -> Result<(String, Vec<String>), MemoryError> {
        self.check_write()?;
        let mut warnings = Vec::new();
        let run = self.run_of(Kind::Edit);
        let (_, id) = self.store.change_notes(&run, &mut warnings, || {
            let id = self.find_key(layer, key)?.ok_or_else(|| no_such(layer, key))?;
            let seen = self.store.see_note(&id)?;
            let reason = Some(Reason::Removed);
            Ok((vec![NoteStep { id: id.clone(), seen, after: None, from: None, reason }], id))
        })?;
        Ok((id, warnings))
    }

    /// Returns the note of the key, wherever it stands in `layer`.
    pub fn find_key(&self, layer: Layer, key: &Key) -> Result<Option<String>, MemoryError> {
        let place = self.store.place();
        if let Some(id) = by_file_name(place, layer, key).into_iter().next() {
            return Ok(Some(id));
        }
        // A hand may have given the key to a file of another name.
        let mut ids = self.called(layer, key);
        ids.sort();
        let is_it = |id: &String| {
            id.split('/').next() == Some(layer.as_str()) && has_key(place, id, layer, key)
        };
        Ok(ids.into_iter().find(is_it))
    }

    /// Returns notes that the indexes know under the key; without indexes, all of the layer where they are few.
    fn called(&self, layer: Layer, key: &Key) -> Vec<String> {
        let Some(index) = self.index(&mut Vec::new()) else {
            let files = scan(self.store.place(), &[layer]).files;
            let few = files.len() <= FEW;
            return files.into_iter().filter(|_| few).map(|file| file.id).collect();
        };
        let name = [fold_name(key.as_str())];
        let mut ids = Vec::new();
        for level in Level::all() {
            let Ok(Some(open)) = index.level(level) else { continue };
            let rows = open.named(&name).unwrap_or_default().into_iter();
            ids.extend(rows.filter_map(|row| open.note(row).map(|(_, note, _)| note.id)));
        }
        ids
    }

    fn known(&self, layer: Layer, id: String) -> Result<Known, MemoryError> {
        let seen = self.store.see_note(&id)?;
        let text = String::from_utf8_lossy(&seen.bytes);
        let note = Note::read(&id, layer, &text, seen.modified().unwrap_or_default());
        Ok(Known { id, seen, note })
    }

    /// Decides what becomes of the note of `key`, on what is known of it now.
    fn plan(
        &self,
        layer: Layer,
        key: &Key,
        request: &NoteRequest,
        known: Option<Known>,
        now: Timestamp,
    ) -> Result<(Vec<NoteStep>, (String, Action)), MemoryError> {
        let source = request.source.unwrap_or(Source::User);
        let before = known.as_ref().map(before);
        let decision = decide(
            before.as_ref(),
            &request.text,
            source,
            request.confidence.unwrap_or(1.0),
            request.session.as_deref(),
        );
        let nothing = |known: &Known, action| Ok((Vec::new(), (known.id.clone(), action)));
        let same = before.as_ref().is_some_and(|known| same_text(&known.text, &request.text));
        let (action, sure) = match (decision, &known) {
            (Decision::Ask, Some(known)) => return nothing(known, Action::Pending),
            (Decision::Write { action, confidence }, _) => (action, Some(confidence)),
            _ => (Action::Updated, None),
        };
        let id = place_of(layer, key, request, known.as_ref().map(|known| &known.note));
        let mut changes = fields_of(request);
        if let Some(confidence) = sure {
            changes.push(FieldChange::set("confidence", FieldValue::Number(confidence)));
            changes.push(FieldChange::text("source", source.as_str()));
        }
        let text = known.as_ref().map_or_else(String::new, |known| {
            String::from_utf8_lossy(&known.seen.bytes).into_owned()
        });
        if let Some(evidence) = evidence(request, &text) {
            changes.push(evidence);
        }
        let time = format!("{now:.0}");
        match &known {
            None => {
                let front = [FieldChange::text("key", key.as_str())];
                changes.splice(0..0, front);
                changes.push(FieldChange::text("created", &time));
                changes.push(FieldChange::text("updated", &time));
            }
            Some(known) => {
                let unchanged = same && changes.iter().all(|change| holds(&text, change));
                if unchanged && known.id == id {
                    return nothing(known, Action::Unchanged);
                }
                changes.push(FieldChange::text("updated", &time));
            }
        }
        let body = if same { None } else { Some(request.text.as_str()) };
        let after = rewrite(&text, &changes, body).map_err(|why| {
            let what = format!("{id} cannot be changed: {why}");
            MemoryError::bad_request(what, "mend its front matter in an editor, then try again")
        })?;
        let (seen, from) = match known {
            None => (self.store.see_note(&id)?, None),
            Some(known) => {
                let from = (known.id != id).then_some(known.id);
                (known.seen, from)
            }
        };
        let reason = (!same && seen.exists()).then_some(Reason::Superseded);
        let step = NoteStep { id: id.clone(), seen, after: Some(after), from, reason };
        Ok((vec![step], (id, action)))
    }
}

fn no_such(layer: Layer, key: &Key) -> MemoryError {
    let what = format!("there is nothing in `{layer}` under the key `{}`", key.as_str());
    MemoryError::not_found(what, "list what there is; a key may be spelt in any case")
}

fn before(known: &Known) -> Before {
    let body = String::from_utf8_lossy(&known.seen.bytes);
    Before {
        text: known.note.text().to_owned(),
        confidence: known.note.confidence(),
        inferred: known.note.fields.source.as_deref() == Some(Source::Inferred.as_str()),
        sessions: evidence_of(&body).into_iter().filter_map(|(session, _)| session).collect(),
    }
}
