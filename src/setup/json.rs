//! Settings in JSON, with or without comments and trailing commas, changed by splices: what is not named is not touched.

use jsonc_parser::{
    CollectOptions, ParseOptions,
    ast::{self, Array, Object},
    common::Ranged,
    parse_to_ast,
};
use serde_json::{Map, Value};

use super::{align::align, list::List, style::Style};

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
    Ok(tree(text)?.map_or_else(|| Value::Object(Map::new()), Into::into))
}

fn tree(text: &str) -> Result<Option<ast::Value<'_>>, String> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &OPTIONS);
    parsed.map(|parsed| parsed.value).map_err(|error| error.to_string())
}

/// Returns `text` changed until it says `new`, with everything else as it was.
pub(super) fn rewrite(text: &str, new: &Value) -> Result<String, String> {
    let new = new.as_object().ok_or("it holds no object")?;
    let Some(_) = tree(text)? else {
        let object = Style::default().shown(&Value::Object(new.clone()), "");
        let parted = if text.trim().is_empty() || text.ends_with('\n') { "" } else { "\n" };
        return Ok(format!("{}{parted}{object}\n", if text.trim().is_empty() { "" } else { text }));
    };
    let without = edit(text, new, Step::Remove)?;
    edit(&without, new, Step::Put)
}

/// What goes comes first: what comes then stands behind what stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Remove,
    Put,
}

fn edit(text: &str, new: &Map<String, Value>, step: Step) -> Result<String, String> {
    let Some(ast::Value::Object(root)) = tree(text)? else {
        return Err("it holds no object".to_owned());
    };
    let first = root.properties.first().map(|property| property.range.start);
    let style = Style::of(text, first);
    let mut editor = Editor { text, step, style, splices: Vec::new(), twice: None };
    editor.object(&root, new);
    match editor.twice.take() {
        Some(name) => Err(format!("`{name}` stands in it twice")),
        None => Ok(editor.done()),
    }
}

/// Collects the splices of one step.
struct Editor<'a> {
    text: &'a str,
    step: Step,
    style: Style,
    splices: Vec<(std::ops::Range<usize>, String)>,
    /// A name that stands twice in an object that changes: readers differ in which of them counts.
    twice: Option<String>,
}

impl Editor<'_> {
    fn object(&mut self, object: &Object<'_>, new: &Map<String, Value>) {
        let items = object.properties.iter().map(|it| it.range.start..it.range.end).collect();
        let list = List::new(self.text, object.range.start..object.range.end, items);
        let mut gone = Vec::new();
        for (index, property) in object.properties.iter().enumerate() {
            let name = property.name.as_str();
            if object.properties.iter().take(index).any(|other| other.name.as_str() == name) {
                self.twice = Some(name.to_owned());
            }
            match new.get(name) {
                Some(wanted) => self.value(&property.value, wanted),
                None => gone.push(index),
            }
        }
        let known = |name: &String| object.properties.iter().any(|it| it.name.as_str() == name);
        let more: Vec<_> = new
            .iter()
            .filter(|(name, _)| !known(name))
            .map(|(name, value)| (Some(name.as_str()), value))
            .collect();
        self.list(&list, &gone, &more);
    }

    fn array(&mut self, array: &Array<'_>, new: &[Value]) {
        let items = array.elements.iter().map(Ranged::range).map(|it| it.start..it.end).collect();
        let list = List::new(self.text, array.range.start..array.range.end, items);
        let old: Vec<Value> = array.elements.iter().cloned().map(Into::into).collect();
        let pairs = align(&old, new);
        let mut gone = Vec::new();
        for (index, element) in array.elements.iter().enumerate() {
            let pair = pairs.iter().find(|(old, _)| *old == index);
            match pair.and_then(|(_, wanted)| new.get(*wanted)) {
                Some(wanted) => self.value(element, wanted),
                None => gone.push(index),
            }
        }
        let first = pairs.last().map_or(0, |(_, last)| last + 1);
        let more: Vec<_> = new.iter().skip(first).map(|value| (None, value)).collect();
        if first == pairs.len() {
            self.list(&list, &gone, &more);
        } else if self.step == Step::Put {
            // What comes in between, which only a list of ours needs.
            let whole = self.style.inline(&Value::Array(new.to_vec()));
            self.splices.push((array.range.start..array.range.end, whole));
        }
    }

    fn list(&mut self, list: &List<'_>, gone: &[usize], more: &[(Option<&str>, &Value)]) {
        match self.step {
            Step::Remove => self.splices.extend(list.without(gone)),
            Step::Put if more.is_empty() => {}
            Step::Put => self.splices.extend(list.with(more, &self.style)),
        }
    }

    fn value(&mut self, value: &ast::Value<'_>, wanted: &Value) {
        if Value::from(value.clone()) == *wanted {
            return;
        }
        match (value, wanted) {
            (ast::Value::Object(object), Value::Object(wanted)) => self.object(object, wanted),
            (ast::Value::Array(array), Value::Array(wanted)) => self.array(array, wanted),
            _ if self.step == Step::Put => {
                let range = value.range();
                self.splices.push((range.start..range.end, self.style.inline(wanted)));
            }
            _ => {}
        }
    }

    fn done(mut self) -> String {
        let mut text = self.text.to_owned();
        self.splices.sort_by_key(|(range, _)| range.start);
        for (range, with) in self.splices.into_iter().rev() {
            text.replace_range(range, &with);
        }
        text
    }
}
