//! What follows the two files in the prompt: a little of the notebook, inside a limit of its own.

use super::mask::is_hostile;
use crate::{config::ScanMode, storage::FrozenEntry};

/// What a line of the notebook is about, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExtraKind {
    /// Facts of the category identity.
    Identity,
    /// Procedures that always apply.
    Always,
    /// What is left to do.
    Open,
    /// What the last sessions were about.
    Sessions,
}

impl ExtraKind {
    /// Returns the word for it, by which a template tells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Always => "always",
            Self::Open => "open",
            Self::Sessions => "sessions",
        }
    }
}

/// A line of the notebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extra {
    /// What it is about.
    pub kind: ExtraKind,
    /// The note, or the open item.
    pub id: String,
    /// Its text, on one line.
    pub text: String,
}

/// The lines of the notebook, and what became of each.
#[derive(Clone, Debug, Default)]
pub(super) struct Extras {
    lines: Vec<(Extra, Option<&'static str>)>,
}

/// Characters that a line adds to its text: the dash before it and the line end.
const FRAME: usize = 3;

/// Characters of one line.
const LINE: usize = 400;

impl Extras {
    /// Returns the lines that stand in `limit` characters: whole ones, in their order.
    pub(super) fn fit(extras: &[Extra], limit: usize, scan: ScanMode) -> Self {
        let mut used = 0;
        let fitted = extras.iter().map(|extra| {
            let words = extra.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let cut = words.char_indices().nth(LINE).and_then(|(end, _)| words.get(..end));
            let text = cut.map_or_else(|| words.clone(), |cut| format!("{cut} …"));
            let needed = used + text.chars().count() + FRAME;
            let why = if is_hostile(&text, scan) {
                Some("blocked")
            } else if needed > limit {
                Some("limit")
            } else {
                used = needed;
                None
            };
            (Extra { text, ..extra.clone() }, why)
        });
        Self { lines: fitted.collect() }
    }

    /// Returns the lines that are shown.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Extra> {
        self.lines.iter().filter(|(_, why)| why.is_none()).map(|(extra, _)| extra)
    }

    /// Leaves the last line out; false where none is left.
    pub(super) fn leave_out(&mut self) -> bool {
        let last = self.lines.iter_mut().rev().find(|(_, why)| why.is_none());
        last.map(|(_, why)| *why = Some("limit")).is_some()
    }

    /// Returns the characters of the lines that are shown.
    pub(super) fn used(&self) -> usize {
        self.shown().map(|extra| extra.text.chars().count() + FRAME).sum()
    }

    /// Returns what became of each line.
    pub(super) fn fates(&self) -> impl Iterator<Item = FrozenEntry> {
        self.lines.iter().map(|(extra, why)| FrozenEntry {
            id: extra.id.clone(),
            target: extra.kind.as_str().to_owned(),
            shown: why.is_none(),
            why: why.map(str::to_owned),
        })
    }
}
