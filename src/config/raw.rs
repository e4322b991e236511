//! The configuration as it is written: every key optional, unknown ones refused.

use std::{collections::BTreeMap, path::PathBuf};

use serde::Deserialize;
use serde_yaml::Value;

use super::{Config, Embedder, Language, Llm, Retention, ScanMode, Sensitivity, Sharing};
use crate::memory::Limits;

/// One `config.yaml`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Raw {
    memory_char_limit: Option<usize>,
    user_char_limit: Option<usize>,
    language: Option<Language>,
    scan: Option<ScanMode>,
    sharing: Option<Sharing>,
    write_approval: Option<bool>,
    snapshot: Option<RawSnapshot>,
    recall: Option<RawRecall>,
    egress: Option<Sensitivity>,
    embedder: Option<Embedder>,
    llm: Option<Llm>,
    retention: Option<BTreeMap<String, Retention>>,
    pub(super) trusted: Option<Vec<PathBuf>>,
    memory: Option<PeerMemory>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RawSnapshot {
    extra_chars: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct RawRecall {
    limit: Option<usize>,
    clearance: Option<Sensitivity>,
    on_prompt: Option<bool>,
}

/// The peer's spelling of the limits; its other keys mean nothing here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PeerMemory {
    memory_char_limit: Option<usize>,
    user_char_limit: Option<usize>,
    #[serde(flatten)]
    others: BTreeMap<String, Value>,
}

/// Folders of notes that retention can name.
const LAYERS: [&str; 5] = ["facts", "episodes", "sessions", "procedures", "archive"];

impl Raw {
    /// Returns the peer's keys that mean nothing here.
    pub(super) fn ignored(&self) -> impl Iterator<Item = &str> {
        self.memory.iter().flat_map(|memory| memory.others.keys().map(String::as_str))
    }

    /// Sets in `config` what this file sets.
    pub(super) fn over(self, config: &mut Config) -> Result<(), String> {
        let peer = self.memory.unwrap_or_default();
        set(&mut config.limits.memory, self.memory_char_limit.or(peer.memory_char_limit));
        set(&mut config.limits.user, self.user_char_limit.or(peer.user_char_limit));
        set(&mut config.language, self.language);
        set(&mut config.scan, self.scan);
        set(&mut config.sharing, self.sharing);
        set(&mut config.write_approval, self.write_approval);
        set(
            &mut config.snapshot.extra_chars,
            self.snapshot.and_then(|snapshot| snapshot.extra_chars),
        );
        let recall = self.recall.unwrap_or_default();
        set(&mut config.recall.limit, recall.limit);
        set(&mut config.recall.clearance, recall.clearance);
        set(&mut config.recall.on_prompt, recall.on_prompt);
        set(&mut config.egress, self.egress);
        set(&mut config.embedder, self.embedder);
        set(&mut config.llm, self.llm);
        let retention = self.retention.unwrap_or_default();
        if let Some(unknown) = retention.keys().find(|layer| !LAYERS.contains(&layer.as_str())) {
            return Err(format!(
                "retention: unknown layer `{unknown}`, expected one of `{}`",
                LAYERS.join("`, `")
            ));
        }
        config.retention.extend(retention);
        set(&mut config.trusted, self.trusted);
        Ok(())
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

/// Takes from an untrusted file the language and lower limits; returns the keys that were not taken.
pub(super) fn restrict(
    mut values: BTreeMap<String, Value>,
    limits: &mut Limits,
    language: &mut Language,
) -> Vec<String> {
    let mut refused = Vec::new();
    match values.remove("memory") {
        Some(Value::Mapping(peer)) => {
            for (key, value) in peer {
                match key.as_str() {
                    Some(key @ ("memory_char_limit" | "user_char_limit")) => {
                        values.entry(key.to_owned()).or_insert(value);
                    }
                    key => refused.push(format!("memory.{}", key.unwrap_or("?"))),
                }
            }
        }
        Some(_) => refused.push("memory".to_owned()),
        None => {}
    }
    for (key, value) in values {
        let lower = |limit: &mut usize| {
            let asked = value
                .as_u64()
                .and_then(|asked| usize::try_from(asked).ok())
                .filter(|asked| *asked <= *limit);
            set(limit, asked);
            asked.is_some()
        };
        let taken = match key.as_str() {
            "memory_char_limit" => lower(&mut limits.memory),
            "user_char_limit" => lower(&mut limits.user),
            "language" => {
                let asked = value.as_str().and_then(|code| code.parse().ok());
                set(language, asked);
                asked.is_some()
            }
            _ => false,
        };
        if !taken {
            refused.push(key);
        }
    }
    refused
}
