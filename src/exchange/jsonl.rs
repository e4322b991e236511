//! JSON Lines: a note a line, as carnet exports them or as anyone can write them.

use std::io::{BufRead, Read};

use serde::Deserialize;
use serde_json::Value;

use super::{Item, Sink, carnet, draft::Draft};

/// Bytes that a line may have.
const MAX_LINE: u64 = 64 * 1024 * 1024;

/// Reads every line; empty ones are passed over.
pub(super) fn read(reader: &mut dyn BufRead, sink: &mut Sink<'_>) -> Result<(), String> {
    for number in 1.. {
        let mut line = Vec::new();
        let mut bounded = Read::take(&mut *reader, MAX_LINE);
        let read = bounded.read_until(b'\n', &mut line).map_err(|error| error.to_string())?;
        if read == 0 {
            break;
        }
        if u64::try_from(read).unwrap_or(u64::MAX) == MAX_LINE {
            return Err(format!("line {number} is larger than 64 MiB"));
        }
        if !line.trim_ascii().is_empty() {
            sink(number, item(&line, number));
        }
    }
    Ok(())
}

fn item(line: &[u8], number: usize) -> Result<Item, String> {
    let text = std::str::from_utf8(line).map_err(|error| format!("it is not UTF-8: {error}"))?;
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if value.get(carnet::MARK).is_some() {
        return carnet::read(value);
    }
    let draft = Draft::deserialize(value).map_err(|error| error.to_string())?;
    draft.into_item(number)
}

/// Returns whether `value` may be a line of such a file.
pub(super) fn is_line(value: &Value) -> bool {
    value.get("text").is_some_and(Value::is_string)
}
