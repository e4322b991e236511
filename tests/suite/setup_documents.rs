//! Random documents of settings: they are given back to the byte.

use carnet::{
    config::Machine,
    setup::{Client, Launch, Plan, Request, Scope},
};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use proptest::prelude::*;
use serde_json::Value;

use crate::support::{read, write};

/// A JSON document as somebody may have written it: names that clients use, comments, any blanks.
fn document() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "1",
        "true",
        "null",
        "\"\"",
        "\"a \\\" b\"",
        "-2.5e3",
        "\"é\\u00e9\"",
        "{}",
        "[]",
        "[ ]",
        "{\n}",
    ]);
    let name = prop::sample::select(vec!["a", "b", "hooks-", "x y", "carnet-x", "command", "é"]);
    let blank = prop::sample::select(vec![
        "",
        " ",
        "\n",
        "\n  ",
        "\r\n\t",
        " // c\n  ",
        "/* , } */",
        "\n\n",
    ]);
    let value = leaf.prop_map(str::to_owned).prop_recursive(4, 40, 5, move |inner| {
        let item = (blank.clone(), inner, blank.clone())
            .prop_map(|(before, value, after)| format!("{before}{value}{after}"));
        let member = (blank.clone(), name.clone(), blank.clone(), item.clone());
        let member = member
            .prop_map(|(before, name, after, value)| format!("{before}\"{name}\"{after}:{value}"));
        prop_oneof![
            (prop::collection::vec(item, 0..4), any::<bool>())
                .prop_map(|(items, comma)| closed('[', &items, comma, ']')),
            (prop::collection::vec(member, 0..4), any::<bool>())
                .prop_map(|(items, comma)| closed('{', &items, comma, '}')),
        ]
    });
    let top = prop::sample::select(vec!["hooks", "mcpServers", "permissions", "theme", "a"]);
    // What is null may be replaced: for the clients it says the same as nothing.
    let value = value.prop_filter("null", |value| value != "null");
    let member = (top, value);
    let members = prop::collection::btree_map(
        prop::sample::select(vec!["hooks", "mcpServers", "permissions", "theme", "a"]),
        member,
        0..4,
    );
    (
        members,
        prop::sample::select(vec!["", "\n", "\n  ", " "]),
        any::<bool>(),
        prop::sample::select(vec!["", "\n", "\r\n", " // end\n"]),
    )
        .prop_map(|(members, blank, comma, end)| {
            let items: Vec<_> = members
                .iter()
                .map(|(name, (_, value))| format!("{blank}\"{name}\": {value}"))
                .collect();
            closed('{', &items, comma, '}') + end
        })
}

fn closed(open: char, items: &[String], comma: bool, close: char) -> String {
    let comma = if comma && !items.is_empty() { "," } else { "" };
    format!("{open}{}{comma}{close}", items.join(","))
}

/// Tells whether all characters of `part` stand in `whole` in this order.
fn stands_in(part: &str, whole: &str) -> bool {
    let mut rest = whole.chars();
    part.chars().all(|c| rest.any(|other| other == c))
}

/// Returns a value without what is empty.
fn pruned(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let kept = object.iter().map(|(key, value)| (key.clone(), pruned(value)));
            Value::Object(kept.filter(|(_, value)| !is_empty(value)).collect())
        }
        Value::Array(items) => items.iter().map(pruned).filter(|value| !is_empty(value)).collect(),
        value => value.clone(),
    }
}

fn is_empty(value: &Value) -> bool {
    value.is_null()
        || value.as_array().is_some_and(Vec::is_empty)
        || value.as_object().is_some_and(serde_json::Map::is_empty)
}

fn jsonc(text: &str) -> Option<Value> {
    let (collect, options) = (CollectOptions::default(), ParseOptions::default());
    parse_to_ast(text, &collect, &options).ok()?.value.map(Into::into)
}

proptest! {
    #[test]
    fn any_document_is_given_back_to_the_byte(text in document()) {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().to_owned();
        let path = home.join(".gemini/settings.json");
        write(&path, &text);
        let machine = Machine { user_home: Some(home.clone()), ..Machine::default() };
        let launch = Launch { program: "carnet".to_owned(), ..Launch::default() };
        let record = home.join("carnet");
        let request = |remove, home| Request {
            client: Client::Gemini, scope: Scope::User, remove, allow: false, launch: &launch, machine: &machine, home,
        };
        let carry_out = |remove, home| Plan::of(request(remove, home)).and_then(Plan::carry_out);
        if carry_out(false, Some(record.as_path())).is_err() {
            // Of another form, or not a document: as it was.
            prop_assert_eq!(read(&path), text);
            return Ok(());
        }
        let connected = read(&path);
        let settings = jsonc(&connected).unwrap();
        prop_assert_eq!(&settings["mcpServers"]["carnet"]["command"], "carnet");
        prop_assert!(stands_in(&text, &connected), "{:?}\n{:?}", text, connected);
        prop_assert!(Plan::of(request(false, None)).unwrap().is_done());
        // Without the record the document still says the same, but for what is empty.
        carry_out(true, None).unwrap();
        let without = read(&path);
        prop_assert_eq!(pruned(&jsonc(&without).unwrap()), pruned(&jsonc(&text).unwrap()));
        if pruned(&jsonc(&text).unwrap()) == jsonc(&text).unwrap() && !text.trim_end().ends_with("{}") {
            prop_assert_eq!(&without, &text, "{:?}", connected);
        }
        write(&path, &connected);
        carry_out(true, Some(record.as_path())).unwrap();
        prop_assert_eq!(read(&path), text);
    }
}
