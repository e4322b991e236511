//! The next generation of one level.

use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
};

use tantivy::{Index, IndexSettings, IndexWriter, Term};

use super::{
    Amount, Damage, Prepared,
    directory::Folder,
    flat::{Flat, FlatWriter, Vector},
    level::{table_path, text_dir, vectors_path},
    manifest::Tabled,
    packed::index,
    schema::Fields,
    table::{Header, Row, Table},
    text::{Text, files, guarded},
    writer::create_dir,
};
use crate::whole::write_whole;

/// Writes one level.
pub(super) struct LevelWriter {
    fields: Fields,
    folder: Folder,
    index: Index,
    text: IndexWriter,
    flat: FlatWriter,
    vectors: u64,
    /// The number of the next table: no two have one.
    number: u64,
    dims: usize,
    notes: BTreeMap<String, Row>,
}

impl std::fmt::Debug for LevelWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LevelWriter").field("notes", &self.notes.len()).finish_non_exhaustive()
    }
}

impl LevelWriter {
    pub(super) fn open(
        dir: &Path,
        table: Option<u64>,
        dims: usize,
        amount: Amount,
        now: i64,
    ) -> Result<Self, Damage> {
        let fields = Fields::new();
        let text = text_dir(dir);
        create_dir(&text)?;
        let mut header = Header { vectors: now.unsigned_abs(), dims, ..Header::default() };
        let mut notes = BTreeMap::new();
        let (folder, index) = if let Some(number) = table {
            let table = Table::open(&table_path(dir, number))?;
            header = table.header().clone();
            // A writer goes on over damage without a word: only a reader finds it.
            Text::open(&text, &header.text)?.verify()?;
            let Header { vectors, dims, rows, sum, .. } = header;
            Flat::open(&vectors_path(dir, vectors), dims, rows, sum)?;
            let rows = (0..).map_while(|note| table.note(note));
            notes.extend(rows.map(|row| (row.id.clone(), row)));
            let folder = Folder::open(&text, Some(&header.text))?;
            (folder.clone(), Index::open(folder)?)
        } else {
            let folder = Folder::open(&text, None)?;
            let schema = fields.schema.clone();
            (folder.clone(), Index::create(folder, schema, IndexSettings::default())?)
        };
        let (threads, memory) = amount.writer();
        let vectors = vectors_path(dir, header.vectors);
        Ok(Self {
            text: guarded(|| Ok(index.writer_with_num_threads(threads, memory)?))?,
            flat: FlatWriter::open(&vectors, header.dims, header.rows, header.sum)?,
            vectors: header.vectors,
            number: now.unsigned_abs(),
            dims: header.dims,
            fields,
            folder,
            index,
            notes,
        })
    }

    pub(super) fn remove(&mut self, id: &str) {
        let Some(note) = self.notes.remove(id) else { return };
        for row in note.first..note.first.saturating_add(note.rows) {
            self.text.delete_term(Term::from_field_u64(self.fields.row, u64::from(row)));
        }
    }

    pub(super) fn add(&mut self, note: &Prepared) -> Result<(), Damage> {
        let number = |value: usize| {
            u32::try_from(value)
                .map_err(|_| Damage::new("it has more passages than can be counted"))
        };
        let first = number(self.flat.rows)?;
        for (at, passage) in note.passages().enumerate() {
            let row = number(self.flat.rows)?;
            self.flat.push(note.vectors.get(at).unwrap_or(&Vector::default()))?;
            self.text.add_document(self.fields.document(&passage, row))?;
        }
        let rows = number(self.flat.rows)? - first;
        self.notes.insert(note.meta.id.clone(), Row::of(&note.meta, first, rows));
        Ok(())
    }

    /// Writes the table; returns what the manifest says of it and the files that go with it, or `None` where no note is left.
    pub(super) fn commit(
        mut self,
        dir: &Path,
    ) -> Result<Option<(Tabled, HashSet<PathBuf>)>, Damage> {
        guarded(|| {
            self.text.commit()?;
            self.text.wait_merging_threads()?;
            let rows = self.flat.rows;
            let sum = self.flat.finish()?;
            if self.notes.is_empty() {
                return Ok(None);
            }
            let header = Header {
                text: self.folder.meta(),
                rows,
                vectors: self.vectors,
                dims: self.dims,
                sum,
            };
            let number = self.number;
            let table = table_path(dir, number);
            write_whole(&table, &Table::pack(&header, self.notes.values())?)?;
            let text = text_dir(dir);
            let mut kept: HashSet<_> =
                files(&self.index)?.into_iter().map(|name| text.join(name)).collect();
            kept.extend([table, vectors_path(dir, self.vectors)]);
            let alive = self.notes.values().map(|note| index(note.rows)).sum();
            Ok(Some((Tabled { number, rows, alive }, kept)))
        })
    }
}
