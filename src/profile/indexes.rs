//! The indexes of a profile: opened, brought up to date, made anew, examined.

use std::{
    collections::HashSet,
    sync::{Arc, PoisonError},
    thread::{available_parallelism, sleep},
    time::{Duration, Instant},
};

use super::{Hand, Profile};
use crate::{
    config::Sensitivity,
    embed,
    error::MemoryError,
    index::{self, Damage, Index, Level, Life},
    notes::{Layer, Note},
    recall::{Progress, Vectors, compare, read, update},
    storage::{IndexLock, Mark, read_note},
};

/// What a rebuild made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reindexed {
    /// Notes.
    pub notes: usize,
    /// Passages of them.
    pub passages: usize,
    /// Passages that the vector index covers.
    pub vectors: usize,
    /// How long the text index and the flat vectors took.
    pub indexing: Duration,
}

/// How the indexes stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexStatus {
    /// Notes that they hold.
    pub notes: usize,
    /// Notes on disk that they do not hold as they are now.
    pub behind: usize,
    /// The embedder that made the vectors.
    pub embedder: String,
    /// Whether a process follows the files.
    pub followed: bool,
}

/// How long the index lock is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

impl Profile {
    /// Returns how long this value will live, as far as is known.
    pub(super) fn life(&self) -> Life {
        match self.hand {
            Hand::Agent { .. } => Life::Long,
            Hand::Person | Hand::Tool { .. } => Life::Short,
        }
    }

    /// Returns what makes vectors, as it is configured.
    pub(super) fn vectors(&self, warnings: &mut Vec<String>) -> Vectors<'_> {
        let opened = self.embedder.get_or_init(|| embed::open(&self.config.embedder));
        let embedder = match opened {
            Ok(embedder) => Some(embedder.as_ref()),
            Err(error) => {
                warnings.push(format!("only words are compared: {error}"));
                None
            }
        };
        Vectors { embedder, egress: self.config.egress }
    }

    /// Returns the indexes of the latest generation; `None` where there are none that can be used.
    pub(super) fn index(&self, warnings: &mut Vec<String>) -> Option<Arc<Index>> {
        let mut cached = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = cached.as_ref().filter(|open| open.is_latest()) {
            return Some(Arc::clone(open));
        }
        *cached = None;
        let opened = Index::open(&self.store.place().index()?);
        drop(cached);
        let index = match opened {
            Ok(index) => Arc::new(index?),
            Err(damage) => {
                self.discard_index(&damage, warnings);
                return None;
            }
        };
        let name = match self.embedder.get_or_init(|| embed::open(&self.config.embedder)) {
            Ok(embedder) => embedder.name(),
            // What cannot be opened now may have made the vectors.
            Err(_) => index.manifest.embedder().to_owned(),
        };
        if index.manifest.embedder() != name {
            let damage = Damage::of("another embedder made the vectors");
            self.discard_index(&damage, warnings);
            return None;
        }
        *self.indexes.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&index));
        Some(index)
    }

    /// Returns whether the indexes that were asked last are those of the latest generation.
    pub(super) fn has_latest_index(&self) -> bool {
        let cached = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        cached.as_ref().is_some_and(|open| open.is_latest())
    }

    /// Deletes the indexes, with one line that says why; false where another process looks after them.
    pub(super) fn discard_index(&self, damage: &Damage, warnings: &mut Vec<String>) -> bool {
        *self.indexes.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let place = self.store.place();
        let lock = IndexLock::take(place).ok().flatten();
        let Some((root, _lock)) = place.index().zip(lock) else {
            Mark::report_damage(place);
            warnings.push(format!("the indexes are not used: {damage}"));
            return false;
        };
        index::discard(&root, None);
        warnings.push(format!("the indexes are made anew: {damage}"));
        true
    }

    /// Indexes what has changed before a question is answered; `None` where that cannot be done.
    pub(super) fn index_first(
        &self,
        old: Option<&Index>,
        progress: &mut dyn FnMut(Progress),
        warnings: &mut Vec<String>,
    ) -> Option<Arc<Index>> {
        let place = self.store.place();
        let lock = IndexLock::take(place).ok().flatten();
        let (root, _lock) = place.index().zip(lock)?;
        let difference = compare(place, old, &Layer::FOLDERS);
        // The question has been found to have a vector, or not; the index is made for all that will be asked.
        let vectors = self.vectors(&mut Vec::new());
        match update(place, &root, old, &difference, vectors, progress, warnings) {
            Ok(()) => self.index(warnings),
            Err(damage) => {
                warnings
                    .push(format!("the indexes cannot be written, so memory answers: {damage}"));
                None
            }
        }
    }

    /// Takes the index lock, within 5 seconds.
    pub(super) fn lock_index(&self) -> Result<IndexLock, MemoryError> {
        let place = self.store.place();
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(lock) = IndexLock::take(place)? {
                return Ok(lock);
            }
            if Instant::now() > deadline {
                let path = place.index().unwrap_or_default().with_file_name("index.lock");
                return Err(MemoryError::LockTimeout { path, seconds: PATIENCE.as_secs() });
            }
            sleep(Duration::from_millis(20));
        }
    }

    /// Makes all indexes anew.
    pub fn reindex(
        &self,
        progress: &mut dyn FnMut(Progress),
        warnings: &mut Vec<String>,
    ) -> Result<Reindexed, MemoryError> {
        let place = self.store.place();
        let Some(root) = place.index() else {
            let what = "there is no place for the indexes of a directory that is not trusted";
            return Err(MemoryError::bad_request(what, "set CARNET_HOME, which keeps them"));
        };
        let _lock = self.lock_index()?;
        let vectors = self.vectors(warnings);
        let difference = compare(place, None, &Layer::FOLDERS);
        warnings.extend(difference.warnings.iter().cloned());
        let start = Instant::now();
        let failed =
            |damage: Damage| MemoryError::Write { path: root.clone(), source: damage.into_io() };
        update(place, &root, None, &difference, vectors, progress, warnings).map_err(failed)?;
        let mut made = Reindexed { indexing: start.elapsed(), ..Reindexed::default() };
        let Some(index) = self.index(warnings) else { return Ok(made) };
        index
            .follow(threads(), &mut |done, all| {
                progress(Progress { what: "building the vector index", done, all });
                true
            })
            .map_err(failed)?;
        for level in Level::all() {
            if let Ok(Some(level)) = index.level(level) {
                let counts = level.counts();
                made.notes += counts.notes;
                made.passages += counts.passages;
                made.vectors += counts.covered;
            }
        }
        Ok(made)
    }

    /// Returns how the indexes stand, `None` where there are none, and what is wrong with notes, one line each.
    pub(super) fn examine_notes(&self) -> (Option<IndexStatus>, Vec<String>) {
        let place = self.store.place();
        let index = place.index().and_then(|root| Index::open(&root).ok().flatten());
        let difference = compare(place, index.as_ref(), &Layer::FOLDERS);
        let known = index.as_ref().map(|index| index.manifest.files()).unwrap_or_default();
        let mut warnings = difference.warnings.clone();
        let find = |id: &str| known.get(id).copied();
        let (changed, _) = read(place, &difference.suspects, &find, &mut warnings);
        let changed_ids: HashSet<&str> = changed.iter().map(|read| read.note.id.as_str()).collect();
        let malformed =
            known.iter().filter(|(id, known)| known.malformed && !changed_ids.contains(*id));
        let mut notes: Vec<Note> = malformed
            .filter_map(|(id, _)| {
                let layer =
                    Layer::FOLDERS.into_iter().find(|layer| id.starts_with(layer.as_str()))?;
                read_note(place, id, layer).ok().flatten().map(|read| read.note)
            })
            .collect();
        notes.extend(changed.iter().map(|read| read.note.clone()));
        notes.sort_by(|a, b| a.id.cmp(&b.id));
        warnings.extend(notes.iter().filter_map(|note| {
            let why = note.malformed.as_ref()?;
            let kept = match note.sensitivity() {
                Sensitivity::Secret => ", and counts as secret, as it speaks of its sensitivity",
                _ => "",
            };
            Some(format!(
                "{} has malformed front matter ({why}); it is read as text{kept}",
                note.id
            ))
        }));
        let status = index.as_ref().map(|index| IndexStatus {
            notes: index.manifest.len(),
            behind: changed.len() + difference.gone.len(),
            embedder: index.manifest.embedder().to_owned(),
            followed: Mark::is_current(place),
        });
        (status, warnings)
    }
}

/// Returns how many threads build the vector index.
fn threads() -> usize {
    available_parallelism().map_or(1, std::num::NonZero::get)
}
