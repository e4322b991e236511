//! What a profile holds and how it stands; nothing here writes.

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use super::{IndexStatus, Profile, SnapshotRequest, edit::sha256};
use crate::{
    config::ScanMode,
    error::{Holder, MemoryError},
    guard::Scanner,
    memory::{Document, Entry, EntryId, Target, Usage},
    storage::{Record, Seen, holder, note_file},
};

/// One file's entries.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The file.
    pub target: Target,
    /// Its entries in file order.
    pub entries: Vec<(EntryId, Entry)>,
    /// How full it is.
    pub usage: Usage,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
}

/// One file's state.
#[derive(Clone, Debug)]
pub struct FileStatus {
    /// The file.
    pub target: Target,
    /// Where it is, symbolic links followed.
    pub path: PathBuf,
    /// How full it is.
    pub usage: Usage,
    /// How many entries it holds.
    pub entries: usize,
}

/// How a profile stands.
#[derive(Clone, Debug)]
pub struct Status {
    /// Its directory.
    pub path: PathBuf,
    /// Both files.
    pub files: Vec<FileStatus>,
    /// How the indexes stand; `None` where there are none.
    pub index: Option<IndexStatus>,
    /// Who holds it: `None` where it is free, `Some(None)` where it is held by someone unknown.
    pub holder: Option<Option<Holder>>,
    /// Calls that wait for a person.
    pub pending: usize,
    /// What needs attention, one line each.
    pub warnings: Vec<String>,
}

/// What tells one state of a file from another without reading it: its inode, size and times.
pub type FileState = (u64, u64, i64, i64);

pub(super) fn state(path: &Path) -> Option<FileState> {
    let found = fs::metadata(path).ok()?;
    Some((found.ino(), found.size(), found.mtime(), found.mtime_nsec()))
}

impl Profile {
    /// Returns the entries of one file.
    pub fn list(&self, target: Target) -> Result<Listing, MemoryError> {
        let seen = self.store.read(target)?;
        let entries = seen.document.entries().iter();
        Ok(Listing {
            target,
            entries: entries.map(|entry| (EntryId::of(target, entry), entry.clone())).collect(),
            usage: seen.document.usage(self.config.limits.of(target)),
            sha256: sha256(&seen.bytes),
        })
    }

    /// Returns what tells one state of a bounded file from another without reading it; `None` where it is not there.
    pub fn file_state(&self, target: Target) -> Option<FileState> {
        state(&self.store.path(target).ok()?)
    }

    /// Returns what tells one state of a note from another without reading it; `None` where it is not there.
    pub fn note_state(&self, id: &str) -> Option<FileState> {
        // Of one that may not be read nothing is told.
        self.note(id).ok()?;
        note_file(self.store.place(), id).and_then(|(_, path)| state(&path))
    }

    /// Returns the entries of a file with their ids, as an agent may see them: hostile ones masked.
    pub(super) fn shown_entries(
        &self,
        target: Target,
    ) -> Result<Vec<(String, String)>, MemoryError> {
        let seen = self.store.read(target)?;
        let ids =
            seen.document.entries().iter().map(|entry| EntryId::of(target, entry).to_string());
        Ok(ids.zip(self.shown(target, &seen.document)).collect())
    }

    /// Returns every journalled change, oldest first.
    pub fn history(&self) -> Result<Vec<Record>, MemoryError> {
        self.store.journal()
    }

    /// Returns the text of the entry `id`, from its file or from the archive.
    pub fn words(&self, id: &str) -> Option<String> {
        let id = EntryId::parse(id)?;
        let seen = self.store.read(id.target()).ok()?;
        let is_it = |entry: &&Entry| EntryId::of(id.target(), entry) == id;
        let here =
            seen.document.entries().iter().find(is_it).map(|entry| entry.as_str().to_owned());
        here.or_else(|| self.archived_words(&self.last_archived(&id).ok()?))
    }

    /// Returns the text of an archived note, where there is one.
    fn archived_words(&self, note: &str) -> Option<String> {
        self.store.archived(note).ok().map(|archived| archived.text)
    }

    /// Returns how the profile stands.
    pub fn status(&self) -> Result<Status, MemoryError> {
        let mut warnings = self.config.warnings.clone();
        let place = self.store.place();
        let mut files = Vec::new();
        for target in Target::ALL {
            match self.store.read(target) {
                Ok(seen) => {
                    let path = self.store.path(target)?;
                    self.warn_about(target, &seen.document, &mut warnings);
                    self.warn_about_hands(target, &seen, &mut warnings);
                    let usage = seen.document.usage(self.config.limits.of(target));
                    files.push(FileStatus {
                        target,
                        path,
                        usage,
                        entries: seen.document.entries().len(),
                    });
                }
                Err(error) => warnings.push(error.chain()),
            }
        }
        let (index, mut told) = self.examine_notes();
        warnings.append(&mut told);
        if self.store.is_interrupted() {
            let what = "a change of several notes was interrupted; the next write finishes it";
            warnings.push(what.to_owned());
        }
        if let Ok(snapshot) = self.snapshot(&SnapshotRequest::default()) {
            let new = |warning: &String| !warnings.contains(warning);
            let found: Vec<_> = snapshot.warnings.into_iter().filter(new).collect();
            warnings.extend(found);
        }
        Ok(Status {
            path: place.dir.clone(),
            files,
            index,
            holder: holder(place),
            pending: self.pending().len(),
            warnings,
        })
    }

    fn warn_about_hands(&self, target: Target, seen: &Seen, warnings: &mut Vec<String>) {
        let name = target.file_name();
        if self.store.has_late_bytes(target, seen) {
            warnings.push(format!(
                "an editor wrote into a replaced {name}; the next write brings it in"
            ));
        }
        let gone = self.store.hand_edit(target, seen).unwrap_or_default();
        let count = gone.iter().filter(|step| step.old.is_some()).count();
        if count > 0 {
            let noun = if count == 1 { "entry" } else { "entries" };
            warnings.push(format!(
                "a hand edit of {name} took out {count} {noun}; the next write archives them"
            ));
        }
    }

    fn warn_about(&self, target: Target, document: &Document, warnings: &mut Vec<String>) {
        let name = target.file_name();
        let usage = document.usage(self.config.limits.of(target));
        if !document.is_utf8() {
            warnings.push(format!(
                "{name} is not UTF-8: it is shown with replacement characters and not written"
            ));
        }
        if usage.used > usage.limit {
            warnings.push(format!(
                "{name} is over its limit ({}): the snapshot leaves entries out",
                usage.ratio()
            ));
        }
        if let Some(entry) = document.entries().iter().find(|entry| entry.leaves_a_fence_open()) {
            warnings.push(format!(
                "{} in {name} opens a code fence and never closes it",
                EntryId::of(target, entry)
            ));
        }
        if self.config.scan != ScanMode::Off {
            let entries = document.distinct();
            let texts: Vec<_> = entries.iter().map(|entry| entry.as_str()).collect();
            for (entry, findings) in entries.iter().zip(Scanner::get().scan_each(&texts)) {
                if let Some(finding) = findings.first() {
                    let id = EntryId::of(target, entry);
                    warnings.push(format!(
                        "{id} in {name} is masked in the snapshot: rule `{}`",
                        finding.rule
                    ));
                }
            }
        }
    }
}
