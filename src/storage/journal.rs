//! The journal: what changed, when and by whom. It refers to texts by id and holds none.

use std::{
    collections::{HashMap, HashSet},
    fs::OpenOptions,
    io::{self, Read, Seek, SeekFrom, Write},
    path::PathBuf,
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::place::Place;
use crate::{
    error::MemoryError,
    memory::{self, EntryId, LineEnding, Target},
};

/// Whose change it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Author {
    /// A person, through the command line.
    Person,
    /// An agent, through the tool.
    Agent,
    /// An editor, found afterwards.
    Hand,
}

impl Author {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Agent => "agent",
            Self::Hand => "hand",
        }
    }
}

/// What kind of change it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// An edit of the tool or the command line.
    Edit,
    /// What a hand edit changed since the file was last seen.
    Hand,
    /// What an editor wrote into a file that had been replaced.
    Late,
    /// The undoing of another change.
    Undo,
    /// An archived text that came back.
    Restore,
    /// Notes that say the same became one.
    Merge,
}

impl Kind {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::Hand => "hand",
            Self::Late => "late",
            Self::Undo => "undo",
            Self::Restore => "restore",
            Self::Merge => "merge",
        }
    }
}

/// One entry that came, went, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    /// The entry that came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// The entry that went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The archived note that holds the text that went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archive: Option<String>,
    /// How to take the change back, byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inverse: Option<Inverse>,
}

/// The splice that takes a change back: at byte `at`, `len` bytes give way to `before`, the archived text and `after`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inverse {
    /// Byte position.
    pub at: usize,
    /// Bytes that give way.
    pub len: usize,
    /// Delimiter and blanks before the text.
    pub before: String,
    /// Delimiter and blanks behind it.
    pub after: String,
    /// How the lines of the text ended in the file.
    pub eol: String,
}

impl From<&memory::Inverse> for Inverse {
    fn from(inverse: &memory::Inverse) -> Self {
        Self {
            at: inverse.at,
            len: inverse.len,
            before: inverse.before.clone(),
            after: inverse.after.clone(),
            eol: inverse.eol.as_str().to_owned(),
        }
    }
}

impl From<&Inverse> for memory::Inverse {
    fn from(inverse: &Inverse) -> Self {
        Self {
            at: inverse.at,
            len: inverse.len,
            before: inverse.before.clone(),
            after: inverse.after.clone(),
            eol: LineEnding::of(&inverse.eol),
        }
    }
}

/// One change of one bounded file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Names the change.
    pub run: String,
    /// When.
    pub at: Timestamp,
    /// Whose change it is.
    pub by: Author,
    /// What the agent calls itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// What kind of change.
    pub kind: Kind,
    /// `memory` or `user`.
    pub target: String,
    /// BLAKE3 of the file's bytes before.
    pub before: String,
    /// BLAKE3 of the file's bytes after.
    pub after: String,
    /// What came and went, in order.
    pub effects: Vec<Effect>,
    /// The change that this one takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<String>,
}

impl Record {
    /// Returns the bounded file it is about; `None` where it is about something else.
    pub fn target(&self) -> Option<Target> {
        self.target.parse().ok()
    }
}

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Record(Box<Record>),
    /// The change of that name was announced and did not happen.
    Void {
        void: String,
    },
}

fn path(place: &Place) -> PathBuf {
    place.state("journal.jsonl")
}

/// Returns all changes that happened, oldest first. A torn or foreign line is passed over.
pub(super) fn read(place: &Place) -> Result<Vec<Record>, MemoryError> {
    let path = path(place);
    let mut text = Vec::new();
    match place
        .open(&path, OpenOptions::new().read(true))
        .and_then(|mut file| file.read_to_end(&mut text))
    {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(MemoryError::Read { path, source }),
        Ok(_) => {}
    }
    let mut records: Vec<Record> = Vec::new();
    let mut voided = HashSet::new();
    for line in text.split(|b| *b == b'\n') {
        match serde_json::from_slice(line) {
            Ok(Line::Record(record)) => records.push(*record),
            Ok(Line::Void { void }) => drop(voided.insert(void)),
            Err(_) => {}
        }
    }
    records.retain(|record| !voided.contains(&record.run));
    Ok(records)
}

/// Appends `record`; synced where it says where a text went.
pub(super) fn append(place: &Place, record: &Record) -> Result<(), MemoryError> {
    append_all(place, std::slice::from_ref(record))
}

/// Appends `records`, all or none; synced where one says where a text went.
pub(super) fn append_all(place: &Place, records: &[Record]) -> Result<(), MemoryError> {
    let mut effects = records.iter().flat_map(|record| &record.effects);
    let sync = effects.any(|effect| effect.archive.is_some());
    let lines: Vec<_> =
        records.iter().map(|record| Line::Record(Box::new(record.clone()))).collect();
    append_lines(place, &lines, sync)
}

/// Notes that the change `run` did not happen.
pub(super) fn void(place: &Place, run: &str) -> Result<(), MemoryError> {
    append_lines(place, &[Line::Void { void: run.to_owned() }], false)
}

fn append_lines(place: &Place, lines: &[Line], sync: bool) -> Result<(), MemoryError> {
    let path = path(place);
    place.create_parent(&path)?;
    let text = lines.iter().map(|line| serde_json::to_string(line).unwrap_or_default());
    let text = text.collect::<Vec<_>>().join("\n");
    let write = || -> io::Result<()> {
        let mut file =
            place.open(&path, OpenOptions::new().read(true).append(true).create(true))?;
        let len = file.metadata()?.len();
        // A writer that was killed, or a full disk, may have left half a line.
        let mut last = [b'\n'];
        if len > 0 {
            file.seek(SeekFrom::Start(len - 1))?;
            file.read_exact(&mut last)?;
        }
        let start = if last == [b'\n'] { "" } else { "\n" };
        if let Err(error) = file.write_all(format!("{start}{text}\n").as_bytes()) {
            let _ = file.set_len(len);
            return Err(error);
        }
        if sync && let Err(error) = file.sync_data() {
            // What is announced must be announced for good, or not at all.
            file.set_len(len)?;
            return Err(error);
        }
        Ok(())
    };
    write().map_err(MemoryError::writing(&path))
}

/// Returns when each entry was first seen.
pub(super) fn first_seen(records: &[Record]) -> HashMap<&str, Timestamp> {
    let mut seen = HashMap::new();
    for record in records {
        for id in record.effects.iter().filter_map(|effect| effect.new.as_deref()) {
            seen.entry(id).or_insert(record.at);
        }
    }
    seen
}

/// Returns the entry that took the place of `id`, and of that one in turn.
pub(super) fn successor(records: &[Record], id: &EntryId) -> Option<String> {
    let mut current = id.as_str().to_owned();
    for effect in records.iter().flat_map(|record| &record.effects) {
        if let (Some(old), Some(new)) = (&effect.old, &effect.new)
            && *old == current
        {
            current.clone_from(new);
        }
    }
    (current != id.as_str()).then_some(current)
}
