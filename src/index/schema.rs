//! What the text index holds of a passage.

use tantivy::{
    TantivyDocument,
    schema::{
        FAST, Field, INDEXED, IndexRecordOption, STRING, Schema, TextFieldIndexing, TextOptions,
    },
};

use super::{Terms, prepared::Passage};

/// Fields of words, in the order of their weights.
pub(super) const WORDS: usize = 4;

/// The fields of the text index.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    pub(super) schema: Schema,
    /// Folded, English, French, exact.
    pub(super) words: [Field; WORDS],
    pub(super) row: Field,
    pub(super) layer: Field,
    pub(super) category: Field,
    pub(super) tag: Field,
    pub(super) created: Field,
    pub(super) expires: Field,
    /// What the note is called: its id, key and aliases.
    pub(super) name: Field,
    /// What the note links to.
    pub(super) link: Field,
}

/// Name of the field of row numbers, which is read as a column.
pub(super) const ROW: &str = "row";

impl Fields {
    pub(super) fn new() -> Self {
        let mut schema = Schema::builder();
        // The terms come out of our own analysis, parted by blanks.
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("whitespace")
            .set_index_option(IndexRecordOption::WithFreqs);
        let text = TextOptions::default().set_indexing_options(indexing);
        let words = ["folded", "english", "french", "exact"];
        Self {
            words: words.map(|name| schema.add_text_field(name, text.clone())),
            row: schema.add_u64_field(ROW, INDEXED | FAST),
            layer: schema.add_text_field("layer", STRING),
            category: schema.add_text_field("category", STRING),
            tag: schema.add_text_field("tag", STRING),
            created: schema.add_i64_field("created", FAST),
            expires: schema.add_i64_field("expires", FAST),
            name: schema.add_text_field("name", STRING),
            link: schema.add_text_field("link", STRING),
            schema: schema.build(),
        }
    }

    /// Returns the document of a passage, which stands in `row`.
    pub(super) fn document(&self, passage: &Passage<'_>, row: u32) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        for (field, terms) in self.words.into_iter().zip(by_field(passage.terms)) {
            document.add_text(field, terms.join(" "));
        }
        let note = passage.note;
        document.add_u64(self.row, u64::from(row));
        document.add_text(self.layer, note.layer.as_str());
        document.add_text(self.category, &note.category);
        note.tags.iter().for_each(|tag| document.add_text(self.tag, tag));
        document.add_i64(self.created, note.created);
        document.add_i64(self.expires, note.expires);
        note.names.iter().for_each(|name| document.add_text(self.name, name));
        note.links.iter().for_each(|link| document.add_text(self.link, link));
        document
    }
}

/// Returns the terms in the order of the fields of words.
pub(super) fn by_field(terms: &Terms) -> [&[String]; WORDS] {
    [&terms.folded, &terms.english, &terms.french, &terms.exact]
}
