//! What left memory: one note a text, written and synced before the change that takes it out.

use std::{fs, io, path::PathBuf};

use jiff::Timestamp;

use super::{
    file::{create_whole, read_state},
    notebook::note_file,
    place::Place,
};
use crate::{
    error::MemoryError,
    memory::{EntryId, Target},
    notes::Layer,
};

/// Why a text left memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Another entry took its place.
    Replaced,
    /// An edit took it out.
    Removed,
    /// A hand edit took it out.
    HandEdit,
    /// An undo took it out.
    Undone,
    /// An editor wrote it into a file that had been replaced, and it found no room.
    LateWrite,
    /// Another text of the same note took its place.
    Superseded,
    /// Someone asked for it to be forgotten.
    Forgotten,
    /// It had stopped being true.
    Expired,
    /// It had reached the age at which such notes go.
    Retention,
    /// Its note was merged into another, which says the same.
    Merged {
        /// The other.
        into: String,
    },
}

impl Reason {
    fn as_str(&self) -> &'static str {
        match self {
            Self::Replaced => "replaced",
            Self::Removed => "removed",
            Self::HandEdit => "hand-edit",
            Self::Undone => "undone",
            Self::LateWrite => "late-write",
            Self::Superseded => "superseded",
            Self::Forgotten => "forgotten",
            Self::Expired => "expired",
            Self::Retention => "retention",
            Self::Merged { .. } => "merged",
        }
    }
}

/// Where an archived text came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An entry of a bounded file.
    File(Target),
    /// A note, whose text is the whole file.
    Note(String),
}

/// An archived text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archived {
    /// The note's path without `.md`.
    pub id: String,
    /// Where it came from.
    pub origin: Origin,
    /// The text.
    pub text: String,
}

/// A text on its way to the archive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaving<'t> {
    /// What its archived note is called, behind the day.
    pub(super) name: &'t str,
    /// Lines of front matter that say where it came from and whatever else is to be known of it there.
    pub(super) origin: &'t str,
    /// The text.
    pub(super) text: &'t [u8],
    /// Why it leaves.
    pub(super) reason: &'t Reason,
    /// Who takes it out.
    pub(super) by: &'t str,
}

/// Names tried for texts of one id that leave on one day.
const MAX_NAMES: u32 = 10_000;

/// Writes `text`, which was the entry `id`, to the archive; returns the note's id.
pub(super) fn put_entry(
    place: &Place,
    id: &EntryId,
    text: &[u8],
    reason: &Reason,
    by: &str,
    now: Timestamp,
) -> Result<String, MemoryError> {
    let origin = format!("origin: {}\nentry: {id}", id.target().file_name());
    let leaving = Leaving { name: &id.to_string(), origin: &origin, text, reason, by };
    put(place, &leaving, now)
}

/// Writes a text to the archive; returns the note's id.
pub(super) fn put(
    place: &Place,
    leaving: &Leaving<'_>,
    now: Timestamp,
) -> Result<String, MemoryError> {
    let Leaving { name, origin, text, reason, by } = leaving;
    let day = now.strftime("%Y-%m-%d").to_string();
    let year = day.get(..4).unwrap_or_default();
    let into = match reason {
        Reason::Merged { into } => {
            format!("\nmerged-into: {}", serde_json::Value::from(into.as_str()))
        }
        _ => String::new(),
    };
    let reason = reason.as_str();
    let head =
        format!("---\nreason: {reason}{into}\narchived: {now:.0}\n{origin}\nby: {by}\n---\n");
    let content = [head.as_bytes(), text, b"\n"].concat();
    for number in 1..=MAX_NAMES {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let note = format!("archive/{year}/{day}-{name}{suffix}");
        let path = place.dir.join(format!("{note}.md"));
        if fs::symlink_metadata(&path).is_ok() {
            continue;
        }
        place.create_parent(&path)?;
        if create_whole(&path, &content).map_err(MemoryError::writing(&path))? {
            return Ok(note);
        }
    }
    let source = io::Error::other("too many notes of one entry on one day");
    Err(MemoryError::Write { path: place.dir.join("archive"), source })
}

/// Takes back a note of an edit that did not happen.
pub(super) fn discard(place: &Place, note: &str) {
    if let Some(path) = path_of(place, note).filter(|path| place.check_parent(path).is_ok()) {
        let _ = fs::remove_file(path);
    }
}

/// Returns the path of an archived note; `None` where `id` names none, such as one that leads elsewhere.
fn path_of(place: &Place, id: &str) -> Option<PathBuf> {
    note_file(place, id).filter(|(layer, _)| *layer == Layer::Archive).map(|(_, path)| path)
}

/// Reads the archived note `id`, with or without `.md`.
pub(super) fn get(place: &Place, id: &str) -> Result<Archived, MemoryError> {
    let id = id.trim_end_matches(".md");
    // A name without its folders, as an editor shows it.
    let dated = id.bytes().take(4).all(|b| b.is_ascii_digit()) && !id.contains('/');
    let id = match id.get(..4).filter(|_| dated) {
        Some(year) => format!("archive/{year}/{id}"),
        None => id.to_owned(),
    };
    let unknown = || {
        let hint = "list the history: it names every archived note";
        MemoryError::not_found(format!("no archived note `{id}`"), hint)
    };
    let path = path_of(place, &id).ok_or_else(unknown)?;
    let found = read_state(place, &path).map_err(MemoryError::reading(&path))?;
    let (bytes, _) = found.ok_or_else(unknown)?;
    let content = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        MemoryError::NotUtf8 { path: path.clone(), at }
    })?;
    let malformed = || MemoryError::Read {
        path: path.clone(),
        source: io::Error::other("its front matter is damaged"),
    };
    let rest = content.strip_prefix("---\n").ok_or_else(malformed)?;
    let (head, body) = rest.split_once("\n---\n").ok_or_else(malformed)?;
    let origin =
        head.lines().find_map(|line| line.strip_prefix("origin: ")).ok_or_else(malformed)?;
    let origin = match Target::ALL.into_iter().find(|target| target.file_name() == origin) {
        Some(target) => Origin::File(target),
        // A name as JSON writes it is YAML too.
        None => Origin::Note(serde_json::from_str(origin).map_err(|_| malformed())?),
    };
    let text = body.strip_suffix('\n').unwrap_or(body).to_owned();
    Ok(Archived { id, origin, text })
}
