//! What one file of a client shall hold.

use serde_json::Value;

use super::{json, toml, wish::Wish, yaml};

/// How a client writes its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// With comments and trailing commas, or without.
    Json,
    Toml,
    Yaml,
}

/// What of a file is ours.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// Some of its settings.
    Settings { format: Format, wishes: Vec<Wish> },
    /// Lines between two marks.
    Block(String),
    /// All of it.
    Whole(String),
}

/// Every file that is wholly ours says this at its beginning.
pub(super) const MARKS: [&str; 4] = [
    "// Written by `carnet setup opencode`",
    "\"\"\"carnet as a memory provider of Hermes.\n\nWritten by `carnet setup hermes`",
    "# Written by `carnet setup hermes`",
    "{\n  \"written_by\": \"carnet setup hermes\"",
];

fn is_ours(text: &str) -> bool {
    MARKS.iter().any(|mark| text.starts_with(mark))
}

const BEGIN: &str = "<!-- carnet:begin -->";
const END: &str = "<!-- carnet:end -->";
const BOM: &str = "\u{feff}";

impl Content {
    /// Returns the file with what is ours, up to date; an error says why that cannot be.
    pub(super) fn put(&self, text: &str) -> Result<String, String> {
        match self {
            Self::Settings { format, wishes } => {
                edit(*format, text, &mut |value| wishes.iter().try_for_each(|wish| wish.put(value)))
            }
            Self::Block(block) => put_block(text, block),
            Self::Whole(whole) if text.trim().is_empty() || is_ours(text) => Ok(whole.clone()),
            Self::Whole(_) => Err("it is somebody else's".to_owned()),
        }
    }

    /// Returns the file without what is ours, but with words in lists, which anyone may have written.
    pub(super) fn take_but_words(&self, text: &str) -> Result<String, String> {
        let Self::Settings { format, wishes } = self else { return self.take(text) };
        let is_word = |wish: &&Wish| matches!(wish, Wish::Listed { .. });
        let wishes: Vec<_> = wishes.iter().filter(|wish| !is_word(wish)).cloned().collect();
        Self::Settings { format: *format, wishes }.take(text)
    }

    /// Returns the file without what is ours.
    pub(super) fn take(&self, text: &str) -> Result<String, String> {
        match self {
            Self::Settings { format, wishes } => edit(*format, text, &mut |value| {
                for wish in wishes {
                    wish.take(value);
                }
                Ok(())
            }),
            Self::Block(_) => take_block(text),
            Self::Whole(_) if is_ours(text) => Ok(String::new()),
            Self::Whole(_) => Ok(text.to_owned()),
        }
    }

    /// Tells whether a file of this text says nothing.
    pub(super) fn is_nothing(&self, text: &str) -> bool {
        match self {
            Self::Settings { format: Format::Json, .. } => matches!(text.trim(), "" | "{}"),
            _ => text.trim().is_empty(),
        }
    }

    /// Returns what the file says, where it holds settings.
    pub(super) fn read(&self, text: &str) -> Result<Value, String> {
        match self {
            Self::Settings { format, .. } => format.parse(text.strip_prefix(BOM).unwrap_or(text)),
            _ => Ok(Value::Null),
        }
    }
}

impl Format {
    fn parse(self, text: &str) -> Result<Value, String> {
        match self {
            Self::Json => json::parse(text),
            Self::Toml => toml::parse(text),
            Self::Yaml => yaml::parse(text),
        }
    }

    fn rewrite(self, text: &str, new: &Value) -> Result<String, String> {
        match self {
            Self::Json => json::rewrite(text, new),
            Self::Toml => toml::rewrite(text, new),
            Self::Yaml => yaml::rewrite(text, new),
        }
    }
}

/// Changes what `text` says by `change`, and checks that it then says just that.
fn edit(
    format: Format,
    text: &str,
    change: &mut dyn FnMut(&mut Value) -> Result<(), String>,
) -> Result<String, String> {
    let (bom, text) = text.strip_prefix(BOM).map_or(("", text), |rest| (BOM, rest));
    let old = format.parse(text)?;
    let mut new = old.clone();
    change(&mut new)?;
    if new == old {
        return Ok(format!("{bom}{text}"));
    }
    let written = format.rewrite(text, &new)?;
    if format.parse(&written).as_ref() != Ok(&new) {
        return Err("it is written in a way that carnet does not change".to_owned());
    }
    Ok(format!("{bom}{written}"))
}

/// Returns where the block stands, with the end of its last line.
fn block_in(text: &str) -> Result<Option<std::ops::Range<usize>>, String> {
    let broken = || "its `carnet:begin` and `carnet:end` do not go together".to_owned();
    match (text.matches(BEGIN).count(), text.matches(END).count()) {
        (0, 0) => return Ok(None),
        (1, 1) => {}
        _ => return Err(broken()),
    }
    let start = text.find(BEGIN).ok_or_else(broken)?;
    let end = text.find(END).ok_or_else(broken)? + END.len();
    let rest = text.get(end..).unwrap_or_default();
    let line = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
    if start < end { Ok(Some(start..end + line)) } else { Err(broken()) }
}

fn put_block(text: &str, block: &str) -> Result<String, String> {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let block = format!("{BEGIN}\n{}\n{END}\n", block.trim_end()).replace('\n', end);
    if let Some(place) = block_in(text)? {
        let mut new = text.to_owned();
        let block = if text.get(place.clone()).is_some_and(|old| old.ends_with('\n')) {
            block.as_str()
        } else {
            block.trim_end()
        };
        new.replace_range(place, block);
        return Ok(new);
    }
    let parted = match text {
        "" => "",
        _ if text.ends_with("\n\n") || text.ends_with("\r\n\r\n") => "",
        _ if text.ends_with('\n') => end,
        _ => &end.repeat(2),
    };
    Ok(format!("{text}{parted}{block}"))
}

fn take_block(text: &str) -> Result<String, String> {
    let Some(place) = block_in(text)? else { return Ok(text.to_owned()) };
    let (before, after) =
        (text.get(..place.start).unwrap_or_default(), text.get(place.end..).unwrap_or_default());
    // The blank line that parted it.
    let before = match before.strip_suffix("\r\n").or_else(|| before.strip_suffix('\n')) {
        Some(shorter) if shorter.ends_with('\n') => shorter,
        _ => before,
    };
    Ok(format!("{before}{after}"))
}
