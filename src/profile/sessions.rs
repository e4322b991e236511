//! Sessions: their end, and what they left to do.

use std::{fs::File, io::Read, path::Path};

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{ListRequest, Profile};
use crate::{
    digest,
    error::MemoryError,
    hook::Harness,
    lifecycle::{
        Action, NewFact, NoteRequest, SessionEnd, Source, Turn, Unread, Verdict, count,
        evidence_of, read_transcript, verify,
    },
    notes::{FieldChange, FieldValue, Key, Layer, Note, parse_time, rewrite},
    storage::{
        Author, ClientSession, Kind, NoteStep, Pending, Reason, load_signals, read_note, read_text,
        scan, store_signals,
    },
};

/// What the end of a session has left.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionKept {
    /// The note of the session; what waits for a person, where it does.
    pub session: String,
    /// Whether it waits.
    pub pending: bool,
    /// Notes of what happened.
    pub episodes: Vec<String>,
    /// Keys of what was learned, with what was done.
    pub facts: Vec<(String, Action)>,
    /// What was not kept, and why.
    pub refused: Vec<Unread>,
    /// What the caller should know beside, one line each.
    pub warnings: Vec<String>,
}

/// The name of a session that waits for a person.
pub(super) const SESSION: &str = "session_end";

/// Bytes of a transcript that are read.
const MOST: u64 = 64 * 1024 * 1024;

/// Reads a conversation where its client keeps it: JSON Lines of Claude Code or Codex, or plain text.
pub(super) fn conversation(path: &Path) -> Result<Vec<Turn>, MemoryError> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MOST + 1).read_to_string(&mut text));
    read.map_err(MemoryError::reading(path))?;
    if text.len() as u64 > MOST {
        let what = format!("{} is larger than 64 MiB", path.display());
        return Err(MemoryError::bad_request(what, "give the part of it that matters"));
    }
    turns_in(&text, &path.display().to_string())
}

/// Reads the turns of a conversation; none of them is an error that says what `name` should hold.
pub(super) fn turns_in(text: &str, name: &str) -> Result<Vec<Turn>, MemoryError> {
    let turns = read_transcript(text);
    if turns.is_empty() {
        let what = format!("{name} holds no turns of a conversation");
        let hint = "give the client's JSON Lines, or text whose turns begin with `user:`";
        return Err(MemoryError::bad_request(what, hint));
    }
    Ok(turns)
}

impl SessionKept {
    /// Returns it as JSON.
    pub fn to_json(&self) -> Value {
        let facts =
            self.facts.iter().map(|(key, action)| json!({ "key": key, "action": action.as_str() }));
        let refused = self.refused.iter().map(|part| {
            json!({ "field": part.place, "key": part.key, "text": part.text, "reason": part.reason })
        });
        json!({
            "success": true,
            "session": self.session,
            "pending": self.pending,
            "episodes": self.episodes,
            "facts": facts.collect::<Vec<_>>(),
            "refused": refused.collect::<Vec<_>>(),
            "warnings": self.warnings,
        })
    }
}

impl Profile {
    /// Keeps what a session has brought; the same session again is brought up to date, and nothing of it is doubled.
    ///
    /// `raw` is the object as it came, which waits for a person where the writes of agents do.
    pub fn end_session(&self, raw: &Value) -> Result<SessionKept, MemoryError> {
        let hint = "correct that field and send the object again; nothing was kept";
        let end = SessionEnd::read(raw).map_err(|what| MemoryError::bad_request(what, hint))?;
        self.check_write()?;
        if self.config.write_approval && self.author() == Author::Agent {
            let at = format!("{:.3}", Timestamp::now());
            let pending =
                Pending::stage(self.store.place(), SESSION, raw, self.client(), None, at)?;
            return Ok(SessionKept {
                session: pending.id,
                pending: true,
                ..SessionKept::default()
            });
        }
        let mut kept = SessionKept { refused: end.refused.clone(), ..SessionKept::default() };
        let known = self.session_note(end.session_id.as_deref());
        kept.session =
            known.as_ref().map_or_else(|| self.session_place(&end), |note| note.id.clone());
        for event in &end.events {
            let request = NoteRequest {
                layer: Some(Layer::Episodes),
                text: event.text.clone(),
                kind: event.kind.clone(),
                importance: event.importance,
                date: event.date.clone().or_else(|| end.ended.clone()),
                session: Some(kept.session.clone()),
                source: Some(Source::Agent),
                ..NoteRequest::default()
            };
            match self.remember(&request) {
                Ok(episode) => kept.episodes.push(episode.id),
                Err(error) => {
                    kept.refused.push(refused("notable_events", None, &event.text, &error.chain()));
                }
            }
        }
        let transcript = self.transcript(&end, &mut kept.warnings);
        for fact in &end.facts {
            self.learn(fact, &transcript, &mut kept);
        }
        self.count_signals(&end, &mut kept);
        for text in &end.closed_items {
            if let Err(error) = self.close_item(text) {
                kept.refused.push(refused("closed_items", None, text, &error.chain()));
            }
        }
        self.write_session(&end, known.as_ref(), &mut kept)?;
        Ok(kept)
    }

    /// Learns a fact that the user's own words bear out.
    fn learn(&self, fact: &NewFact, transcript: &[Turn], kept: &mut SessionKept) {
        let mut refuse = |why: &str| {
            kept.refused.push(refused("new_facts", fact.key.as_deref(), &fact.text, why));
        };
        let Some(quote) = &fact.quote else { return refuse("it has no quote of the user") };
        if transcript.is_empty() {
            return refuse("there is no transcript to look its quote up in");
        }
        let request = NoteRequest {
            layer: Some(Layer::Facts),
            key: fact.key.clone(),
            text: fact.text.clone(),
            category: fact.category.clone(),
            confidence: fact.confidence,
            quote: Some(quote.clone()),
            session: Some(kept.session.clone()),
            source: Some(Source::Agent),
            verified: true,
            ..NoteRequest::default()
        };
        let done = match verify(&fact.text, quote, transcript) {
            Verdict::Refused(why) => return refuse(why),
            Verdict::Supported => self.remember(&request),
            Verdict::Doubtful(why) => {
                let key = fact
                    .key
                    .clone()
                    .unwrap_or_else(|| Key::of_text(&fact.text).as_str().to_owned());
                let request = NoteRequest { key: Some(key), ..request };
                self.ask_a_person(&request, Some(why), false)
            }
        };
        match done {
            Ok(done) => {
                kept.warnings
                    .extend(done.warnings.iter().map(|why| format!("{}: {why}", fact.text)));
                kept.facts.push((done.key.unwrap_or(done.id), done.action));
            }
            Err(error) => refuse(&error.chain()),
        }
    }

    /// Returns the conversation: what came along, else what the client keeps of the session.
    fn transcript(&self, end: &SessionEnd, warnings: &mut Vec<String>) -> Vec<Turn> {
        if !end.transcript.is_empty() {
            return end.transcript.clone();
        }
        let place = self.store.place();
        let known = end.session_id.as_deref().and_then(|id| {
            let of = |harness: Harness| ClientSession::load(place, harness.as_str(), id);
            Harness::ALL.into_iter().find_map(of)?.transcript
        });
        let Some(path) = known else { return Vec::new() };
        if !Path::new(&path).is_file() {
            warnings
                .push(format!("the conversation is no longer where its client kept it: {path}"));
            return Vec::new();
        }
        conversation(Path::new(&path)).unwrap_or_else(|error| {
            let what = "the conversation cannot be read where its client keeps it";
            warnings.push(format!("{what}: {}", error.chain()));
            Vec::new()
        })
    }

    /// Counts how the user wants things done; what has shown often enough waits for a person as a procedure.
    fn count_signals(&self, end: &SessionEnd, kept: &mut SessionKept) {
        if end.signals.is_empty() {
            return;
        }
        let place = self.store.place();
        let mut known = load_signals(place);
        let proposed = count(&mut known, &end.signals, &digest::short(&kept.session, 16));
        if let Err(error) = store_signals(place, &known) {
            kept.warnings.push(error.chain());
        }
        for text in proposed {
            let request = NoteRequest {
                layer: Some(Layer::Procedures),
                key: Some(Key::of_text(&text).as_str().to_owned()),
                text,
                ..NoteRequest::default()
            };
            let why = Some("it has shown in five sessions".to_owned());
            match self.ask_a_person(&request, why, false) {
                Ok(waiting) => {
                    kept.warnings.push(format!("a procedure waits for review as {}", waiting.id));
                }
                Err(error) => kept.warnings.push(error.chain()),
            }
        }
    }

    /// Returns the note of the session `id`.
    pub fn session_note(&self, id: Option<&str>) -> Option<Note> {
        let id = id?;
        self.session_notes().into_iter().find(|note| note.fields.session_id.as_deref() == Some(id))
    }

    /// Returns the note of a session, named by its id or that of its note, and the notes that came of it.
    pub fn learned(&self, session: &str) -> Result<(Note, Vec<Note>), MemoryError> {
        let is_it =
            |note: &Note| note.id == session || note.fields.session_id.as_deref() == Some(session);
        let note = self.session_notes().into_iter().find(is_it).ok_or_else(|| {
            let what = format!("there is no session `{session}`");
            MemoryError::not_found(what, "`carnet session list` shows them")
        })?;
        let clearance = self.config.recall.clearance;
        let request =
            ListRequest { layers: vec![Layer::Facts, Layer::Episodes], ..ListRequest::default() };
        let place = self.store.place();
        let came_of_it = |other: &Note| {
            let quoted = || {
                let text = read_text(place, &other.id).unwrap_or_default();
                evidence_of(&text).iter().any(|(session, _)| session.as_deref() == Some(&note.id))
            };
            other.sensitivity() <= clearance
                && (other.fields.session.as_deref() == Some(&note.id) || quoted())
        };
        let notes = self.notes(&request)?.0.into_iter().filter(came_of_it).collect();
        Ok((note, notes))
    }

    /// Returns the notes of all sessions, the latest first.
    pub(super) fn session_notes(&self) -> Vec<Note> {
        let place = self.store.place();
        let files = scan(place, &[Layer::Sessions]).files;
        let read = |id: &str| read_note(place, id, Layer::Sessions).ok().flatten();
        let mut notes: Vec<_> =
            files.iter().filter_map(|file| Some(read(&file.id)?.note)).collect();
        notes.sort_by(|one, other| other.created.cmp(&one.created).then(one.id.cmp(&other.id)));
        notes
    }

    /// Returns where the note of a new session is to stand.
    fn session_place(&self, end: &SessionEnd) -> String {
        let at = end.ended.as_deref().or(end.started.as_deref()).and_then(parse_time);
        let day = at.unwrap_or_else(Timestamp::now).strftime("%Y-%m-%d").to_string();
        let slug = Key::of_text(end.topic.as_deref().unwrap_or(&end.summary));
        let slug = slug.as_str().replace('_', "-");
        let first = format!("sessions/{}/{day}-{slug}", day.get(..4).unwrap_or_default());
        let is_free = |id: &String| self.store.see_note(id).is_ok_and(|seen| !seen.exists());
        let names = (1..100).map(|number| match number {
            1 => first.clone(),
            number => format!("{first}-{number}"),
        });
        names.into_iter().find(is_free).unwrap_or(first.clone())
    }

    fn write_session(
        &self,
        end: &SessionEnd,
        known: Option<&Note>,
        kept: &mut SessionKept,
    ) -> Result<(), MemoryError> {
        let run = self.run_of(Kind::Edit);
        let mut learned: Vec<_> =
            known.map(|note| note.fields.facts_learned.clone()).unwrap_or_default();
        let new = kept.facts.iter().filter(|(_, action)| *action != Action::Pending);
        learned.extend(new.map(|(key, _)| key.clone()));
        learned.sort();
        learned.dedup();
        let closed = known.map(|note| note.fields.closed_items.clone()).unwrap_or_default();
        let open: Vec<_> =
            end.open_items.iter().filter(|text| !closed.contains(text)).cloned().collect();
        let text = |name, value: &Option<String>| {
            value.as_ref().map(|value| FieldChange::text(name, value.clone()))
        };
        let created = end.ended.clone().or_else(|| end.started.clone());
        let created = created.unwrap_or_else(|| format!("{:.0}", run.now));
        let fields = [
            text("session_id", &end.session_id),
            text("topic", &end.topic),
            text("started", &end.started),
            text("ended", &end.ended),
            Some(FieldChange::set("open_items", FieldValue::List(open))),
            Some(FieldChange::set("facts_learned", FieldValue::List(learned))),
            known.is_none().then(|| FieldChange::text("created", created)),
            Some(FieldChange::text("updated", format!("{:.0}", run.now))),
            Some(FieldChange::text("source", Source::Agent.as_str())),
        ];
        let changes: Vec<_> = fields.into_iter().flatten().collect();
        let id = kept.session.clone();
        let mut reports = Vec::new();
        self.store.change_notes(&run, &mut reports, || {
            let seen = self.store.see_note(&id)?;
            let text = String::from_utf8_lossy(&seen.bytes).into_owned();
            let cannot = |why: String| {
                MemoryError::bad_request(
                    format!("{id} cannot be written: {why}"),
                    "mend its front matter",
                )
            };
            let after = rewrite(&text, &changes, Some(&end.summary)).map_err(cannot)?;
            let reason = seen.exists().then_some(Reason::Superseded);
            Ok((
                vec![NoteStep { id: id.clone(), seen, after: Some(after), from: None, reason }],
                (),
            ))
        })?;
        kept.warnings.append(&mut reports);
        Ok(())
    }
}

fn refused(place: &str, key: Option<&str>, text: &str, reason: &str) -> Unread {
    Unread {
        place: place.to_owned(),
        key: key.map(str::to_owned),
        text: text.to_owned(),
        reason: reason.to_owned(),
    }
}
