//! The mood of a clause: whether it supposes, and whether it denies, in English and French.

use super::clause::Clause;

/// Words that make of a statement a supposition, in English and French.
const SUPPOSED: [&str; 49] = [
    "if",
    "unless",
    "could",
    "might",
    "may",
    "maybe",
    "perhaps",
    "possibly",
    "probably",
    "presumably",
    "suppose",
    "supposing",
    "supposedly",
    "assume",
    "assuming",
    "imagine",
    "imagining",
    "hypothetically",
    "hopefully",
    "pretend",
    "considering",
    "wish",
    "hope",
    "guess",
    "wonder",
    "wondering",
    "example",
    "si",
    "s'il",
    "supposons",
    "supposant",
    "supposer",
    "imaginons",
    "imaginez",
    "imaginer",
    "admettons",
    "mettons",
    "disons",
    "peut-être",
    "peut-etre",
    "éventuellement",
    "probablement",
    "sûrement",
    "hypothèse",
    "cas",
    "exemple",
    "espère",
    "envisage",
    "envisageons",
];

/// Two words that do the same.
const SUPPOSED_PAIRS: [(&str, &str); 15] = [
    ("let", "s"),
    ("lets", "say"),
    ("not", "sure"),
    ("thinking", "of"),
    ("thinking", "about"),
    ("what", "if"),
    ("i", "think"),
    ("we", "think"),
    ("sans", "doute"),
    ("peut", "être"),
    ("au", "cas"),
    ("on", "dirait"),
    ("je", "crois"),
    ("je", "pense"),
    ("s", "il"),
];

/// What `would` begins and is meant.
const WISHED: [&str; 4] = ["like", "prefer", "rather", "love"];

/// Conditionals that are a wish, and meant.
const WISHES: [&str; 5] = ["aimerais", "voudrais", "préférerais", "souhaiterais", "apprécierais"];

/// Subjects whose `'d` is a `would`; a French `d'` has none before it.
const WOULD: [&str; 7] = ["i", "we", "you", "they", "he", "she", "it"];

/// Returns whether the clause says what may be, and not what is.
pub(super) fn is_supposed(clause: &Clause) -> bool {
    let word = |at: usize| clause.words.get(at).map_or("", |(word, _)| word.as_str());
    (0..clause.words.len()).any(|at| {
        let (before, this, next) = (at.checked_sub(1).map_or("", &word), word(at), word(at + 1));
        let would = this == "would" || (this == "d" && WOULD.contains(&before));
        (would && !WISHED.contains(&next))
            || (SUPPOSED.contains(&this) && !is_no_supposition(before, this, next))
            || SUPPOSED_PAIRS.contains(&(this, next))
            || (is_conditional(this) && !WISHES.contains(&this))
    })
}

/// Returns whether `if` and `si` mean something else here.
fn is_no_supposition(before: &str, this: &str, next: &str) -> bool {
    this == "si" && (next == "possible" || matches!(before, "même" | "meme" | "comme"))
}

/// Returns whether what follows in the sentence, or in the next, rests on a supposition of this clause.
pub(super) fn opens_supposition(clause: &Clause) -> bool {
    const OPENERS: [&str; 21] = [
        "if",
        "unless",
        "suppose",
        "supposing",
        "assume",
        "assuming",
        "imagine",
        "pretend",
        "hypothetically",
        "si",
        "supposons",
        "supposant",
        "imaginons",
        "imaginez",
        "admettons",
        "mettons",
        "disons",
        "cas",
        "say",
        "example",
        "exemple",
    ];
    let word = |at: usize| clause.words.get(at).map_or("", |(word, _)| word.as_str());
    (0..clause.words.len()).any(|at| {
        let before = at.checked_sub(1).map_or("", &word);
        OPENERS.contains(&word(at)) && !is_no_supposition(before, word(at), word(at + 1))
    })
}

/// Returns whether a clause only sets the scene for the next sentence: "let's say", "imaginons que".
pub(super) fn introduces_supposition(clause: &Clause) -> bool {
    const SHORT: usize = 4;
    clause.words.len() <= SHORT && is_supposed(clause)
}

/// Returns whether a French verb stands in the conditional; an imperfect of a verb in -rer looks the same, and is refused too.
fn is_conditional(word: &str) -> bool {
    const ENDS: [&str; 5] = ["rais", "rait", "rions", "riez", "raient"];
    // Nouns and other words that end so.
    const NOT: [&str; 9] = [
        "frais",
        "vrais",
        "trait",
        "portrait",
        "extrait",
        "attrait",
        "retrait",
        "marais",
        "français",
    ];
    word.chars().count() > 4 && ENDS.iter().any(|end| word.ends_with(end)) && !NOT.contains(&word)
}

/// Words that deny, in English and French.
const NEGATIONS: [&str; 22] = [
    "not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without", "cannot",
    "stopped", "pas", "jamais", "aucun", "aucune", "rien", "sans", "ni", "non", "ne", "n", "guère",
];

/// Returns whether a word denies.
pub(super) fn is_negation(word: &str) -> bool {
    NEGATIONS.contains(&word) || word.ends_with("n't")
}

/// What a clause denies, and in which way: `without` is another denial than `not`, and both together are neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Denials {
    not: bool,
    without: bool,
}

impl Denials {
    /// Adds those of another clause.
    pub(super) fn or(self, other: Self) -> Self {
        Self { not: self.not | other.not, without: self.without | other.without }
    }

    /// Returns those of plain words.
    pub(super) fn of(words: &[String]) -> Self {
        let word = |at: usize| words.get(at).map_or("", String::as_str);
        let mut denials = Self::default();
        for at in 0..words.len() {
            denials.add(at.checked_sub(1).map_or("", &word), word(at));
        }
        denials
    }

    fn add(&mut self, before: &str, word: &str) {
        if matches!(word, "without" | "sans") {
            self.without = true;
        } else if is_negation(word) || (word == "plus" && !MORE.contains(&before)) {
            self.not = true;
        }
    }
}

/// Words behind which a French `plus` means more, and not no more: spoken French leaves the `ne` out.
const MORE: [&str; 16] = [
    "le", "la", "les", "de", "en", "un", "au", "bien", "beaucoup", "encore", "non", "tout", "d",
    "toujours", "jamais", "pas",
];

/// Returns what the clause denies of what is quoted from it, for a fact of these words.
///
/// A part behind a comma that begins with a denial is about something else, as long as the quote does not begin there and the
/// fact speaks of nothing in it: "we use A, not B"; and so is a "no," before it, which answers what came before.
pub(super) fn denied(clause: &Clause, quoted: &std::ops::Range<usize>, fact: &[String]) -> Denials {
    const CONTENT: usize = 3;
    let part_of = |at: usize| clause.words.get(at).map(|(_, part)| *part);
    let first = part_of(quoted.start);
    let is_told = |part: usize| {
        let mut words = clause.words.iter().filter(|(_, other)| *other == part);
        words.any(|(word, _)| {
            word.chars().count() >= CONTENT
                && !is_negation(word)
                && word != "without"
                && fact.contains(word)
        })
    };
    let mut denials = Denials::default();
    for (at, (word, part)) in clause.words.iter().enumerate() {
        let before = at.checked_sub(1);
        let begins_part = before.and_then(part_of) != Some(*part);
        if begins_part && Some(*part) != first && !is_told(*part) {
            continue;
        }
        let before = before.and_then(|at| clause.words.get(at)).map_or("", |(word, _)| word);
        denials.add(before, word);
    }
    denials
}
