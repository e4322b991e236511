//! The layers of the notebook.

use std::{fmt, str::FromStr};

/// Where a note belongs, and which kind of memory it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    /// The entries of `MEMORY.md`.
    Memory,
    /// The entries of `USER.md`.
    User,
    /// Semantic memory.
    Facts,
    /// Episodic memory.
    Episodes,
    /// Session memory.
    Sessions,
    /// Procedural memory.
    Procedures,
    /// What left memory.
    Archive,
}

impl Layer {
    /// All layers, in the order in which they are listed.
    pub const ALL: [Self; 7] = [
        Self::Memory,
        Self::User,
        Self::Facts,
        Self::Episodes,
        Self::Sessions,
        Self::Procedures,
        Self::Archive,
    ];

    /// The layers whose notes are files in a folder of that name.
    pub const FOLDERS: [Self; 5] =
        [Self::Facts, Self::Episodes, Self::Sessions, Self::Procedures, Self::Archive];

    /// Returns the word for it, which is the name of its folder too.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::User => "user",
            Self::Facts => "facts",
            Self::Episodes => "episodes",
            Self::Sessions => "sessions",
            Self::Procedures => "procedures",
            Self::Archive => "archive",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Layer {
    type Err = String;

    /// Reads the word for a layer, or its singular (`fact`, `episode`).
    fn from_str(word: &str) -> Result<Self, String> {
        let is_it =
            |layer: &Self| layer.as_str() == word || layer.as_str().strip_suffix('s') == Some(word);
        Self::ALL.into_iter().find(is_it).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join("`, `");
            format!("unknown layer `{word}`, expected one of `{names}`")
        })
    }
}
