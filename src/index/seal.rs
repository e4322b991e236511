//! The seal of a vector index: what its file must be before usearch may open it.

use std::{
    fs,
    io::{self, Read},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{Damage, flat::Flat};
use crate::whole::write_whole;

/// What is known of an index file before it is opened.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Seal {
    format: u32,
    library: String,
    dims: usize,
    scalar: String,
    /// The vector file whose rows it holds.
    vectors: u64,
    /// Rows of that file it has seen.
    pub(super) covered: usize,
    length: u64,
    blake3: String,
}

/// Version of the seal.
const FORMAT: u32 = 1;

/// Files of an index end with this.
const END: &str = ".usearch";

impl Seal {
    /// Returns the file it stands for: no two contents have one name, so a reader never meets a file half changed.
    pub(super) fn file(&self, dir: &Path) -> PathBuf {
        dir.join(format!("{}-{}{END}", self.vectors, self.covered))
    }
}

/// Returns the path of the seal, whose rename makes an index visible.
pub(super) fn path(dir: &Path) -> PathBuf {
    dir.join("hnsw.json")
}

/// Returns the seal of the index in `dir` after its file was checked against it.
pub(super) fn verified(dir: &Path, vectors: u64, flat: &Flat) -> Result<Option<Seal>, Damage> {
    let text = match fs::read(path(dir)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let Ok(sealed) = serde_json::from_slice::<Seal>(&text) else {
        return Err(discard(dir, "its seal cannot be read"));
    };
    let (length, blake3) = match digest(&sealed.file(dir)) {
        Ok(found) => found,
        // A newer one has taken its place since the seal was read.
        Err(_) if fs::read(path(dir)).is_ok_and(|now| now != text) => return Ok(None),
        Err(error) => return Err(discard(dir, &error.to_string())),
    };
    let found = Seal { length, blake3, covered: sealed.covered, ..expected(vectors, flat) };
    // It belongs to another generation, which its own reader knows.
    if sealed.vectors != vectors || sealed.covered > flat.len() {
        return Ok(None);
    }
    if sealed != found {
        return Err(discard(dir, "it is not the file that was sealed"));
    }
    Ok(Some(sealed))
}

fn expected(vectors: u64, flat: &Flat) -> Seal {
    Seal {
        format: FORMAT,
        library: usearch::version().to_owned(),
        dims: flat.dims(),
        scalar: "i8".to_owned(),
        vectors,
        covered: 0,
        length: 0,
        blake3: String::new(),
    }
}

/// Returns the length of the file at `path` and its BLAKE3 in hex.
fn digest(path: &Path) -> io::Result<(u64, String)> {
    let mut file = fs::File::open(path)?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 20];
    let mut length = 0;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok((length, hasher.finalize().to_hex().to_string()));
        }
        hasher.update(buffer.get(..read).unwrap_or_default());
        length += u64::try_from(read).unwrap_or_default();
    }
}

/// Deletes the index in `dir` and returns why.
pub(super) fn discard(dir: &Path, why: &str) -> Damage {
    let _ = fs::remove_file(path(dir));
    sweep(dir, None);
    Damage::new(format!("the vector index in {} is deleted: {why}", dir.display()))
}

/// Removes the index files of `dir` but for `kept`.
fn sweep(dir: &Path, kept: Option<&Path>) {
    let Ok(files) = fs::read_dir(dir) else { return };
    for path in files.flatten().map(|file| file.path()) {
        let ends = path.to_str().is_some_and(|name| name.ends_with(END));
        if ends && Some(path.as_path()) != kept {
            let _ = fs::remove_file(path);
        }
    }
}

/// Makes the file `temporary` the index in `dir` that has seen the first `covered` rows of `flat`.
pub(super) fn publish(
    dir: &Path,
    temporary: &Path,
    vectors: u64,
    flat: &Flat,
    covered: usize,
) -> Result<(), Damage> {
    let (length, blake3) = digest(temporary)?;
    let sealed = Seal { covered, length, blake3, ..expected(vectors, flat) };
    let file = sealed.file(dir);
    fs::set_permissions(temporary, fs::Permissions::from_mode(0o600))?;
    fs::rename(temporary, &file)?;
    write_whole(&path(dir), &serde_json::to_vec(&sealed).map_err(Damage::of)?)?;
    sweep(dir, Some(&file));
    Ok(())
}
