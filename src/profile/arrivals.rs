//! What an import brings, put where it belongs.

use std::{collections::HashMap, path::Path};

use super::{EditRequest, ImportReport, Profile, Skipped};
use crate::{
    config::ScanMode,
    error::MemoryError,
    exchange::{Format, Item, NewNote, Place},
    guard::Scanner,
    index::fold_name,
    memory::{Document, Edit, Entry, Target, apply},
    notes::Layer,
    storage::{
        Arrival, Found, Importer, Incoming, Kind, NoteStep, Reason, note_file, read_note, scan,
        with_sum,
    },
};

/// An import under way.
pub(super) struct Arrivals<'p> {
    profile: &'p Profile,
    importer: Importer,
    dry_run: bool,
    /// Entries, which are added together at the end.
    entries: Vec<NewEntry>,
    /// Whose key each is, of notes that have one; read when it is first asked for.
    keys: Option<HashMap<(Layer, String), String>>,
    /// Why nothing more can be written.
    stopped: Option<MemoryError>,
    pub(super) report: ImportReport,
}

struct NewEntry {
    file: Option<String>,
    number: usize,
    target: Target,
    text: String,
}

impl<'p> Arrivals<'p> {
    pub(super) fn open(
        profile: &'p Profile,
        format: Format,
        dry_run: bool,
    ) -> Result<Self, MemoryError> {
        let importer = Importer::open(profile.store.place())?;
        let report = ImportReport {
            format,
            imported: 0,
            unchanged: 0,
            skipped: Vec::new(),
            would: Vec::new(),
            warnings: Vec::new(),
        };
        let entries = Vec::new();
        Ok(Self { profile, importer, dry_run, entries, keys: None, stopped: None, report })
    }

    /// Notes that something is passed over.
    pub(super) fn skip(&mut self, file: Option<&str>, number: usize, why: String) {
        self.report.skipped.push(Skipped { file: file.map(str::to_owned), number, why });
    }

    /// Takes in one item of `file`.
    pub(super) fn take(&mut self, file: Option<&str>, number: usize, item: Result<Item, String>) {
        if self.stopped.is_some() {
            return;
        }
        match item {
            Err(why) => self.skip(file, number, why),
            Ok(Item::Entry { target, text }) => {
                let file = file.map(str::to_owned);
                self.entries.push(NewEntry { file, number, target, text });
            }
            Ok(Item::Note(note)) => match self.note(&note) {
                Ok((id, Arrival::New | Arrival::Newer)) => {
                    self.report.imported += 1;
                    self.report.would.extend(self.dry_run.then_some(id));
                }
                Ok((_, Arrival::Same)) => self.report.unchanged += 1,
                // The next would wait as long in vain.
                Err(
                    error @ (MemoryError::LockTimeout { .. } | MemoryError::ProfileLocked { .. }),
                ) => {
                    self.stopped = Some(error);
                }
                Err(error) => self.skip(file, number, error.chain()),
            },
        }
    }

    /// Writes a note; returns its id and what became of it.
    fn note(&mut self, note: &NewNote) -> Result<(String, Arrival), MemoryError> {
        let told = self.check(&note.content)?;
        let place = self.profile.store.place();
        let (id, mark, content) = match &note.place {
            Place::Marked { folder, name, mark } => {
                let path = self.importer.path(place, folder, name, mark);
                (id_of(&place.dir, &path), Some(mark.as_str()), with_sum(&note.content))
            }
            Place::Exact { id, layer, key } => {
                self.check_key(id, *layer, key.as_deref())?;
                (id.clone(), None, note.content.clone())
            }
        };
        let (_, path) = note_file(place, &id).ok_or_else(|| {
            let what = format!("no note may stand at `{id}`");
            MemoryError::bad_request(
                what,
                "give it an id such as facts/tech/key, and no link on the way",
            )
        })?;
        let arrival = self.importer.plan(place, &path, &content).map_err(|error| match error {
            MemoryError::Conflict { .. } if mark.is_none() => {
                let what = format!("{id} is there and says something else, so it stays");
                MemoryError::bad_request(what, "take it out first to have the imported one")
            }
            error => error,
        })?;
        self.report.warnings.extend(told.map(|rule| format!("{id} matches the rule `{rule}`")));
        if self.dry_run {
            return Ok((id, arrival));
        }
        match arrival {
            Arrival::New => {
                let note = Incoming { content: &content, modified: note.modified };
                self.importer.create(place, &path, mark, &note)?;
            }
            Arrival::Newer => self.replace(&id, &path, &content)?,
            Arrival::Same => {}
        }
        Ok((id, arrival))
    }

    /// Puts the text of an earlier import into the archive, and the new one in its place.
    fn replace(&mut self, id: &str, path: &Path, content: &str) -> Result<(), MemoryError> {
        let store = &self.profile.store;
        let (importer, run) = (&self.importer, self.profile.run_of(Kind::Edit));
        let replaced = store.change_notes(&run, &mut self.report.warnings, || {
            let seen = store.see_note(id)?;
            if importer.plan(store.place(), path, content)? != Arrival::Newer {
                return Ok((Vec::new(), ()));
            }
            let (id, after) = (id.to_owned(), Some(content.to_owned()));
            Ok((
                vec![NoteStep { id, seen, after, from: None, reason: Some(Reason::Superseded) }],
                (),
            ))
        });
        replaced.map(drop)
    }

    /// Refuses a text that breaks a rule of the guard; returns the rule where they only warn.
    fn check(&self, text: &str) -> Result<Option<&'static str>, MemoryError> {
        let mode = self.profile.config.scan;
        if mode == ScanMode::Off {
            return Ok(None);
        }
        // A byte order mark is how some editors begin a file.
        let text = text.trim_start_matches('\u{feff}');
        let Some(finding) = Scanner::get().scan(text).into_iter().next() else { return Ok(None) };
        if mode == ScanMode::Block {
            let (rule, what) = (finding.rule, finding.what);
            return Err(MemoryError::Unsafe { operation: None, rule, what });
        }
        Ok(Some(finding.rule))
    }

    /// Refuses a note whose key is that of another.
    fn check_key(&mut self, id: &str, layer: Layer, key: Option<&str>) -> Result<(), MemoryError> {
        let Some(key) = key else { return Ok(()) };
        let profile = self.profile;
        let keys = self.keys.get_or_insert_with(|| keys(profile));
        let owner = keys.entry((layer, fold_name(key))).or_insert_with(|| id.to_owned());
        if owner == id {
            return Ok(());
        }
        let what = format!("its key `{key}` is that of {owner}, which stays");
        Err(MemoryError::bad_request(what, "take that one out first to have the imported one"))
    }

    /// Adds the entries, and returns what was done.
    pub(super) fn finish(mut self) -> Result<ImportReport, MemoryError> {
        if let Some(error) = self.stopped.take() {
            return Err(error);
        }
        let entries = std::mem::take(&mut self.entries);
        for target in Target::ALL {
            let of_target: Vec<_> = entries.iter().filter(|entry| entry.target == target).collect();
            if !of_target.is_empty() {
                self.add(target, &of_target)?;
            }
        }
        Ok(self.report)
    }

    /// Adds entries to one file, as one change; what finds no room is passed over.
    fn add(&mut self, target: Target, entries: &[&NewEntry]) -> Result<(), MemoryError> {
        let profile = self.profile;
        let mut document = profile.store.read(target)?.document;
        let (mut edits, mut taken) = (Vec::new(), Vec::new());
        for new in entries {
            match self.fit(target, &document, &new.text) {
                Ok(Some((edit, after))) => {
                    document = after;
                    edits.push(edit);
                    taken.push(*new);
                    self.report.would.extend(self.dry_run.then(|| new.text.clone()));
                }
                Ok(None) => self.report.unchanged += 1,
                Err(error) => self.skip(new.file.as_deref(), new.number, error.chain()),
            }
        }
        if !self.dry_run && !edits.is_empty() {
            let request = EditRequest { target, edits, expected_sha256: None };
            match profile.edit(&request) {
                Ok(edited) => self.report.warnings.extend(edited.warnings),
                Err(refusal) => {
                    let why = refusal.error.chain();
                    for new in taken.drain(..) {
                        self.skip(new.file.as_deref(), new.number, why.clone());
                    }
                }
            }
        }
        self.report.imported += taken.len();
        Ok(())
    }

    /// Returns the edit that adds an entry, and the file after it; `None` where the entry is there.
    fn fit(
        &self,
        target: Target,
        document: &Document,
        text: &str,
    ) -> Result<Option<(Edit, Document)>, MemoryError> {
        self.check(text)?;
        let refused = |source| MemoryError::Edit { target, source };
        let entry = Entry::parse(text).map_err(|source| refused(source.into()))?;
        let edit = Edit::Add { entry };
        let limit = self.profile.config.limits.of(target);
        let outcome =
            apply(document, std::slice::from_ref(&edit), target, limit).map_err(refused)?;
        Ok(outcome.is_changed().then_some((edit, outcome.document)))
    }
}

/// Returns whose each key is, of the notes that are there.
fn keys(profile: &Profile) -> HashMap<(Layer, String), String> {
    let place = profile.store.place();
    let files = scan(place, &[Layer::Facts, Layer::Procedures]).files;
    let key = |file: Found| {
        let read = read_note(place, &file.id, file.layer).ok().flatten()?;
        Some(((file.layer, fold_name(read.note.fields.key.as_deref()?)), file.id))
    };
    files.into_iter().filter_map(key).collect()
}

/// Returns the id of the note at `path`.
fn id_of(dir: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(dir).unwrap_or(path).with_extension("");
    inside.display().to_string()
}
