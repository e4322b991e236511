//! What a note or entry links to, and what links to it.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Profile, recall::Asked};
use crate::{
    config::Sensitivity,
    error::MemoryError,
    index::{Filter, fold_name},
    recall::{Admission, Link, Progress, Query, Ranking, Ties, Vectors, ties},
};

/// The links of a note or entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linked {
    /// The note or entry.
    pub id: String,
    /// Its links, both ways.
    pub ties: Ties,
    /// What could not be done as it should, one line each.
    pub warnings: Vec<String>,
}

impl Linked {
    /// Returns it as JSON.
    pub fn to_json(&self) -> Value {
        let shown = |links: &[Link]| -> Value {
            let each = links.iter().map(|link| {
                let (id, broken) = (&link.id, link.id.is_none());
                json!({ "id": id, "name": link.name, "via": link.via.as_str(), "broken": broken })
            });
            each.collect()
        };
        let Ties { links, backlinks } = &self.ties;
        json!({
            "success": true,
            "id": self.id,
            "links": shown(links),
            "backlinks": shown(backlinks),
            "warnings": self.warnings,
        })
    }
}

impl Profile {
    /// Returns the links of a note or entry, named by its id, its key or an alias; only a person chooses the clearance.
    pub fn links(
        &self,
        name: &str,
        clearance: Option<Sensitivity>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Linked, MemoryError> {
        let clearance = clearance.unwrap_or(self.config.recall.clearance);
        let filter = Filter { clearance, ..Filter::default() };
        let now = Timestamp::now();
        let query = Query {
            text: "",
            vector: None,
            limit: 0,
            threshold: 0.0,
            filter: &filter,
            now,
            ranking: Ranking::default(),
            life: self.life(),
        };
        // Links are followed by names alone.
        let vectors = Vectors { embedder: None, egress: self.config.egress };
        let mut warnings = Vec::new();
        let asked = Asked { query, vectors };
        let found = self.look(&asked, progress, &mut warnings, &mut |parts, shown, _| {
            let admission = Admission::of(parts, &filter, now)?;
            let mut called = admission.notes(&mut |level| level.named(&[fold_name(name)]))?;
            // What is named by its id is meant, whatever else has that for a key.
            if called.iter().any(|(_, row)| row.id == name) {
                called.retain(|(_, row)| row.id == name);
            }
            let [(_, row)] = &called[..] else {
                return Ok(Err(called.into_iter().map(|(_, row)| row.id).collect::<Vec<_>>()));
            };
            let Some(note) = shown.note(row).cloned() else { return Ok(Err(Vec::new())) };
            let ties = ties(&admission, &note, &mut |_, row| shown.note(row).cloned())?;
            Ok(Ok((note.id, ties)))
        })?;
        match found {
            Ok((id, ties)) => Ok(Linked { id, ties, warnings }),
            Err(ids) if ids.is_empty() => {
                let what = format!("`{name}` names no note or entry");
                let hint = "give an id as recall shows it, or a key";
                Err(MemoryError::not_found(what, hint))
            }
            Err(ids) => {
                let what = format!("`{name}` names {}", ids.join(", "));
                Err(MemoryError::bad_request(what, "give one of these ids"))
            }
        }
    }
}
