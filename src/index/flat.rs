//! The flat vector file: every vector in one byte a component, scanned exactly.
//!
//! Each row is `dims` signed bytes and the inverse of their norm as a little-endian f32. Rows are only ever appended; how
//! many of them count, and their CRC-32, stands in the table that goes with the file.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::{File, OpenOptions},
    io::{self, BufWriter, Seek, SeekFrom, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use super::{Damage, Rows, bytes::Bytes, packed::index};

/// A vector in one byte a component; its cosine with another does not depend on the scale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vector {
    pub(super) values: Vec<i8>,
    inverse: f32,
}

impl Vector {
    /// Quantises `vector` so that its largest component is 127; a vector of zeros, or of what is no number, is zero.
    pub fn of(vector: &[f32]) -> Self {
        let largest = vector.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
        if !largest.is_normal() || vector.iter().any(|value| !value.is_finite()) {
            return Self { values: vec![0; vector.len()], inverse: 0.0 };
        }
        #[expect(clippy::cast_possible_truncation, reason = "the quotient is at most 127")]
        let values: Vec<i8> =
            vector.iter().map(|value| (value / largest * 127.0).round() as i8).collect();
        let norm = values.iter().map(|value| f32::from(*value).powi(2)).sum::<f32>().sqrt();
        Self { values, inverse: if norm > 0.0 { norm.recip() } else { 0.0 } }
    }

    /// Returns how many components it has.
    pub fn dims(&self) -> usize {
        self.values.len()
    }

    /// Returns whether it says nothing.
    pub fn is_zero(&self) -> bool {
        self.inverse == 0.0
    }

    /// Returns the cosine with `other`; `None` where one of them says nothing, or they are of other dimensions.
    pub fn cosine(&self, other: &Self) -> Option<f32> {
        let differ = self.values.len() != other.values.len();
        if differ || self.is_zero() || other.is_zero() {
            return None;
        }
        let values = self.values.iter().copied();
        Some(dot(values.zip(other.values.iter().copied())) * self.inverse * other.inverse)
    }

    /// Appends the bytes of the row.
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.values.iter().map(|value| value.cast_unsigned()));
        bytes.extend(self.inverse.to_le_bytes());
    }
}

/// Returns the bytes of a row.
fn stride(dims: usize) -> usize {
    dims + 4
}

/// The vectors of an index, read in place.
#[derive(Debug)]
pub(super) struct Flat {
    bytes: Bytes,
    dims: usize,
    rows: usize,
}

impl Flat {
    /// Opens the file at `path`, of which the first `rows` rows count and must have the checksum `sum`.
    pub(super) fn open(path: &Path, dims: usize, rows: usize, sum: u32) -> Result<Self, Damage> {
        let bytes = Bytes::map(path)?;
        let whole = bytes
            .get(..rows.saturating_mul(stride(dims)))
            .ok_or(Damage::new("the vectors are cut short"))?;
        if crc32fast::hash(whole) != sum {
            return Err(Damage::new("the checksum of the vectors does not match"));
        }
        Ok(Self { bytes, dims, rows })
    }

    /// Returns `vectors` as a file in memory; those of other dimensions count as zero.
    pub(super) fn in_memory<'v>(dims: usize, vectors: impl Iterator<Item = &'v Vector>) -> Self {
        let (mut bytes, mut rows) = (Vec::new(), 0);
        for vector in vectors {
            fitting(vector, dims).write(&mut bytes);
            rows += 1;
        }
        Self { bytes: Bytes::Owned(bytes), dims, rows }
    }

    /// Returns how many rows there are.
    pub(super) fn len(&self) -> usize {
        self.rows
    }

    /// Returns how many components a row has.
    pub(super) fn dims(&self) -> usize {
        self.dims
    }

    /// Returns the components of a row.
    pub(super) fn values(&self, row: u32) -> Option<Vec<i8>> {
        let row = self.row(row)?;
        row.get(..self.dims).map(|values| values.iter().map(|value| value.cast_signed()).collect())
    }

    fn row(&self, row: u32) -> Option<&[u8]> {
        let from = index(row).checked_mul(stride(self.dims))?;
        (index(row) < self.rows).then(|| self.bytes.get(from..from + stride(self.dims)))?
    }

    /// Returns the cosine of a row with `question`; `None` where the row has no vector, or one of other dimensions.
    pub(super) fn cosine(&self, row: u32, question: &Vector) -> Option<f32> {
        cosine(self.row(row)?, question)
    }

    /// Returns the `n` rows of `from..` with the highest cosine, of those that `admitted` holds (all where it is `None`);
    /// the best first, ties in the order of the rows.
    pub(super) fn nearest(
        &self,
        question: &Vector,
        admitted: Option<&Rows>,
        from: usize,
        n: usize,
    ) -> Vec<(u32, f32)> {
        let mut best = Best::new(n);
        let mut offer = |row: u32, bytes: &[u8]| {
            if let Some(cosine) = cosine(bytes, question) {
                best.offer(row, cosine);
            }
        };
        let Ok(first) = u32::try_from(from) else { return Vec::new() };
        if let Some(rows) = admitted {
            for row in rows.iter().skip_while(|row| *row < first) {
                if let Some(bytes) = self.row(row) {
                    offer(row, bytes);
                }
            }
        } else {
            let stride = stride(self.dims);
            let bytes = self.bytes.get(from * stride..self.rows * stride).unwrap_or_default();
            for (row, bytes) in (first..).zip(bytes.chunks_exact(stride)) {
                offer(row, bytes);
            }
        }
        best.into_sorted()
    }
}

/// Returns the cosine of a row's bytes with `question`.
fn cosine(row: &[u8], question: &Vector) -> Option<f32> {
    let (values, inverse) = row.split_last_chunk::<4>()?;
    let inverse = f32::from_le_bytes(*inverse);
    if inverse == 0.0 || question.is_zero() || values.len() != question.values.len() {
        return None;
    }
    let values = values.iter().map(|value| value.cast_signed());
    Some(dot(values.zip(question.values.iter().copied())) * inverse * question.inverse)
}

/// Returns the sum of the products.
#[inline]
fn dot(pairs: impl Iterator<Item = (i8, i8)>) -> f32 {
    let dot: i32 = pairs.map(|(a, b)| i32::from(i16::from(a) * i16::from(b))).sum();
    #[expect(clippy::cast_precision_loss, reason = "a dot product of bytes stays far below 2^24")]
    let dot = dot as f32;
    dot
}

fn fitting(vector: &Vector, dims: usize) -> Vector {
    if vector.values.len() == dims { vector.clone() } else { Vector::of(&vec![0.0; dims]) }
}

/// The `n` best of many rows.
#[derive(Debug)]
pub(super) struct Best {
    n: usize,
    /// The worst on top; of two that are alike the later row.
    heap: BinaryHeap<Reverse<(Ordered, Reverse<u32>)>>,
}

impl Best {
    pub(super) fn new(n: usize) -> Self {
        Self { n, heap: BinaryHeap::with_capacity(n.min(4096) + 1) }
    }

    pub(super) fn offer(&mut self, row: u32, score: f32) {
        let worst = self.heap.peek().map(|Reverse((worst, _))| worst.0);
        if self.heap.len() >= self.n && worst.is_none_or(|worst| score <= worst) {
            return;
        }
        self.heap.push(Reverse((Ordered(score), Reverse(row))));
        if self.heap.len() > self.n {
            self.heap.pop();
        }
    }

    pub(super) fn into_sorted(self) -> Vec<(u32, f32)> {
        let sorted = self.heap.into_sorted_vec().into_iter();
        sorted.map(|Reverse((score, Reverse(row)))| (row, score.0)).collect()
    }
}

/// A score with the order of all floats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ordered(pub(super) f32);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Appends rows to a flat file.
#[derive(Debug)]
pub(super) struct FlatWriter {
    file: BufWriter<File>,
    dims: usize,
    /// Rows that count so far.
    pub(super) rows: usize,
    sum: crc32fast::Hasher,
}

impl FlatWriter {
    /// Opens the file at `path` after its first `rows` rows, whose checksum is `sum`; what follows them is overwritten.
    pub(super) fn open(path: &Path, dims: usize, rows: usize, sum: u32) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create(true).truncate(false).mode(0o600).open(path)?;
        let end = u64::try_from(rows * stride(dims)).map_err(io::Error::other)?;
        file.seek(SeekFrom::Start(end))?;
        let sum = crc32fast::Hasher::new_with_initial_len(sum, end);
        Ok(Self { file: BufWriter::new(file), dims, rows, sum })
    }

    /// Appends a row; a vector of other dimensions counts as zero.
    pub(super) fn push(&mut self, vector: &Vector) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(stride(self.dims));
        fitting(vector, self.dims).write(&mut bytes);
        self.sum.update(&bytes);
        self.file.write_all(&bytes)?;
        self.rows += 1;
        Ok(())
    }

    /// Ends the file and returns the checksum of its rows.
    pub(super) fn finish(mut self) -> io::Result<u32> {
        self.file.flush()?;
        Ok(self.sum.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors() -> Vec<Vector> {
        let angle = |at: u8| f32::from(at) * 0.1;
        (0..30_u8).map(|at| Vector::of(&[angle(at).cos(), angle(at).sin(), 0.0])).collect()
    }

    #[test]
    fn the_nearest_come_first_and_only_those_admitted() {
        let flat = Flat::in_memory(3, vectors().iter());
        let question = Vector::of(&[1.0, 0.0, 0.0]);
        let rows =
            |found: Vec<(u32, f32)>| found.into_iter().map(|(row, _)| row).collect::<Vec<_>>();
        assert_eq!(rows(flat.nearest(&question, None, 0, 3)), [0, 1, 2]);
        assert_eq!(rows(flat.nearest(&question, None, 2, 3)), [2, 3, 4]);
        let mut admitted = Rows::below(30);
        admitted.insert(7);
        admitted.insert(5);
        assert_eq!(rows(flat.nearest(&question, Some(&admitted), 0, 3)), [5, 7]);
        assert!((flat.cosine(10, &question).unwrap() - 1.0_f32.cos()).abs() < 0.01);
        assert_eq!(flat.cosine(30, &question), None);
        assert_eq!(flat.cosine(1, &Vector::of(&[1.0])), None);
        assert!(flat.nearest(&Vector::of(&[0.0, f32::NAN, 0.0]), None, 0, 3).is_empty());
    }

    #[test]
    fn rows_are_appended_and_a_changed_byte_or_a_cut_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("vectors");
        let all = vectors();
        let mut writer = FlatWriter::open(&path, 3, 0, 0).unwrap();
        all[..10].iter().for_each(|vector| writer.push(vector).unwrap());
        let sum = writer.finish().unwrap();
        assert_eq!(Flat::open(&path, 3, 10, sum).unwrap().len(), 10);
        // What a writer that was killed has left is overwritten.
        std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(&[1; 20]).unwrap();
        let mut writer = FlatWriter::open(&path, 3, 10, sum).unwrap();
        all[10..].iter().for_each(|vector| writer.push(vector).unwrap());
        let both = writer.finish().unwrap();
        assert_eq!(Flat::open(&path, 3, 10, sum).unwrap().values(9).unwrap(), all[9].values);
        assert_eq!(Flat::open(&path, 3, 30, both).unwrap().values(29).unwrap(), all[29].values);
        assert!(Flat::open(&path, 3, 31, both).is_err());
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[50] ^= 4;
        std::fs::write(&path, bytes).unwrap();
        assert!(Flat::open(&path, 3, 30, both).is_err());
    }
}
