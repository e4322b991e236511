//! The table of one level: its notes with what ranks them, and which text index and vectors go with it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{
    Damage,
    bytes::Bytes,
    packed::{Packed, Record, index},
    prepared::Meta,
};
use crate::notes::{Importance, Layer};

const MAGIC: [u8; 8] = *b"carnetT1";

/// Bytes of a record.
const STRIDE: usize = 60;

/// What goes with the records.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    /// The list of segments of the text index.
    pub(super) text: String,
    /// Rows, those taken out included.
    pub(super) rows: usize,
    /// Number in the name of the vector file.
    pub(super) vectors: u64,
    /// Components of a vector.
    pub(super) dims: usize,
    /// CRC-32 of the vector file's rows.
    pub(super) sum: u32,
}

/// A note of the table. Times are microseconds since 1970.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its path without `.md`, or the id of an entry.
    pub id: String,
    /// Where it belongs.
    pub layer: Layer,
    /// How much it matters.
    pub importance: Importance,
    /// The row of its first passage.
    pub first: u32,
    /// How many passages it has.
    pub rows: u32,
    /// When it began to be known.
    pub created: i64,
    /// When it was last changed.
    pub updated: i64,
    /// When it stops being true; `i64::MAX` where it does not.
    pub expires: i64,
    /// How sure it is, 0 to 1.
    pub confidence: f32,
    /// What it shares with its neighbours in time; 0 where it has none.
    pub session: u64,
}

impl Row {
    /// Returns the record of a note whose passages begin at row `first`.
    pub(super) fn of(meta: &Meta, first: u32, rows: u32) -> Self {
        Self {
            id: meta.id.clone(),
            layer: meta.layer,
            importance: meta.importance,
            first,
            rows,
            created: meta.created,
            updated: meta.updated,
            expires: meta.expires,
            confidence: meta.confidence,
            session: meta.session,
        }
    }
}

/// The notes of one level in the order of their ids, read in place.
#[derive(Debug)]
pub(super) struct Table {
    packed: Packed<Header>,
    /// The note of each row; `u32::MAX` for rows that were taken out.
    notes: Vec<u32>,
    /// The first moment at which a note stops being true.
    pub(super) first_expiry: i64,
}

impl Table {
    pub(super) fn open(path: &Path) -> Result<Self, Damage> {
        Self::of(Packed::open(path, MAGIC, STRIDE)?)
    }

    /// Reads the bytes of a table.
    pub(super) fn read(bytes: Vec<u8>) -> Result<Self, Damage> {
        Self::of(Packed::read(Bytes::Owned(bytes), MAGIC, STRIDE)?)
    }

    fn of(packed: Packed<Header>) -> Result<Self, Damage> {
        let rows = packed.header.rows;
        if rows > index(u32::MAX) {
            return Err(Damage::new("it has rows without end"));
        }
        let mut notes = vec![u32::MAX; rows];
        let mut first_expiry = i64::MAX;
        for (at, note) in (0..packed.len()).zip(0_u32..) {
            let record = Rough::of(packed.record(at));
            let from = index(record.first);
            let own = notes.get_mut(from..from.saturating_add(index(record.rows)));
            own.ok_or(Damage::new("a note has rows that are not there"))?.fill(note);
            first_expiry = first_expiry.min(record.expires);
        }
        Ok(Self { packed, notes, first_expiry })
    }

    /// Returns the bytes of a table of `notes`, which stand in the order of their ids.
    pub(super) fn pack<'n>(
        header: &Header,
        notes: impl Iterator<Item = &'n Row>,
    ) -> Result<Vec<u8>, Damage> {
        let (mut records, mut texts) = (Vec::new(), Vec::new());
        for note in notes {
            for value in [texts.len(), note.id.len()] {
                records.extend(small(value)?.to_le_bytes());
            }
            let layer = Layer::ALL.iter().position(|layer| *layer == note.layer);
            let importance = Importance::ALL.iter().position(|level| *level == note.importance);
            for value in [layer, importance] {
                records.extend(small(value.unwrap_or_default())?.to_le_bytes());
            }
            records.extend(note.first.to_le_bytes());
            records.extend(note.rows.to_le_bytes());
            for time in [note.created, note.updated, note.expires] {
                records.extend(time.to_le_bytes());
            }
            records.extend(note.confidence.to_le_bytes());
            records.extend(note.session.to_le_bytes());
            texts.extend_from_slice(note.id.as_bytes());
        }
        Packed::pack(header, MAGIC, STRIDE, &records, &texts)
    }

    pub(super) fn header(&self) -> &Header {
        &self.packed.header
    }

    /// Returns how many notes there are.
    pub(super) fn len(&self) -> usize {
        self.packed.len()
    }

    /// Returns how many rows count.
    pub(super) fn alive(&self) -> usize {
        self.notes.iter().filter(|note| **note != u32::MAX).count()
    }

    /// Returns the number of the note that `row` belongs to.
    pub(super) fn note_of(&self, row: u32) -> Option<u32> {
        self.notes.get(index(row)).copied().filter(|note| *note != u32::MAX)
    }

    /// Returns the note with the number `note`.
    pub(super) fn note(&self, note: u32) -> Option<Row> {
        let rough =
            (index(note) < self.len()).then(|| Rough::of(self.packed.record(index(note))))?;
        Some(Row {
            id: self.packed.text(rough.text.0, rough.text.1).to_owned(),
            layer: *Layer::ALL.get(index(rough.layer))?,
            importance: *Importance::ALL.get(index(rough.importance))?,
            first: rough.first,
            rows: rough.rows,
            created: rough.created,
            updated: rough.updated,
            expires: rough.expires,
            confidence: rough.confidence,
            session: rough.session,
        })
    }

    /// Returns rows of the notes around `note` that are of its session, with their distance in notes, up to `reach`: the
    /// last row of those before it, and the first of those after.
    pub(super) fn neighbours(&self, note: u32, reach: u32) -> Vec<(u32, u32)> {
        let rough = |note: Option<u32>| {
            let at = index(note?);
            (at < self.len()).then(|| Rough::of(self.packed.record(at)))
        };
        let session = rough(Some(note)).map_or(0, |rough| rough.session);
        let of_session = |rough: &Rough| session != 0 && rough.session == session;
        let before = (1..=reach).map_while(|distance| {
            let note = rough(note.checked_sub(distance)).filter(of_session)?;
            Some(((note.first + note.rows).saturating_sub(1), distance))
        });
        let after = (1..=reach).map_while(|distance| {
            let note = rough(note.checked_add(distance)).filter(of_session)?;
            Some((note.first, distance))
        });
        before.chain(after).collect()
    }

    /// Returns the rows of the note `id`.
    pub(super) fn find(&self, id: &str) -> Option<Rows> {
        let rough = Rough::of(self.packed.record(self.packed.find(id)?));
        Some(Rows { first: rough.first, rows: rough.rows })
    }
}

/// The rows of one note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    pub(super) first: u32,
    pub(super) rows: u32,
}

impl Rows {
    pub(super) fn iter(self) -> impl Iterator<Item = u32> {
        self.first..self.first.saturating_add(self.rows)
    }
}

/// A record as it stands.
#[derive(Clone, Copy, Debug)]
struct Rough {
    text: (u32, u32),
    layer: u32,
    importance: u32,
    first: u32,
    rows: u32,
    created: i64,
    updated: i64,
    expires: i64,
    confidence: f32,
    session: u64,
}

impl Rough {
    fn of(mut record: Record<'_>) -> Self {
        Self {
            text: (record.u32(), record.u32()),
            layer: record.u32(),
            importance: record.u32(),
            first: record.u32(),
            rows: record.u32(),
            created: record.i64(),
            updated: record.i64(),
            expires: record.i64(),
            confidence: record.f32(),
            session: record.u64(),
        }
    }
}

fn small(value: usize) -> Result<u32, Damage> {
    u32::try_from(value).map_err(|_| Damage::new("it is too large"))
}
