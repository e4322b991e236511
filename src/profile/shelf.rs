//! The notes of a layer, listed; and one note, whole.

use jiff::Timestamp;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::Profile;
use crate::{
    config::Sensitivity,
    error::MemoryError,
    index::Level,
    notes::{Layer, Note, file_name},
    storage::{Scan, found, read_note, scan, scan_folder, scan_loose},
};

/// Which notes are listed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListRequest {
    /// Layers whose notes are files; all of them but the archive where none is named.
    pub layers: Vec<Layer>,
    /// Only this category.
    pub category: Option<String>,
    /// The most sensitive level that is shown; the configured one where it is left out. Only a person's to choose.
    pub clearance: Option<Sensitivity>,
}

impl Profile {
    /// Returns the notes that live, surest first and then the latest of facts, the latest first of others.
    pub fn notes(&self, request: &ListRequest) -> Result<(Vec<Note>, Vec<String>), MemoryError> {
        let place = self.store.place();
        let layers: Vec<_> = match &request.layers[..] {
            [] => Layer::FOLDERS.into_iter().filter(|layer| *layer != Layer::Archive).collect(),
            layers => layers.to_vec(),
        };
        let mut warnings = Vec::new();
        let mut files = Vec::new();
        for layer in layers {
            let found = match request.category.as_deref().filter(|_| layer == Layer::Facts) {
                Some(category) => self.of_category(layer, category),
                None => vec![scan(place, &[layer])],
            };
            for found in found {
                warnings.extend(found.warnings);
                files.extend(found.files);
            }
        }
        files.sort_by(|one, other| one.id.cmp(&other.id));
        files.dedup_by(|one, other| one.id == other.id);
        let clearance = request.clearance.unwrap_or(self.config.recall.clearance);
        let now = Timestamp::now();
        let category = request.category.as_deref();
        let is_wanted = |note: &Note| {
            note.sensitivity() <= clearance
                && !note.is_expired(now)
                && category.is_none_or(|word| file_name(word) == file_name(note.category()))
        };
        let read = files.par_iter().filter_map(|file| {
            let read = read_note(place, &file.id, file.layer).ok().flatten()?;
            is_wanted(&read.note).then_some(read.note)
        });
        let mut notes: Vec<Note> = read.collect();
        notes.sort_by(|one, other| {
            let sure =
                |note: &Note| if note.layer == Layer::Facts { note.confidence() } else { 0.0 };
            let by_layer = one.layer.cmp(&other.layer);
            let by_sureness = sure(other).total_cmp(&sure(one));
            by_layer
                .then(by_sureness)
                .then(other.updated.cmp(&one.updated))
                .then(one.id.cmp(&other.id))
        });
        Ok((notes, warnings))
    }
}

impl Profile {
    /// Finds the notes that may be of a category: those in its folder or in none, and those elsewhere that the indexes know
    /// to be of it; without indexes, all.
    fn of_category(&self, layer: Layer, category: &str) -> Vec<Scan> {
        let place = self.store.place();
        let Some(index) = self.index(&mut Vec::new()) else { return vec![scan(place, &[layer])] };
        let mut elsewhere = Scan::default();
        for level in Level::all() {
            let Ok(Some(open)) = index.level(level) else { continue };
            let rows = open.of_category(category).unwrap_or_default().into_iter();
            let ids = rows.filter_map(|row| open.note(row).map(|(_, note, _)| note.id));
            elsewhere.files.extend(ids.filter_map(|id| found(place, &id, layer)));
        }
        vec![scan_folder(place, layer, &file_name(category)), scan_loose(place, layer), elsewhere]
    }
}

/// Returns a note as JSON, with the fields that it has.
pub fn note_to_json(note: &Note) -> Value {
    let fields = &note.fields;
    let mut json = json!({
        "id": note.id,
        "key": key_of(note),
        "layer": note.layer.as_str(),
        "text": note.text(),
        "category": note.category(),
        "confidence": note.confidence(),
        "created": note.created,
        "updated": note.updated,
    });
    let beside = [
        ("title", fields.title.as_ref().map(|title| json!(title))),
        ("source", fields.source.as_ref().map(|source| json!(source))),
        ("importance", fields.importance.map(|level| json!(level.as_str()))),
        ("sensitivity", fields.sensitivity.map(|level| json!(level.as_str()))),
        ("expires", fields.expires.as_ref().map(|time| json!(time))),
        ("tags", (!fields.tags.is_empty()).then(|| json!(fields.tags))),
        ("related", (!fields.related.is_empty()).then(|| json!(fields.related))),
        ("aliases", (!fields.aliases.is_empty()).then(|| json!(fields.aliases))),
        ("candidate", note.is_candidate().then(|| json!(true))),
        ("malformed", note.malformed.as_ref().map(|why| json!(why))),
    ];
    if let Some(object) = json.as_object_mut() {
        let present =
            beside.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        object.extend(present);
    }
    json
}

/// Returns the key of a note: its own, else the name of its file; `None` where the layer has none.
pub fn key_of(note: &Note) -> Option<String> {
    let has_keys = matches!(note.layer, Layer::Facts | Layer::Procedures);
    let name = || note.id.rsplit('/').next().unwrap_or_default().to_owned();
    has_keys.then(|| note.fields.key.clone().unwrap_or_else(name))
}
