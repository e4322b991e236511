//! Everything that is remembered, on its way out: as lines that come back as they were, or as Markdown for a person.

use std::path::PathBuf;

use super::Profile;
use crate::{
    config::Sensitivity,
    error::MemoryError,
    exchange::{Document, entry_line, note_line},
    memory::{EntryId, Target},
    notes::{Layer, Note},
    recall::Progress,
    storage::{OutletFile, OutletFolder, Overwrite, Seen, scan},
};

/// What is exported, and where to.
#[derive(Clone, Debug)]
pub struct ExportRequest {
    /// In which form.
    pub form: ExportForm,
    /// Where to; the text is returned where that is left out.
    pub output: Option<PathBuf>,
    /// What becomes of what is there already.
    pub overwrite: Overwrite,
    /// The most sensitive level that is exported; the configured one where it is left out. Only a person's to choose.
    pub clearance: Option<Sensitivity>,
    /// Whether what has left memory goes with it.
    pub archive: bool,
}

/// A form in which memories go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportForm {
    /// A note a line, from which an import makes the same notes again.
    Jsonl,
    /// One document where the output is a `.md` file or left out, else a folder of the files as they are.
    Markdown,
}

/// What was exported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Entries of the bounded files.
    pub entries: usize,
    /// Notes.
    pub notes: usize,
    /// Entries and notes above the clearance.
    pub left_out: usize,
    /// The text, where no output was named.
    pub text: String,
    /// What the caller should know beside, one line each.
    pub warnings: Vec<String>,
}

/// Notes between two looks at the progress.
const SHOWN_EACH: usize = 100;

/// Where an export goes, and in which form.
enum Outlet {
    Lines(Writing),
    Document(Document, Writing),
    Folder(OutletFolder),
}

/// A text that is written to a file, or kept.
enum Writing {
    File(OutletFile),
    Text(String),
}

impl Profile {
    /// Exports what is remembered, as far as the clearance goes.
    pub fn export(
        &self,
        request: &ExportRequest,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Exported, MemoryError> {
        let clearance = request.clearance.unwrap_or(self.config.recall.clearance);
        let is_asked = |layer: &Layer| *layer != Layer::Archive || request.archive;
        let layers: Vec<_> = Layer::FOLDERS.into_iter().filter(is_asked).collect();
        let found = scan(self.store.place(), &layers);
        if let Some(unknown) = found.unknown.into_iter().next() {
            return Err(MemoryError::Read { path: unknown.path, source: unknown.source });
        }
        let mut exported = Exported { warnings: found.warnings, ..Exported::default() };
        let mut outlet = Outlet::begin(request)?;
        if let Outlet::Folder(OutletFolder { was_filled: true, .. }) = outlet {
            let why =
                "what stood in that folder before and is no part of this export is still there";
            exported.warnings.push(why.to_owned());
        }
        for target in Target::ALL {
            let seen = self.store.read(target)?;
            let count = seen.document.entries().len();
            // They say nothing of how far they may travel, so they are as sensitive as a note that does not.
            if Sensitivity::default() > clearance {
                exported.left_out += count;
                continue;
            }
            exported.entries += count;
            warn_of_bytes(target.file_name(), &seen, &mut exported.warnings);
            outlet.file(target, &seen)?;
        }
        let all = found.files.len();
        for (file, done) in found.files.into_iter().zip(1..) {
            let seen = self.store.see_note(&file.id)?;
            // It may have gone meanwhile.
            if seen.exists() {
                let content = String::from_utf8_lossy(&seen.bytes);
                let modified = seen.modified().unwrap_or_default();
                let note = Note::read(&file.id, file.layer, &content, modified);
                if note.sensitivity() > clearance {
                    exported.left_out += 1;
                } else {
                    exported.notes += 1;
                    warn_of_bytes(&file.id, &seen, &mut exported.warnings);
                    outlet.note(&note, &content, &seen)?;
                }
            }
            if done % SHOWN_EACH == 0 || done == all {
                progress(Progress { what: "exporting notes", done, all });
            }
        }
        exported.text = outlet.finish()?;
        Ok(exported)
    }
}

/// Says where a text does not come back to the byte.
fn warn_of_bytes(name: &str, seen: &Seen, warnings: &mut Vec<String>) {
    if !seen.document.is_utf8() {
        warnings.push(format!("{name} is not UTF-8: what is no text of it is replaced"));
    }
}

impl Outlet {
    fn begin(request: &ExportRequest) -> Result<Self, MemoryError> {
        let is_document = |path: &PathBuf| {
            path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
        };
        let writing = |path: &Option<PathBuf>| match path {
            Some(path) => OutletFile::begin(path, request.overwrite).map(Writing::File),
            None => Ok(Writing::Text(String::new())),
        };
        Ok(match (request.form, &request.output) {
            (ExportForm::Jsonl, path) => Self::Lines(writing(path)?),
            (ExportForm::Markdown, Some(path)) if !is_document(path) => {
                Self::Folder(OutletFolder::begin(path, request.overwrite)?)
            }
            (ExportForm::Markdown, path) => Self::Document(Document::default(), writing(path)?),
        })
    }

    /// Writes the entries of a bounded file.
    fn file(&mut self, target: Target, seen: &Seen) -> Result<(), MemoryError> {
        let layer = match target {
            Target::Memory => Layer::Memory,
            Target::User => Layer::User,
        };
        if let Self::Folder(folder) = self {
            return if seen.exists() {
                folder.write(target.file_name(), &seen.bytes)
            } else {
                Ok(())
            };
        }
        for entry in seen.document.entries() {
            let (id, text) = (EntryId::of(target, entry), entry.as_str());
            match self {
                Self::Lines(lines) => lines.write(&entry_line(target, &id, text))?,
                Self::Document(document, writing) => writing.write(&document.entry(layer, text))?,
                Self::Folder(_) => {}
            }
        }
        Ok(())
    }

    fn note(&mut self, note: &Note, content: &str, seen: &Seen) -> Result<(), MemoryError> {
        match self {
            Self::Lines(lines) => lines.write(&note_line(note, content, seen.modified())),
            Self::Document(document, writing) => writing.write(&document.note(note)),
            Self::Folder(folder) => folder.write(&format!("{}.md", note.id), &seen.bytes),
        }
    }

    /// Puts what was written in its place; returns it where it has none.
    fn finish(self) -> Result<String, MemoryError> {
        match self {
            Self::Lines(writing) | Self::Document(_, writing) => match writing {
                Writing::File(file) => file.finish().map(|()| String::new()),
                Writing::Text(text) => Ok(text),
            },
            Self::Folder(_) => Ok(String::new()),
        }
    }
}

impl Writing {
    fn write(&mut self, more: &str) -> Result<(), MemoryError> {
        match self {
            Self::File(file) => file.write(more),
            Self::Text(text) => {
                text.push_str(more);
                Ok(())
            }
        }
    }
}
