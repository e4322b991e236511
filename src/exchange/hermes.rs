//! Hermes: its two bounded files, whose entries become entries of the same files.

use super::{Item, Sink, Source};
use crate::memory::{Document, Target};

pub(super) fn read(source: Source<'_>, text: &str, sink: &mut Sink<'_>) -> Result<(), String> {
    let target = target(source.file())
        .ok_or("it is neither called MEMORY.md nor USER.md, so it is not known where it goes")?;
    for (entry, number) in Document::of(text.to_owned()).entries().iter().zip(1..) {
        sink(number, Ok(Item::Entry { target, text: entry.as_str().to_owned() }));
    }
    Ok(())
}

/// Returns the bounded file of this name.
pub(super) fn target(file: &str) -> Option<Target> {
    Target::ALL.into_iter().find(|target| target.file_name() == file)
}
