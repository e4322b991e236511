//! Notes that have a key: facts and procedures.

use jiff::Timestamp;

use super::{Profile, Remembered};
use crate::{
    error::MemoryError,
    index::{Level, fold_name},
    lifecycle::{
        Action, Before, Decision, NoteRequest, Source, decide, evidence, evidence_of, fields_of,
        heard, holds, place_of, same_text,
    },
    notes::{FieldChange, FieldValue, Key, Layer, Note, rewrite},
    recall::compare,
    storage::{Author, Kind, Mark, NoteStep, Reason, Seen, by_file_name, has_key, scan},
};

/// A fact as it is written when its key is known.
struct Known {
    id: String,
    seen: Seen,
    note: Note,
}

impl Profile {
    /// Writes the note of a key, or what a new value of it makes of the one that is there.
    pub(super) fn remember_keyed(
        &self,
        layer: Layer,
        request: &NoteRequest,
    ) -> Result<Remembered, MemoryError> {
        let given = request.key.as_deref().map(Key::parse).transpose();
        let given =
            given.map_err(|what| MemoryError::bad_request(what, "give the fact another key"))?;
        let mut warnings = Vec::new();
        let run = self.run_of(Kind::Edit);
        let (run, (key, planned)) = self.store.change_notes(&run, &mut warnings, || {
            let (key, known) = match &given {
                Some(key) => (key.clone(), self.known_by(layer, key)?),
                None => self.derived_key(layer, &request.text)?,
            };
            let (step, planned) = self.plan(layer, &key, request, known, run.now)?;
            Ok((step.into_iter().collect(), (key, planned)))
        })?;
        let Planned { id, action, asks } = planned;
        if let Some(Asks { why, secret }) = asks {
            let request = NoteRequest { key: Some(key.as_str().to_owned()), ..request.clone() };
            return self.ask_a_person(&request, Some(why), secret);
        }
        Ok(Remembered { id, key: Some(key.as_str().to_owned()), action, run, warnings })
    }

    /// Makes a key of a text that nobody gave one. Another text that begins with the same words has another key.
    fn derived_key(&self, layer: Layer, text: &str) -> Result<(Key, Option<Known>), MemoryError> {
        let key = Key::of_text(text);
        let known = self.known_by(layer, &key)?;
        if known.as_ref().is_none_or(|known| same_text(known.note.text(), text)) {
            return Ok((key, known));
        }
        let key = key.told_apart_by(text);
        let known = self.known_by(layer, &key)?;
        Ok((key, known))
    }

    fn known_by(&self, layer: Layer, key: &Key) -> Result<Option<Known>, MemoryError> {
        self.find_key(layer, key)?.map(|id| self.known(layer, id)).transpose()
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

    /// Returns notes that may have the key: what the indexes know by it, and what has changed since they were written.
    fn called(&self, layer: Layer, key: &Key) -> Vec<String> {
        let place = self.store.place();
        let mark = Mark::told(place);
        let Some(index) = self.index(&mut Vec::new()) else {
            return scan(place, &[layer]).files.into_iter().map(|file| file.id).collect();
        };
        let name = [fold_name(key.as_str())];
        let mut ids = index.manifest.ending_with(&format!("/{}", key.file_name()));
        for level in Level::all() {
            let Ok(Some(open)) = index.level(level) else { continue };
            let rows = open.named(&name).unwrap_or_default().into_iter();
            ids.extend(rows.filter_map(|row| open.note(row).map(|(_, note, _)| note.id)));
        }
        match mark {
            Mark::Current => {}
            Mark::But(changed) => ids.extend(changed),
            Mark::Behind => {
                let changed = compare(place, Some(&index), &[layer]).suspects;
                ids.extend(changed.into_iter().map(|file| file.id));
            }
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
    ) -> Result<(Option<NoteStep>, Planned), MemoryError> {
        let source = request.source.unwrap_or(Source::User);
        let sure = request.confidence.unwrap_or_else(|| heard(source, request.verified, 1));
        let before = known.as_ref().map(before);
        let decision =
            decide(before.as_ref(), &request.text, source, sure, request.session.as_deref());
        let same = before.as_ref().is_some_and(|known| same_text(&known.text, &request.text));
        let (action, sure) = match (decision, &known) {
            (_, Some(known)) if self.is_hidden(known) => {
                let why = format!("{} is above the agent's clearance", known.id);
                return Ok((None, Planned::asking(&known.id, why, true)));
            }
            (Decision::Ask, Some(known)) => {
                let why = format!("it contradicts {}, which is surer", known.id);
                return Ok((None, Planned::asking(&known.id, why, false)));
            }
            (Decision::Write { action, confidence }, _) => (action, Some(confidence)),
            // A person who says how sure it is means it.
            (Decision::Keep | Decision::Ask, _) => {
                let said = request.confidence.filter(|_| source == Source::User);
                (Action::Updated, said)
            }
        };
        let id = place_of(layer, key, request, known.as_ref().map(|known| &known.note));
        let text = known.as_ref().map_or_else(String::new, |known| {
            String::from_utf8_lossy(&known.seen.bytes).into_owned()
        });
        let mut changes = fields_of(request);
        if let Some(sure) = sure {
            changes.push(FieldChange::set("confidence", FieldValue::Number(sure)));
            changes.push(FieldChange::text("source", source.as_str()));
        }
        // What was said for the text before says nothing for this one.
        changes.extend(evidence(request, if same { &text } else { "" }, !same && known.is_some()));
        let time = FieldChange::text("updated", format!("{now:.0}"));
        match &known {
            None => {
                changes.insert(0, FieldChange::text("key", key.as_str()));
                changes.push(FieldChange::text("created", format!("{now:.0}")));
            }
            Some(known) => {
                if same && known.id == id && changes.iter().all(|change| holds(&text, change)) {
                    return Ok((None, Planned::done(id, Action::Unchanged)));
                }
                let surer = before.as_ref().is_some_and(|known| {
                    known.confidence > request.confidence.unwrap_or(1.0) && sure.is_none()
                });
                if surer && self.author() == Author::Agent {
                    let why = format!("it changes {}, which is surer", known.id);
                    return Ok((None, Planned::asking(&known.id, why, false)));
                }
            }
        }
        changes.push(time);
        let body = if same { None } else { Some(request.text.as_str()) };
        let step = self.step(id, known, &text, &changes, body)?;
        Ok((Some(step.clone()), Planned::done(step.id, action)))
    }

    /// Returns whether an agent may not know of the note.
    fn is_hidden(&self, known: &Known) -> bool {
        self.author() == Author::Agent && known.note.sensitivity() > self.config.recall.clearance
    }

    /// Returns the step that makes these changes of a note, or of none.
    fn step(
        &self,
        id: String,
        known: Option<Known>,
        text: &str,
        changes: &[FieldChange],
        body: Option<&str>,
    ) -> Result<NoteStep, MemoryError> {
        let cannot = |why: &str| {
            let what = format!("{id} cannot be changed: {why}");
            MemoryError::bad_request(what, "mend its front matter in an editor, then try again")
        };
        if let Some(why) = known.as_ref().and_then(|known| known.note.malformed.as_deref()) {
            return Err(cannot(why));
        }
        let after = rewrite(text, changes, body).map_err(|why| cannot(&why))?;
        let (seen, from) = match known {
            None => (self.store.see_note(&id)?, None),
            Some(known) if known.id == id => (known.seen, None),
            Some(known) => (known.seen, Some(known.id)),
        };
        let is_taken = if from.is_none() {
            text.is_empty() && seen.exists()
        } else {
            self.store.see_note(&id)?.exists()
        };
        if is_taken {
            let what = format!("{id} is the file of a note with another key");
            return Err(MemoryError::bad_request(
                what,
                "rename that file, or give another key or category",
            ));
        }
        let reason = (body.is_some() && seen.exists()).then_some(Reason::Superseded);
        Ok(NoteStep { id, seen, after: Some(after), from, reason })
    }
}

/// What becomes of a note.
struct Planned {
    id: String,
    action: Action,
    /// What a person is asked, where one has to decide.
    asks: Option<Asks>,
}

struct Asks {
    why: String,
    /// Whether the agent is not told.
    secret: bool,
}

impl Planned {
    fn done(id: String, action: Action) -> Self {
        Self { id, action, asks: None }
    }

    fn asking(id: &str, why: String, secret: bool) -> Self {
        let asks = Some(Asks { why, secret });
        Self { id: id.to_owned(), action: Action::Pending, asks }
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
