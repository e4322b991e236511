//! What a call asks for, taken from JSON without trusting it.

use serde_json::{Map, Value};

use crate::{
    error::MemoryError,
    memory::{Edit, EditError, Entry, EntryError, Target, preview},
};

/// A call of the tool, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The file it is about.
    pub target: Target,
    /// What it asks for, in order.
    pub edits: Vec<Edit>,
    /// Whether it came as a batch.
    pub batch: bool,
    /// The state of the file it was made for: SHA-256 of its bytes, in hex.
    pub expected_sha256: Option<String>,
}

const EXAMPLE: &str =
    "send an object such as {\"action\":\"add\",\"target\":\"memory\",\"content\":\"…\"}";

/// Operations that one call may hold; each reads the whole file again.
const MAX_OPERATIONS: usize = 200;

impl Request {
    /// Returns whether a call is a batch, well-formed or not.
    pub fn is_batch(value: &Value) -> bool {
        value
            .as_object()
            .is_some_and(|fields| !matches!(operations(fields), Ok(found) if found.is_empty()))
    }

    /// Returns the file a call is about, `memory` where it is left out.
    pub fn target(value: &Value) -> Result<Target, MemoryError> {
        value.as_object().map_or(Ok(Target::Memory), target)
    }

    /// Reads a call. Wrong types are refused and not converted; a null field counts as left out.
    pub fn parse(value: &Value) -> Result<Self, MemoryError> {
        let Value::Object(fields) = value else {
            let what = format!("the request must be a JSON object, not {}", kind(value));
            return Err(MemoryError::bad_request(what, EXAMPLE));
        };
        let target = target(fields)?;
        let expected_sha256 = text(fields, "expected_sha256")?.map(str::to_owned);
        let operations = operations(fields)?;
        let batch = !operations.is_empty();
        if operations.len() > MAX_OPERATIONS {
            let what = format!(
                "`operations` holds {} operations, and {MAX_OPERATIONS} is the most",
                operations.len()
            );
            return Err(MemoryError::bad_request(what, "send them in several calls"));
        }
        let edits = if batch {
            let numbered = operations.iter().enumerate();
            numbered
                .map(|(index, operation)| operation_edit(operation, index + 1, target))
                .collect::<Result<_, _>>()?
        } else {
            vec![edit(fields, target)?]
        };
        Ok(Self { target, edits, batch, expected_sha256 })
    }
}

/// Returns the target of a call, `memory` where it is left out.
fn target(fields: &Map<String, Value>) -> Result<Target, MemoryError> {
    match text(fields, "target")? {
        None => Ok(Target::Memory),
        Some(word) => word.parse().map_err(|error: crate::memory::UnknownTarget| {
            MemoryError::bad_request(
                preview(&error.to_string(), 120),
                "leave `target` out for memory",
            )
        }),
    }
}

/// Returns the operations of a batch; none where the field is left out or empty. A JSON string is read as JSON.
fn operations(fields: &Map<String, Value>) -> Result<Vec<Value>, MemoryError> {
    let refuse = |what: String| {
        MemoryError::bad_request(
            what,
            "send `operations` as an array of objects, each with its own `action`",
        )
    };
    match fields.get("operations") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(operations)) => Ok(operations.clone()),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(Vec::new()),
        Some(Value::String(text)) => match serde_json::from_str(text) {
            Ok(Value::Array(operations)) => Ok(operations),
            Ok(other) => Err(refuse(format!("`operations` must be a list, not {}", kind(&other)))),
            Err(error) => Err(refuse(format!(
                "`operations` must be a list; as a string it is no JSON: {error}"
            ))),
        },
        Some(other) => Err(refuse(format!("`operations` must be a list, not {}", kind(other)))),
    }
}

fn operation_edit(operation: &Value, number: usize, target: Target) -> Result<Edit, MemoryError> {
    let Value::Object(fields) = operation else {
        let what = format!(
            "operation {number} must be an object, not {}; no operations were applied",
            kind(operation)
        );
        return Err(MemoryError::bad_request(what, "give each operation its own `action`"));
    };
    let named = match fields.get("target") {
        None | Some(Value::Null) => Ok(()),
        Some(named) if named.as_str() == Some(target.as_str()) => Ok(()),
        Some(_) => {
            let what = format!("`target` must be `{target}` as in the whole call");
            Err(MemoryError::bad_request(what, "send one call for each target"))
        }
    };
    named.and_then(|()| edit(fields, target)).map_err(|error| match error {
        MemoryError::Edit { target, source } => {
            let action = match fields.get("action").and_then(Value::as_str) {
                Some("replace") => "replace",
                Some("remove") => "remove",
                _ => "add",
            };
            MemoryError::Edit {
                target,
                source: EditError::Operation { number, action, source: Box::new(source) },
            }
        }
        MemoryError::BadRequest { what, hint } => MemoryError::bad_request(
            format!("operation {number}: {what}; no operations were applied"),
            hint,
        ),
        other => other,
    })
}

/// Reads one edit. `new_text` and `new_string` stand for `content`, `old_string` for `old_text`.
fn edit(fields: &Map<String, Value>, target: Target) -> Result<Edit, MemoryError> {
    let refuse = |source: EditError| MemoryError::Edit { target, source };
    let old_text = text(fields, "old_text")?.or(text(fields, "old_string")?);
    let content =
        text(fields, "content")?.or(text(fields, "new_text")?).or(text(fields, "new_string")?);
    let entry = || {
        content.map_or(Err(EntryError::Empty), Entry::parse).map_err(|error| refuse(error.into()))
    };
    let old_text = || match old_text {
        Some(old_text) if !old_text.trim().is_empty() => Ok(old_text.to_owned()),
        _ => Err(refuse(EditError::MissingOldText)),
    };
    match text(fields, "action")? {
        Some("add") => Ok(Edit::Add { entry: entry()? }),
        Some("replace") => Ok(Edit::Replace { old_text: old_text()?, entry: entry()? }),
        Some("remove") => Ok(Edit::Remove { old_text: old_text()? }),
        Some(other) => {
            let what = format!(
                "unknown action `{}`: it is `add`, `replace` or `remove`",
                preview(other, 40)
            );
            Err(MemoryError::bad_request(what, EXAMPLE))
        }
        None => {
            let what = "Missing required parameter: `action`, or `operations` for a batch";
            Err(MemoryError::bad_request(what, EXAMPLE))
        }
    }
}

/// Returns the string in the field `name`; `None` where it is left out or null.
fn text<'v>(fields: &'v Map<String, Value>, name: &str) -> Result<Option<&'v str>, MemoryError> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => {
            let what = format!("`{name}` must be a string, not {}", kind(other));
            Err(MemoryError::bad_request(what, format!("quote the value of `{name}`")))
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(text: &str) -> Entry {
        Entry::parse(text).unwrap()
    }

    #[test]
    fn a_call_is_read_with_its_aliases_and_nulls() {
        let add = Edit::Add { entry: entry("a") };
        let read = |value: Value| Request::parse(&value).unwrap();
        assert_eq!(read(json!({"action":"add","content":" a "})).edits, vec![add.clone()]);
        let request = read(
            json!({"action":"add","target":null,"content":"a","old_text":null,"operations":null}),
        );
        assert_eq!((request.target, request.batch), (Target::Memory, false));
        let replace = Edit::Replace { old_text: "x".into(), entry: entry("y") };
        for value in [
            json!({"action":"replace","target":"user","old_text":"x","content":"y","new_text":"z"}),
            json!({"action":"replace","target":"user","old_string":"x","new_text":"y"}),
            json!({"action":"replace","target":"user","old_string":"x","new_string":"y"}),
        ] {
            let request = read(value);
            assert_eq!(
                (request.target, &request.edits[..]),
                (Target::User, &[replace.clone()][..])
            );
        }
        let list = json!([{"action":"remove","old_text":"x"},{"action":"add","content":"a"}]);
        let batch = [Edit::Remove { old_text: "x".into() }, add.clone()];
        for operations in [list.clone(), Value::String(list.to_string())] {
            let request = read(json!({"action":"remove","operations":operations}));
            assert_eq!((request.batch, &request.edits[..]), (true, &batch[..]));
        }
        assert_eq!(read(json!({"action":"add","content":"a","operations":[]})).edits, [add]);
    }

    #[track_caller]
    fn check(value: &Value, code: &str, part: &str) {
        let error = Request::parse(value).unwrap_err();
        let text = match &error {
            MemoryError::Edit { source, .. } => source.to_string(),
            other => other.to_string(),
        };
        assert_eq!(error.code(), code, "{value}: {text}");
        assert!(text.contains(part), "{value}: {text}");
    }

    #[test]
    fn what_cannot_be_understood_is_refused_with_its_reason() {
        check(&json!([]), "bad_request", "not an array");
        check(&json!({}), "bad_request", "Missing required parameter");
        check(&json!({"action":"list"}), "bad_request", "unknown action `list`");
        check(&json!({"action":1}), "bad_request", "`action` must be a string, not a number");
        check(
            &json!({"action":"add","content":5}),
            "bad_request",
            "`content` must be a string, not a number",
        );
        check(&json!({"action":"add","content":["a"]}), "bad_request", "not an array");
        check(
            &json!({"action":"add","content":"a","target":"notes"}),
            "bad_request",
            "invalid target `notes`",
        );
        check(&json!({"action":"add","content":"a","target":{}}), "bad_request", "not an object");
        check(
            &json!({"action":"add","content":"a","expected_sha256":1}),
            "bad_request",
            "expected_sha256",
        );
        check(&json!({"action":"add"}), "empty_content", "empty");
        check(&json!({"action":"add","content":" \n"}), "empty_content", "empty");
        check(&json!({"action":"add","content":"a\n§\nb"}), "separator_in_entry", "separates");
        check(&json!({"action":"remove"}), "missing_old_text", "old_text");
        check(
            &json!({"action":"replace","content":"a","old_text":"  "}),
            "missing_old_text",
            "old_text",
        );
        check(&json!({"action":"replace","old_text":"a"}), "empty_content", "empty");
        check(&json!({"operations":"[1"}), "bad_request", "no JSON");
        check(
            &json!({"operations":{"action":"add"}}),
            "bad_request",
            "must be a list, not an object",
        );
        check(&json!({"operations":[3]}), "bad_request", "operation 1 must be an object");
        check(
            &json!({"operations":[{"action":"add","content":"a"},{"action":"no"}]}),
            "bad_request",
            "operation 2: ",
        );
        check(
            &json!({"operations":[{"action":"remove"}]}),
            "missing_old_text",
            "operation 1 (remove)",
        );
        let elsewhere = json!({"operations":[{"action":"add","content":"a","target":"user"}]});
        check(&elsewhere, "bad_request", "operation 1: `target` must be `memory`");
    }
}
