//! Notes and entries as one Markdown document, for a person to read.

use crate::notes::{Layer, Note};

/// A document under way.
#[derive(Clone, Debug, Default)]
pub struct Document {
    layer: Option<Layer>,
}

impl Document {
    /// Returns the text that adds an entry of `layer`.
    pub fn entry(&mut self, layer: Layer, text: &str) -> String {
        let text = text.replace('\n', "\n  ");
        format!("{}- {text}\n", self.heading(layer))
    }

    /// Returns the text that adds a note.
    pub fn note(&mut self, note: &Note) -> String {
        let fields = &note.fields;
        let beside = [
            Some(format!("`{}`", note.id)),
            fields.created.as_ref().map(|_| note.created.strftime("%Y-%m-%d").to_string()),
            fields.category.clone(),
            fields.sensitivity.map(|level| level.as_str().to_owned()),
            (!fields.tags.is_empty()).then(|| format!("#{}", fields.tags.join(" #"))),
            fields.speaker.clone(),
        ];
        let beside = beside.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        let (heading, title, text) = (self.heading(note.layer), &note.title, note.text());
        format!("{heading}## {title}\n\n{beside}\n\n{text}\n\n")
    }

    /// Returns the heading of `layer` where it is not the one of what was added last.
    fn heading(&mut self, layer: Layer) -> String {
        let break_before = if self.layer.is_some() { "\n" } else { "" };
        if self.layer.replace(layer) == Some(layer) {
            return String::new();
        }
        let title = match layer {
            Layer::Memory => "MEMORY.md",
            Layer::User => "USER.md",
            Layer::Facts => "Facts",
            Layer::Episodes => "Episodes",
            Layer::Sessions => "Sessions",
            Layer::Procedures => "Procedures",
            Layer::Archive => "Archive",
        };
        format!("{break_before}# {title}\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notes::parse_time;

    #[test]
    fn a_document_has_a_heading_for_each_layer() {
        let mut document = Document::default();
        let text = "---\ntitle: Router\ncategory: tech\ntags: [react, web]\n---\n\nVersion 7.\n";
        let note = Note::read("facts/a", Layer::Facts, text, parse_time("2026-01-01").unwrap());
        let parts = [
            document.entry(Layer::Memory, "one\ntwo"),
            document.entry(Layer::Memory, "three"),
            document.note(&note),
        ];
        assert_eq!(
            parts.concat(),
            "# MEMORY.md\n\n- one\n  two\n- three\n\n# Facts\n\n## Router\n\n`facts/a` · tech · #react #web\n\nVersion 7.\n\n"
        );
    }
}
