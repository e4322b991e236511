//! Where the note of a key stands.

use std::fs;

use super::{
    notebook::{is_found, is_passed_over, read_note},
    place::Place,
};
use crate::notes::{Key, Layer};

/// Returns the ids under which files could stand whose name is that of `key`: in a folder of `layer`, or in it itself.
fn candidates(place: &Place, layer: Layer, key: &Key) -> Vec<String> {
    let name = key.file_name();
    let mut ids = vec![format!("{layer}/{name}")];
    let folders = fs::read_dir(place.dir.join(layer.as_str())).into_iter().flatten().flatten();
    for folder in folders.filter(|folder| folder.file_type().is_ok_and(|kind| kind.is_dir())) {
        if let Some(folder) = folder.file_name().to_str().filter(|name| !is_passed_over(name)) {
            ids.push(format!("{layer}/{folder}/{name}"));
        }
    }
    ids
}

/// Returns the notes of `layer` that have the key, by the names of their files: one, where nobody wrote a second by hand.
pub fn by_file_name(place: &Place, layer: Layer, key: &Key) -> Vec<String> {
    let has_key = |id: &String| is_found(place, id, layer) && has_key(place, id, layer, key);
    candidates(place, layer, key).into_iter().filter(has_key).collect()
}

/// Returns whether the note `id` has the key, as its own, by the name of its file, or since another was merged into it.
pub fn has_key(place: &Place, id: &str, layer: Layer, key: &Key) -> bool {
    let Ok(Some(read)) = read_note(place, id, layer) else { return false };
    let fields = &read.note.fields;
    let is_own = match &fields.key {
        Some(own) => key.matches(own),
        None => id.rsplit('/').next() == Some(&key.file_name()),
    };
    is_own || fields.aliases.iter().any(|alias| key.matches(alias))
}
