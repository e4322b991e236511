//! One rule of the table.

use std::sync::OnceLock;

use regex_lite::{Captures, Regex, RegexBuilder};

/// Which reading of the text a rule's expression is tried on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Composed, in lower case, without accents, invisible characters and look-alikes.
    Folded,
    /// As written.
    Raw,
}

/// What parts two literals.
const BETWEEN: char = '¦';

/// The part of a literal in its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    /// Any of these leads to the rule.
    Anchor,
    /// And so must any of these, where there are some.
    Also,
}

/// What a negation right before a match makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Negated {
    /// It stays what it is.
    AsBad,
    /// It is the opposite, and fine.
    Harmless,
}

/// One rule: its expression is compiled and tried only where one of its anchors occurs.
#[derive(Debug)]
pub(super) struct Rule {
    /// The rule's name in refusals; rules of the two languages share one.
    pub(super) id: &'static str,
    /// What it looks for, in words.
    pub(super) what: &'static str,
    /// Literals of the folded text, parted by `¦`; every match of the expression holds one.
    pub(super) anchors: &'static str,
    /// Other literals, one of which every match holds too; empty where the anchors are telling enough.
    pub(super) also: &'static str,
    /// The expression, in verbose syntax; `¤n` stands for a gap of up to `n` words within a sentence,
    /// `¤?` for one that may be missing.
    pub(super) pattern: &'static str,
    /// The reading it is tried on.
    pub(super) reading: Reading,
    /// What a negation before the match makes of it.
    pub(super) negated: Negated,
    /// Whether the group `value` of a match is the real thing and no placeholder.
    pub(super) confirm: Option<fn(&str) -> bool>,
}

impl Rule {
    /// A rule on the folded text.
    pub(super) const fn phrase(
        id: &'static str,
        what: &'static str,
        anchors: &'static str,
        pattern: &'static str,
    ) -> Self {
        Self {
            id,
            what,
            anchors,
            also: "",
            pattern,
            reading: Reading::Folded,
            negated: Negated::AsBad,
            confirm: None,
        }
    }

    /// A rule for a secret, on the text as written.
    pub(super) const fn secret(
        what: &'static str,
        anchors: &'static str,
        pattern: &'static str,
    ) -> Self {
        Self {
            id: "secret",
            what,
            anchors,
            also: "",
            pattern,
            reading: Reading::Raw,
            negated: Negated::AsBad,
            confirm: None,
        }
    }

    /// The same rule, which does not mean "do not ignore the rules".
    pub(super) const fn unless_negated(self) -> Self {
        Self { negated: Negated::Harmless, ..self }
    }

    /// The same rule, tried only where one of `also` occurs beside an anchor.
    pub(super) const fn beside(self, also: &'static str) -> Self {
        Self { also, ..self }
    }

    /// The same rule, whose group `value` must also pass `confirm`.
    pub(super) const fn confirmed_by(self, confirm: fn(&str) -> bool) -> Self {
        Self { confirm: Some(confirm), ..self }
    }

    /// Returns the literals of the folded text that lead to the rule, with their part in it.
    pub(super) fn literals(&self) -> impl Iterator<Item = (Group, &'static str)> {
        let parts = |group, text: &'static str| {
            text.split(BETWEEN)
                .filter(|literal| !literal.is_empty())
                .map(move |literal| (group, literal))
        };
        parts(Group::Anchor, self.anchors).chain(parts(Group::Also, self.also))
    }

    /// Compiles the expression.
    pub(super) fn compile(&self) -> Result<Regex, regex_lite::Error> {
        let mut pattern = self.pattern.replace("¤?", r"[^\w.!?]*");
        for words in 0..=9 {
            let gap = format!(r"[^\w.!?]+(?:\w+[^\w.!?]+){{0,{words}}}?");
            pattern = pattern.replace(&format!("¤{words}"), &gap);
        }
        RegexBuilder::new(&pattern).ignore_whitespace(true).build()
    }
}

/// A rule with its expression, which is compiled at its first use.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) rule: &'static Rule,
    expression: OnceLock<Option<Regex>>,
}

impl Compiled {
    pub(super) fn new(rule: &'static Rule) -> Self {
        Self { rule, expression: OnceLock::new() }
    }

    /// Returns whether the expression matches `text`.
    pub(super) fn matches(&self, text: &str) -> bool {
        // An expression that does not compile must not let text pass; a test compiles every one.
        let Some(expression) = self.expression.get_or_init(|| self.rule.compile().ok()) else {
            return true;
        };
        match (self.rule.confirm, self.rule.negated) {
            (Some(confirm), _) => {
                expression.captures_iter(text).any(|found| confirm(value(&found)))
            }
            (None, Negated::AsBad) => expression.is_match(text),
            (None, Negated::Harmless) => {
                let before = |start: usize| text.get(..start).unwrap_or_default();
                expression.find_iter(text).any(|found| !ends_in_negation(before(found.start())))
            }
        }
    }
}

/// Returns whether what follows `text` is negated.
fn ends_in_negation(text: &str) -> bool {
    const NEGATIONS: [&str; 12] = [
        "don't ",
        "do not ",
        "never ",
        " not ",
        "cannot ",
        "can't ",
        "n'",
        "ne ",
        "ne pas ",
        "ne jamais ",
        "sans ",
        "without ",
    ];
    NEGATIONS.iter().any(|negation| text.ends_with(negation) || text == negation.trim_start())
}

fn value<'t>(found: &Captures<'t>) -> &'t str {
    found.name("value").map(|value| value.as_str()).unwrap_or_default()
}
