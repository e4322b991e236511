//! What a client may read: the snapshot, both files, and every note.

use rmcp::model::{Resource, ResourceTemplate};

use crate::{
    error::MemoryError,
    memory::Target,
    profile::{FileState, Profile},
};

/// What a URI names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Snapshot,
    File(Target),
    Note(String),
}

const SCHEME: &str = "carnet://";

impl Named {
    /// Returns what `uri` names.
    pub(super) fn find(uri: &str) -> Option<Self> {
        let path = uri.strip_prefix(SCHEME)?;
        match path.strip_prefix("note/") {
            Some(id) => Some(Self::Note(id.to_owned())),
            None if path == "snapshot" => Some(Self::Snapshot),
            None => path.parse().ok().map(Self::File),
        }
    }

    /// Returns its text; the snapshot is the one that is frozen for this server.
    pub(super) fn read(&self, profile: &Profile, snapshot: &str) -> Result<String, MemoryError> {
        profile.audit_read(&self.uri());
        match self {
            Self::Snapshot => Ok(snapshot.to_owned()),
            Self::File(target) => {
                let entries = profile.list(*target)?.entries;
                let texts: Vec<_> = entries.iter().map(|(_, entry)| entry.as_str()).collect();
                Ok(texts.join("\n§\n"))
            }
            Self::Note(id) => profile.note(id),
        }
    }

    fn uri(&self) -> String {
        match self {
            Self::Snapshot => format!("{SCHEME}snapshot"),
            Self::File(target) => format!("{SCHEME}{target}"),
            Self::Note(id) => format!("{SCHEME}note/{id}"),
        }
    }

    /// Returns what tells one state of it from another; `None` where it is not there, or never changes.
    pub(super) fn state(&self, profile: &Profile) -> Option<FileState> {
        match self {
            Self::Snapshot => None,
            Self::File(target) => profile.file_state(*target),
            Self::Note(id) => profile.note_state(id),
        }
    }
}

/// Returns the resources that are always there.
pub(super) fn all() -> Vec<Resource> {
    let named = [
        ("snapshot", "The memory block of this conversation, frozen at its start"),
        ("memory", "MEMORY.md: what the agent noted, as it is now"),
        ("user", "USER.md: who the user is, as it is now"),
    ];
    let resource = |(name, what): (&str, &str)| {
        Resource::new(format!("{SCHEME}{name}"), name)
            .with_description(what)
            .with_mime_type("text/markdown")
    };
    named.map(resource).into()
}

/// Returns the form of the others.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{SCHEME}note/{{id}}"), "note")
            .with_description("A note, by the id that memory_recall gives")
            .with_mime_type("text/markdown"),
    ]
}
