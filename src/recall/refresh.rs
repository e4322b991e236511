//! Freshness: what has changed since the indexes were written, and bringing them up to date.

use std::{collections::BTreeSet, path::Path};

use jiff::Timestamp;
use rayon::prelude::*;

use crate::{
    config::Sensitivity,
    embed::{EmbedError, Embedder, Patience},
    index::{Amount, Change, Damage, Index, Known, Level, Manifest, Prepared, Vector, Writer},
    notes::Layer,
    storage::{Found, Place, ReadNote, is_found, read_note, scan},
};

/// How far a long piece of work has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is done, such as `indexing notes`.
    pub what: &'static str,
    /// How much of it is done.
    pub done: usize,
    /// How much there is.
    pub all: usize,
}

/// Notes read, prepared and written at once, and their bytes: words and vectors take many times as much.
const CHUNK: usize = 1024;
const CHUNK_BYTES: u64 = 16 * 1024 * 1024;

/// Notes from which on a change counts as a large one.
const MANY: usize = 2000;

/// What of the files is not what the indexes hold.
#[derive(Debug, Default)]
pub struct Difference {
    /// Files that are new, or may say something else than before.
    pub suspects: Vec<Found>,
    /// Notes whose files are gone.
    pub gone: Vec<String>,
    /// Files that were looked at.
    pub files: usize,
    /// What could not be read, one line each.
    pub warnings: Vec<String>,
}

impl Difference {
    /// Returns how many bytes the suspects have.
    pub fn bytes(&self) -> u64 {
        self.suspects.iter().map(|file| file.stamp.size).sum()
    }

    /// Returns whether the indexes hold what the files say.
    pub fn is_empty(&self) -> bool {
        self.suspects.is_empty() && self.gone.is_empty()
    }
}

/// Compares the files of `layers` with what `index` holds.
pub fn compare(place: &Place, index: Option<&Index>, layers: &[Layer]) -> Difference {
    let found = scan(place, layers);
    let mut known = index.map(|index| index.manifest.files()).unwrap_or_default();
    let archive = layers.contains(&Layer::Archive);
    known.retain(|id, _| archive || !id.starts_with("archive/"));
    let is_known = |file: &Found, known: Option<Known>| {
        let racy = |known: &Known| index.is_none_or(|index| index.manifest.is_racy(&known.stamp));
        known.is_some_and(|known| known.stamp == file.stamp && !racy(&known))
    };
    let mut difference = Difference { files: found.files.len(), ..Difference::default() };
    for file in &found.files {
        if !is_known(file, known.remove(file.id.as_str())) {
            difference.suspects.push(file.clone());
        }
    }
    let gone = known.into_keys().filter(|id| !found.is_unknown(id));
    difference.gone = gone.map(str::to_owned).collect();
    difference.gone.sort_unstable();
    difference.warnings = found.warnings;
    difference
}

/// Compares the notes `ids` with what `index` holds.
pub fn compare_some(place: &Place, index: &Index, ids: &BTreeSet<String>) -> Difference {
    let mut difference = Difference { files: ids.len(), ..Difference::default() };
    for id in ids {
        let folder = id.split('/').next().unwrap_or_default();
        let Some(layer) = Layer::FOLDERS.into_iter().find(|layer| layer.as_str() == folder) else {
            continue;
        };
        if !is_found(place, id, layer) {
            // Gone, or no note any more; a folder of that name may have held some.
            let folder = format!("{id}.md/");
            let known = index.manifest.files().into_keys();
            let gone = known.filter(|known| known == id || known.starts_with(&folder));
            difference.gone.extend(gone.map(str::to_owned));
            continue;
        }
        match read_note(place, id, layer) {
            Ok(Some(read)) => {
                let path = place.dir.join(format!("{id}.md"));
                difference.suspects.push(Found { id: id.clone(), layer, path, stamp: read.stamp });
            }
            // The next event tells.
            Ok(None) => {}
            Err(error) => difference.warnings.push(format!("{id} cannot be read: {error}")),
        }
    }
    difference
}

/// Reads the suspects; returns those that do say something else than the index holds, and those that do not.
///
/// A file that cannot be read is not known, and stays as it was.
pub fn read(
    place: &Place,
    suspects: &[Found],
    known: &dyn Fn(&str) -> Option<Known>,
    warnings: &mut Vec<String>,
) -> (Vec<ReadNote>, Vec<ReadNote>) {
    let found: Vec<_> =
        suspects.par_iter().map(|file| (file, read_note(place, &file.id, file.layer))).collect();
    let (mut changed, mut same) = (Vec::new(), Vec::new());
    for (file, read) in found {
        match read {
            Ok(Some(read)) => {
                // A note that names no time of its own has that of its file.
                let is_same = known(&file.id).is_some_and(|before| {
                    before.hash == read.hash && before.stamp.modified == read.stamp.modified
                });
                if is_same { same.push(read) } else { changed.push(read) }
            }
            // It has gone since it was found.
            Ok(None) => {}
            Err(error) => warnings.push(format!("{} cannot be read: {error}", file.id)),
        }
    }
    (changed, same)
}

/// Makes vectors, within what may leave the machine.
#[derive(Clone, Copy, Debug)]
pub struct Vectors<'e> {
    /// The embedder; without one there are no vectors.
    pub embedder: Option<&'e dyn Embedder>,
    /// The most sensitive level whose texts may leave the machine.
    pub egress: Sensitivity,
}

impl Vectors<'_> {
    /// Returns what the vectors are marked with.
    pub fn name(&self) -> String {
        self.embedder.map_or_else(String::new, Embedder::name)
    }

    /// Prepares notes; where the embedder does not answer they stay without vectors, and the error is returned beside them.
    pub fn prepare(
        &self,
        notes: &[ReadNote],
        patience: Patience,
    ) -> (Vec<Prepared>, Option<EmbedError>) {
        let mut prepared: Vec<_> = notes.par_iter().map(|read| Prepared::of(&read.note)).collect();
        let failed = self.embed(&mut prepared, patience).err();
        (prepared, failed)
    }

    /// Returns whether notes are given vectors at all.
    pub fn are_made(&self) -> bool {
        self.embedder.is_some()
    }

    /// Gives the notes their vectors.
    pub fn embed(&self, notes: &mut [Prepared], patience: Patience) -> Result<(), EmbedError> {
        let Some(embedder) = self.embedder else { return Ok(()) };
        let may_go =
            |note: &Prepared| embedder.stays_here() || note.level.sensitivity <= self.egress;
        let texts: Vec<&str> = notes
            .iter()
            .filter(|note| may_go(note))
            .flat_map(|note| note.texts.iter().map(String::as_str))
            .collect();
        let mut vectors =
            embedder.embed(&texts, patience)?.into_iter().map(|vector| Vector::of(&vector));
        for note in notes {
            note.vectors = if may_go(note) {
                vectors.by_ref().take(note.texts.len()).collect()
            } else {
                vec![Vector::default(); note.texts.len()]
            };
        }
        Ok(())
    }

    /// Returns the vector of a question.
    pub fn question(&self, text: &str) -> Result<Option<Vector>, EmbedError> {
        let Some(embedder) = self.embedder else { return Ok(None) };
        let vector = embedder.embed(&[text], Patience::Short)?;
        Ok(vector.first().map(|vector| Vector::of(vector)).filter(|vector| !vector.is_zero()))
    }

    /// Returns how many components the vectors have; 0 where the embedder does not answer.
    fn dims(&self) -> (usize, Option<EmbedError>) {
        let Some(embedder) = self.embedder else { return (0, None) };
        match embedder.embed(&["carnet"], Patience::Long) {
            Ok(vectors) => (vectors.first().map_or(0, Vec::len), None),
            Err(error) => (0, Some(error)),
        }
    }
}

/// Writes a generation of the indexes under `root` that holds what `difference` tells of; the caller holds the index lock.
///
/// Without `old` everything is made anew. What went wrong on the way is added to `warnings`.
pub fn update(
    place: &Place,
    root: &Path,
    old: Option<&Index>,
    difference: &Difference,
    vectors: Vectors<'_>,
    progress: &mut dyn FnMut(Progress),
    warnings: &mut Vec<String>,
) -> Result<(), Damage> {
    let began = now();
    let (dims, mut failed) = vectors.dims();
    let is_kept = |manifest: &Manifest| {
        let fits = dims == 0 || (manifest.dims() == dims && !manifest.is_incomplete());
        fits && !manifest.is_wasteful()
    };
    let all;
    let (manifest, difference) = match old.map(|old| &old.manifest) {
        Some(manifest) if !is_kept(manifest) => {
            all = compare(place, None, &Layer::FOLDERS);
            (None, &all)
        }
        manifest => (manifest, difference),
    };
    let amount = if difference.suspects.len() > MANY { Amount::Many } else { Amount::Few };
    // While the embedder does not answer, the vectors that stand keep their length.
    let kept_dims = if dims == 0 { manifest.map_or(0, Manifest::dims) } else { dims };
    let mut writer = Writer::open(root, manifest, (&vectors.name(), kept_dims), amount, began)?;
    // Without an answer to the first question there will be none to the others.
    let embedding = Vectors { embedder: vectors.embedder.filter(|_| failed.is_none()), ..vectors };
    let files = manifest.map(Manifest::files).unwrap_or_default();
    let known = |id: &str| files.get(id).copied();
    for id in &difference.gone {
        writer.put(&Change { id: id.clone(), now: None })?;
    }
    let all = difference.suspects.len();
    let mut done = 0;
    for chunk in chunks(&difference.suspects) {
        let (changed, same) = read(place, chunk, &known, warnings);
        let (prepared, error) = embedding.prepare(&changed, Patience::Long);
        failed = failed.or(error);
        for (read, note) in changed.iter().zip(prepared) {
            let state = state(read, note.level);
            writer.put(&Change { id: read.note.id.clone(), now: Some((state, note)) })?;
        }
        for read in same {
            if let Some(known) = known(&read.note.id) {
                writer.touch(read.note.id.clone(), state(&read, known.level));
            }
        }
        done += chunk.len();
        progress(Progress { what: "indexing notes", done, all });
    }
    if let Some(error) = failed {
        warnings.push(format!("notes are indexed by their words only: {error}"));
    }
    writer.commit(now())
}

/// Parts files so that no part is too much for the memory.
fn chunks(files: &[Found]) -> impl Iterator<Item = &[Found]> {
    let mut rest = files;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = |file: &&Found| {
            bytes += file.stamp.size;
            bytes <= CHUNK_BYTES
        };
        let count = rest.iter().take(CHUNK).take_while(fits).count().max(1).min(rest.len());
        let (chunk, after) = rest.split_at(count);
        rest = after;
        (!chunk.is_empty()).then_some(chunk)
    })
}

/// Returns what the manifest keeps of a note.
fn state(read: &ReadNote, level: Level) -> Known {
    Known { stamp: read.stamp, hash: read.hash, level, malformed: read.note.malformed.is_some() }
}

/// Returns the time in nanoseconds since 1970.
fn now() -> i64 {
    i64::try_from(Timestamp::now().as_nanosecond()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::notes::{Note, Stamp};

    /// An embedder elsewhere that remembers what it was sent.
    #[derive(Debug, Default)]
    struct Elsewhere(Mutex<Vec<String>>);

    impl Embedder for Elsewhere {
        fn name(&self) -> String {
            "elsewhere".to_owned()
        }

        fn stays_here(&self) -> bool {
            false
        }

        fn embed(&self, texts: &[&str], _: Patience) -> Result<Vec<Vec<f32>>, EmbedError> {
            self.0.lock().unwrap().extend(texts.iter().map(|text| (*text).to_owned()));
            Ok(texts.iter().map(|_| vec![1.0, 0.0]).collect())
        }
    }

    #[test]
    fn what_is_above_the_egress_level_does_not_leave_the_machine() {
        let note = |level: &str| {
            let text = format!("---\nsensitivity: {level}\n---\nthis is {level}");
            let note = Note::read(level, Layer::Facts, &text, Timestamp::UNIX_EPOCH);
            ReadNote { note, stamp: Stamp::default(), hash: [0; 32] }
        };
        let notes = ["public", "secret", "internal", "confidential"].map(note);
        let elsewhere = Elsewhere::default();
        let vectors = Vectors { embedder: Some(&elsewhere), egress: Sensitivity::Internal };
        let (prepared, failed) = vectors.prepare(&notes, Patience::Short);
        assert_eq!(failed, None);
        assert_eq!(*elsewhere.0.lock().unwrap(), ["this is public", "this is internal"]);
        let zero: Vec<bool> = prepared.iter().map(|note| note.vectors[0].is_zero()).collect();
        assert_eq!(zero, [false, true, false, true]);
    }

    #[test]
    fn files_are_parted_by_number_and_by_bytes() {
        let file = |size: u64| Found {
            id: String::new(),
            layer: Layer::Facts,
            path: std::path::PathBuf::new(),
            stamp: Stamp { size, ..Stamp::default() },
        };
        let parts = |files: &[Found]| chunks(files).map(<[Found]>::len).collect::<Vec<_>>();
        assert_eq!(parts(&[]), [0; 0]);
        assert_eq!(parts(&vec![file(10); CHUNK + 1]), [CHUNK, 1]);
        let large = CHUNK_BYTES / 2;
        assert_eq!(
            parts(&[file(large), file(large), file(1), file(CHUNK_BYTES + 1), file(1)]),
            [2, 1, 1, 1]
        );
    }
}
