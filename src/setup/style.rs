//! How a JSON document is written, so that what is added looks like the rest.

use serde_json::Value;

/// How a document is written.
#[derive(Clone, Debug)]
pub(super) struct Style {
    /// One step of indent.
    pub(super) unit: String,
    /// The end of a line.
    pub(super) end: &'static str,
    /// Whether all of it stands on one line.
    pub(super) one_line: bool,
    /// What follows a comma or a colon within a line.
    pub(super) blank: &'static str,
}

impl Default for Style {
    fn default() -> Self {
        Self { unit: "  ".to_owned(), end: "\n", one_line: false, blank: " " }
    }
}

impl Style {
    /// Reads the style of a document whose first item stands at `first`.
    pub(super) fn of(text: &str, first: Option<usize>) -> Self {
        let before = first.and_then(|first| text.get(..first)).unwrap_or_default();
        let unit = before.rsplit_once('\n').map(|(_, unit)| unit);
        let unit = unit.filter(|unit| !unit.is_empty() && unit.chars().all(char::is_whitespace));
        let one_line = !text.trim().contains('\n') && first.is_some();
        Self {
            unit: unit.unwrap_or("  ").to_owned(),
            end: if text.contains("\r\n") { "\r\n" } else { "\n" },
            one_line,
            blank: if one_line && !text.contains("\": ") { "" } else { " " },
        }
    }

    /// Returns a value on one line.
    pub(super) fn inline(&self, value: &Value) -> String {
        let blank = self.blank;
        match value {
            Value::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| self.inline(item)).collect();
                format!("[{}]", items.join(&format!(",{blank}")))
            }
            Value::Object(object) if !object.is_empty() => {
                let member = |(name, value): (&String, &Value)| {
                    format!("{}:{blank}{}", Value::from(name.as_str()), self.inline(value))
                };
                let members: Vec<_> = object.iter().map(member).collect();
                format!("{{{blank}{}{blank}}}", members.join(&format!(",{blank}")))
            }
            value => value.to_string(),
        }
    }

    /// Returns a value on as many lines as it takes, below a line that is indented by `indent`.
    pub(super) fn shown(&self, value: &Value, indent: &str) -> String {
        let deeper = format!("{indent}{}", self.unit);
        let lines = |open: char, items: Vec<String>, close: char| {
            let parted = format!(",{}{deeper}", self.end);
            let end = self.end;
            format!("{open}{end}{deeper}{}{end}{indent}{close}", items.join(&parted))
        };
        match value {
            Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
                lines('[', items.iter().map(|item| self.shown(item, &deeper)).collect(), ']')
            }
            Value::Object(object) if !object.is_empty() => {
                let member = |(name, value): (&String, &Value)| {
                    format!("{}: {}", Value::from(name.as_str()), self.shown(value, &deeper))
                };
                lines('{', object.iter().map(member).collect(), '}')
            }
            value => self.inline(value),
        }
    }

    /// Returns items, each behind `parted`; on one line where they have no indent.
    pub(super) fn items(
        &self,
        more: &[(Option<&str>, &Value)],
        parted: &str,
        indent: Option<&str>,
    ) -> String {
        let shown = |(name, value): &(Option<&str>, &Value)| {
            let value = match indent {
                Some(indent) => self.shown(value, indent),
                None => self.inline(value),
            };
            let blank = if indent.is_some() { " " } else { self.blank };
            let name = name.map(|name| format!("{}:{blank}", Value::from(name)));
            format!("{parted}{}{value}", name.unwrap_or_default())
        };
        let parted_again = if parted.is_empty() { self.blank } else { "" };
        more.iter().map(shown).collect::<Vec<_>>().join(&format!(",{parted_again}"))
    }
}
