//! Merging notes that say the same: what is asked, and what becomes of the fields.

use std::cmp::Ordering;

use jiff::Timestamp;
use serde_json::Value;

use super::evidence_of;
use crate::notes::{FieldChange, FieldValue, Key, Layer, Note};

/// How sure one must be to merge.
const SURE: f64 = 0.7;

/// One cluster that is to become one note.
#[derive(Clone, Debug, PartialEq)]
pub struct Merge {
    /// The cluster, as the plan names it.
    pub cluster: String,
    /// What the note is to say.
    pub text: String,
}

/// What was asked for one cluster: a merge, or why it cannot be one.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The cluster, as far as it is named.
    pub cluster: String,
    /// The merge.
    pub merge: Result<Merge, String>,
}

/// Reads `{"merges":[{"cluster","text","confidence"}]}`; what is wrong with one merge is told of that one only.
pub fn parse_merges(answer: &Value) -> Result<Vec<Asked>, String> {
    let merges = answer.get("merges").ok_or("it has no `merges`")?;
    let merges = merges.as_array().ok_or("`merges` is no list")?;
    Ok(merges.iter().map(asked).collect())
}

fn asked(merge: &Value) -> Asked {
    let word = |name: &str| merge.get(name).and_then(Value::as_str).map(str::trim);
    let cluster = word("cluster").unwrap_or_default().to_owned();
    let merge = (|| {
        if cluster.is_empty() {
            return Err("`cluster` is missing, or is no text".to_owned());
        }
        let text = word("text").ok_or("`text` is missing, or is no text")?;
        if text.is_empty() {
            return Err("`text` is empty".to_owned());
        }
        let confidence = merge.get("confidence").and_then(Value::as_f64);
        match confidence.ok_or("`confidence` is missing, or is no number")? {
            confidence if !(0.0..=1.0).contains(&confidence) => {
                Err("`confidence` is a number from 0 to 1".to_owned())
            }
            confidence if confidence < SURE => {
                Err(format!("the confidence is {confidence}, and less than {SURE} merges nothing"))
            }
            _ => Ok(Merge { cluster: cluster.clone(), text: text.to_owned() }),
        }
    })();
    Asked { cluster, merge }
}

/// Orders notes as a merge does: the surest first, then the latest; it is the one that stays.
pub fn surest_first(one: &Note, other: &Note) -> Ordering {
    other
        .confidence()
        .total_cmp(&one.confidence())
        .then(other.updated.cmp(&one.updated))
        .then(one.id.cmp(&other.id))
}

/// Returns what becomes of the fields of the note that stays, at `now`; each note stands with the text of its file.
pub fn merged_fields(
    stays: (&Note, &str),
    others: &[(&Note, &str)],
    now: Timestamp,
) -> Vec<FieldChange> {
    let (note, text) = stays;
    let all = || [stays].into_iter().chain(others.iter().copied());
    let mut changes = Vec::new();
    let mut list = |name: &'static str, before: &[String], after: Vec<String>| {
        if after != before {
            changes.push(FieldChange::set(name, FieldValue::List(after)));
        }
    };
    let fields = &note.fields;
    list("aliases", &fields.aliases, aliases(note, others));
    list("tags", &fields.tags, united(all().flat_map(|(note, _)| note.fields.tags.clone())));
    let own = |link: &String| all().any(|(note, _)| note.id == link.trim_end_matches(".md"));
    let related = all().flat_map(|(note, _)| note.fields.related.clone());
    list("related", &fields.related, united(related.filter(|link| !own(link))));
    let most = all().map(|(note, _)| note.sensitivity()).max().unwrap_or_default();
    if most != note.sensitivity() {
        changes.push(FieldChange::text("sensitivity", most.as_str()));
    }
    let most = all().map(|(note, _)| note.importance()).max().unwrap_or_default();
    if most != note.importance() {
        changes.push(FieldChange::text("importance", most.as_str()));
    }
    if let Some(change) = expiry(note, others) {
        changes.push(change);
    }
    let mut evidence: Vec<Value> = Vec::new();
    for (_, one) in all().flat_map(|(_, text)| evidence_of(text)) {
        if !evidence.contains(&one) {
            evidence.push(one);
        }
    }
    if evidence.len() > evidence_of(text).len() {
        changes.push(FieldChange::set("evidence", FieldValue::Json(Value::from(evidence))));
    }
    changes.push(FieldChange::text("updated", format!("{now:.0}")));
    changes
}

/// Returns the keys that lead to the note that stays: its aliases, and the keys and aliases of the others.
fn aliases(note: &Note, others: &[(&Note, &str)]) -> Vec<String> {
    let key = |note: &Note| {
        let has_keys = matches!(note.layer, Layer::Facts | Layer::Procedures);
        let name = || note.id.rsplit('/').next().unwrap_or_default().to_owned();
        note.fields.key.clone().or_else(|| has_keys.then(name))
    };
    let of_others = others
        .iter()
        .flat_map(|(note, _)| key(note).into_iter().chain(note.fields.aliases.clone()));
    let mut aliases = united(note.fields.aliases.iter().cloned().chain(of_others));
    let own = key(note).and_then(|own| Key::parse(&own).ok());
    aliases.retain(|alias| !own.as_ref().is_some_and(|own| own.matches(alias)));
    aliases
}

/// Returns the texts in order, each once.
fn united(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut united: Vec<String> = Vec::new();
    for text in texts {
        if !united.contains(&text) {
            united.push(text);
        }
    }
    united
}

/// Returns what becomes of the expiry: what one note holds to be true for longer stays true for longer.
fn expiry(note: &Note, others: &[(&Note, &str)]) -> Option<FieldChange> {
    let own = note.fields.expires.as_ref()?;
    let mut latest = own;
    for (other, _) in others {
        let Some(end) = &other.fields.expires else {
            return Some(FieldChange { name: "expires", value: None });
        };
        if crate::notes::parse_time(end) > crate::notes::parse_time(latest) {
            latest = end;
        }
    }
    (latest != own).then(|| FieldChange::text("expires", latest.as_str()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::notes::{parse_time, rewrite};

    #[test]
    fn a_merge_that_is_wrong_is_told_and_the_others_are_read() {
        let answer = json!({"merges": [
            {"cluster": "c-1", "text": " both ", "confidence": 0.9},
            {"cluster": "c-2", "text": "both", "confidence": 0.69},
            {"cluster": "c-3", "confidence": 1},
            {"cluster": "c-4", "text": "", "confidence": 1},
            {"cluster": "c-5", "text": "x", "confidence": "high"},
            {"cluster": "c-6", "text": "x", "confidence": 7},
            {"text": "x", "confidence": 1},
            "c-7",
        ]});
        let asked = parse_merges(&answer).unwrap();
        let merge = Merge { cluster: "c-1".to_owned(), text: "both".to_owned() };
        assert_eq!(asked[0].merge, Ok(merge));
        assert!(asked[1..].iter().all(|asked| asked.merge.is_err()) && asked.len() == 8);
        assert!(asked[1].merge.as_ref().unwrap_err().contains("0.69"));
        assert!(parse_merges(&json!({})).is_err() && parse_merges(&json!({"merges": 1})).is_err());
    }

    #[test]
    fn nothing_of_the_others_is_lost() {
        let read = |id: &str, text: &str| {
            Note::read(id, Layer::Facts, text, parse_time("2026-01-01").unwrap())
        };
        let (one, other) = (
            "---\nkey: db\ntags: [a]\nexpires: 2027-01-01\n---\nPostgres 15\n",
            "---\nkey: database\naliases: [base, DB]\nsensitivity: secret\nimportance: high\ntags: [b, a]\n\
             related: [facts/x, facts/a]\nevidence: [{session: s, quote: \"q\"}]\n---\nPostgres 15\n",
        );
        let (first, second) = (read("facts/a", one), read("facts/b", other));
        let now = parse_time("2026-06-01").unwrap();
        let changes = merged_fields((&first, one), &[(&second, other)], now);
        let new = rewrite(one, &changes, Some("Postgres 15")).unwrap();
        assert_eq!(
            new,
            "---\nkey: db\ntags: [a, b]\naliases: [database, base]\nrelated: [facts/x]\nsensitivity: secret\n\
             importance: high\nevidence: [{\"session\":\"s\",\"quote\":\"q\"}]\nupdated: \"2026-06-01T00:00:00Z\"\n---\nPostgres 15\n"
                .replace("\"2026-06-01T00:00:00Z\"", "2026-06-01T00:00:00Z")
        );
        let mut notes = [read("facts/b", "x"), read("facts/a", "---\nconfidence: 0.7\n---\nx")];
        notes.sort_by(surest_first);
        assert_eq!(notes[0].id, "facts/b");
    }
}
