//! Settings in YAML, of which one value is changed: `memory.provider`.

use serde_json::{Map, Value};

use super::json;

/// Returns what `text` says.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    let value: serde_yaml::Value = serde_yaml::from_str(text).map_err(|error| error.to_string())?;
    Ok(match plain(&value) {
        Value::Null => Value::Object(Map::new()),
        value => value,
    })
}

/// Returns `text` changed until it says `new`, where that differs in `memory.provider` only.
pub(super) fn rewrite(text: &str, new: &Value) -> Result<String, String> {
    if text.trim_start().starts_with('{') {
        return json::rewrite(text, new);
    }
    let wanted =
        new.get("memory").and_then(|memory| memory.get("provider")).and_then(Value::as_str);
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    match (wanted, memory(&lines)) {
        (Some(provider), Some(memory)) => put(&mut lines, &memory, provider, end)?,
        (None, Some(memory)) => take(&mut lines, &memory, new),
        (Some(provider), None) => {
            if let Some(last) = lines.last_mut().filter(|last| !last.ends_with('\n')) {
                last.push_str(end);
            }
            lines.push(format!("memory:{end}  provider: {provider}{end}"));
        }
        (None, None) => {}
    }
    Ok(lines.concat())
}

/// Where `memory` stands: its own line, the lines below it, and the one of its provider.
struct Memory {
    line: usize,
    below: std::ops::Range<usize>,
    provider: Option<usize>,
}

fn memory(lines: &[String]) -> Option<Memory> {
    let line = lines.iter().position(|line| line.starts_with("memory:"))?;
    let inside = |line: &&String| line.starts_with([' ', '\t', '#']) || line.trim().is_empty();
    let count = lines.iter().skip(line + 1).take_while(inside).count();
    let below = line + 1..line + 1 + count;
    let depth = lines.iter().skip(line + 1).take(count).find_map(|line| indent(line));
    let provider = lines
        .iter()
        .enumerate()
        .skip(line + 1)
        .take(count)
        .find(|(_, line)| indent(line) == depth && line.trim_start().starts_with("provider:"));
    let provider = provider.map(|(index, _)| index);
    Some(Memory { line, below, provider })
}

/// Returns the blanks before the first key or value of a line; `None` where it has none.
fn indent(line: &str) -> Option<&str> {
    let rest = line.trim_start();
    let blank = line.len() - rest.len();
    (!rest.is_empty() && !rest.starts_with('#')).then(|| line.get(..blank)).flatten()
}

fn put(lines: &mut Vec<String>, memory: &Memory, provider: &str, end: &str) -> Result<(), String> {
    let head = lines.get_mut(memory.line).ok_or("`memory` is not there")?;
    let value = head.trim_start_matches("memory:").trim();
    if value.starts_with('{') {
        let comma =
            if value.trim_start_matches('{').trim_start().starts_with('}') { "" } else { ", " };
        *head = head.replacen('{', &format!("{{provider: {provider}{comma}"), 1);
        return Ok(());
    }
    if let Some(line) = memory.provider.and_then(|index| lines.get_mut(index)) {
        let (key, rest) = line.split_once(':').ok_or("`provider` has no value")?;
        let comment = rest.find(" #").and_then(|at| {
            let value = rest.get(..at)?.trim_end().len();
            rest.get(value..).map(str::trim_end)
        });
        let comment = comment.unwrap_or_default();
        *line = format!("{key}: {provider}{comment}{end}");
        return Ok(());
    }
    let depth =
        lines.iter().take(memory.below.end).skip(memory.below.start).find_map(|it| indent(it));
    let depth = depth.unwrap_or("  ").to_owned();
    if let Some(head) = lines.get_mut(memory.line).filter(|head| !head.ends_with('\n')) {
        head.push_str(end);
    }
    lines.insert(memory.line + 1, format!("{depth}provider: {provider}{end}"));
    Ok(())
}

fn take(lines: &mut Vec<String>, memory: &Memory, new: &Value) {
    if let Some(index) = memory.provider.filter(|index| *index < lines.len()) {
        lines.remove(index);
    }
    if let Some(head) = lines.get_mut(memory.line).filter(|head| head.contains('{')) {
        for form in ["provider: carnet, ", "provider: carnet"] {
            *head = head.replacen(form, "", 1);
        }
    }
    if new.get("memory").is_none() && memory.line < lines.len() {
        lines.remove(memory.line);
    }
}

fn plain(value: &serde_yaml::Value) -> Value {
    match value {
        serde_yaml::Value::Null => Value::Null,
        serde_yaml::Value::Bool(value) => Value::from(*value),
        serde_yaml::Value::Number(number) => serde_json::to_value(number).unwrap_or_default(),
        serde_yaml::Value::String(text) => Value::from(text.as_str()),
        serde_yaml::Value::Sequence(items) => items.iter().map(plain).collect(),
        serde_yaml::Value::Mapping(map) => {
            Value::Object(map.iter().map(|(key, value)| (name(key), plain(value))).collect())
        }
        serde_yaml::Value::Tagged(tagged) => {
            Value::Array(vec![Value::from(tagged.tag.to_string()), plain(&tagged.value)])
        }
    }
}

fn name(key: &serde_yaml::Value) -> String {
    match plain(key) {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, with: &str) {
        let mut new = parse(text).unwrap();
        let memory = new.as_object_mut().unwrap().entry("memory").or_insert(Value::Null);
        if memory.is_null() {
            *memory = Value::Object(Map::new());
        }
        memory.as_object_mut().unwrap().insert("provider".to_owned(), Value::from("carnet"));
        let written = rewrite(text, &new).unwrap();
        assert_eq!(written, with);
        assert_eq!(parse(&written).unwrap(), new);
    }

    #[test]
    fn the_provider_is_set_in_each_way_of_writing() {
        check("", "memory:\n  provider: carnet\n");
        check("a: 1", "a: 1\nmemory:\n  provider: carnet\n");
        check("memory:\n", "memory:\n  provider: carnet\n");
        check("memory: # none\nb: 1\n", "memory: # none\n  provider: carnet\nb: 1\n");
        check(
            "memory:\n    # deep\n    a: 1\n",
            "memory:\n    provider: carnet\n    # deep\n    a: 1\n",
        );
        check(
            "memory:\n  x:\n    provider: y\n",
            "memory:\n  provider: carnet\n  x:\n    provider: y\n",
        );
        check("memory:\n  provider: \"\"   # none\n", "memory:\n  provider: carnet   # none\n");
        check("memory: {}\n", "memory: {provider: carnet}\n");
        check("memory: {a: 1}\n", "memory: {provider: carnet, a: 1}\n");
        check(
            "{\"a\": {\"b\": 1}}",
            "{\"a\": {\"b\": 1}, \"memory\": { \"provider\": \"carnet\" }}",
        );
    }
}
