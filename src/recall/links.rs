//! What ties a note to others: links, names, and keys that stand as words.

use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;

use super::Part;
use crate::{
    index::{Admitted, Damage, Filter, LevelIndex, Row, Terms, analyze, fold_name},
    notes::Note,
};

/// Passages a key may stand in as a word and still be a link and not just a word.
const MENTIONS: u64 = 50;

/// What ties a note to others.
#[derive(Debug)]
pub(super) struct Links {
    /// What it is called.
    pub(super) names: Vec<String>,
    /// What it links to, and words of it that may be the key of another note.
    pub(super) to: Vec<String>,
    /// Its keys, as words of other notes.
    pub(super) keys: Terms,
}

impl Links {
    pub(super) fn of(note: &Note) -> Self {
        let fields = &note.fields;
        let keys: Vec<_> = fields.key.iter().chain(&fields.aliases).collect();
        let own = [&note.id].into_iter().chain(keys.iter().copied());
        let mut as_words = Terms::default();
        for key in &keys {
            let terms = analyze(key);
            match (terms.exact.as_slice(), terms.folded.as_slice()) {
                ([whole], _) if *whole == fold_name(key) => as_words.exact.push(whole.clone()),
                ([], [word]) => as_words.folded.push(word.clone()),
                // A key of several words would be found by each of them.
                _ => {}
            }
        }
        let text: Vec<_> = note.passages.iter().map(|passage| passage.text.as_str()).collect();
        let words = analyze(&text.join("\n"));
        let linked = fields.related.iter().chain(&note.links).map(|link| fold_name(link));
        let mut to: Vec<_> = linked.chain(words.folded).chain(words.exact).collect();
        to.sort_unstable();
        to.dedup();
        Self { names: own.map(|name| fold_name(name)).collect(), to, keys: as_words }
    }
    /// Returns the rows of what the note links to, in one level.
    fn linked(&self, level: &LevelIndex) -> Result<Vec<u32>, Damage> {
        level.named(&self.to)
    }

    /// Returns the rows of what links to the note, in one level: by its names, and by a key that stands as a word.
    fn linking(&self, level: &LevelIndex) -> Result<(Vec<u32>, Vec<u32>), Damage> {
        Ok((level.linking_to(&self.names)?, level.mentioning(&self.keys, MENTIONS)?))
    }

    /// Returns the rows one link away from the note, in either direction.
    pub(super) fn around(&self, level: &LevelIndex) -> Result<Vec<u32>, Damage> {
        let (by_name, by_key) = self.linking(level)?;
        Ok([self.linked(level)?, by_name, by_key].concat())
    }
}

/// What may be seen of each part.
#[derive(Debug)]
pub struct Admission<'p>(Vec<(Part<'p>, Admitted)>);

impl<'p> Admission<'p> {
    /// Lets in what `filter` lets answer at `now`.
    pub fn of(parts: &[Part<'p>], filter: &Filter, now: Timestamp) -> Result<Self, Damage> {
        let admit = |part: &Part<'p>| {
            Ok((*part, part.level.admitted(filter, part.archive, now, part.hidden)?))
        };
        parts.iter().map(admit).collect::<Result<_, _>>().map(Self)
    }

    /// Returns the notes whose rows `find` returns, each once, with the number of their part, in the order of their ids.
    pub fn notes(
        &self,
        find: &mut dyn FnMut(&LevelIndex) -> Result<Vec<u32>, Damage>,
    ) -> Result<Vec<(usize, Row)>, Damage> {
        let mut found = BTreeMap::new();
        for (at, (Part { level, .. }, admitted)) in self.0.iter().enumerate() {
            let rows = find(level)?.into_iter().filter(|row| admitted.holds(*row));
            let notes = rows.filter_map(|row| level.note(row));
            found.extend(notes.map(|(_, note, _)| (note.id.clone(), (at, note))));
        }
        Ok(found.into_values().collect())
    }
}

/// How a note names another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// In its field `related`.
    Related,
    /// By a link in its text.
    Link,
    /// By a word of its text that is a key.
    Key,
}

impl Via {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Related => "related",
            Self::Link => "link",
            Self::Key => "key",
        }
    }
}

/// One link of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The note at the other end; `None` where nothing that may be seen has that name.
    pub id: Option<String>,
    /// The name, as it is written.
    pub name: String,
    /// How it is named.
    pub via: Via,
}

/// What a note links to, and what links to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ties {
    /// What it links to, as it is written, keys that stand as words last.
    pub links: Vec<Link>,
    /// What links to it, in the order of their ids.
    pub backlinks: Vec<Link>,
}

/// Returns the names by which `note` says that it links to others.
fn written(note: &Note) -> impl Iterator<Item = (&String, Via)> {
    let related = note.fields.related.iter().map(|name| (name, Via::Related));
    // A page elsewhere, or a place in the note itself, is no note.
    let leads_out = |link: &str| link.contains("://") || link.starts_with(['#', '/']);
    let links = note.links.iter().filter(move |link| !leads_out(link) && !link.contains("mailto:"));
    related.chain(links.map(|name| (name, Via::Link)))
}

/// Returns what `note` links to and what links to it, by the names and words that the search follows.
pub fn ties(
    admission: &Admission<'_>,
    note: &Note,
    read: &mut dyn FnMut(usize, &Row) -> Option<Note>,
) -> Result<Ties, Damage> {
    let own = Links::of(note);
    let mut ties = Ties::default();
    let (mut seen, mut told) = (HashSet::from([note.id.clone()]), HashSet::new());
    for (name, via) in written(note).filter(|(name, _)| told.insert(fold_name(name))) {
        let found = admission.notes(&mut |level| level.named(&[fold_name(name)]))?;
        let link = |id| Link { id, name: name.clone(), via };
        if found.is_empty() {
            ties.links.push(link(None));
        }
        let others = found.into_iter().filter(|(_, row)| row.id != note.id);
        ties.links.extend(others.map(|(_, row)| {
            seen.insert(row.id.clone());
            link(Some(row.id))
        }));
    }
    for (part, row) in admission.notes(&mut |level| own.linked(level))? {
        let Some(other) = read(part, &row).filter(|other| seen.insert(other.id.clone())) else {
            continue;
        };
        let names = other.fields.key.iter().chain(&other.fields.aliases).chain([&other.id]);
        let name = names.into_iter().find(|name| own.to.contains(&fold_name(name)));
        ties.links.extend(name.map(|name| Link {
            id: Some(row.id),
            name: name.clone(),
            via: Via::Key,
        }));
    }
    let mut seen = HashSet::from([note.id.clone()]);
    let by_name = admission.notes(&mut |level| Ok(own.linking(level)?.0))?;
    let by_key = admission.notes(&mut |level| Ok(own.linking(level)?.1))?;
    for (part, row) in by_name.into_iter().chain(by_key) {
        let Some(other) = read(part, &row).filter(|other| seen.insert(other.id.clone())) else {
            continue;
        };
        let named = written(&other).find(|(name, _)| own.names.contains(&fold_name(name)));
        let (name, via) = named.map_or_else(
            || (note.fields.key.clone().unwrap_or_else(|| note.id.clone()), Via::Key),
            |(name, via)| (name.clone(), via),
        );
        ties.backlinks.push(Link { id: Some(row.id), name, via });
    }
    ties.backlinks.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(ties)
}
