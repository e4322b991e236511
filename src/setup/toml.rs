//! Settings in TOML.

use serde_json::{Map, Value};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike};

/// Returns what `text` says.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    let document = read(text)?;
    Ok(Value::Object(plain_table(document.as_table())))
}

/// Returns `text` changed until it says `new`, with everything else as it was.
pub(super) fn rewrite(text: &str, new: &Value) -> Result<String, String> {
    // The editor writes new lines as `\n`, and knows no other in what it keeps of old ones.
    let crlf = text.contains("\r\n");
    let lines = text.replace("\r\n", "\n");
    if crlf && lines.replace('\n', "\r\n") != text {
        return Err("its lines end in more than one way".to_owned());
    }
    // It ends the last line, too.
    let lines = if lines.is_empty() || lines.ends_with('\n') { lines } else { lines + "\n" };
    let mut document = read(&lines)?;
    if document.to_string() != lines {
        return Err("it cannot be written back as it is".to_owned());
    }
    rewrite_table(document.as_table_mut(), new.as_object().ok_or("it holds no table")?, 0);
    let written = document.to_string();
    Ok(if crlf { written.replace('\n', "\r\n") } else { written })
}

fn read(text: &str) -> Result<DocumentMut, String> {
    text.parse::<DocumentMut>().map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        format!("{} at line {}", error.message(), before.matches('\n').count() + 1)
    })
}

fn rewrite_table(table: &mut dyn TableLike, new: &Map<String, Value>, depth: usize) {
    let gone: Vec<_> =
        table.iter().map(|(key, _)| key.to_owned()).filter(|key| !new.contains_key(key)).collect();
    for key in gone {
        table.remove(&key);
    }
    for (key, wanted) in new {
        let Some(item) = table.get_mut(key) else {
            table.insert(key, made(wanted, depth));
            continue;
        };
        if plain(item) == *wanted {
            continue;
        }
        if let (Some(inner), Value::Object(wanted)) = (item.as_table_like_mut(), wanted) {
            rewrite_table(inner, wanted, depth + 1);
            continue;
        }
        let decor = item.as_value().map(|value| value.decor().clone());
        *item = made(wanted, depth);
        if let (Some(value), Some(decor)) = (item.as_value_mut(), decor) {
            *value.decor_mut() = decor;
        }
    }
}

/// Returns a new item; the two upper levels are tables with a header of their own.
fn made(value: &Value, depth: usize) -> Item {
    let Value::Object(object) = value else { return Item::Value(made_value(value)) };
    if depth > 1 {
        return Item::Value(made_value(value));
    }
    let mut table = Table::new();
    table.set_implicit(object.values().all(Value::is_object));
    for (key, value) in object {
        table.insert(key, made(value, depth + 1));
    }
    Item::Table(table)
}

fn made_value(value: &Value) -> toml_edit::Value {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => number
            .as_i64()
            .map_or_else(|| number.as_f64().unwrap_or_default().into(), toml_edit::Value::from),
        Value::Array(items) => items.iter().map(made_value).collect::<Array>().into(),
        Value::Object(object) => object
            .iter()
            .map(|(key, value)| (key.as_str(), made_value(value)))
            .collect::<InlineTable>()
            .into(),
        Value::String(text) => text.as_str().into(),
        Value::Null => "".into(),
    }
}

fn plain_table(table: &dyn TableLike) -> Map<String, Value> {
    table.iter().map(|(key, item)| (key.to_owned(), plain(item))).collect()
}

fn plain(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(value) => plain_value(value),
        Item::Table(table) => Value::Object(plain_table(table)),
        Item::ArrayOfTables(tables) => {
            tables.iter().map(|table| Value::Object(plain_table(table))).collect()
        }
    }
}

fn plain_value(value: &toml_edit::Value) -> Value {
    match value {
        toml_edit::Value::String(text) => Value::from(text.value().as_str()),
        toml_edit::Value::Integer(number) => Value::from(*number.value()),
        toml_edit::Value::Float(number) => Value::from(number.value().to_string()),
        toml_edit::Value::Boolean(value) => Value::from(*value.value()),
        toml_edit::Value::Datetime(time) => Value::from(time.value().to_string()),
        toml_edit::Value::Array(items) => items.iter().map(plain_value).collect(),
        toml_edit::Value::InlineTable(table) => Value::Object(plain_table(table)),
    }
}
