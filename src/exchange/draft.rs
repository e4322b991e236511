//! A note as other programs tell it, and the Markdown that is made of it.

use serde::Deserialize;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::{Item, NewNote, Place};
use crate::{
    config::Sensitivity,
    digest,
    notes::{Fields, Importance, Layer, MAX_FRONT_MATTER, file_name, parse_time, split},
};

/// A note as it is told: one line of an import of JSON Lines has these fields.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Draft {
    pub(super) text: String,
    pub(super) id: Option<String>,
    pub(super) layer: Option<String>,
    pub(super) title: Option<String>,
    pub(super) created: Option<String>,
    pub(super) updated: Option<String>,
    pub(super) expires: Option<String>,
    pub(super) category: Option<String>,
    pub(super) tags: Vec<String>,
    pub(super) related: Vec<String>,
    pub(super) aliases: Vec<String>,
    pub(super) importance: Option<Importance>,
    pub(super) sensitivity: Option<Sensitivity>,
    pub(super) confidence: Option<f64>,
    pub(super) speaker: Option<String>,
    pub(super) session: Option<String>,
    /// The program it comes from.
    #[serde(skip)]
    pub(super) origin: Option<&'static str>,
    /// What that program keeps beside, under its name.
    #[serde(skip)]
    pub(super) beside: Option<Value>,
    /// The day and name of its file, where they are not made of its time and its text.
    #[serde(skip)]
    pub(super) name: Option<(String, String)>,
}

/// Characters of a title that the name of a file takes.
const SLUG: usize = 40;

/// Bytes of the line by which a change of a hand is told.
const SUM_LINE: usize = 32;

/// How sure a memory is that the agent of another program wrote: as sure as one of our own agent's.
pub(super) const AGENT_SAID: f64 = 0.7;

impl Draft {
    /// Returns the note; its `number` stands in the name, so that what was told in order keeps it.
    pub(super) fn into_item(self, number: usize) -> Result<Item, String> {
        if self.text.trim().is_empty() {
            return Err("`text` is empty".to_owned());
        }
        let layer = self.layer.as_deref().map_or(Ok(Layer::Episodes), str::parse)?;
        if !Layer::FOLDERS.contains(&layer) || layer == Layer::Archive {
            return Err(format!("`layer` may not be `{layer}`: its texts are not notes"));
        }
        let dates =
            [("created", &self.created), ("updated", &self.updated), ("expires", &self.expires)];
        for (field, text) in dates {
            if let Some(text) = text.as_ref().filter(|text| parse_time(text).is_none()) {
                return Err(format!("`{field}` is no date: `{text}`"));
            }
        }
        if self.confidence.is_some_and(|sure| !(0.0..=1.0).contains(&sure)) {
            return Err("`confidence` is a number from 0 to 1".to_owned());
        }
        let id = self.id.as_ref().unwrap_or(&self.text);
        let of = self.origin.map_or_else(String::new, |origin| format!("{origin}\n"));
        let mark = digest::short(format!("{of}{layer}\n{id}"), 12);
        let (folder, name) = self.place(layer, number);
        let content = self.content();
        if !has_room(&content) {
            return Err("its fields are larger than 8 KiB".to_owned());
        }
        let place = Place::Marked { folder, name, mark };
        Ok(Item::Note(Box::new(NewNote { place, content, modified: None })))
    }

    /// Returns the folder of a new note, and the beginning of its name.
    fn place(&self, layer: Layer, number: usize) -> (String, String) {
        let year = |day: &str| format!("{layer}/{}", day.get(..4).unwrap_or_default());
        if let Some((day, name)) = &self.name {
            return (year(day), format!("{day}-{name}"));
        }
        let slug = slug(self.title.as_deref().unwrap_or(&self.text));
        let day = self.created.as_deref().and_then(parse_time);
        let day = day.map(|at| at.strftime("%Y-%m-%d").to_string());
        match (layer, &day, &self.category) {
            (Layer::Episodes | Layer::Sessions, Some(day), _) => {
                (year(day), format!("{day}-{number:05}-{slug}"))
            }
            // Facts of other programs stand where ours do; what is imported as JSON Lines stays where it always went.
            (Layer::Facts, _, Some(category)) if self.origin.is_some() => {
                (format!("{layer}/{}", file_name(category)), slug)
            }
            _ => (layer.to_string(), slug),
        }
    }

    /// Returns the note as Markdown. Strings are quoted as JSON, which is YAML too.
    fn content(&self) -> String {
        let mut head = Vec::new();
        let mut text = |name: &str, value: Option<&str>| {
            head.extend(value.map(|value| format!("{name}: {}", Value::from(value))));
        };
        text("import_id", self.id.as_deref());
        text("origin", self.origin);
        text("title", self.title.as_deref());
        text("category", self.category.as_deref());
        text("speaker", self.speaker.as_deref());
        text("session", self.session.as_deref());
        text("created", self.created.as_deref());
        text("updated", self.updated.as_deref());
        text("expires", self.expires.as_deref());
        head.extend(self.confidence.map(|confidence| format!("confidence: {confidence:?}")));
        let importance = self.importance.map(|level| format!("importance: {}", level.as_str()));
        head.extend(importance);
        let sensitivity = self.sensitivity.map(|level| format!("sensitivity: {}", level.as_str()));
        head.extend(sensitivity);
        let lists = [("tags", &self.tags), ("related", &self.related), ("aliases", &self.aliases)];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            head.push(format!("{name}: {}", Value::from(list.clone())));
        }
        let beside = self.origin.zip(self.beside.as_ref());
        head.extend(beside.map(|(origin, beside)| format!("{origin}: {beside}")));
        head.push("source: import".to_owned());
        format!("---\n{}\n---\n{}\n", head.join("\n"), self.text.trim_end())
    }
}

/// Returns whether front matter is read as it is meant, with the line that the importer adds to it.
pub(super) fn has_room(content: &str) -> bool {
    split(content).is_some_and(|(yaml, _)| {
        yaml.len() + SUM_LINE <= MAX_FRONT_MATTER && Fields::parse(yaml).is_ok()
    })
}

/// Returns the beginning of `text` as a part of the name of a file.
pub(super) fn slug(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    // Letters without their accents say what the word is.
    let letters = text.nfd().filter(|c| !unicode_normalization::char::is_combining_mark(*c));
    let dashed: String = letters.take(SLUG).map(plain).collect();
    let words: Vec<_> = dashed.split('-').filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "note".to_owned() } else { words.join("-") }
}

/// Returns a time as notes have it: what names no zone is meant in UTC. What is no time stays, and is refused later.
pub(super) fn time(text: &str) -> String {
    let text = text.trim();
    let zoned = format!("{}Z", text.replacen(' ', "T", 1));
    match parse_time(text).or_else(|| parse_time(&zoned)) {
        Some(_) if text.len() == 10 => text.to_owned(),
        Some(at) => format!("{at:.0}"),
        None => text.to_owned(),
    }
}
