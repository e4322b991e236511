//! Memories of other programs, and our own on their way out and in: from their files to notes and entries.

mod basic_memory;
mod carnet;
mod chat;
mod chatgpt;
mod claude;
mod document;
mod draft;
mod elements;
mod format;
mod hermes;
mod item;
mod jsonl;
mod listed;
mod mem0;

use std::io::BufRead;

pub use carnet::{entry_line, note_line};
pub use document::Document;
pub use format::{Format, guess, guess_folder, takes};
pub use item::{Item, NewNote, Place};

/// What hears of each item: its number from 1, and what it is, or why it is passed over.
pub type Sink<'s> = dyn FnMut(usize, Result<Item, String>) + 's;

/// A file that is read.
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    /// Its path in the folder that is imported, else its name.
    pub name: &'s str,
    /// The name of the folder it stands in, where it has one.
    pub folder: &'s str,
}

impl Source<'_> {
    /// Returns the name of the file itself.
    fn file(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(self.name)
    }
}

/// Reads one file of `format`, item by item; an error says why the rest of it cannot be read.
pub fn read(
    format: Format,
    source: Source<'_>,
    reader: &mut dyn BufRead,
    sink: &mut Sink<'_>,
) -> Result<(), String> {
    skip_mark(reader)?;
    let sink: &mut Sink<'_> = &mut |number, item| sink(number, item.and_then(bounded));
    match format {
        Format::Jsonl => jsonl::read(reader, sink),
        Format::Hermes => hermes::read(source, &text(reader)?, sink),
        Format::Claude => claude::read(source, reader, sink),
        Format::Chatgpt => chatgpt::read(source, reader, sink),
        Format::Mem0 => mem0::read(reader, sink),
        Format::BasicMemory => {
            sink(1, basic_memory::read(source, &text(reader)?));
            Ok(())
        }
    }
}

/// Bytes of a note that recall reads.
const MAX_NOTE: usize = 8 * 1024 * 1024;

/// Refuses a note that would be written and never read.
fn bounded(item: Item) -> Result<Item, String> {
    match &item {
        Item::Note(note) if note.content.len() > MAX_NOTE => {
            Err("it is larger than 8 MiB".to_owned())
        }
        _ => Ok(item),
    }
}

/// Steps over a byte order mark.
fn skip_mark(reader: &mut dyn BufRead) -> Result<(), String> {
    let head = reader.fill_buf().map_err(|error| error.to_string())?;
    if head.starts_with("\u{feff}".as_bytes()) {
        reader.consume('\u{feff}'.len_utf8());
    }
    Ok(())
}

/// Reads the rest as text.
fn text(reader: &mut dyn BufRead) -> Result<String, String> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| format!("it is not UTF-8: {}", error.utf8_error()))
}
