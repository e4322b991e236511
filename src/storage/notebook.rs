//! The notes of a profile, found in their folders and read.

use std::{
    fs::{self, DirEntry, Metadata},
    io,
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use rayon::prelude::*;

use super::{
    file::{Fingerprint, read_state},
    place::Place,
};
use crate::notes::{Layer, Note, Stamp};

/// Bytes of a note that are read; what is longer is no note a person wrote.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// Folders in folders that are followed at most.
const MAX_DEPTH: usize = 32;

/// A note's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its path in the profile without `.md`.
    pub id: String,
    /// Where it belongs.
    pub layer: Layer,
    /// Its path.
    pub path: PathBuf,
    /// Its state.
    pub stamp: Stamp,
}

/// A folder that cannot be read: what stands in it is not known, and not gone.
#[derive(Debug)]
pub struct Unknown {
    /// The folder.
    pub path: PathBuf,
    /// Its path in the profile, with a slash at the end.
    pub prefix: String,
    /// Why.
    pub source: io::Error,
}

/// What the folders of a profile hold.
#[derive(Debug, Default)]
pub struct Scan {
    /// The files, in the order of their ids within a layer.
    pub files: Vec<Found>,
    /// Folders that cannot be read.
    pub unknown: Vec<Unknown>,
    /// Files that are passed over, one line each.
    pub warnings: Vec<String>,
}

/// Finds the notes of `layers`. Hidden and temporary files are passed over, links are not followed.
pub fn scan(place: &Place, layers: &[Layer]) -> Scan {
    let mut scan = Scan::default();
    for layer in layers {
        let first = scan.files.len();
        let dir = place.dir.join(layer.as_str());
        if !stays_inside(place, &dir) {
            scan.warnings.push(format!(
                "{} is a link that leaves the profile, so it is not read",
                dir.display()
            ));
            continue;
        }
        scan.walk(&dir, layer.as_str(), *layer, 0);
        if let Some(found) = scan.files.get_mut(first..) {
            found.sort_by(|a, b| a.id.cmp(&b.id));
        }
    }
    scan
}

/// Finds the notes in the folder `name` of `layer`.
pub fn scan_folder(place: &Place, layer: Layer, name: &str) -> Scan {
    let mut scan = Scan::default();
    let root = place.dir.join(layer.as_str());
    let dir = root.join(name);
    let is_link = |dir: &Path| fs::symlink_metadata(dir).is_ok_and(|found| found.is_symlink());
    if !stays_inside(place, &root) || is_link(&dir) {
        return scan;
    }
    scan.walk(&dir, &format!("{layer}/{name}"), layer, 1);
    scan
}

/// Finds the notes of `layer` that stand in no folder of it.
pub fn scan_loose(place: &Place, layer: Layer) -> Scan {
    let mut scan = Scan::default();
    let root = place.dir.join(layer.as_str());
    if stays_inside(place, &root) {
        scan.walk(&root, layer.as_str(), layer, MAX_DEPTH + 1);
    }
    scan
}

/// Returns the last notes of a layer whose names begin with their days, the latest first; `most` of them.
pub fn latest(place: &Place, layer: Layer, most: usize) -> Vec<Found> {
    let root = place.dir.join(layer.as_str());
    if !stays_inside(place, &root) {
        return Vec::new();
    }
    let names = |dir: &Path| {
        let files = fs::read_dir(dir).into_iter().flatten().flatten();
        let names = files.filter_map(|file| file.file_name().into_string().ok());
        let mut names: Vec<_> = names.filter(|name| !is_passed_over(name)).collect();
        names.sort_unstable_by(|one, other| other.cmp(one));
        names
    };
    let ids = names(&root).into_iter().flat_map(|name| {
        if let Some(stem) = name.strip_suffix(".md") {
            return vec![format!("{layer}/{stem}")];
        }
        let stems = names(&root.join(&name)).into_iter();
        let stems = stems.filter_map(|file| file.strip_suffix(".md").map(str::to_owned));
        stems.take(most).map(|stem| format!("{layer}/{name}/{stem}")).collect()
    });
    ids.filter_map(|id| found(place, &id, layer)).take(most).collect()
}

/// Returns the file of the note `id` of `layer`; `None` where there is none.
pub fn found(place: &Place, id: &str, layer: Layer) -> Option<Found> {
    let (_, path) = note_file(place, id).filter(|(of, _)| *of == layer)?;
    let stamp = Fingerprint::at(&path).ok()??.stamp();
    Some(Found { id: id.to_owned(), layer, path, stamp })
}

/// Returns whether `dir` is no link, or one that leads to another place in the profile.
fn stays_inside(place: &Place, dir: &Path) -> bool {
    let is_link = fs::symlink_metadata(dir).is_ok_and(|found| found.is_symlink());
    let inside = || {
        let (root, target) = (place.dir.canonicalize().ok()?, dir.canonicalize().ok()?);
        Some(target.starts_with(root))
    };
    !is_link || inside().unwrap_or_default()
}

/// Returns the layer of the note `id` and the path of its file, there or not; `None` where no note may stand: the id is none,
/// or a link lies on the way.
pub fn note_file(place: &Place, id: &str) -> Option<(Layer, PathBuf)> {
    let (folder, inside) = id.split_once('/')?;
    let layer = Layer::FOLDERS.into_iter().find(|layer| layer.as_str() == folder)?;
    let mut path = place.dir.join(folder);
    let mut names: Vec<&str> = inside.split('/').collect();
    let is_name = |name: &&str| !name.is_empty() && !is_passed_over(name) && !name.contains('\0');
    if names.len() > MAX_DEPTH + 1 || !names.iter().all(is_name) || !stays_inside(place, &path) {
        return None;
    }
    let file = format!("{}.md", names.pop()?);
    for name in names {
        path.push(name);
        if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_dir()) {
            return None;
        }
    }
    path.push(file);
    let is_other = fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file());
    (!is_other).then_some((layer, path))
}

/// Returns whether [`scan`] would find the note `id` of `layer`: a file of a person's, not too large or too deep, and
/// reached through no link.
pub fn is_found(place: &Place, id: &str, layer: Layer) -> bool {
    note_file(place, id).is_some_and(|(found, path)| {
        let stands = |found: Metadata| found.is_file() && found.len() <= MAX_BYTES;
        found == layer && fs::symlink_metadata(path).is_ok_and(stands)
    })
}

/// Returns whether a file or folder of this name is none of a person's: hidden, or a backup or temporary file of an editor.
pub(super) fn is_passed_over(name: &str) -> bool {
    name.starts_with('.') || name.starts_with('#') || name.ends_with('~')
}

impl Scan {
    /// Returns whether it is not known if the note `id` is there.
    pub fn is_unknown(&self, id: &str) -> bool {
        self.unknown.iter().any(|folder| id.starts_with(&folder.prefix))
    }

    /// Notes a folder whose content is not known.
    fn pass_over(&mut self, dir: &Path, id: &str, source: io::Error) {
        self.warnings.push(format!("{} cannot be read: {source}", dir.display()));
        let prefix = format!("{id}/");
        self.unknown.push(Unknown { path: dir.to_owned(), prefix, source });
    }

    fn walk(&mut self, dir: &Path, id: &str, layer: Layer, depth: usize) {
        let files = match fs::read_dir(dir) {
            Ok(files) => files,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(source) => return self.pass_over(dir, id, source),
        };
        // The state of each file is a call to the system, and there may be very many.
        let found: io::Result<Vec<_>> = files.collect();
        let found = found.and_then(|files| {
            files.par_iter().with_min_len(256).map(Entry::of).collect::<io::Result<Vec<_>>>()
        });
        let found = match found {
            Ok(found) => found,
            Err(source) => return self.pass_over(dir, id, source),
        };
        for Entry { name, path, found } in found.into_iter().flatten() {
            if found.is_dir() && depth > MAX_DEPTH {
                // Only what stands in the folder itself is asked for.
            } else if found.is_dir() && depth == MAX_DEPTH {
                self.warnings.push(format!("{} is too deep, so it is not read", path.display()));
            } else if found.is_dir() {
                self.walk(&path, &format!("{id}/{name}"), layer, depth + 1);
            } else if found.is_file()
                && let Some(stem) = name.strip_suffix(".md")
            {
                let id = format!("{id}/{stem}");
                if found.len() > MAX_BYTES {
                    self.warnings.push(format!("{id} is larger than 8 MiB, so it is not read"));
                    continue;
                }
                let stamp = Fingerprint::of(&found).stamp();
                self.files.push(Found { id, layer, path, stamp });
            }
        }
    }
}

/// What stands in a folder.
struct Entry {
    name: String,
    path: PathBuf,
    found: Metadata,
}

impl Entry {
    /// Returns the entry with its state; `None` where it is passed over or has gone.
    fn of(file: &DirEntry) -> io::Result<Option<Self>> {
        let name = file.file_name().into_string().ok().filter(|name| !is_passed_over(name));
        let Some(name) = name else { return Ok(None) };
        // Of a link it is the link's own: links are other names of notes that are read anyway, or lead out of the profile.
        match file.metadata() {
            Ok(found) => Ok(Some(Self { name, path: file.path(), found })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// A note with the state of the file it was read from.
#[derive(Clone, Debug)]
pub struct ReadNote {
    /// The note.
    pub note: Note,
    /// The state of its file.
    pub stamp: Stamp,
    /// BLAKE3 of its bytes.
    pub hash: [u8; 32],
}

/// Reads the whole file of the note `id`; `None` where it has gone or cannot be read.
pub fn read_text(place: &Place, id: &str) -> Option<String> {
    let (_, path) = note_file(place, id)?;
    let (bytes, _) = read_state(place, &path).ok()??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads the note `id` of `layer`; `None` where it has gone.
pub fn read_note(place: &Place, id: &str, layer: Layer) -> io::Result<Option<ReadNote>> {
    let path = place.dir.join(format!("{id}.md"));
    let Some((bytes, found)) = read_state(place, &path)? else { return Ok(None) };
    if found.len() > MAX_BYTES {
        return Err(io::Error::other("it is larger than 8 MiB"));
    }
    let stamp = Fingerprint::of(&found).stamp();
    let modified = Timestamp::from_nanosecond(i128::from(stamp.modified)).unwrap_or_default();
    let note = Note::read(id, layer, &String::from_utf8_lossy(&bytes), modified);
    Ok(Some(ReadNote { note, stamp, hash: *blake3::hash(&bytes).as_bytes() }))
}
