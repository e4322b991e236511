//! A note as the indexes take it.

use jiff::Timestamp;
use unicode_normalization::UnicodeNormalization;

use super::{Terms, Vector, analyze};
use crate::{
    config::Sensitivity,
    digest,
    notes::{Importance, Layer, Note, parse_time},
};

/// Which index a note stands in: one for each level of sensitivity, and the archive apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level {
    /// How far its notes may travel.
    pub sensitivity: Sensitivity,
    /// Whether its notes have left memory, or have not come into it yet.
    pub archive: bool,
}

impl Level {
    /// Returns the level of `note`. A candidate is set aside with the archive: it has not come into memory yet.
    pub fn of(note: &Note) -> Self {
        let archive = note.layer == Layer::Archive || note.is_candidate();
        Self { sensitivity: note.sensitivity(), archive }
    }

    /// Returns all levels in order.
    pub fn all() -> impl Iterator<Item = Self> {
        let levels = Sensitivity::ALL.into_iter();
        levels.flat_map(|sensitivity| [false, true].map(|archive| Self { sensitivity, archive }))
    }

    /// Returns the name of its folder.
    pub fn name(self) -> String {
        let end = if self.archive { "-archive" } else { "" };
        format!("{}{end}", self.sensitivity.as_str())
    }
}

/// What is kept of a note beside its words and vectors. Times are microseconds since 1970.
#[derive(Clone, Debug, PartialEq)]
pub struct Meta {
    /// Its path without `.md`, or the id of an entry.
    pub id: String,
    /// Where it belongs.
    pub layer: Layer,
    /// Its category.
    pub category: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// When it began to be known.
    pub created: i64,
    /// When it was last changed.
    pub updated: i64,
    /// When it stops being true; `i64::MAX` where it does not.
    pub expires: i64,
    /// How much it matters.
    pub importance: Importance,
    /// How sure it is, 0 to 1.
    pub confidence: f32,
    /// What it shares with its neighbours in time; 0 where it has none.
    pub session: u64,
    /// What it is called: its id, key and aliases, folded.
    pub names: Vec<String>,
    /// What it links to, folded.
    pub links: Vec<String>,
}

/// A note as the indexes take it.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// What is kept of it.
    pub meta: Meta,
    /// The index it stands in.
    pub level: Level,
    /// The texts that are searched, one a passage.
    pub texts: Vec<String>,
    /// Their terms.
    pub terms: Vec<Terms>,
    /// Their vectors; none while they are not known.
    pub vectors: Vec<Vector>,
}

/// A passage of a note, on its way into the text index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage<'n> {
    pub(super) note: &'n Meta,
    pub(super) terms: &'n Terms,
}

impl Prepared {
    /// Prepares `note`, without its vectors.
    pub fn of(note: &Note) -> Self {
        let texts = texts(note);
        let fields = &note.fields;
        let own = [Some(&note.id), fields.key.as_ref()].into_iter().flatten();
        let links = fields.related.iter().chain(&note.links);
        let expires = fields.expires.as_deref().and_then(parse_time);
        #[expect(clippy::cast_possible_truncation, reason = "a confidence is between 0 and 1")]
        let confidence = note.confidence() as f32;
        let meta = Meta {
            id: note.id.clone(),
            layer: note.layer,
            category: note.category().to_owned(),
            tags: fields.tags.clone(),
            created: note.created.as_microsecond(),
            updated: note.updated.as_microsecond(),
            expires: expires.map_or(i64::MAX, Timestamp::as_microsecond),
            importance: note.importance(),
            confidence,
            session: session(note),
            names: own.chain(&fields.aliases).map(|name| fold_name(name)).collect(),
            links: links.map(|link| fold_name(link)).filter(|link| !link.is_empty()).collect(),
        };
        Self {
            meta,
            level: Level::of(note),
            terms: texts.iter().map(|text| analyze(text)).collect(),
            texts,
            vectors: Vec::new(),
        }
    }

    /// Returns its passages.
    pub(super) fn passages(&self) -> impl Iterator<Item = Passage<'_>> {
        self.terms.iter().map(|terms| Passage { note: &self.meta, terms })
    }
}

/// Returns the name of a note as links are compared: without `.md`, composed, in lower case.
pub fn fold_name(name: &str) -> String {
    let name = name.trim();
    name.strip_suffix(".md").unwrap_or(name).nfc().flat_map(char::to_lowercase).collect()
}

/// Returns what a note shares with those of its session, or of the same day of its import; 0 where it stands alone.
fn session(note: &Note) -> u64 {
    let imported = note.fields.source.as_deref() == Some("import");
    let shared = match (&note.fields.session, &note.fields.created) {
        (Some(session), _) => session.clone(),
        (None, Some(_)) if imported => note.created.strftime("%Y-%m-%d").to_string(),
        _ => return 0,
    };
    let hash = digest::short(format!("{}\n{shared}", note.layer), 16);
    u64::from_str_radix(&hash, 16).unwrap_or(1).max(1)
}

/// Returns what is looked for in each passage of a note: its title and tags stand above every one.
fn texts(note: &Note) -> Vec<String> {
    let speaker =
        note.fields.speaker.as_deref().map_or_else(String::new, |speaker| format!("{speaker}: "));
    let tags = note.fields.tags.join(" ");
    // A question about a time is answered by the day that the note names as its own.
    let day = note
        .fields
        .created
        .as_ref()
        .map(|_| note.created.strftime("%-d %B %Y").to_string())
        .unwrap_or_default();
    // The name of a file is no word of the note.
    let head = note.fields.title.as_ref().or(note.fields.key.as_ref()).cloned().unwrap_or_default();
    note.passages
        .iter()
        .map(|passage| {
            let title = if passage.text.starts_with(&head) { "" } else { head.as_str() };
            format!("{title}\n{speaker}{}\n{tags}\n{day}", passage.text).trim().to_owned()
        })
        .collect()
}
