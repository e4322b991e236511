//! What is to be forgotten: selectors that narrow each other.

use jiff::Timestamp;

use crate::{
    memory::folded,
    notes::{Note, file_name},
};

/// Which entries and notes are meant. Each selector that is given narrows the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    /// The entry or note of this id.
    pub id: Option<String>,
    /// What holds this text, however it is spaced, quoted, composed or capitalised.
    pub matching: Option<String>,
    /// Notes with this tag, or this word in their title or key.
    pub topic: Option<String>,
    /// Notes of this category.
    pub category: Option<String>,
    /// What began to be known at this time or later.
    pub since: Option<Timestamp>,
    /// What began to be known before this time.
    pub until: Option<Timestamp>,
    /// Notes that come from this session.
    pub session: Option<String>,
    /// Everything.
    pub all: bool,
}

impl Selector {
    /// Refuses one that selects by nothing, or by oversight everything.
    pub fn check(&self) -> Result<(), String> {
        if *self == Self::default() {
            return Err("it is not said what to forget".to_owned());
        }
        let given = [
            ("id", &self.id),
            ("match", &self.matching),
            ("topic", &self.topic),
            ("category", &self.category),
            ("session", &self.session),
        ];
        let blank = |text: &String| folded(text).trim().is_empty();
        match given.iter().find(|(_, text)| text.as_ref().is_some_and(blank)) {
            Some((name, _)) => Err(format!("`{name}` is blank")),
            None => Ok(()),
        }
    }

    fn in_time(&self, at: Option<Timestamp>) -> bool {
        let since = self.since.is_none_or(|since| at.is_some_and(|at| at >= since));
        since && self.until.is_none_or(|until| at.is_some_and(|at| at < until))
    }

    fn holds(&self, text: &str) -> bool {
        self.matching.as_ref().is_none_or(|part| folded(text).contains(&folded(part)))
    }

    /// Returns whether a person who reads the note would find the text in it.
    fn is_held(&self, note: &Note) -> bool {
        let fields = &note.fields;
        let named = [Some(note.text()), Some(&note.title), fields.key.as_deref()];
        self.matching.is_none()
            || named.into_iter().flatten().any(|text| self.holds(text))
            || fields.tags.iter().chain(&fields.aliases).any(|text| self.holds(text))
    }

    /// Returns whether the entry `id` is meant, which was first seen at `seen`.
    pub fn takes_entry(&self, id: &str, text: &str, seen: Option<Timestamp>) -> bool {
        let of_notes = self.topic.is_some() || self.category.is_some() || self.session.is_some();
        !of_notes
            && self.id.as_deref().is_none_or(|wanted| wanted == id)
            && self.holds(text)
            && self.in_time(seen)
    }

    /// Returns whether `note` is meant, whose file holds `text`.
    pub fn takes_note(&self, note: &Note, text: &str) -> bool {
        let fields = &note.fields;
        let is_id = |id: &str| id.trim_end_matches(".md") == note.id;
        let is_topic = |topic: &str| {
            let topic = folded(topic.trim());
            let named = [Some(note.title.as_str()), fields.key.as_deref()].into_iter().flatten();
            let mut words = named.flat_map(|name| {
                let name = folded(name);
                name.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect::<Vec<_>>()
            });
            fields.tags.iter().any(|tag| folded(tag) == topic) || words.any(|word| word == topic)
        };
        let is_session = |session: &str| {
            let own = [fields.session.as_deref(), fields.session_id.as_deref()];
            own.contains(&Some(session))
                || note.id == session
                || super::evidence_of(text).iter().any(|(one, _)| one.as_deref() == Some(session))
        };
        self.id.as_deref().is_none_or(is_id)
            && self.is_held(note)
            && self.topic.as_deref().is_none_or(is_topic)
            && self
                .category
                .as_deref()
                .is_none_or(|word| file_name(word) == file_name(note.category()))
            && self.in_time(Some(note.created))
            && self.session.as_deref().is_none_or(is_session)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notes::{Layer, parse_time};

    const TEXT: &str = "---\nkey: archi_router\ncategory: tech\ntags: [Réseau]\ncreated: 2026-05-14\n\
        evidence: [{session: s-1, quote: \"on part sur le v7\"}]\n---\nLe routeur « v7 » est choisi.\n";

    fn takes(selector: &Selector) -> bool {
        let now = parse_time("2026-06-01").unwrap();
        selector.takes_note(&Note::read("facts/tech/archi_router", Layer::Facts, TEXT, now), TEXT)
    }

    #[test]
    fn each_selector_narrows_the_others() {
        let id = |id: &str| Selector { id: Some(id.to_owned()), ..Selector::default() };
        assert!(takes(&id("facts/tech/archi_router.md")) && !takes(&id("facts/tech/archi")));
        let matching =
            |text: &str| Selector { matching: Some(text.to_owned()), ..Selector::default() };
        assert!(takes(&matching("ROUTEUR \"v7\"")) && !takes(&matching("v8")));
        let topic = |word: &str| Selector { topic: Some(word.to_owned()), ..Selector::default() };
        assert!(takes(&topic("réseau")) && takes(&topic("router")) && !takes(&topic("route")));
        let session = |id: &str| Selector { session: Some(id.to_owned()), ..Selector::default() };
        assert!(takes(&session("s-1")) && !takes(&session("s-2")));
        let both = Selector { since: parse_time("2026-05-15"), ..topic("router") };
        assert!(!takes(&both));
        let within =
            Selector { since: parse_time("2026-05-14"), until: parse_time("2026-05-15"), ..both };
        assert!(takes(&within));
        assert!(takes(&Selector { all: true, ..Selector::default() }));
    }

    #[test]
    fn what_selects_everything_by_oversight_is_refused() {
        assert!(Selector::default().check().is_err());
        for blank in ["", "  ", "\u{a0}"] {
            let matching = Some(blank.to_owned());
            assert!(Selector { matching, ..Selector::default() }.check().is_err());
            let topic = Some(blank.to_owned());
            assert!(Selector { topic, all: true, ..Selector::default() }.check().is_err());
        }
        assert!(Selector { all: true, ..Selector::default() }.check().is_ok());
    }

    #[test]
    fn entries_have_neither_topic_nor_category() {
        let selector = |topic: Option<&str>| Selector {
            matching: Some("v7".to_owned()),
            topic: topic.map(str::to_owned),
            ..Selector::default()
        };
        assert!(selector(None).takes_entry("m-1", "le V7 est choisi", None));
        assert!(!selector(Some("v7")).takes_entry("m-1", "le V7 est choisi", None));
        let since = Selector { since: parse_time("2026-01-01"), ..Selector::default() };
        assert!(!since.takes_entry("m-1", "x", None));
        assert!(since.takes_entry("m-1", "x", parse_time("2026-01-01")));
    }
}
