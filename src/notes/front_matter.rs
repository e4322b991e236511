//! The front matter of a note: bounded before it is parsed, and never rewritten where it is malformed.

use serde::{Deserialize, Deserializer};

use crate::config::{Sensitivity, parse_yaml};

/// Bytes that front matter may have; the parser's time grows with the square of its nesting.
pub const MAX_BYTES: usize = 8 * 1024;

/// How much a note matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Importance {
    /// Little.
    Low,
    /// As usual.
    #[default]
    Normal,
    /// Much.
    High,
    /// It never fades.
    Critical,
}

impl Importance {
    /// All of them, from little to most.
    pub const ALL: [Self; 4] = [Self::Low, Self::Normal, Self::High, Self::Critical];

    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

impl std::str::FromStr for Importance {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|level| level.as_str() == word).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join("`, `");
            format!("unknown importance `{word}`, expected one of `{names}`")
        })
    }
}

/// The fields of a note that carnet knows; every one is optional, and others are left alone.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Fields {
    /// Names a fact or a procedure.
    pub key: Option<String>,
    /// The line above it in a list.
    pub title: Option<String>,
    /// Any word; `general` where it is left out.
    pub category: Option<String>,
    /// From 0 to 1.
    pub confidence: Option<f64>,
    /// How much it matters.
    pub importance: Option<Importance>,
    /// How far it may travel.
    pub sensitivity: Option<Sensitivity>,
    /// Who said it.
    pub source: Option<String>,
    /// The session it comes from.
    pub session: Option<String>,
    /// The id of the session that this note is the summary of.
    pub session_id: Option<String>,
    /// What a session was about.
    pub topic: Option<String>,
    /// Who spoke, in an imported conversation.
    pub speaker: Option<String>,
    /// When it began to be known.
    pub created: Option<String>,
    /// When it was last changed.
    pub updated: Option<String>,
    /// When it stops being true.
    pub expires: Option<String>,
    /// Words to find it by.
    #[serde(deserialize_with = "words")]
    pub tags: Vec<String>,
    /// Notes it belongs to, by id or key.
    #[serde(deserialize_with = "words")]
    pub related: Vec<String>,
    /// What a session has left to do, and what of it was done since.
    #[serde(deserialize_with = "words")]
    pub open_items: Vec<String>,
    /// What was left to do and is done.
    #[serde(deserialize_with = "words")]
    pub closed_items: Vec<String>,
    /// Keys of what was learned in a session.
    #[serde(deserialize_with = "words")]
    pub facts_learned: Vec<String>,
    /// Keys that were merged into its own.
    #[serde(deserialize_with = "words")]
    pub aliases: Vec<String>,
}

/// Reads a list of words, or one word.
fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Words {
        None(()),
        One(String),
        Many(Vec<String>),
    }
    Ok(match Words::deserialize(deserializer)? {
        Words::None(()) => Vec::new(),
        Words::One(word) => vec![word],
        Words::Many(words) => words,
    })
}

/// Splits a note into its front matter and where its body starts; `None` where it has none.
pub fn split(text: &str) -> Option<(&str, usize)> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let rest = text.get(start..)?;
    let first = rest.lines().next()?;
    if first.trim_end() != "---" {
        return None;
    }
    let mut at = start + line_len(rest);
    let from = at;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let line = rest.lines().next().unwrap_or_default();
        let len = line_len(rest);
        if matches!(line.trim_end(), "---" | "...") {
            return Some((text.get(from..at)?, at + len));
        }
        at += len;
    }
    None
}

/// Returns the length of the first line with its end.
fn line_len(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |end| end + 1)
}

impl Fields {
    /// Parses front matter; an error says what is wrong with it.
    pub fn parse(yaml: &str) -> Result<Self, String> {
        if yaml.len() > MAX_BYTES {
            return Err("the front matter is larger than 8 KiB".to_owned());
        }
        parse_yaml(yaml)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_fields_of_the_design_are_read_and_others_left_alone() {
        let text = "---\nkey: archi_react_router   # a comment\ncategory: tech\nconfidence: 0.95\nimportance: high\n\
            sensitivity: internal\nsource: user\ncreated: 2026-05-14T10:30:00Z\nexpires: 2027-01-01\ntags: [react, routing]\n\
            related: facts/project/frontend\nevidence: [{session: a, quote: \"b\"}]\nmine: {deep: [1, 2]}\n---\nThe body.\n";
        let (yaml, body) = split(text).unwrap();
        let fields = Fields::parse(yaml).unwrap();
        assert_eq!(fields.key.as_deref(), Some("archi_react_router"));
        assert_eq!((fields.confidence, fields.importance), (Some(0.95), Some(Importance::High)));
        assert_eq!(fields.created.as_deref(), Some("2026-05-14T10:30:00Z"));
        assert_eq!((fields.tags.len(), fields.related.len()), (2, 1));
        assert_eq!(&text[body..], "The body.\n");
    }

    #[test]
    fn front_matter_is_only_what_stands_first_and_ends() {
        assert_eq!(split("text\n---\na: b\n---\n"), None);
        assert_eq!(split("---\na: b\n"), None);
        assert_eq!(split("--- a\n---\n"), None);
        assert_eq!(
            split("\u{feff}---\r\na: b\r\n---\r\nx").map(|(yaml, at)| (yaml.len(), at)),
            Some((6, 19))
        );
        assert_eq!(split("---\n---"), Some(("", 7)));
    }

    #[test]
    fn malformed_front_matter_is_an_error_in_bounded_time() {
        let deep = "[".repeat(8000);
        let long = "a: b\n".repeat(4000);
        for yaml in [
            "a: [",
            "- 1\n",
            "tags: {a: b}\n",
            "confidence: high\n",
            "key: 1\nkey: 2\n",
            "\0",
            &deep,
            &long,
        ] {
            assert!(Fields::parse(yaml).is_err(), "{yaml:.20}");
        }
        assert_eq!(Fields::parse("# only a comment\n"), Ok(Fields::default()));
    }

    proptest! {
        #[test]
        fn any_text_is_split_without_a_panic(text in "(---\n)?([a-z:é \\[\\]{}\"'-]{0,12}\r?\n){0,8}(---)?.{0,20}") {
            if let Some((yaml, at)) = split(&text) {
                prop_assert!(text.get(at..).is_some());
                let _ = Fields::parse(yaml);
            }
        }
    }
}
