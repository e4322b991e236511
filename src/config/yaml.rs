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
    let refuse = |why: &str| MemoryError::Config { path: path.to_owned(), why: why.to_owned() };
    match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(refuse(&format!("cannot be read: {error}"))),
        Ok(found) if !found.is_file() => return Err(refuse("is not a file")),
        Ok(found) if found.len() > MAX_BYTES => return Err(refuse("is larger than 64 KiB")),
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| refuse(&format!("cannot be read: {error}")))?;
    file.take(MAX_BYTES)
        .read_to_end(&mut bytes)
        .map_err(|error| refuse(&format!("cannot be read: {error}")))?;
    String::from_utf8(bytes).map(Some).map_err(|_| refuse("is not UTF-8"))
}

/// Parses `text`; an error names line and key. Text without a value gives the default.
pub(super) fn parse<T: DeserializeOwned + Default>(text: &str) -> Result<T, String> {
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
        .map_err(|error| error.to_string())
}
