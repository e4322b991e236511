//! The vector index: all of usearch, with its locking, its checks and what happens where it cannot be used.
//!
//! A damaged file would take the process down, so none is opened before its checksum was verified; what does not match is
//! deleted, and the flat file answers. The index covers the first rows of the flat file; the rest is scanned.

use std::{
    fs,
    panic::catch_unwind,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use usearch::{Index, IndexOptions, MetricKind, ScalarKind};

use super::{
    Damage, Rows,
    flat::{Flat, Vector},
    seal,
};

/// Neighbours a node keeps, and candidates looked at while adding and while searching.
const CONNECTIVITY: usize = 16;
const EXPANSION_ADD: usize = 128;
const EXPANSION_SEARCH: usize = 512;

/// Rows returned at most: usearch allocates what it is asked for.
const MOST: usize = 1024;

/// Rows added between two saves, so that a long build that is interrupted goes on from there.
const SAVED_EACH: usize = 65_536;

/// Rows added between two questions whether to go on.
const ASKED_EACH: usize = 2_048;

fn options(dims: usize) -> IndexOptions {
    IndexOptions {
        dimensions: dims,
        metric: MetricKind::Cos,
        quantization: ScalarKind::I8,
        connectivity: CONNECTIVITY,
        expansion_add: EXPANSION_ADD,
        expansion_search: EXPANSION_SEARCH,
        multi: false,
    }
}

/// Returns which kernels this processor runs.
pub fn acceleration() -> String {
    Index::new(&options(256))
        .map_or_else(|error| error.to_string(), |index| index.hardware_acceleration())
}

/// An HNSW index over the first rows of a flat file.
pub(super) struct Hnsw {
    /// One search at a time: more threads than were reserved are an error to usearch.
    index: Mutex<Index>,
    /// Rows of the flat file it has seen.
    pub(super) covered: usize,
}

impl std::fmt::Debug for Hnsw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hnsw").field("covered", &self.covered).finish_non_exhaustive()
    }
}

impl Hnsw {
    /// Opens the index in `dir` for searching; `None` where there is none that goes with `vectors`.
    ///
    /// A file that does not match its seal is deleted: the error says why.
    pub(super) fn view(dir: &Path, vectors: u64, flat: &Flat) -> Result<Option<Self>, Damage> {
        Self::open(dir, vectors, flat, |index, path| index.view(path).map_err(Damage::of))
    }

    fn open(
        dir: &Path,
        vectors: u64,
        flat: &Flat,
        read: impl FnOnce(&Index, &str) -> Result<(), Damage>,
    ) -> Result<Option<Self>, Damage> {
        let Some(sealed) = seal::verified(dir, vectors, flat)? else { return Ok(None) };
        let path = sealed.file(dir);
        let name = path.to_str().ok_or(Damage::new("its path is not UTF-8"))?;
        let opened = || {
            let found = Index::metadata(name).map_err(Damage::of)?;
            // `view` and `load` would silently take over what the file says.
            if usize::try_from(found.dimensions) != Ok(flat.dims())
                || found.quantization != ScalarKind::I8
            {
                return Err(Damage::new("it holds other vectors"));
            }
            let index = Index::new(&options(flat.dims())).map_err(Damage::of)?;
            read(&index, name).map(|()| index)
        };
        match opened() {
            Ok(index) => Ok(Some(Self { index: Mutex::new(index), covered: sealed.covered })),
            // A newer one has taken its place since it was checked.
            Err(_) if !path.exists() => Ok(None),
            Err(damage) => Err(seal::discard(dir, &damage.to_string())),
        }
    }

    /// Returns about the `n` nearest of the rows it covers that `admitted` holds (all where it is `None`).
    pub(super) fn nearest(
        &self,
        question: &Vector,
        admitted: Option<&Rows>,
        n: usize,
    ) -> Result<Vec<u32>, Damage> {
        let index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let n = n.clamp(1, MOST);
        let found = match admitted {
            None => index.search(&question.values, n),
            Some(rows) => index.filtered_search(&question.values, n, |key| {
                // A panic must not cross into C++.
                catch_unwind(|| u32::try_from(key).is_ok_and(|row| rows.contains(row)))
                    .unwrap_or(false)
            }),
        };
        let found = found.map_err(Damage::of)?;
        Ok(found.keys.iter().filter_map(|key| u32::try_from(*key).ok()).collect())
    }
}

/// Brings the index in `dir` up to the rows of `flat`, and returns how many it covers then.
///
/// `go_on` hears how many rows are covered, and stops the work by answering false. An index that is damaged, or belongs to
/// other vectors, is made anew.
pub(super) fn follow(
    dir: &Path,
    vectors: u64,
    flat: &Flat,
    threads: usize,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<usize, Damage> {
    let old = Hnsw::open(dir, vectors, flat, |index, path| index.load(path).map_err(Damage::of))
        .ok()
        .flatten();
    let (index, mut covered) = match old {
        Some(Hnsw { index, covered }) => {
            (index.into_inner().unwrap_or_else(PoisonError::into_inner), covered)
        }
        None => (Index::new(&options(flat.dims())).map_err(Damage::of)?, 0),
    };
    if covered == flat.len() {
        return Ok(covered);
    }
    index.reserve_capacity_and_threads(flat.len(), threads).map_err(Damage::of)?;
    let mut saved = covered;
    while covered < flat.len() {
        let end = (covered + ASKED_EACH).min(flat.len());
        add(&index, flat, covered..end, threads)?;
        covered = end;
        let stop = !go_on(covered);
        if stop || covered == flat.len() || covered - saved >= SAVED_EACH {
            let temporary = save(dir, &index)?;
            seal::publish(dir, &temporary, vectors, flat, covered)?;
            saved = covered;
        }
        if stop {
            break;
        }
    }
    Ok(covered)
}

/// Adds the rows of `range`, on several threads; a row without a vector is left out.
fn add(
    index: &Index,
    flat: &Flat,
    range: std::ops::Range<usize>,
    threads: usize,
) -> Result<(), Damage> {
    let failed = Mutex::new(None);
    let stop = AtomicBool::new(false);
    let rows: Vec<u32> = range.filter_map(|row| u32::try_from(row).ok()).collect();
    std::thread::scope(|scope| {
        for part in rows.chunks(rows.len().div_ceil(threads.max(1)).max(1)) {
            scope.spawn(|| {
                for row in part.iter().take_while(|_| !stop.load(Ordering::Relaxed)) {
                    let values = flat.values(*row).filter(|values| values.iter().any(|v| *v != 0));
                    let added = values.map_or(Ok(()), |values| index.add(u64::from(*row), &values));
                    if let Err(error) = added {
                        *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.map_or(Ok(()), |error| Err(Damage::of(error)))
}

/// Writes the index to a temporary file, and returns its path.
fn save(dir: &Path, index: &Index) -> Result<PathBuf, Damage> {
    let temporary = dir.join("new.usearch");
    let name = temporary.to_str().ok_or(Damage::new("its path is not UTF-8"))?;
    if let Err(error) = index.save(name) {
        let _ = fs::remove_file(&temporary);
        return Err(Damage::of(error));
    }
    Ok(temporary)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIMS: usize = 16;

    /// Returns vectors that are the same for every run and point everywhere.
    fn vectors(count: u32) -> Vec<Vector> {
        let component = |seed: u32| {
            let mixed =
                seed.wrapping_mul(2_654_435_761).rotate_left(13).wrapping_mul(2_246_822_519);
            f32::from(u16::try_from(mixed >> 16).unwrap()) / 32_768.0 - 1.0
        };
        let vector = |at: u32| (0..16).map(|dim| component(at * 31 + dim + 1)).collect::<Vec<_>>();
        (0..count).map(|at| Vector::of(&vector(at))).collect()
    }

    fn flat(count: u32) -> Flat {
        Flat::in_memory(DIMS, vectors(count).iter())
    }

    /// Returns an index in a directory of its own over `flat`.
    fn built(flat: &Flat) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(follow(dir.path(), 7, flat, 2, &mut |_| true).unwrap(), flat.len());
        dir
    }

    #[test]
    fn it_finds_what_the_exact_scan_finds_filtered_or_not() {
        let flat = flat(3000);
        let dir = built(&flat);
        let hnsw = Hnsw::view(dir.path(), 7, &flat).unwrap().unwrap();
        let mut odd = Rows::below(3000);
        (0..1500).for_each(|at| odd.insert(at * 2 + 1));
        for admitted in [None, Some(&odd)] {
            let (mut found, mut all) = (0, 0);
            for question in vectors(50) {
                let exact = flat.nearest(&question, admitted, 0, 10);
                let near = hnsw.nearest(&question, admitted, 10).unwrap();
                assert!(near.iter().all(|row| admitted.is_none_or(|rows| rows.contains(*row))));
                found += exact.iter().filter(|(row, _)| near.contains(row)).count();
                all += exact.len();
            }
            assert!(found * 100 >= all * 98, "{found} of {all}");
        }
    }

    #[test]
    fn it_goes_on_from_where_it_was_and_belongs_to_one_vector_file() {
        let short = flat(500);
        let dir = built(&short);
        let long = flat(800);
        assert_eq!(Hnsw::view(dir.path(), 7, &long).unwrap().unwrap().covered, 500);
        let mut heard = Vec::new();
        follow(dir.path(), 7, &long, 1, &mut |covered| {
            heard.push(covered);
            true
        })
        .unwrap();
        assert_eq!(heard, [800]);
        let hnsw = Hnsw::view(dir.path(), 7, &long).unwrap().unwrap();
        let question = &vectors(800)[799];
        assert_eq!(hnsw.nearest(question, None, 1).unwrap(), [799]);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "the old file is gone");
        // Of another vector file, or of one that was cut short, it says nothing.
        assert!(Hnsw::view(dir.path(), 8, &long).unwrap().is_none());
        assert!(Hnsw::view(dir.path(), 7, &short).unwrap().is_none());
    }

    #[test]
    fn a_stopped_build_keeps_what_it_has() {
        let flat = flat(5000);
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(follow(dir.path(), 7, &flat, 2, &mut |_| false).unwrap(), ASKED_EACH);
        assert_eq!(Hnsw::view(dir.path(), 7, &flat).unwrap().unwrap().covered, ASKED_EACH);
    }

    /// Each of these takes the process down when usearch opens it.
    #[test]
    fn a_damaged_file_is_deleted_and_never_opened() {
        let flat = flat(300);
        let dir = built(&flat);
        let path = fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().path());
        let path = path
            .into_iter()
            .find(|path| path.extension().is_some_and(|end| end == "usearch"))
            .unwrap();
        let (whole, sealed) = (fs::read(&path).unwrap(), fs::read(seal::path(dir.path())).unwrap());
        let mut damages: Vec<Vec<u8>> =
            vec![Vec::new(), vec![0xff; whole.len()], vec![0; whole.len()]];
        for at in (0..whole.len()).step_by(whole.len() / 97) {
            let mut flipped = whole.clone();
            flipped[at] ^= 0x40;
            damages.extend([flipped, whole[..at].to_vec()]);
            let mut page = whole.clone();
            let end = (at + 4096).min(page.len());
            page[at..end].fill(0xff);
            damages.push(page);
        }
        for damage in damages {
            fs::write(&path, damage).unwrap();
            fs::write(seal::path(dir.path()), &sealed).unwrap();
            let told = Hnsw::view(dir.path(), 7, &flat).unwrap_err().to_string();
            assert!(told.contains("is deleted"), "{told}");
            assert!(!path.exists() && !seal::path(dir.path()).exists());
        }
        fs::write(seal::path(dir.path()), "no seal").unwrap();
        assert!(Hnsw::view(dir.path(), 7, &flat).is_err());
        assert!(Hnsw::view(dir.path(), 7, &flat).unwrap().is_none());
    }
}
