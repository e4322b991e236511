//! One rule of the table.

use regex::bytes::{Captures, Regex, RegexBuilder};

/// Which reading of the text a rule's expression is tried on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Composed, in lower case, without accents, invisible characters and look-alikes.
    Folded,
    /// As written.
    Raw,
}

/// One rule: its expression is compiled and tried only where one of its anchors occurs.
#[derive(Debug)]
pub(super) struct Rule {
    /// The rule's name in refusals; rules of the two languages share one.
    pub(super) id: &'static str,
    /// What it looks for, in words.
    pub(super) what: &'static str,
    /// Literals of the folded text; every match of the expression holds one.
    pub(super) anchors: &'static [&'static str],
    /// The expression, in verbose syntax; `¤n` stands for a gap of up to `n` words within a sentence,
    /// `¤?` for one that may be missing.
    pub(super) pattern: &'static str,
    /// The reading it is tried on.
    pub(super) reading: Reading,
    /// Whether the group `value` of a match is the real thing and no placeholder.
    pub(super) confirm: Option<fn(&str) -> bool>,
}

impl Rule {
    /// A rule on the folded text.
    pub(super) const fn phrase(
        id: &'static str,
        what: &'static str,
        anchors: &'static [&'static str],
        pattern: &'static str,
    ) -> Self {
        Self { id, what, anchors, pattern, reading: Reading::Folded, confirm: None }
    }

    /// A rule for a secret, on the text as written.
    pub(super) const fn secret(
        what: &'static str,
        anchors: &'static [&'static str],
        pattern: &'static str,
    ) -> Self {
        Self { id: "secret", what, anchors, pattern, reading: Reading::Raw, confirm: None }
    }

    /// The same rule, whose group `value` must also pass `confirm`.
    pub(super) const fn confirmed_by(self, confirm: fn(&str) -> bool) -> Self {
        Self { confirm: Some(confirm), ..self }
    }

    /// Returns whether the expression matches `text`.
    pub(super) fn matches(&self, text: &str) -> bool {
        // An expression that does not compile must not let text pass; a test compiles every one.
        let Ok(expression) = self.compile() else { return true };
        match self.confirm {
            None => expression.is_match(text.as_bytes()),
            Some(confirm) => {
                expression.captures_iter(text.as_bytes()).any(|found| confirm(value(&found)))
            }
        }
    }

    pub(super) fn compile(&self) -> Result<Regex, regex::Error> {
        let mut pattern = self.pattern.replace("¤?", r"[^\w.!?]*");
        for words in 0..=9 {
            let gap = format!(r"[^\w.!?]+(?:\w+[^\w.!?]+){{0,{words}}}?");
            pattern = pattern.replace(&format!("¤{words}"), &gap);
        }
        RegexBuilder::new(&pattern).unicode(false).ignore_whitespace(true).build()
    }
}

fn value<'t>(found: &Captures<'t>) -> &'t str {
    found
        .name("value")
        .and_then(|value| std::str::from_utf8(value.as_bytes()).ok())
        .unwrap_or_default()
}
