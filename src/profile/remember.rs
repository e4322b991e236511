//! Writing notes: facts, procedures and episodes.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Profile, keep::as_waiting};
use crate::{
    config::ScanMode,
    error::MemoryError,
    guard::Scanner,
    lifecycle::{Action, NoteRequest, Source, evidence, fields_of, heard, same_text, time_ahead},
    notes::{FieldChange, FieldValue, Key, Layer, file_name, parse_time, rewrite},
    storage::{Author, Kind, NoteStep, Pending, read_note},
};

/// What became of a note that was to be remembered.
#[derive(Clone, Debug, PartialEq)]
pub struct Remembered {
    /// The note; what waits for a person, where it does.
    pub id: String,
    /// Its key, where it has one.
    pub key: Option<String>,
    /// What was done.
    pub action: Action,
    /// Names the change; `None` where nothing was written.
    pub run: Option<String>,
    /// What the caller should know beside, one line each.
    pub warnings: Vec<String>,
}

impl Remembered {
    /// Returns it as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "success": true,
            "id": self.id,
            "key": self.key,
            "action": self.action.as_str(),
            "warnings": self.warnings,
        })
    }
}

/// Bytes of a text and of a quote that are kept: what is longer is no note, and front matter has 8 KiB in all.
const MOST_TEXT: usize = 1024 * 1024;
const MOST_QUOTE: usize = 2 * 1024;

/// The tool by which an agent writes notes, and the name of what waits of it.
pub(super) const STORE: &str = "memory_store";

impl Profile {
    /// Writes a note, or brings the one of its key up to date; the same text again changes nothing.
    pub fn remember(&self, request: &NoteRequest) -> Result<Remembered, MemoryError> {
        let mut warnings = self.scan_note(request)?;
        self.check_write()?;
        let request = self.completed(request)?;
        self.refuse_erased(&request.text)?;
        if self.config.write_approval && self.author() == Author::Agent {
            return self.ask_a_person(&request, None, false);
        }
        let mut done = match request.layer.unwrap_or(Layer::Facts) {
            Layer::Episodes => self.remember_episode(&request)?,
            layer @ (Layer::Facts | Layer::Procedures) => self.remember_keyed(layer, &request)?,
            layer => {
                let what = format!("notes of the layer `{layer}` are not written this way");
                return Err(MemoryError::bad_request(what, "use facts, procedures or episodes"));
            }
        };
        warnings.append(&mut done.warnings);
        Ok(Remembered { warnings, ..done })
    }

    /// Returns the request with what its author is, and not what it says it is.
    fn completed(&self, request: &NoteRequest) -> Result<NoteRequest, MemoryError> {
        let wrong = |what: String, hint: &str| Err(MemoryError::bad_request(what, hint));
        let mut request = request.clone();
        request.text = request.text.trim().to_owned();
        if request.text.is_empty() {
            return wrong("the text is empty".to_owned(), "say what to remember");
        }
        for (name, text, most) in [
            ("text", Some(&request.text), MOST_TEXT),
            ("quote", request.quote.as_ref(), MOST_QUOTE),
        ] {
            if text.is_some_and(|text| text.len() > most) {
                let what = format!("the {name} is longer than {} KiB", most / 1024);
                return wrong(what, "keep what matters of it, or import it as notes");
            }
        }
        if request.category.as_ref().is_some_and(|word| word.trim().is_empty()) {
            return wrong("the category is blank".to_owned(), "give a word, or leave it out");
        }
        for list in [&mut request.tags, &mut request.related].into_iter().flatten() {
            list.retain(|word| !word.trim().is_empty());
        }
        if request.confidence.is_some_and(|confidence| !(0.0..=1.0).contains(&confidence)) {
            return wrong("`confidence` is a number from 0 to 1".to_owned(), "correct it");
        }
        if let Some(expires) = &request.expires {
            let Some(at) = time_ahead(expires, Timestamp::now()) else {
                let what = format!("`expires` is no date: `{expires}`");
                return wrong(what, "write 2027-01-01, or a length of time from now such as 30d");
            };
            request.expires = Some(at);
        }
        if self.author() == Author::Agent {
            if request.source == Some(Source::User) {
                let what = "an agent cannot say that a person said it".to_owned();
                return wrong(what, "leave `source` out; what the user said goes into `quote`");
            }
            let source = request.source.unwrap_or(Source::Agent);
            let most = heard(source, request.verified, 1);
            request.source = Some(source);
            request.confidence = Some(request.confidence.map_or(most, |asked| asked.min(most)));
        }
        let source = request.source.unwrap_or(Source::User);
        request.source = Some(source);
        request.session = request.session.or_else(|| self.session.clone());
        Ok(request)
    }

    /// Refuses a text that breaks a rule of the guard; returns warnings where the rules only warn.
    fn scan_note(&self, request: &NoteRequest) -> Result<Vec<String>, MemoryError> {
        if self.config.scan == ScanMode::Off {
            return Ok(Vec::new());
        }
        let NoteRequest { text, key, quote, category, kind, tags, related, .. } = request;
        let words = [Some(text), key.as_ref(), quote.as_ref(), category.as_ref(), kind.as_ref()];
        let lists = [tags.as_ref(), related.as_ref()].into_iter().flatten().flatten();
        let mut warnings = Vec::new();
        for text in words.into_iter().flatten().chain(lists) {
            let Some(finding) = Scanner::get().scan(text).into_iter().next() else { continue };
            if self.config.scan == ScanMode::Block {
                let (rule, what) = (finding.rule, finding.what);
                return Err(MemoryError::Unsafe { operation: None, rule, what });
            }
            warnings.push(format!("it matches the rule `{}`", finding.rule));
        }
        Ok(warnings)
    }

    /// Lets the request wait for a person.
    ///
    /// The person is told why; who asked is, where it is not `secret`.
    pub(super) fn ask_a_person(
        &self,
        request: &NoteRequest,
        why: Option<String>,
        secret: bool,
    ) -> Result<Remembered, MemoryError> {
        let at = format!("{:.3}", Timestamp::now());
        let (place, call) = (self.store.place(), as_waiting(request));
        let pending = Pending::stage(place, STORE, &call, self.client(), why.clone(), at)?;
        Ok(Remembered {
            id: pending.id,
            key: request.key.clone(),
            action: Action::Pending,
            run: None,
            warnings: why.filter(|_| !secret).into_iter().collect(),
        })
    }

    /// Writes an episode; the same text on the same day is the same episode.
    fn remember_episode(&self, request: &NoteRequest) -> Result<Remembered, MemoryError> {
        let run = self.run_of(Kind::Edit);
        let at = match &request.date {
            None => run.now,
            Some(date) => parse_time(date).ok_or_else(|| {
                let what = format!("`date` is no date: `{date}`");
                MemoryError::bad_request(what, "write 2026-05-14, or a time in RFC 3339")
            })?,
        };
        let day = at.strftime("%Y-%m-%d").to_string();
        let slug = request
            .key
            .as_deref()
            .map_or_else(|| Key::of_text(&request.text).as_str().replace('_', "-"), file_name);
        let first = format!("episodes/{}/{day}-{slug}", day.get(..4).unwrap_or_default());
        let mut changes = vec![
            FieldChange::text("type", request.kind.as_deref().unwrap_or("event")),
            FieldChange::text("created", format!("{at:.0}")),
        ];
        changes.extend(fields_of(request));
        changes.push(FieldChange::set(
            "confidence",
            FieldValue::Number(request.confidence.unwrap_or(1.0)),
        ));
        changes.push(FieldChange::text("source", request.source.unwrap_or(Source::User).as_str()));
        changes.extend(request.session.as_deref().map(|id| FieldChange::text("session", id)));
        changes.extend(evidence(request, "", false));
        let mut warnings = Vec::new();
        let (run, (id, action)) = self.store.change_notes(&run, &mut warnings, || {
            for number in 1.. {
                let id = if number == 1 { first.clone() } else { format!("{first}-{number}") };
                let seen = self.store.see_note(&id)?;
                if seen.exists() {
                    let place = self.store.place();
                    let read = read_note(place, &id, Layer::Episodes);
                    let same = read
                        .ok()
                        .flatten()
                        .is_some_and(|read| same_text(read.note.text(), &request.text));
                    if same {
                        return Ok((Vec::new(), (id, Action::Unchanged)));
                    }
                    continue;
                }
                let after = rewrite("", &changes, Some(&request.text))
                    .map_err(|why| MemoryError::bad_request(why, "change the text"))?;
                let step =
                    NoteStep { id: id.clone(), seen, after: Some(after), from: None, reason: None };
                return Ok((vec![step], (id, Action::Created)));
            }
            Err(MemoryError::Conflict { what: first.clone() })
        })?;
        Ok(Remembered { id, key: None, action, run, warnings })
    }
}
