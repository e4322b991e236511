//! Basic Memory: a folder of Markdown notes, which come over whole, their observations and relations with them.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::{
    Item, NewNote, Place, Source,
    draft::{Draft, has_room, slug, time},
};
use crate::{
    config::parse_yaml,
    digest,
    notes::{
        FieldChange, FieldValue, Fields, Layer, MAX_FRONT_MATTER, Note, file_name, parse_time,
        rewrite, split,
    },
};

const ORIGIN: &str = "basic-memory";

/// Fields to which carnet gives a meaning of its own, with the names under which a value that does not fit is kept.
const KEPT: [(&str, &str); 16] = [
    ("key", "original_key"),
    ("title", "original_title"),
    ("category", "original_category"),
    ("confidence", "original_confidence"),
    ("importance", "original_importance"),
    ("sensitivity", "original_sensitivity"),
    ("source", "original_source"),
    ("session", "original_session"),
    ("session_id", "original_session_id"),
    ("speaker", "original_speaker"),
    ("created", "original_created"),
    ("updated", "original_updated"),
    ("expires", "original_expires"),
    ("tags", "original_tags"),
    ("related", "original_related"),
    ("aliases", "original_aliases"),
];

/// What a note is called here and there.
struct Names {
    /// Its path in its folder, without `.md`.
    path: String,
    title: String,
    permalink: Option<String>,
    category: Option<String>,
}

/// Returns the note of a file. Its body stays as it is; so do its fields, but for those that would mean something else here.
pub(super) fn read(source: Source<'_>, text: &str) -> Result<Item, String> {
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    let yaml = split(text).map_or("", |(yaml, _)| yaml);
    let known = (yaml.len() <= MAX_FRONT_MATTER)
        .then(|| parse_yaml::<Map<String, Value>>(yaml).ok())
        .flatten();
    let names = Names::of(source, known.as_ref());
    let rewritten = known.and_then(|known| {
        let changes = changes(&known, &names);
        let content = rewrite(text, &changes, None).ok()?;
        has_room(&content).then_some(content)
    });
    let Some(content) = rewritten else {
        // Front matter that cannot be changed in part stays in the text, below one of ours.
        let read = Note::read(&names.path, Layer::Facts, text, Timestamp::UNIX_EPOCH);
        return Draft {
            text: text.trim_start_matches('\u{feff}').to_owned(),
            sensitivity: read.fields.sensitivity,
            id: Some(names.path.clone()),
            layer: Some("facts".to_owned()),
            aliases: names.all(),
            title: Some(names.title),
            category: names.category,
            origin: Some(ORIGIN),
            ..Draft::default()
        }
        .into_item(1);
    };
    let place = Place::Marked {
        folder: names.category.as_deref().map_or_else(
            || Layer::Facts.to_string(),
            |category| format!("{}/{}", Layer::Facts, file_name(category)),
        ),
        name: slug(&names.title),
        mark: digest::short(format!("{ORIGIN}\n{}\n{}", Layer::Facts, names.path), 12),
    };
    Ok(Item::Note(Box::new(NewNote { place, content, modified: None })))
}

/// Returns whether a file is one of these notes and not any Markdown.
pub(super) fn is_note(text: &str) -> bool {
    let field = |line: &str| line.trim_start().starts_with("permalink:");
    split(text).is_some_and(|(yaml, _)| yaml.lines().any(field))
}

impl Names {
    fn of(source: Source<'_>, known: Option<&Map<String, Value>>) -> Self {
        let word = |name: &str| Some(known?.get(name)?.as_str()?.trim().to_owned());
        let path = source.name.strip_suffix(".md").unwrap_or(source.name).to_owned();
        let stem = path.rsplit('/').next().unwrap_or_default().to_owned();
        let folder = path.split_once('/').map(|(folder, _)| folder.to_owned());
        Self {
            title: word("title").filter(|title| !title.is_empty()).unwrap_or(stem),
            permalink: word("permalink").filter(|link| !link.is_empty()),
            category: word("category").or(folder),
            path,
        }
    }

    /// Returns what other notes may call it by.
    fn all(&self) -> Vec<String> {
        let mut all = vec![self.title.clone()];
        for name in self.permalink.iter().chain([&self.path]) {
            if !all.contains(name) {
                all.push(name.clone());
            }
        }
        all
    }
}

/// Returns the changes that make a note of ours of one with the fields `known`.
fn changes(known: &Map<String, Value>, names: &Names) -> Vec<FieldChange> {
    let does_not_fit = |name: &str, value: &Value| {
        let is_list = name == "tags" && value.is_string();
        !value.is_null() && (name == "source" || !(is_list || fits(name, value)))
    };
    let kept = KEPT.iter().filter_map(|(name, other)| Some((*name, *other, known.get(*name)?)));
    let kept: Vec<_> = kept.filter(|(name, _, value)| does_not_fit(name, value)).collect();
    let mut fitting = known.clone();
    fitting.retain(|name, _| kept.iter().all(|(other, ..)| other != name));
    let mut set = vec![
        FieldChange::text("import_id", names.path.as_str()),
        FieldChange::text("origin", ORIGIN),
        FieldChange::text("source", "import"),
    ];
    // They link to each other by title and by permalink.
    let mut aliases = words(fitting.get("aliases"));
    let new: Vec<_> = names.all().into_iter().filter(|name| !aliases.contains(name)).collect();
    aliases.extend(new);
    set.push(FieldChange::set("aliases", FieldValue::List(aliases)));
    if !fitting.contains_key("title") {
        set.push(FieldChange::text("title", names.title.as_str()));
    }
    let category = names.category.as_ref().filter(|_| !fitting.contains_key("category"));
    set.extend(category.map(|category| FieldChange::text("category", category.as_str())));
    if let Some(tags) = fitting.get("tags").filter(|tags| tags.is_string()) {
        set.push(FieldChange::set("tags", FieldValue::List(words(Some(tags)))));
    }
    if kept.iter().any(|(name, ..)| *name == "sensitivity") {
        // What it was meant to say is not known, so it stays where nobody sees it unasked.
        set.push(FieldChange::text("sensitivity", "secret"));
    }
    set.extend(dates(&fitting));
    let is_set = |name: &str| set.iter().any(|change| change.name == name);
    let gone = kept.iter().filter(|(name, ..)| !is_set(name));
    let gone: Vec<_> = gone.map(|(name, ..)| FieldChange { name, value: None }).collect();
    let moved = kept
        .iter()
        .map(|(_, other, value)| FieldChange::set(other, FieldValue::Json((*value).clone())));
    moved.chain(gone).chain(set).collect()
}

/// Returns the times of a note that are written in a way that is not read here, or under another name.
fn dates(fields: &Map<String, Value>) -> Vec<FieldChange> {
    let date = |(name, other): (&'static str, &str)| {
        let own = fields.get(name).and_then(Value::as_str);
        let written = own.or_else(|| fields.get(other).and_then(Value::as_str))?;
        let at = time(written);
        (parse_time(&at).is_some() && own != Some(&at)).then(|| FieldChange::text(name, at))
    };
    [("created", "created"), ("updated", "modified")].into_iter().filter_map(date).collect()
}

/// Returns the words of a list, or of a text that parts them by commas.
fn words(value: Option<&Value>) -> Vec<String> {
    let word = |word: &str| word.trim().trim_start_matches('#').to_owned();
    let words: Vec<_> = match value {
        Some(Value::String(words)) => words.split(',').map(word).collect(),
        Some(Value::Array(words)) => {
            words.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    words.into_iter().filter(|word| !word.is_empty()).collect()
}

/// Returns whether the field may stand here with that value.
fn fits(name: &str, value: &Value) -> bool {
    serde_json::from_value::<Fields>(json!({ name: value })).is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::Sensitivity;

    fn content(text: &str) -> String {
        let source = Source { name: "folder/A note.md", folder: "vault" };
        let Ok(Item::Note(note)) = read(source, text) else { panic!("{text:?}") };
        note.content
    }

    #[test]
    fn a_field_that_means_something_else_here_is_kept_under_another_name() {
        let text = "---\ntitle: 2024\nconfidence: high\nsensitivity: private\ntags: a\nsource: x\n---\nbody";
        let content = content(text);
        for line in [
            "title: A note\n",
            "original_title: 2024\n",
            "original_confidence: \"high\"\n",
            "original_sensitivity: \"private\"\n",
            "sensitivity: secret\n",
            "original_source: \"x\"\n",
            "tags: [a]\n",
            "category: folder\n",
        ] {
            assert!(content.contains(line), "{line}: {content}");
        }
        assert!(content.ends_with("---\nbody") && !content.contains("\nconfidence"), "{content}");
    }

    #[test]
    fn what_cannot_be_read_stays_as_secret_as_it_was() {
        for text in
            ["---\nsensitivity: secret\ntitle: [\n---\nx", "---\n{sensitivity: secret}\n---\nx"]
        {
            let content = content(text);
            let note = Note::read("facts/a", Layer::Facts, &content, Timestamp::UNIX_EPOCH);
            assert_eq!(note.sensitivity(), Sensitivity::Secret, "{content}");
            assert!(content.ends_with(&format!("{text}\n")), "{content}");
        }
    }

    proptest! {
        #[test]
        fn nothing_of_a_note_is_lost(
            head in "(---\r?\n((title|tags|source|x|importance|aliases): ?([a-z, é]{0,8}|\\[a, b\\]|7|\\[)( # c)?\r?\n){0,5}---\r?\n)?",
            body in "([ -~é]{0,12}\r?\n){0,3}- \\[x\\] y #z \\(c\\)\r?\n- to \\[\\[T\\]\\]\r?\n",
        ) {
            let text = format!("{head}{body}");
            let content = content(&text);
            let at = split(&text).map_or(0, |(_, at)| at);
            let rest = &text[at..];
            prop_assert!(content.ends_with(rest) || content.trim_end().ends_with(text.trim_end()), "{content}");
            let note = Note::read("facts/a", Layer::Facts, &content, Timestamp::UNIX_EPOCH);
            prop_assert!(note.malformed.is_none() && note.links.contains(&"T".to_owned()), "{content}");
            prop_assert_eq!(note.fields.source.as_deref(), Some("import"));
        }
    }
}
