//! YAML that may come from anywhere: bounded before it is parsed.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

use serde::de::DeserializeOwned;

use crate::error::MemoryError;

/// Bytes read at most; the parser's time grows with the square of its nesting.
const MAX_BYTES: u64 = 64 * 1024;

/// Open brackets allowed at once.
const MAX_DEPTH: usize = 32;

/// Reads the file; `None` where there is none.
pub(super) fn read(path: &Path) -> Result<Option<String>, MemoryError> {
    let reading = |source| MemoryError::Read { path: path.to_owned(), source };
    let refuse = |why: &str| MemoryError::Config { path: path.to_owned(), why: why.to_owned() };
    match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(reading(error)),
        Ok(found) if !found.is_file() => return Err(refuse("is not a file")),
        Ok(found) if found.len() > MAX_BYTES => return Err(refuse("is larger than 64 KiB")),
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes))
        .map_err(reading)?;
    String::from_utf8(bytes).map(Some).map_err(|_| refuse("is not UTF-8"))
}

/// Parses `text`; an error names line and key. Text without a value gives the default.
pub(crate) fn parse<T: DeserializeOwned + Default>(text: &str) -> Result<T, String> {
    let mut depth = 0_usize;
    for (number, line) in text.lines().enumerate() {
        for c in line.chars() {
            match c {
                '[' | '{' => depth += 1,
                ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        let indents = line.matches("- ").count();
        if depth.max(indents) > MAX_DEPTH {
            return Err(format!("nested deeper than {MAX_DEPTH} levels at line {}", number + 1));
        }
    }
    serde_yaml::from_str::<Option<T>>(text)
        .map(Option::unwrap_or_default)
        .map_err(|error| explain(text, &error))
}

/// Words of the parser that mean nothing to who writes a configuration.
const JARGON: [(&str, &str); 7] = [
    ("expected struct RawSnapshot", "expected keys with values"),
    ("expected struct RawRecall", "expected keys with values"),
    ("expected struct PeerMemory", "expected keys with values"),
    ("expected struct Raw", "expected keys with values"),
    ("expected struct Llm", "expected keys with values"),
    ("expected usize", "expected a whole number"),
    (" as u128", ""),
];

/// Returns what is wrong, in the words of a configuration, and at which line.
fn explain(text: &str, error: &serde_yaml::Error) -> String {
    let mut message = error.to_string();
    for (jargon, plain) in JARGON {
        message = message.replace(jargon, plain);
    }
    if message.contains(" at line ") {
        return message;
    }
    // The parser leaves out the first line, and does not say where a key stands twice: the last one is at fault.
    let key = message.split('`').nth(1).unwrap_or_default();
    let starts = |line: &str| !key.is_empty() && line.trim_start().starts_with(&format!("{key}:"));
    let found = text.lines().collect::<Vec<_>>().iter().rposition(|line| starts(line));
    let line =
        error.location().map_or(1, |place| place.line()).max(found.map_or(1, |index| index + 1));
    format!("{message} at line {line}")
}
