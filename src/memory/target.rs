//! The two bounded files.

use std::{fmt, str::FromStr};

/// The file an edit goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// `MEMORY.md`: what the agent noted.
    Memory,
    /// `USER.md`: who the user is.
    User,
}

impl Target {
    /// Both files, in the order they are locked and shown.
    pub const ALL: [Self; 2] = [Self::Memory, Self::User];

    /// Returns the word for it: `memory` or `user`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::User => "user",
        }
    }

    /// Returns the name of its file in the profile's directory.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Memory => "MEMORY.md",
            Self::User => "USER.md",
        }
    }

    /// Returns the letter its entries' ids begin with.
    pub fn letter(self) -> char {
        match self {
            Self::Memory => 'm',
            Self::User => 'u',
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that names neither file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid target `{0}`: it is `memory` or `user`")]
pub struct UnknownTarget(pub String);

impl FromStr for Target {
    type Err = UnknownTarget;

    fn from_str(word: &str) -> Result<Self, UnknownTarget> {
        Self::ALL
            .into_iter()
            .find(|target| target.as_str() == word)
            .ok_or_else(|| UnknownTarget(word.to_owned()))
    }
}
