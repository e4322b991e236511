//! Consolidation: notes that say the same are found, and become one where someone says how.

use std::collections::HashMap;

use rayon::prelude::*;
use serde_json::{Value, json};

use super::Profile;
use crate::{
    config::Sensitivity,
    digest,
    embed::{Embedder, Patience, Static},
    error::MemoryError,
    index::Vector,
    lifecycle::{Candidate, Clusters, Difference, SHOWN, clusters, surest_first},
    notes::{Layer, Note},
    storage::{ReadNote, read_note, scan},
};

/// Layers whose notes may be merged.
const LAYERS: [Layer; 3] = [Layer::Facts, Layer::Episodes, Layer::Procedures];

/// Notes that may say the same.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedCluster {
    /// Names it: what its notes held when it was found, so that no name fits once one of them has changed.
    pub id: String,
    /// The least cosine of two of its notes.
    pub similarity: f32,
    /// Its notes; the first is the one that stays.
    pub notes: Vec<Note>,
    /// The hash of each note's file.
    pub hashes: Vec<String>,
}

/// Two notes that sound alike and differ.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedContradiction {
    /// Their cosine.
    pub similarity: f32,
    /// In what they differ.
    pub differs: Difference,
    /// Both.
    pub notes: [Note; 2],
}

/// What may be merged, and what contradicts itself. Nothing has been changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Consolidation {
    /// The closest first.
    pub clusters: Vec<PlannedCluster>,
    /// The closest first.
    pub contradictions: Vec<PlannedContradiction>,
    /// What the caller should know beside, one line each.
    pub warnings: Vec<String>,
}

/// The notes that may be merged, the surest first, with what their texts are about.
pub(super) struct Pool {
    pub(super) notes: Vec<ReadNote>,
    vectors: Vec<Vector>,
}

impl Pool {
    /// Returns the note at each of `places`, as it is compared.
    pub(super) fn candidates(&self, places: &[usize]) -> Vec<Candidate<'_>> {
        let at = |place: &usize| {
            let (read, vector) = (self.notes.get(*place)?, self.vectors.get(*place)?);
            Some(Candidate::of(&read.note, vector))
        };
        places.par_iter().filter_map(at).collect()
    }

    /// Returns the place of each note by its mark.
    pub(super) fn marks(&self) -> HashMap<String, usize> {
        self.notes.iter().enumerate().map(|(place, read)| (mark(read), place)).collect()
    }
}

/// Returns what names a note in the state it was read in.
fn mark(read: &ReadNote) -> String {
    digest::short([read.note.id.as_bytes(), b"\0", &read.hash].concat(), 8)
}

fn hex(hash: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*hash).to_hex().to_string()
}

impl Profile {
    /// Finds the notes that may say the same, within the clearance; the configured one where it is left out.
    pub fn consolidation(
        &self,
        clearance: Option<Sensitivity>,
    ) -> Result<Consolidation, MemoryError> {
        let mut warnings = Vec::new();
        let pool = self.pool(clearance.unwrap_or(self.config.recall.clearance), &mut warnings)?;
        let places: Vec<_> = (0..pool.notes.len()).collect();
        let Clusters { clusters, contradictions } = clusters(&pool.candidates(&places));
        let read = |places: &[usize]| -> Vec<&ReadNote> {
            places.iter().filter_map(|place| pool.notes.get(*place)).collect()
        };
        let clusters = clusters.into_iter().map(|cluster| {
            let notes = read(&cluster.notes);
            let marks: Vec<_> = notes.iter().map(|read| mark(read)).collect();
            PlannedCluster {
                id: format!("c-{}", marks.join("-")),
                similarity: cluster.similarity,
                hashes: notes.iter().map(|read| hex(&read.hash)).collect(),
                notes: notes.into_iter().map(|read| read.note.clone()).collect(),
            }
        });
        let contradictions = contradictions.into_iter().filter_map(|found| {
            let note = |place: usize| pool.notes.get(place).map(|read| read.note.clone());
            let notes = [note(found.notes[0])?, note(found.notes[1])?];
            let (similarity, differs) = (found.similarity, found.differs);
            Some(PlannedContradiction { similarity, differs, notes })
        });
        let contradictions: Vec<_> = contradictions.collect();
        if contradictions.len() == SHOWN {
            warnings.push(format!("only the {SHOWN} closest contradictions are shown"));
        }
        Ok(Consolidation { clusters: clusters.collect(), contradictions, warnings })
    }

    /// Reads the notes that may be merged: what lives, and is neither a candidate nor malformed.
    pub(super) fn pool(
        &self,
        clearance: Sensitivity,
        warnings: &mut Vec<String>,
    ) -> Result<Pool, MemoryError> {
        let place = self.store.place();
        let found = scan(place, &LAYERS);
        if let Some(unknown) = found.unknown.into_iter().next() {
            return Err(MemoryError::Read { path: unknown.path, source: unknown.source });
        }
        warnings.extend(found.warnings);
        let now = jiff::Timestamp::now();
        let is_meant = |note: &Note| {
            note.sensitivity() <= clearance
                && note.malformed.is_none()
                && !note.is_candidate()
                && !note.is_expired(now)
                && !note.text().is_empty()
        };
        let read = found.files.par_iter().filter_map(|file| {
            let read = read_note(place, &file.id, file.layer).ok().flatten()?;
            is_meant(&read.note).then_some(read)
        });
        let mut notes: Vec<ReadNote> = read.collect();
        let order = |one: &ReadNote, other: &ReadNote| {
            one.note.layer.cmp(&other.note.layer).then(surest_first(&one.note, &other.note))
        };
        notes.sort_by(order);
        // Of the text alone: what the indexes hold of a note has its key, tags and day in it.
        let texts: Vec<_> = notes.iter().map(|read| read.note.text()).collect();
        let embedded = Static::builtin().embed(&texts, Patience::Long);
        let embedded = embedded.map_err(|error| MemoryError::Index { what: error.0 })?;
        let vectors = embedded.iter().map(|vector| Vector::of(vector)).collect();
        Ok(Pool { notes, vectors })
    }
}

impl PlannedCluster {
    /// Returns the layer of its notes.
    pub fn layer(&self) -> Layer {
        self.notes.first().map_or(Layer::Facts, |note| note.layer)
    }

    /// Returns it as JSON.
    pub fn to_json(&self) -> Value {
        let notes: Vec<_> = self
            .notes
            .iter()
            .zip(&self.hashes)
            .map(|(note, hash)| with_hash(as_json(note), hash))
            .collect();
        json!({
            "id": self.id,
            "layer": self.layer().as_str(),
            "similarity": rounded(self.similarity),
            "notes": notes,
        })
    }
}

impl Consolidation {
    /// Returns it as JSON.
    pub fn to_json(&self) -> Value {
        let contradictions = self.contradictions.iter().map(|found| {
            json!({
                "layer": found.notes[0].layer.as_str(),
                "similarity": rounded(found.similarity),
                "differs": found.differs.as_str(),
                "notes": found.notes.iter().map(as_json).collect::<Vec<_>>(),
            })
        });
        json!({
            "success": true,
            "clusters": self.clusters.iter().map(PlannedCluster::to_json).collect::<Vec<_>>(),
            "contradictions": contradictions.collect::<Vec<_>>(),
            "warnings": self.warnings,
        })
    }
}

fn as_json(note: &Note) -> Value {
    json!({
        "id": note.id,
        "text": note.text(),
        "confidence": note.confidence(),
        "updated": format!("{:.0}", note.updated),
    })
}

fn with_hash(mut note: Value, hash: &str) -> Value {
    if let Some(fields) = note.as_object_mut() {
        fields.insert("hash".to_owned(), json!(hash));
    }
    note
}

/// Returns a cosine as it is shown.
fn rounded(similarity: f32) -> f64 {
    (f64::from(similarity) * 1000.0).round() / 1000.0
}
