//! What two texts that sound alike may differ in: what they deny, their numbers, the order of the same words.

use std::{
    collections::{BTreeSet, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
};

use crate::index::{analyze, folded_words, is_function_word};

/// Why two texts that sound alike do not say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// One denies what the other says.
    Polarity,
    /// They have other numbers.
    Numbers,
    /// They have the same words in another order.
    Order,
}

impl Difference {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Polarity => "polarity",
            Self::Numbers => "numbers",
            Self::Order => "order",
        }
    }
}

/// What decides whether two texts that sound alike may say the same; cheap to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sense {
    /// What is denied.
    denied: u64,
    /// Which words stand in it that have an opposite, and which of their opposites.
    sides: (u32, u32),
    numbers: u64,
    /// All words, and those with a meaning of their own: in any order, and in theirs.
    words: (u64, u64),
    content: (u64, u64),
}

/// Words that deny what follows them, folded.
const DENYING: [&str; 21] = [
    "not",
    "no",
    "never",
    "without",
    "none",
    "nobody",
    "nothing",
    "neither",
    "nor",
    "cannot",
    "pas",
    "jamais",
    "sans",
    "aucun",
    "aucune",
    "rien",
    "ni",
    "non",
    "nul",
    "nulle",
    "nullement",
];

/// Words with their opposites, folded.
const OPPOSITES: [(&str, &str); 24] = [
    ("enabled", "disabled"),
    ("enable", "disable"),
    ("true", "false"),
    ("always", "never"),
    ("before", "after"),
    ("more", "less"),
    ("allowed", "forbidden"),
    ("accepted", "rejected"),
    ("likes", "dislikes"),
    ("loves", "hates"),
    ("with", "without"),
    ("active", "inactive"),
    ("public", "private"),
    ("on", "off"),
    ("avant", "apres"),
    ("toujours", "jamais"),
    ("avec", "sans"),
    ("actif", "inactif"),
    ("active", "desactive"),
    ("activee", "desactivee"),
    ("autorise", "interdit"),
    ("accepte", "refuse"),
    ("aime", "deteste"),
    ("vrai", "faux"),
];

/// Numbers in words, folded; one is an article too.
const NUMBERS: [(&str, &str); 32] = [
    ("zero", "0"),
    ("two", "2"),
    ("deux", "2"),
    ("three", "3"),
    ("trois", "3"),
    ("four", "4"),
    ("quatre", "4"),
    ("five", "5"),
    ("cinq", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("sept", "7"),
    ("eight", "8"),
    ("huit", "8"),
    ("nine", "9"),
    ("neuf", "9"),
    ("ten", "10"),
    ("dix", "10"),
    ("eleven", "11"),
    ("onze", "11"),
    ("twelve", "12"),
    ("douze", "12"),
    ("fifteen", "15"),
    ("quinze", "15"),
    ("twenty", "20"),
    ("vingt", "20"),
    ("thirty", "30"),
    ("trente", "30"),
    ("hundred", "100"),
    ("cent", "100"),
    ("thousand", "1000"),
    ("mille", "1000"),
];

impl Sense {
    /// Reads a text.
    pub fn of(text: &str) -> Self {
        let words = spoken(text);
        let content: Vec<&String> = words.iter().filter(|word| !is_function_word(word)).collect();
        let has = |word: &str| words.iter().any(|one| one == word);
        let side = |of: &dyn Fn(&(&'static str, &'static str)) -> &'static str| {
            let bits = OPPOSITES.iter().enumerate().filter(|(_, pair)| has(of(pair)));
            bits.fold(0_u32, |bits, (at, _)| bits | 1 << at)
        };
        Self {
            denied: hash(&denied(&words)),
            sides: (side(&|pair| pair.0), side(&|pair| pair.1)),
            numbers: hash(&numbers(text)),
            words: (hash_of_any_order(words.iter()), hash(&words)),
            content: (hash_of_any_order(content.iter().copied()), hash(&content)),
        }
    }

    /// Returns in what the two differ, `None` where they may say the same.
    pub fn differs(&self, other: &Self) -> Option<Difference> {
        let opposed = |one: &Self, other: &Self| {
            one.sides.0 & !one.sides.1 & other.sides.1 & !other.sides.0 != 0
        };
        let moved = |one: (u64, u64), other: (u64, u64)| one.0 == other.0 && one.1 != other.1;
        if self.denied != other.denied || opposed(self, other) || opposed(other, self) {
            Some(Difference::Polarity)
        } else if self.numbers != other.numbers {
            Some(Difference::Numbers)
        } else if moved(self.words, other.words) || moved(self.content, other.content) {
            Some(Difference::Order)
        } else {
            None
        }
    }
}

/// Returns the folded words of a text, with its negations as words.
fn spoken(text: &str) -> Vec<String> {
    let text = format!(" {}", text.to_lowercase().replace(['’', 'ʼ'], "'"));
    let text = text.replace("n't", " not").replace("cannot", "can not").replace(" n'", " ne ");
    folded_words(&text)
}

/// Returns the words that are denied: those that a negation is about, by their stems.
fn denied(words: &[String]) -> BTreeSet<String> {
    let mut denied = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        let near = words.get(at.saturating_sub(4)..at).unwrap_or_default();
        // `ne … plus` denies; `plus` alone is more.
        let no_more = word == "plus" && near.iter().any(|word| word == "ne");
        if !no_more && !DENYING.contains(&word.as_str()) {
            continue;
        }
        let is_said = |word: &&String| {
            !is_function_word(word)
                && !DENYING.contains(&word.as_str())
                && !matches!(word.as_str(), "longer" | "more" | "ne")
        };
        let about = words.iter().skip(at + 1).find(is_said).map_or("", String::as_str);
        denied.insert(analyze(about).english.into_iter().next().unwrap_or_default());
    }
    denied
}

/// Returns the numbers of a text, those in words too, each once.
pub(super) fn numbers(text: &str) -> BTreeSet<String> {
    let chars: Vec<char> = text.chars().collect();
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let three = |at: usize| digit(at) && digit(at + 1) && digit(at + 2) && !digit(at + 3);
    let mut numbers = BTreeSet::new();
    let mut number = String::new();
    // Digits since the number or its last separator began: three follow where it parts thousands.
    let mut run = 0;
    for (at, c) in chars.iter().enumerate() {
        if c.is_ascii_digit() {
            number.push(*c);
            run += 1;
            continue;
        }
        if number.is_empty() {
            continue;
        }
        let parts_thousands =
            matches!(c, ' ' | '\u{a0}' | '\u{202f}' | ',' | '\'') && run <= 3 && three(at + 1);
        if parts_thousands {
            run = 0;
        } else if matches!(c, '.' | ',' | ':' | '/' | '-') && digit(at + 1) {
            number.push(*c);
            run = 0;
        } else {
            numbers.insert(std::mem::take(&mut number));
            run = 0;
        }
    }
    numbers.extend((!number.is_empty()).then_some(number));
    let in_words = folded_words(text);
    let known = |word: &String| NUMBERS.iter().find(|(name, _)| name == word);
    numbers.extend(in_words.iter().filter_map(known).map(|(_, number)| (*number).to_owned()));
    numbers
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn hash_of_any_order<'w>(words: impl Iterator<Item = &'w String>) -> u64 {
    let mut words: Vec<_> = words.collect();
    words.sort_unstable();
    hash(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(one: &str, other: &str, expected: Option<Difference>) {
        assert_eq!(Sense::of(one).differs(&Sense::of(other)), expected, "{one} | {other}");
        assert_eq!(Sense::of(other).differs(&Sense::of(one)), expected, "{other} | {one}");
    }

    #[test]
    fn what_one_denies_and_the_other_says_is_a_contradiction() {
        for (one, other) in [
            ("The project uses Redux", "The project does not use Redux"),
            ("We deploy on Fridays", "We never deploy on Fridays"),
            ("On utilise Redux", "On n'utilise pas Redux"),
            ("On utilise Redux", "On n’utilise plus Redux"),
            ("Le thé avec sucre", "Le thé sans sucre"),
            ("The cache is enabled", "The cache is disabled"),
            ("We use Redux, not SWR", "We use SWR and no Redux"),
            ("Tests don't run on main", "Tests run on main"),
        ] {
            check(one, other, Some(Difference::Polarity));
        }
        for (one, other) in [
            ("We don't deploy on Fridays", "We never deploy on Fridays"),
            ("Pas de Redux", "On n'utilise pas Redux"),
            ("Il y a plus de tests", "Il y a plus de tests ici"),
            ("The cache is enabled", "The cache is there"),
        ] {
            check(one, other, None);
        }
    }

    #[test]
    fn other_numbers_and_another_order_are_contradictions() {
        check("Postgres 14 runs the shop", "Postgres 15 runs the shop", Some(Difference::Numbers));
        check("Il y a trois serveurs", "Il y a quatre serveurs", Some(Difference::Numbers));
        check("Version 1.0 is out", "Version 1.0.1 is out", Some(Difference::Numbers));
        check("Paul manages Marie", "Marie manages Paul", Some(Difference::Order));
        check(
            "The train from Paris to Rome",
            "The train to Paris from Rome",
            Some(Difference::Order),
        );
        check("moved from 3 to 5", "moved from 5 to 3", Some(Difference::Order));
        check("There are three servers", "There are 3 servers", None);
        check("A budget of 1 500 €", "A budget of 1,500 €", None);
        check("Deploys run on Fridays", "Deploys are run on Fridays", None);
    }

    #[test]
    fn numbers_are_read_whole() {
        let found = |text: &str| numbers(text).into_iter().collect::<Vec<_>>();
        assert_eq!(found("on 2025-10-24 at 18:30, v2 and 3."), ["18:30", "2", "2025-10-24", "3"]);
        assert_eq!(found("12\u{202f}000 and 1.0.21 for deux"), ["1.0.21", "12000", "2"]);
        assert_eq!(found("none at all"), [""; 0]);
    }
}
