//! Memories from elsewhere: notes and entries, the same again for the same source.

use std::{cell::Cell, path::PathBuf, rc::Rc};

use super::{Profile, arrivals::Arrivals};
use crate::{
    error::MemoryError,
    exchange::{self, Format, Source, guess, guess_folder, takes},
    recall::Progress,
    storage::{SourceFile, source_files},
};

/// What is imported, and how.
#[derive(Clone, Debug)]
pub struct ImportRequest {
    /// Where it is.
    pub from: ImportFrom,
    /// Who wrote it; told by what it is where that is left out.
    pub format: Option<Format>,
    /// Say what would be done, and do nothing.
    pub dry_run: bool,
}

/// Where an import comes from.
#[derive(Clone, Debug)]
pub enum ImportFrom {
    /// A file or a folder.
    Path(PathBuf),
    /// What was read from standard input.
    Bytes(Vec<u8>),
}

/// What an import did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportReport {
    /// Who wrote it.
    pub format: Format,
    /// Notes and entries written, or that would be.
    pub imported: usize,
    /// Those that were there already.
    pub unchanged: usize,
    /// What was passed over.
    pub skipped: Vec<Skipped>,
    /// Of a dry run, what would be written: the id of each note and the text of each entry.
    pub would: Vec<String>,
    /// What the caller should know beside, one line each.
    pub warnings: Vec<String>,
}

/// Something that was passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its file, in a folder.
    pub file: Option<String>,
    /// The number of its line, or of its place in the list, from 1.
    pub number: usize,
    /// Why.
    pub why: String,
}

/// Items between two looks at the progress.
const SHOWN_EACH: usize = 100;

/// Files that are named where they are passed over.
const NAMED: usize = 5;

impl Profile {
    /// Imports what other programs remember, or what a profile has exported. What is there already stays as it is.
    pub fn import(
        &self,
        request: ImportRequest,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<ImportReport, MemoryError> {
        if !request.dry_run {
            self.check_write()?;
        }
        let (files, is_folder, name) = match request.from {
            ImportFrom::Path(path) => {
                let (files, is_folder) = source_files(&path)?;
                (files, is_folder, path.display().to_string())
            }
            ImportFrom::Bytes(bytes) => {
                (vec![SourceFile::of_bytes(bytes)], false, "standard input".to_owned())
            }
        };
        let format = match request.format {
            Some(format) => format,
            None => told(&files, is_folder)?.ok_or_else(|| unknown(&name))?,
        };
        let is_meant = |file: &SourceFile| !is_folder || takes(format, &file.name);
        let (taken, others): (Vec<_>, Vec<_>) = files.into_iter().partition(is_meant);
        if taken.is_empty() {
            let what = format!("there is no file in that folder as {format} writes them");
            return Err(MemoryError::bad_request(what, "name another folder, or another format"));
        }
        let mut arrivals = Arrivals::open(self, format, request.dry_run)?;
        arrivals.report.warnings.extend(passed_over(&others));
        let all = taken.iter().map(|file| file.size).sum();
        let read = Rc::new(Cell::new(0));
        let mut heard = 0_usize;
        for file in &taken {
            let name = is_folder.then_some(file.name.as_str());
            let source = Source { name: &file.name, folder: &file.folder };
            let mut last = 0;
            let mut reader = file.open(&read)?;
            let whole = exchange::read(format, source, &mut *reader, &mut |number, item| {
                last = number;
                arrivals.take(name, number, item);
                heard += 1;
                if heard.is_multiple_of(SHOWN_EACH) {
                    progress(Progress { what: "importing notes", done: read.get().min(all), all });
                }
            });
            if let Err(why) = whole {
                arrivals.skip(name, last + 1, why);
            }
        }
        progress(Progress { what: "importing notes", done: all, all });
        arrivals.finish()
    }
}

/// Returns who wrote the files, where that can be told safely.
fn told(files: &[SourceFile], is_folder: bool) -> Result<Option<Format>, MemoryError> {
    let names: Vec<_> = files.iter().map(|file| file.name.as_str()).collect();
    let (format, telling) = if is_folder { guess_folder(&names) } else { (None, names) };
    if format.is_some() {
        return Ok(format);
    }
    for file in files.iter().filter(|file| telling.contains(&file.name.as_str())) {
        let mut reader = file.open(&Rc::default())?;
        let told = guess(&file.name, &mut *reader);
        if told.is_some() {
            return Ok(told);
        }
    }
    // What is piped in was always taken for that.
    Ok((!is_folder && names_nothing(files)).then_some(Format::Jsonl))
}

fn names_nothing(files: &[SourceFile]) -> bool {
    files.iter().all(|file| file.name.is_empty())
}

fn unknown(name: &str) -> MemoryError {
    let formats = Format::ALL.map(Format::as_str).join(", ");
    let what = format!("it cannot be told which program wrote {name}");
    MemoryError::bad_request(what, format!("say it with --format: {formats}"))
}

fn passed_over(files: &[SourceFile]) -> Option<String> {
    let first: Vec<_> = files.iter().take(NAMED).map(|file| file.name.as_str()).collect();
    let more = files.len().checked_sub(NAMED).filter(|more| *more > 0);
    let more = more.map_or_else(String::new, |more| format!(" and {more} more"));
    let first = first.join(", ");
    (!files.is_empty()).then(|| format!("of another kind, and not read: {first}{more}"))
}
