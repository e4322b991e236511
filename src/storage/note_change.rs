//! Changing notes: read, decide, archive, announce, replace, as bounded files are changed.

use std::{
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use jiff::Timestamp;
use rustix::fs::{CWD, RenameFlags};
use tempfile::NamedTempFile;

use super::{
    archive::{self, Leaving, Reason},
    file::{self, Fingerprint, Placed, Replacement, Seen, sweep},
    intent,
    journal::{self, Author, Effect, Kind, Record},
    notebook::note_file,
    place::sync_dir,
    store::{Store, new_run},
    undo,
};
use crate::{
    digest,
    error::MemoryError,
    notes::{Fields, Layer, Note, split},
};

/// How long notes that keep moving are tried again.
const PATIENCE: Duration = Duration::from_secs(5);

/// Temporary files that nobody writes any more.
const ABANDONED: Duration = Duration::from_secs(60);

/// Whose change of notes it is, and when.
#[derive(Clone, Debug)]
pub struct NoteRun {
    /// Whose change it is.
    pub by: Author,
    /// What the agent calls itself.
    pub client: Option<String>,
    /// When.
    pub now: Timestamp,
    /// What kind of change.
    pub kind: Kind,
    /// The change that it takes back.
    pub undoes: Option<String>,
    /// Names the change, where it is a part of one; a name is made where it is left out.
    pub name: Option<String>,
}

/// What becomes of one note.
#[derive(Clone, Debug)]
pub struct NoteStep {
    /// The note.
    pub id: String,
    /// What it held when this was decided.
    pub seen: Seen,
    /// What it is to hold; `None` takes it out.
    pub after: Option<String>,
    /// The note whose file moves here first; then that is what `seen` has read.
    pub from: Option<String>,
    /// Why the text before leaves memory; `None` where it stays, with other fields or in another place.
    pub reason: Option<Reason>,
}

impl Store {
    /// Returns the path of the note `id`; an error where none may stand there.
    pub(super) fn note_path(&self, id: &str) -> Result<PathBuf, MemoryError> {
        let Some((_, path)) = note_file(&self.place, id) else {
            let what = format!("`{id}` names no note, or is reached by a link");
            let hint = "give an id as recall shows it, such as facts/tech/key";
            return Err(MemoryError::bad_request(what, hint));
        };
        self.place.check_parent(&path)?;
        Ok(path)
    }

    /// Reads the file of the note `id`; a missing one reads as empty.
    pub fn see_note(&self, id: &str) -> Result<Seen, MemoryError> {
        file::read(self.note_path(id)?)
    }

    /// Changes notes as `decide` plans under the write lock; it is asked again where one of them moves meanwhile.
    ///
    /// Returns the name of the change, `None` where nothing was to be done, and what `decide` returned beside its plan.
    pub fn change_notes<T>(
        &self,
        run: &NoteRun,
        reports: &mut Vec<String>,
        mut decide: impl FnMut() -> Result<(Vec<NoteStep>, T), MemoryError>,
    ) -> Result<(Option<String>, T), MemoryError> {
        let _lock = self.lock(reports)?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let (steps, decided) = decide()?;
            if steps.is_empty() {
                return Ok((None, decided));
            }
            for step in &steps {
                match step.seen.check_writable() {
                    // What goes to the archive goes byte for byte.
                    Err(MemoryError::NotUtf8 { .. }) if step.after.is_none() => {}
                    checked => checked?,
                }
            }
            if let Some(name) = self.commit_notes(run, &steps, reports)? {
                return Ok((Some(name), decided));
            }
            if Instant::now() > deadline {
                let what = steps.first().map_or_else(String::new, |step| step.id.clone());
                return Err(MemoryError::Conflict { what });
            }
        }
    }

    /// Makes the steps; `None` where a note has moved and nothing was done.
    fn commit_notes(
        &self,
        run: &NoteRun,
        steps: &[NoteStep],
        reports: &mut Vec<String>,
    ) -> Result<Option<String>, MemoryError> {
        let name = run.name.clone().unwrap_or_else(|| new_run(run.now));
        let tmp = self.place.state("tmp/x");
        self.place.create_parent(&tmp)?;
        let tmp = tmp.parent().unwrap_or(&self.place.dir);
        sweep(tmp, ABANDONED);
        let mut effects = Vec::with_capacity(steps.len());
        let mut announced = false;
        let prepared = (|| {
            let mut replacements = Vec::with_capacity(steps.len());
            for (number, step) in steps.iter().enumerate() {
                effects.push(self.effect(run, step)?);
                if step.reason.is_none() && step.seen.exists() {
                    undo::keep(&self.place, &undo_name(&name, number), &step.seen.bytes);
                }
                let path = self.note_path(&step.id)?;
                self.place.create_parent(&path)?;
                let prepare = |text: &String| {
                    let prepared =
                        Replacement::prepare_in(tmp, "note-", &step.seen, text.as_bytes());
                    prepared.map_err(MemoryError::writing(&path))
                };
                replacements.push(step.after.as_ref().map(prepare).transpose()?);
            }
            for step in steps {
                let now = Fingerprint::at(&step.seen.path);
                if now.map_err(MemoryError::reading(&step.seen.path))? != step.seen.fingerprint {
                    return Ok(None);
                }
            }
            let records: Vec<_> = steps
                .iter()
                .zip(&effects)
                .map(|(step, effect)| run.record(&name, step, effect))
                .collect();
            if steps.len() > 1 {
                intent::write(&self.place, &records, steps)?;
            }
            journal::append_all(&self.place, &records)?;
            announced = true;
            Ok(Some(replacements))
        })();
        let undone = |error: Option<MemoryError>| {
            super::effects::discard(&self.place, &effects);
            intent::clear(&self.place)?;
            if announced {
                journal::void(&self.place, &name)?;
            }
            error.map_or(Ok(None), Err)
        };
        let replacements = match prepared {
            Ok(Some(replacements)) => replacements,
            Ok(None) => return undone(None),
            Err(error) => return undone(Some(error)),
        };
        for (number, (step, replacement)) in steps.iter().zip(replacements).enumerate() {
            match self.place_note(run, step, replacement, reports) {
                Ok(true) => {}
                // Nothing has been changed yet.
                Ok(false) if number == 0 => return undone(None),
                Err(error) if number == 0 => return undone(Some(error)),
                Ok(false) => {
                    reports.push(format!("{} was changed meanwhile and stays as it is", step.id));
                }
                Err(error) => {
                    reports.push(format!("{} stays as it is: {}", step.id, error.chain()));
                }
            }
        }
        if let Err(error) = intent::clear(&self.place) {
            reports.push(error.chain());
        }
        Ok(Some(name))
    }

    /// Archives what the step takes out, and returns it as the journal tells it.
    fn effect(&self, run: &NoteRun, step: &NoteStep) -> Result<Effect, MemoryError> {
        let old = step.from.as_ref().unwrap_or(&step.id);
        let archive = match step.reason.as_ref().filter(|_| step.seen.exists()) {
            Some(reason) => {
                let name = old.rsplit('/').next().unwrap_or_default();
                let origin = origin(old, &step.seen.bytes);
                let by = run.by.as_str();
                let text = &step.seen.bytes;
                let leaving = Leaving { name, origin: &origin, text, reason, by };
                Some(archive::put(&self.place, &leaving, run.now)?)
            }
            None => None,
        };
        Ok(Effect {
            new: step.after.is_some().then(|| step.id.clone()),
            old: step.seen.exists().then(|| old.clone()),
            archive,
            inverse: None,
        })
    }

    /// Puts what was prepared in its place; false where the note has moved.
    pub(super) fn place_note(
        &self,
        run: &NoteRun,
        step: &NoteStep,
        replacement: Option<Replacement>,
        reports: &mut Vec<String>,
    ) -> Result<bool, MemoryError> {
        let path = self.note_path(&step.id)?;
        let old = &step.seen.path;
        let writing = || MemoryError::writing(&path);
        if step.from.is_some() {
            // First the name, then the text: a crash between the two leaves one note, and not two of one key.
            move_file(old, &path).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => MemoryError::Conflict { what: step.id.clone() },
                _ => writing()(error),
            })?;
            if let Some(dir) = old.parent() {
                let _ = fs::remove_dir(dir);
                let _ = sync_dir(dir);
            }
        }
        let Some(replacement) = replacement else {
            return self.remove_note(run, step, &path, reports);
        };
        let seen = Seen { path: path.clone(), ..step.seen.clone() };
        match replacement.at(path.clone()).place(&seen).map_err(writing())? {
            Placed::Done => {}
            Placed::Moved => return Ok(false),
            Placed::Displaced(other) => self.keep_displaced(run, &step.id, other, reports),
        }
        if let Err(error) = sync_dir(path.parent().unwrap_or(&self.place.dir)) {
            reports.push(format!("{} cannot be synced: {error}", path.display()));
        }
        Ok(true)
    }

    /// Takes a note's file away; what an editor saved in the same moment is kept.
    fn remove_note(
        &self,
        run: &NoteRun,
        step: &NoteStep,
        path: &Path,
        reports: &mut Vec<String>,
    ) -> Result<bool, MemoryError> {
        let tmp = self.place.state("tmp");
        let taken = NamedTempFile::new_in(&tmp).map_err(MemoryError::writing(&tmp))?;
        match fs::rename(path, taken.path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(MemoryError::writing(path)(error)),
            Ok(()) => {}
        }
        let is_it =
            |found: Metadata| step.seen.fingerprint.is_some_and(|read| read.is_content_of(&found));
        if !fs::metadata(taken.path()).is_ok_and(is_it) {
            self.keep_displaced(run, &step.id, taken, reports);
        }
        if let Some(dir) = path.parent() {
            // An empty category is no category.
            let _ = sync_dir(dir);
            let _ = fs::remove_dir(dir);
        }
        Ok(true)
    }

    /// Archives what an editor saved in the moment of a change; where even that fails, its file stays where it is.
    fn keep_displaced(
        &self,
        run: &NoteRun,
        id: &str,
        other: NamedTempFile,
        reports: &mut Vec<String>,
    ) {
        let archived =
            fs::read(other.path()).map_err(MemoryError::reading(other.path())).and_then(|text| {
                let name = id.rsplit('/').next().unwrap_or_default();
                let (origin, by) = (origin(id, &text), Author::Hand.as_str());
                let (reason, text) = (&Reason::LateWrite, &text[..]);
                let leaving = Leaving { name, origin: &origin, text, reason, by };
                archive::put(&self.place, &leaving, run.now)
            });
        reports.push(match (archived, other.path().to_owned()) {
            (Ok(note), _) => {
                format!("{id} was saved by an editor in the same moment: that text is {note}")
            }
            (Err(error), path) => {
                let _ = other.keep();
                format!(
                    "{id} was saved by an editor in the same moment: that text is {} ({})",
                    path.display(),
                    error.chain()
                )
            }
        });
    }

    /// Returns the bytes of a note before a step of the change `run` that archived nothing.
    pub fn note_before(&self, run: &str, number: usize) -> Option<Vec<u8>> {
        undo::bytes(&self.place, &undo_name(run, number))
    }
}

/// Moves a file to a name that nothing has.
fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    match rustix::fs::renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP) => {
            if fs::symlink_metadata(to).is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            fs::rename(from, to)
        }
        moved => moved.map_err(Into::into),
    }
}

fn undo_name(run: &str, number: usize) -> String {
    format!("{run}-{number}")
}

/// Returns the lines that say where the note `id` came from, and what decides who may see it.
fn origin(id: &str, bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let note = Note::read(id, Layer::Archive, &text, Timestamp::UNIX_EPOCH);
    let known = split(&text).is_some_and(|(yaml, _)| Fields::parse(yaml).is_ok());
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut lines = vec![format!("origin: {}", quoted(id))];
    let sensitivity = note.fields.sensitivity.map(|level| level.as_str().to_owned());
    lines.extend(sensitivity.map(|level| format!("sensitivity: {level}")));
    if known {
        let fields = &note.fields;
        lines.push(format!("title: {}", quoted(&note.title)));
        lines.extend(fields.category.as_deref().map(|word| format!("category: {}", quoted(word))));
        lines.extend(fields.created.as_deref().map(|time| format!("created: {}", quoted(time))));
        if !fields.tags.is_empty() {
            lines.push(format!("tags: {}", serde_json::Value::from(fields.tags.clone())));
        }
    }
    lines.join("\n")
}

impl NoteRun {
    /// Returns the change that `record` is of.
    pub(super) fn of(record: &Record) -> Self {
        Self {
            by: record.by,
            client: record.client.clone(),
            now: record.at,
            kind: record.kind,
            undoes: record.undoes.clone(),
            name: Some(record.run.clone()),
        }
    }

    fn record(&self, name: &str, step: &NoteStep, effect: &Effect) -> Record {
        let hash = |bytes: &[u8]| digest::hex(bytes);
        Record {
            run: name.to_owned(),
            at: self.now,
            by: self.by,
            client: self.client.clone(),
            kind: self.kind,
            target: step.id.clone(),
            before: if step.seen.exists() { hash(&step.seen.bytes) } else { String::new() },
            after: step.after.as_ref().map_or_else(String::new, |text| hash(text.as_bytes())),
            effects: vec![effect.clone()],
            undoes: self.undoes.clone(),
        }
    }
}
