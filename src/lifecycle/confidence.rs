//! How sure a fact is, by how it was heard.

use std::{fmt, str::FromStr};

/// Who said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A person.
    User,
    /// An agent, of its own accord.
    Agent,
    /// An agent, which has concluded it.
    Inferred,
}

impl Source {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::User, Self::Agent, Self::Inferred];

    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Agent => "agent",
            Self::Inferred => "inferred",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Source {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|source| source.as_str() == word).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join("`, `");
            format!("unknown source `{word}`, expected one of `{names}`")
        })
    }
}

/// Returns how sure a fact is that was heard from `source` `times` times, each in another session; `quoted` is whether a
/// turn of the user says so in words that were verified.
pub fn heard(source: Source, quoted: bool, times: usize) -> f64 {
    match (source, times) {
        (_, _) if quoted && source != Source::User => 0.95,
        (Source::User, _) => 1.0,
        (Source::Agent, _) | (Source::Inferred, 2) => 0.7,
        (Source::Inferred, 0 | 1) => 0.5,
        (Source::Inferred, _) => 0.85,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_confidence() {
        let check = |source, quoted, times, sure: f64| {
            assert!(
                (heard(source, quoted, times) - sure).abs() < 1e-9,
                "{source} {quoted} {times}"
            );
        };
        check(Source::User, false, 1, 1.0);
        check(Source::Agent, true, 1, 0.95);
        check(Source::Agent, false, 1, 0.7);
        for (times, sure) in [(1, 0.5), (2, 0.7), (3, 0.85), (4, 0.85)] {
            check(Source::Inferred, false, times, sure);
        }
    }
}
