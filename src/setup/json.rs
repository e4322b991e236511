//! Settings in JSON, with or without comments and trailing commas.

use jsonc_parser::{
    ParseOptions,
    cst::{CstArray, CstInputValue, CstObject, CstRootNode},
};
use serde_json::{Map, Value};

const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Returns what `text` says; nothing is an empty object.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    let root = CstRootNode::parse(text, &OPTIONS).map_err(|error| error.to_string())?;
    if root.value().is_none() {
        return Ok(Value::Object(Map::new()));
    }
    root.to_serde_value().ok_or_else(|| "it holds a value that carnet cannot read".to_owned())
}

/// Returns `text` changed until it says `new`, with everything else as it was.
pub(super) fn rewrite(text: &str, new: &Value) -> Result<String, String> {
    if text.trim().is_empty() {
        return serde_json::to_string_pretty(new)
            .map(|text| format!("{text}\n"))
            .map_err(|error| error.to_string());
    }
    let root = CstRootNode::parse(text, &OPTIONS).map_err(|error| error.to_string())?;
    let object = root.object_value_or_create().ok_or("it holds no object")?;
    let new = new.as_object().ok_or("it holds no object")?;
    rewrite_object(&object, new);
    Ok(root.to_string())
}

fn rewrite_object(object: &CstObject, new: &Map<String, Value>) {
    for property in object.properties() {
        let name = property.decoded_name().unwrap_or_default();
        let Some(wanted) = new.get(&name) else {
            property.remove();
            continue;
        };
        if property.to_serde_value().as_ref() == Some(wanted) {
            continue;
        }
        match (property.object_value(), property.array_value(), wanted) {
            (Some(inner), _, Value::Object(wanted)) => rewrite_object(&inner, wanted),
            (_, Some(inner), Value::Array(wanted)) => rewrite_array(&inner, wanted),
            _ => property.set_value(input(wanted)),
        }
    }
    for (name, value) in new {
        if object.get(name).is_none() {
            object.append(name, input(value));
        }
    }
}

fn rewrite_array(array: &CstArray, new: &[Value]) {
    let old = array.elements();
    let mut wanted = new.iter();
    for (index, element) in old.iter().enumerate() {
        let left = old.len() - index;
        let Some(next) = wanted.as_slice().first() else {
            element.clone().remove();
            continue;
        };
        if element.to_serde_value().as_ref() == Some(next) {
            wanted.next();
        } else if left > wanted.len() {
            element.clone().remove();
        } else {
            wanted.next();
            match (element.as_object(), element.as_array(), next) {
                (Some(inner), _, Value::Object(next)) => rewrite_object(&inner, next),
                (_, Some(inner), Value::Array(next)) => rewrite_array(&inner, next),
                _ => {
                    let place = element.element_index().unwrap_or(index);
                    element.clone().remove();
                    array.insert(place, input(next));
                }
            }
        }
    }
    for value in wanted {
        array.append(input(value));
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(object) => CstInputValue::Object(
            object.iter().map(|(name, value)| (name.clone(), input(value))).collect(),
        ),
    }
}
