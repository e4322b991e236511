//! A file of a header, records of one length, and texts; checked as a whole before anything of it is believed.
//!
//! ```text
//! magic 8 | CRC-32 of all that follows 4 | header's length 4 | records 4 | a record's length 4 | header (JSON) | records | texts
//! ```
//! Numbers are little-endian.

use std::path::Path;

use serde::{Serialize, de::DeserializeOwned};

use super::{Damage, bytes::Bytes};

/// Bytes before the header.
const HEAD: usize = 24;

/// Bytes before what the checksum covers.
const CHECKED_FROM: usize = 12;

/// A packed file, read in place.
#[derive(Debug)]
pub(super) struct Packed<H> {
    /// The header.
    pub(super) header: H,
    bytes: Bytes,
    count: usize,
    stride: usize,
    records_at: usize,
}

impl<H: Serialize + DeserializeOwned> Packed<H> {
    /// Opens the file at `path`, which must begin with `magic` and have records of `stride` bytes.
    pub(super) fn open(path: &Path, magic: [u8; 8], stride: usize) -> Result<Self, Damage> {
        Self::read(Bytes::map(path)?, magic, stride)
    }

    /// Reads packed bytes.
    pub(super) fn read(bytes: Bytes, magic: [u8; 8], stride: usize) -> Result<Self, Damage> {
        let mut head = Record(bytes.get(..HEAD).ok_or(Damage::new("it is too short"))?);
        if head.take() != magic {
            return Err(Damage::new("it is of another kind or version"));
        }
        let sum = head.u32();
        if crc32fast::hash(bytes.get(CHECKED_FROM..).unwrap_or_default()) != sum {
            return Err(Damage::new("its checksum does not match"));
        }
        let [len, count, found] = [head.u32(), head.u32(), head.u32()].map(index);
        let records_at = HEAD.saturating_add(len);
        let whole = count.checked_mul(stride).and_then(|size| size.checked_add(records_at));
        if found != stride || whole.is_none_or(|end| end > bytes.len()) {
            return Err(Damage::new("its records do not fit"));
        }
        let header = serde_json::from_slice(bytes.get(HEAD..records_at).unwrap_or_default())
            .map_err(|error| Damage::new(format!("its header: {error}")))?;
        Ok(Self { header, bytes, count, stride, records_at })
    }

    /// Returns the bytes of a packed file.
    pub(super) fn pack(
        header: &H,
        magic: [u8; 8],
        stride: usize,
        records: &[u8],
        texts: &[u8],
    ) -> Result<Vec<u8>, Damage> {
        let header = serde_json::to_vec(header).map_err(|error| Damage::new(error.to_string()))?;
        let size = |len: usize| u32::try_from(len).map_err(|_| Damage::new("it is too large"));
        let mut bytes = Vec::with_capacity(HEAD + header.len() + records.len() + texts.len());
        bytes.extend(magic);
        bytes.extend([0; 4]);
        for len in [header.len(), records.len() / stride.max(1), stride] {
            bytes.extend(size(len)?.to_le_bytes());
        }
        for part in [&header, records, texts] {
            bytes.extend_from_slice(part);
        }
        size(bytes.len())?;
        let sum = crc32fast::hash(bytes.get(CHECKED_FROM..).unwrap_or_default());
        if let Some(place) = bytes.get_mut(8..CHECKED_FROM) {
            place.copy_from_slice(&sum.to_le_bytes());
        }
        Ok(bytes)
    }

    /// Returns how many records there are.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Returns the record at `at`; an empty one past the end.
    pub(super) fn record(&self, at: usize) -> Record<'_> {
        let from = self.records_at + at.min(self.count) * self.stride;
        Record(
            self.bytes
                .get(from..from + self.stride)
                .filter(|_| at < self.count)
                .unwrap_or_default(),
        )
    }

    /// Returns the place of the record whose text is `name`, where each record begins with the offset and the length of its
    /// text and they stand in the order of their texts.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let (mut from, mut to) = (0, self.count);
        while from < to {
            let at = from.midpoint(to);
            let mut record = self.record(at);
            match self.text(record.u32(), record.u32()).cmp(name) {
                std::cmp::Ordering::Equal => return Some(at),
                std::cmp::Ordering::Less => from = at + 1,
                std::cmp::Ordering::Greater => to = at,
            }
        }
        None
    }

    /// Returns `len` bytes of text from `offset` on; empty where that is no text of this file.
    pub(super) fn text(&self, offset: u32, len: u32) -> &str {
        let from = self.records_at + self.count * self.stride;
        let at = from.saturating_add(index(offset));
        let bytes = self.bytes.get(at..at.saturating_add(index(len))).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

/// Returns `value` as an index.
pub(super) fn index(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// The bytes of one record, taken from the front; zeros where they have run out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'r>(&'r [u8]);

impl Record<'_> {
    pub(super) fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_first_chunk::<N>().unwrap_or((&[0; N], &[]));
        self.0 = rest;
        *taken
    }

    pub(super) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    pub(super) fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    pub(super) fn i64(&mut self) -> i64 {
        i64::from_le_bytes(self.take())
    }

    pub(super) fn f32(&mut self) -> f32 {
        f32::from_le_bytes(self.take())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MAGIC: [u8; 8] = *b"test-0.1";

    fn packed() -> Vec<u8> {
        Packed::<u32>::pack(&7, MAGIC, 4, &[1, 0, 0, 0, 2, 0, 0, 0], "texte é".as_bytes()).unwrap()
    }

    fn read(bytes: Vec<u8>) -> Result<Packed<u32>, Damage> {
        Packed::read(Bytes::Owned(bytes), MAGIC, 4)
    }

    #[test]
    fn a_file_reads_back_as_it_was_packed() {
        let file = read(packed()).unwrap();
        assert_eq!((file.header, file.len()), (7, 2));
        assert_eq!((file.record(0).u32(), file.record(1).u32(), file.record(2).u32()), (1, 2, 0));
        assert_eq!(
            (file.text(0, 5), file.text(6, 2), file.text(6, 1), file.text(6, 9)),
            ("texte", "é", "", "")
        );
    }

    proptest! {
        #[test]
        fn one_changed_byte_or_a_cut_is_found(at in 0_usize..1000, bit in 0_u8..8, cut in 0_usize..1000) {
            let whole = packed();
            let mut changed = whole.clone();
            let at = at % whole.len();
            changed[at] ^= 1 << bit;
            prop_assert!(read(changed).is_err());
            prop_assert!(read(whole[..cut % whole.len()].to_vec()).is_err());
        }

        #[test]
        fn bytes_with_a_good_checksum_are_read_without_a_panic(
            rest in proptest::collection::vec(any::<u8>(), 0..80),
            sizes in proptest::array::uniform3(0_u32..90),
        ) {
            let mut bytes = [MAGIC.as_slice(), &[0; 4]].concat();
            bytes.extend(sizes.iter().flat_map(|size| size.to_le_bytes()));
            bytes.extend(rest);
            let sum = crc32fast::hash(&bytes[12..]);
            bytes[8..12].copy_from_slice(&sum.to_le_bytes());
            if let Ok(file) = read(bytes) {
                let mut record = file.record(file.len().saturating_sub(1));
                let _ = (record.u32(), record.i64(), record.f32());
                let _ = file.text(u32::MAX, u32::MAX);
            }
        }
    }
}
