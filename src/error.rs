//! Every way an operation on a profile can fail: message, code, hint.

use std::{io, path::PathBuf};

use crate::memory::{EditError, EntryError, Target};

/// Who holds a profile, as written beside its owner lock.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Holder {
    /// Process id.
    pub pid: u32,
    /// Name of the machine.
    pub host: String,
    /// What the agent calls itself.
    pub client: String,
    /// Since when, RFC 3339.
    pub since: String,
    /// The digest of the snapshot that its client was told at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` (process {} on {}, since {})", self.client, self.pid, self.host, self.since)
    }
}

/// Every way an operation on a profile can fail. Nothing was changed where one is returned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// The edit breaks a rule.
    #[error("cannot change {}", target.file_name())]
    Edit {
        /// The file that stays as it was.
        target: Target,
        /// The rule.
        source: EditError,
    },
    /// The text may not enter the prompt.
    #[error("{}the content is blocked by the rule `{rule}`: {what}", operation.map_or_else(String::new, |number| format!("operation {number}: ")))]
    Unsafe {
        /// Its place in a batch, from 1.
        operation: Option<usize>,
        /// The rule's id.
        rule: &'static str,
        /// What the rule looks for; never the text itself.
        what: String,
    },
    /// The file holds bytes that are not UTF-8.
    #[error("{} is not UTF-8 (first at byte {at}), so it is not written", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// Offset of the first byte that is no text.
        at: usize,
    },
    /// The file is not the one the edit was made for.
    #[error("{what} has changed")]
    Conflict {
        /// What has changed.
        what: String,
    },
    /// Another agent holds the profile.
    #[error("profile `{profile}` is held by {}", holder.as_ref().map_or_else(|| "another agent".to_owned(), ToString::to_string))]
    ProfileLocked {
        /// The profile.
        profile: String,
        /// Who holds it, where that is known.
        holder: Option<Box<Holder>>,
    },
    /// Another process kept a lock for too long.
    #[error("{} is still locked by another process after {seconds} s", path.display())]
    LockTimeout {
        /// The lock file.
        path: PathBuf,
        /// How long was waited.
        seconds: u64,
    },
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The configuration breaks a rule.
    #[error("{}: {why}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// Which line and key, and what is wrong with it.
        why: String,
    },
    /// The indexes can neither be used nor done without.
    #[error("the indexes cannot be used: {what}")]
    Index {
        /// Why.
        what: String,
    },
    /// The request cannot be understood.
    #[error("{what}")]
    BadRequest {
        /// What is wrong with it.
        what: String,
        /// What to do.
        hint: String,
    },
    /// What was named is not there.
    #[error("{what}")]
    NotFound {
        /// What was named.
        what: String,
        /// What to do.
        hint: String,
    },
}

impl MemoryError {
    /// Returns the error of a request that is wrong in itself.
    pub fn bad_request(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::BadRequest { what: what.into(), hint: hint.into() }
    }

    /// Returns the error of a name that names nothing.
    pub fn not_found(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::NotFound { what: what.into(), hint: hint.into() }
    }

    /// Returns a function that makes a read error of `path`.
    pub fn reading(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Read { path: path.into(), source }
    }

    /// Returns a function that makes a write error of `path`.
    pub fn writing(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Write { path: path.into(), source }
    }

    /// Returns the error and its causes, joined by colons.
    pub fn chain(&self) -> String {
        let mut text = self.to_string();
        let mut source = std::error::Error::source(self);
        while let Some(cause) = source {
            text = format!("{text}: {cause}");
            source = cause.source();
        }
        text
    }

    /// Returns the stable word for the failure.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Edit { source, .. } => match source.cause() {
                EditError::Entry(EntryError::Empty) => "empty_content",
                EditError::Entry(EntryError::Separator) | EditError::NotReadBack { .. } => {
                    "separator_in_entry"
                }
                EditError::MissingOldText => "missing_old_text",
                EditError::NoMatch { .. } => "no_match",
                EditError::AmbiguousMatch { .. } => "ambiguous_match",
                EditError::LimitExceeded { .. } => "limit_exceeded",
                EditError::Operation { .. } => "bad_request",
            },
            Self::Unsafe { .. } => "unsafe_content",
            Self::NotUtf8 { .. } => "not_utf8",
            Self::Conflict { .. } => "conflict",
            Self::ProfileLocked { .. } => "profile_locked",
            Self::LockTimeout { .. } => "lock_timeout",
            Self::Read { .. } | Self::Index { .. } => "read_failed",
            Self::Write { .. } => "write_failed",
            Self::Config { .. } => "bad_config",
            Self::BadRequest { .. } => "bad_request",
            Self::NotFound { .. } => "no_match",
        }
    }

    /// Returns what the caller can do next.
    pub fn hint(&self) -> String {
        let hint = match self {
            Self::BadRequest { hint, .. } | Self::NotFound { hint, .. } => hint,
            Self::Edit { source, .. } => edit_hint(source.cause()),
            Self::Unsafe { .. } => {
                "write it as a plain fact, without the part the rule names; for a secret, note where it is kept"
            }
            Self::NotUtf8 { .. } => {
                "save the file as UTF-8 in an editor, then try again; nothing of it is lost"
            }
            Self::Conflict { .. } => {
                "read the entries again and repeat the edit on what is there now"
            }
            Self::ProfileLocked { .. } => {
                "end the agent that holds it, set `sharing: shared` in the profile's config.yaml, or use another profile; reading works meanwhile"
            }
            Self::LockTimeout { .. } => {
                "try again in a moment; the lock is free as soon as that process ends"
            }
            Self::Read { .. } => "check that it is a readable file; nothing was changed",
            Self::Write { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
                "make it writable for you (chmod u+w), then try again; the file is as it was"
            }
            Self::Write { .. } => {
                "check free space and permissions, then try again; the file is as it was"
            }
            Self::Index { .. } => "run `carnet reindex`, and `carnet doctor` to see more",
            Self::Config { .. } => "correct that line; the README lists every key",
        };
        hint.to_owned()
    }
}

fn edit_hint(error: &EditError) -> &'static str {
    match error {
        EditError::Entry(EntryError::Empty) => "say what to remember, in `content`",
        EditError::Entry(EntryError::Separator) => {
            "add each part as an entry of its own, without the `§` line"
        }
        EditError::MissingOldText => "quote a part of the entry in `old_text`, or give its id",
        EditError::NoMatch { .. } => {
            "retry with the exact text or the id of one of the current entries"
        }
        EditError::AmbiguousMatch { .. } => "quote a longer part of the entry, or give its id",
        EditError::LimitExceeded { .. } => {
            "replace or remove an entry, then retry; the tool can do both in one batch"
        }
        EditError::NotReadBack { open: Some(_) } => "close that code fence first, then try again",
        EditError::NotReadBack { open: None } | EditError::Operation { .. } => {
            "change the content, then try again"
        }
    }
}
