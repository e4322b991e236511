//! A setup as a whole: all files are decided before the first is written.

use std::path::{Path, PathBuf};

use super::{
    client::{Client, Scope},
    content::Content,
    files,
    launch::Launch,
    parts::{Part, parts},
    record::Record,
};
use crate::{config::Machine, error::MemoryError};

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Which client.
    pub client: Client,
    /// Whose files.
    pub scope: Scope,
    /// Whether carnet is taken out.
    pub remove: bool,
    /// Whether the agent may call carnet's tools without asking.
    pub allow: bool,
    /// How carnet is started.
    pub launch: &'a Launch,
    /// Where the files are.
    pub machine: &'a Machine,
    /// The home directory of carnet, which keeps the record.
    pub home: Option<&'a Path>,
}

/// What becomes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was not there.
    Created,
    /// It was.
    Changed,
    /// It stays as it is.
    Unchanged,
    /// It goes.
    Removed,
}

impl Change {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Unchanged => "unchanged",
            Self::Removed => "removed",
        }
    }
}

/// A file as it is and as it will be; `None` where there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The file.
    pub path: PathBuf,
    /// Its text now.
    pub before: Option<String>,
    /// Its text after.
    pub after: Option<String>,
    /// What it was before any setup: what taking it out gives back.
    original: Option<String>,
}

impl FileChange {
    /// Returns what becomes of the file.
    pub fn change(&self) -> Change {
        match (&self.before, &self.after) {
            (before, after) if before == after => Change::Unchanged,
            (None, _) => Change::Created,
            (_, None) => Change::Removed,
            _ => Change::Changed,
        }
    }

    /// Returns the difference, as `diff -u` shows it.
    pub fn diff(&self) -> String {
        let path = self.path.display().to_string();
        let name = |text: &Option<String>| {
            if text.is_some() { path.clone() } else { "/dev/null".to_owned() }
        };
        let (before, after) = (name(&self.before), name(&self.after));
        let old = self.before.as_deref().unwrap_or_default();
        let new = self.after.as_deref().unwrap_or_default();
        let diff = similar::TextDiff::from_lines(old, new);
        diff.unified_diff().header(&before, &after).to_string()
    }
}

/// Everything that a setup will do.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The files, in the order they are written.
    pub files: Vec<FileChange>,
    request: Request<'a>,
    record: Record,
}

impl<'a> Plan<'a> {
    /// Reads the client's files and decides; nothing is written.
    pub fn of(request: Request<'a>) -> Result<Self, MemoryError> {
        let Request { client, scope, machine, launch, allow, .. } = request;
        let record = request.home.map(|home| Record::read(&Record::path(home))).unwrap_or_default();
        let parts = parts(client, scope, machine, launch, allow)?;
        let decide = |part: &Part| decide(part, &request, &record);
        let mut files = parts.iter().map(decide).collect::<Result<Vec<_>, _>>()?;
        if request.remove {
            files.reverse();
        }
        Ok(Self { files, request, record })
    }

    /// Tells whether no file has to change.
    pub fn is_done(&self) -> bool {
        self.files.iter().all(|file| file.change() == Change::Unchanged)
    }

    /// Returns what is left for the user to do, once the files are written.
    pub fn todo(&self) -> Vec<String> {
        super::todo::todo(&self.request, &self.files)
    }

    /// Writes the files, and returns what is left to do; where one cannot be written, those before it are put back.
    pub fn carry_out(mut self) -> Result<Vec<String>, MemoryError> {
        if self.is_done() {
            return Ok(self.todo());
        }
        let home = self.request.home;
        // Two setups at once would each write a record without the other's.
        let _lock = home.map(files::lock).transpose()?;
        self.record = home.map(|home| Record::read(&Record::path(home))).unwrap_or_default();
        for file in &self.files {
            if let Some(folder) = file.path.parent() {
                files::sweep(folder);
            }
            if files::read(&file.path)? != file.before {
                let what = format!("{}", file.path.display());
                return Err(MemoryError::Conflict { what });
            }
        }
        // The record comes first: a setup that is interrupted can be taken back then too.
        if !self.request.remove {
            self.keep();
            self.write_record()?;
        }
        for index in 0..self.files.len() {
            let Some(file) = self.files.get(index) else { break };
            let written = write(file, &self.request, &mut self.record);
            if let Err(error) = written {
                for file in self.files.iter().take(index) {
                    let back = FileChange {
                        before: file.after.clone(),
                        after: file.before.clone(),
                        ..file.clone()
                    };
                    let _ = write(&back, &self.request, &mut self.record);
                }
                // It knows each file as it is again.
                let _ = self.write_record();
                return Err(error);
            }
        }
        self.clean();
        self.write_record()?;
        Ok(self.todo())
    }

    /// Keeps how each file becomes what it will be.
    fn keep(&mut self) {
        for file in self.files.iter().filter(|file| file.change() != Change::Unchanged) {
            if let Some(after) = &file.after {
                let original = file.original.as_deref();
                let text = original.unwrap_or_default();
                self.record.keep(&file.path, original.is_none(), text, after);
            }
        }
    }

    /// Removes what is left of files that are gone.
    fn clean(&mut self) {
        for file in &self.files {
            if self.request.remove {
                self.record.forget(&file.path);
            }
            if file.after.is_none() {
                // What Python left of the provider.
                if file.path.ends_with("__init__.py") {
                    let _ = std::fs::remove_dir_all(file.path.with_file_name("__pycache__"));
                }
                self.record.remove_folders(&file.path);
            }
        }
    }

    fn write_record(&self) -> Result<(), MemoryError> {
        match self.request.home {
            Some(home) => self.record.write(&Record::path(home)),
            None => Ok(()),
        }
    }
}

/// Decides what becomes of one file.
fn decide(part: &Part, request: &Request<'_>, record: &Record) -> Result<FileChange, MemoryError> {
    let Part { path, content } = part;
    let before = files::read(path)?;
    let refused = |why: String| refusal(path, content, &why, request);
    let text = before.clone().unwrap_or_default();
    let original = match record.before(path, &text) {
        Some(original) => original,
        // What was allowed before the first setup was allowed by the user.
        None if !request.remove && !record.knows(path) => {
            content.take_but_words(&text).map_err(refused)?
        }
        None => content.take(&text).map_err(refused)?,
    };
    let was_there = before.is_some() && !record.created(path);
    let whole = matches!(content, Content::Whole(_));
    // A file that only we were in goes with us.
    let goes = before.is_none() || ((whole || !was_there) && content.is_nothing(&original));
    let original = if goes { None } else { Some(original) };
    let after =
        if request.remove { original.clone() } else { Some(content.put(&text).map_err(refused)?) };
    Ok(FileChange { path: path.clone(), before, after, original })
}

fn write(file: &FileChange, request: &Request<'_>, record: &mut Record) -> Result<(), MemoryError> {
    let (folder, mode) = match request.scope {
        Scope::User => (0o700, 0o600),
        Scope::Project => (0o755, 0o644),
    };
    let mode = if request.client == Client::AgentsMd { 0o644 } else { mode };
    match (&file.after, file.change()) {
        (_, Change::Unchanged) => Ok(()),
        (None, _) => files::remove(&file.path),
        (Some(text), _) => {
            if let Some(parent) = file.path.parent() {
                record.keep_folders(files::create_folder(parent, folder)?);
            }
            files::write(&file.path, text, mode)
        }
    }
}

fn refusal(path: &Path, content: &Content, why: &str, request: &Request<'_>) -> MemoryError {
    let what = format!("{}: {why}", path.display());
    let hint = match (content, request.client) {
        (Content::Whole(_), _) => "move it away, then try again; nothing was changed".to_owned(),
        (_, Client::Hermes) if why.starts_with("`memory.provider`") => {
            "take the other provider out of `memory.provider` first, then try again; nothing was changed".to_owned()
        }
        (_, Client::Hermes) => "write `memory:` and below it `  provider: carnet` by hand, then try again; nothing was changed".to_owned(),
        (Content::Settings { .. }, client) => {
            let server = super::settings::registration(client, request.launch, request.allow);
            format!("mend the file, or write {} by hand; nothing was changed", server.shown())
        }
        (Content::Block(_), _) => "mend the marks, then try again; nothing was changed".to_owned(),
    };
    MemoryError::bad_request(what, hint)
}
