//! PURE: what a model is sent, and what its answer says.

use serde_json::{Value, json};

/// Which words an endpoint understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Ollama,
    Openai,
}

/// Returns how to speak to the endpoint at `url`, and its whole address.
///
/// An address that ends in `/api`, or is Ollama's own port and nothing else, is Ollama's; others speak as OpenAI's.
pub(super) fn address(url: &str) -> (Dialect, String) {
    let base = url.trim().trim_end_matches('/');
    let no_path = base.split_once("://").is_some_and(|(_, rest)| !rest.contains('/'));
    if let Some(base) = base.strip_suffix("/api/chat").or_else(|| base.strip_suffix("/api")) {
        return (Dialect::Ollama, format!("{base}/api/chat"));
    }
    if no_path && base.ends_with(":11434") {
        return (Dialect::Ollama, format!("{base}/api/chat"));
    }
    let base = base.trim_end_matches("/chat/completions");
    let version = if no_path { "/v1" } else { "" };
    (Dialect::Openai, format!("{base}{version}/chat/completions"))
}

/// Returns the request for an answer to `text` under the instructions `system`.
pub(super) fn request(dialect: Dialect, model: &str, system: &str, text: &str) -> Value {
    let messages = json!([
        { "role": "system", "content": system },
        { "role": "user", "content": text },
    ]);
    match dialect {
        Dialect::Ollama => json!({
            "model": model, "messages": messages, "stream": false, "format": "json",
            "options": { "temperature": 0 },
        }),
        Dialect::Openai => {
            json!({ "model": model, "messages": messages, "stream": false, "temperature": 0 })
        }
    }
}

/// Returns the words of an answer of either dialect.
pub(super) fn words(answer: &[u8]) -> Result<String, String> {
    let answer: Value = serde_json::from_slice(answer)
        .map_err(|error| format!("its answer is no JSON: {error}"))?;
    let content =
        [answer.pointer("/choices/0/message/content"), answer.pointer("/message/content")]
            .into_iter()
            .flatten()
            .find_map(Value::as_str);
    content.map(str::to_owned).ok_or_else(|| "its answer holds no message".to_owned())
}

/// Returns the JSON object that a model has answered with, also in a fence or between other words.
pub fn json_in(words: &str) -> Result<Value, String> {
    let object = |text: &str| {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if value.is_object() { Ok(value) } else { Err("it is no object".to_owned()) }
    };
    let found = words.find('{').zip(words.rfind('}'));
    let inner = found.and_then(|(start, end)| words.get(start..=end)).unwrap_or(words);
    object(inner.trim()).map_err(|why| format!("the answer of the model is no JSON: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_tells_how_to_speak() {
        let cases = [
            ("http://127.0.0.1:11434", Dialect::Ollama, "http://127.0.0.1:11434/api/chat"),
            ("http://box:1/api/", Dialect::Ollama, "http://box:1/api/chat"),
            (
                "http://127.0.0.1:11434/v1",
                Dialect::Openai,
                "http://127.0.0.1:11434/v1/chat/completions",
            ),
            (
                "https://api.example.org/v1/",
                Dialect::Openai,
                "https://api.example.org/v1/chat/completions",
            ),
            ("http://127.0.0.1:8080", Dialect::Openai, "http://127.0.0.1:8080/v1/chat/completions"),
            ("http://a/v1/chat/completions", Dialect::Openai, "http://a/v1/chat/completions"),
        ];
        for (url, dialect, whole) in cases {
            assert_eq!(address(url), (dialect, whole.to_owned()), "{url}");
        }
    }

    #[test]
    fn answers_of_both_kinds_are_read_and_others_refused() {
        let openai = br#"{"choices":[{"message":{"content":"hello"}}]}"#;
        assert_eq!(words(openai).unwrap(), "hello");
        assert_eq!(words(br#"{"message":{"content":"hello"}}"#).unwrap(), "hello");
        assert!(words(b"{}").is_err() && words(b"<html>").is_err());
        assert_eq!(json_in("Here:\n```json\n{\"a\": {\"b\": 1}}\n```\n").unwrap()["a"]["b"], 1);
        for text in ["", "no", "{", "[1]", "{\"a\": }", "} {"] {
            assert!(json_in(text).is_err(), "{text}");
        }
    }
}
