//! Notes from elsewhere: one JSON object a line.

use serde::Deserialize;

use super::Profile;
use crate::{
    config::Sensitivity,
    digest,
    error::MemoryError,
    notes::{Importance, Layer, parse_time},
    recall::Progress,
    storage::{Imported, Importer},
};

/// One line of an import.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    text: String,
    id: Option<String>,
    layer: Option<String>,
    title: Option<String>,
    created: Option<String>,
    category: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    importance: Option<Importance>,
    sensitivity: Option<Sensitivity>,
    speaker: Option<String>,
}

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// Notes written.
    pub imported: usize,
    /// Notes that were there already.
    pub unchanged: usize,
    /// Lines passed over, with their number and why.
    pub skipped: Vec<(usize, String)>,
}

/// Lines between two looks at the progress.
const SHOWN_EACH: usize = 100;

/// Characters of a title that the name of a file takes.
const SLUG: usize = 40;

impl Profile {
    /// Imports JSON Lines: each line a note, an episode where it names no layer; the same id again is the same note.
    pub fn import(
        &self,
        lines: &[u8],
        progress: &mut dyn FnMut(Progress),
    ) -> Result<ImportReport, MemoryError> {
        self.check_write()?;
        let place = self.store.place();
        let mut report = ImportReport::default();
        let mut importer = Importer::open(place)?;
        let lines = lines.strip_prefix("\u{feff}".as_bytes()).unwrap_or(lines);
        let lines: Vec<_> = lines.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect();
        let all = lines.len();
        for (index, line) in lines.into_iter().enumerate().filter(|(_, line)| !line.is_empty()) {
            let note = std::str::from_utf8(line)
                .map_err(|error| format!("it is not UTF-8: {error}"))
                .and_then(|line| read(line, index + 1));
            let written = note.and_then(|(folder, name, mark, content)| {
                importer.put(place, &folder, &name, &mark, &content).map_err(|error| error.chain())
            });
            match written {
                Ok(Imported::Written) => report.imported += 1,
                Ok(Imported::Unchanged) => report.unchanged += 1,
                Err(why) => report.skipped.push((index + 1, why)),
            }
            if (index + 1).is_multiple_of(SHOWN_EACH) || index + 1 == all {
                progress(Progress { what: "importing notes", done: index + 1, all });
            }
        }
        Ok(report)
    }
}

/// Returns where a line's note goes, its name, the hash of its id, and its content.
///
/// The line's number stands in the name, so that the turns of a conversation keep their order.
fn read(line: &str, number: usize) -> Result<(String, String, String, String), String> {
    let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if line.text.trim().is_empty() {
        return Err("`text` is empty".to_owned());
    }
    let layer = line.layer.as_deref().map_or(Ok(Layer::Episodes), str::parse)?;
    if !Layer::FOLDERS.contains(&layer) || layer == Layer::Archive {
        return Err(format!("`layer` may not be `{layer}`: its texts are not notes"));
    }
    let created = match &line.created {
        None => None,
        Some(text) => {
            Some(parse_time(text).ok_or_else(|| format!("`created` is no date: `{text}`"))?)
        }
    };
    let id = line.id.clone().unwrap_or_else(|| line.text.clone());
    let mark = digest::short(format!("{layer}\n{id}"), 12);
    let slug = slug(line.title.as_deref().unwrap_or(&line.text));
    let day = created.map(|at| at.strftime("%Y-%m-%d").to_string());
    let (folder, name) = match (layer, &day) {
        (Layer::Episodes | Layer::Sessions, Some(day)) => (
            format!("{layer}/{}", day.get(..4).unwrap_or_default()),
            format!("{day}-{number:05}-{slug}"),
        ),
        _ => (layer.to_string(), slug),
    };
    Ok((folder, name, mark, content(&line)))
}

/// Returns the note as Markdown. Strings are quoted as JSON, which is YAML too.
fn content(line: &Line) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut head = Vec::new();
    let fields = [
        ("import_id", line.id.as_deref()),
        ("title", line.title.as_deref()),
        ("category", line.category.as_deref()),
        ("speaker", line.speaker.as_deref()),
        ("created", line.created.as_deref()),
    ];
    head.extend(
        fields.iter().filter_map(|(name, value)| Some(format!("{name}: {}", quoted((*value)?)))),
    );
    head.extend(line.importance.map(|importance| format!("importance: {}", importance.as_str())));
    head.extend(
        line.sensitivity.map(|sensitivity| format!("sensitivity: {}", sensitivity.as_str())),
    );
    if !line.tags.is_empty() {
        head.push(format!("tags: {}", serde_json::Value::from(line.tags.clone())));
    }
    head.push("source: import".to_owned());
    format!("---\n{}\n---\n{}\n", head.join("\n"), line.text.trim_end())
}

fn slug(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let dashed: String = text.chars().take(SLUG).map(plain).collect();
    let words: Vec<_> = dashed.split('-').filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "note".to_owned() } else { words.join("-") }
}
