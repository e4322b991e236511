//! Whether a transcript bears a fact out: a quote of the user's own words, meant as they stand.

use serde_json::{Value, json};

use super::{
    clause::{Clause, clauses, own_words, words},
    mood::{Denials, denied, introduces_supposition, is_supposed, opens_supposition},
};

/// One turn of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whether the user said it.
    pub user: bool,
    /// What was said.
    pub text: String,
}

impl Turn {
    /// Returns who said it, as a transcript names them.
    pub fn role(&self) -> &'static str {
        if self.user { "user" } else { "assistant" }
    }

    /// Returns it as the end of a session takes it.
    pub fn to_json(&self) -> Value {
        json!({ "role": self.role(), "text": self.text })
    }
}

/// What becomes of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The user said so.
    Supported,
    /// The user said something of the kind; a person decides. The text says why.
    Doubtful(String),
    /// It is not what the user said. The text says why.
    Refused(&'static str),
}

/// Words that a quote must have.
const QUOTE: usize = 3;

/// Judges a fact by its quote and the conversation.
///
/// By section 8 of the design: the quote stands in a user's turn, outside fences, quoted lines and pastes; its clause is
/// neither a question nor supposed, and denies what the fact denies; numbers and names of the fact stand in that turn.
pub fn verify(fact: &str, quote: &str, transcript: &[Turn]) -> Verdict {
    let wanted = words(quote);
    if wanted.len() < QUOTE {
        return Verdict::Refused("its quote has fewer than three words");
    }
    let mut verdict = Verdict::Refused("its quote is not what the user said");
    for turn in transcript.iter().filter(|turn| turn.user) {
        let own = own_words(&turn.text);
        let clauses = clauses(&own);
        for found in places(&clauses, &wanted) {
            match judge(fact, &clauses, &found, &own) {
                Verdict::Supported => return Verdict::Supported,
                Verdict::Doubtful(why) => verdict = Verdict::Doubtful(why),
                refused if matches!(verdict, Verdict::Refused(_)) => verdict = refused,
                Verdict::Refused(_) => {}
            }
        }
    }
    verdict
}

/// A place of a quote: for each clause it touches, its number and the words that are quoted.
type Found = Vec<(usize, std::ops::Range<usize>)>;

/// Returns the places at which `wanted` stands, word for word, whatever is between the words.
fn places(clauses: &[Clause], wanted: &[String]) -> Vec<Found> {
    let all: Vec<(usize, usize, &str)> = clauses
        .iter()
        .enumerate()
        .flat_map(|(number, clause)| {
            clause.words.iter().enumerate().map(move |(at, (word, _))| (number, at, word.as_str()))
        })
        .collect();
    let is_here = |window: &&[(usize, usize, &str)]| {
        window.iter().zip(wanted).all(|((_, _, word), wanted)| word == wanted)
    };
    let place = |window: &[(usize, usize, &str)]| {
        let mut found: Found = Vec::new();
        for (number, at, _) in window {
            match found.last_mut() {
                Some((last, range)) if last == number => range.end = at + 1,
                _ => found.push((*number, *at..at + 1)),
            }
        }
        found
    };
    all.windows(wanted.len()).filter(is_here).map(place).collect()
}

fn judge(fact: &str, clauses: &[Clause], found: &Found, turn: &str) -> Verdict {
    let fact_words = words(fact);
    let mut denials = Denials::default();
    for (number, quoted) in found {
        let Some(clause) = clauses.get(*number) else { continue };
        if clause.question {
            return Verdict::Refused("the user asked it, and did not say it");
        }
        let before = clauses.get(..*number).unwrap_or_default();
        let in_sentence = before.iter().filter(|other| other.sentence == clause.sentence);
        let rests = in_sentence.into_iter().any(opens_supposition)
            || before.last().is_some_and(introduces_supposition);
        if is_supposed(clause) || rests {
            return Verdict::Refused("the user supposed it, and did not say that it is so");
        }
        let is_open = |word: &str| matches!(word, "or" | "ou");
        let said = clause.words.get(quoted.clone()).unwrap_or_default();
        if said.iter().any(|(word, _)| is_open(word))
            && !fact_words.iter().any(|word| is_open(word))
        {
            return Verdict::Refused("the user left it open");
        }
        denials = denials.or(denied(clause, quoted, &fact_words));
    }
    if denials != Denials::of(&fact_words) {
        return Verdict::Refused("the user denied it, or it denies what the user said");
    }
    match unsupported(fact, &words(turn)) {
        Some(missing) => {
            Verdict::Doubtful(format!("`{missing}` is not in what the user said there"))
        }
        None => Verdict::Supported,
    }
}

/// Words that begin a fact with a capital for their place only.
const STARTS: [&str; 66] = [
    "the",
    "a",
    "an",
    "our",
    "their",
    "his",
    "her",
    "this",
    "these",
    "user",
    "users",
    "team",
    "project",
    "we",
    "they",
    "it",
    "is",
    "has",
    "uses",
    "prefers",
    "likes",
    "lives",
    "works",
    "wants",
    "runs",
    "keeps",
    "writes",
    "speaks",
    "never",
    "always",
    "no",
    "le",
    "la",
    "les",
    "l",
    "un",
    "une",
    "des",
    "ce",
    "cette",
    "ces",
    "notre",
    "nos",
    "son",
    "sa",
    "ses",
    "leur",
    "leurs",
    "il",
    "elle",
    "on",
    "pas",
    "jamais",
    "utilisateur",
    "utilise",
    "préfère",
    "aime",
    "habite",
    "travaille",
    "veut",
    "garde",
    "écrit",
    "parle",
    "équipe",
    "projet",
    "n",
];

/// Returns the first number, name or identifier of `fact` that is not among `said`.
fn unsupported(fact: &str, said: &[String]) -> Option<String> {
    let mut at_start = true;
    for written in fact.split_whitespace() {
        let shown = written.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '~' | '/'));
        let begins = std::mem::replace(&mut at_start, written.ends_with(['.', '!', '?']));
        let has_digit = shown.chars().any(char::is_numeric);
        let is_identifier = shown.contains(['_', '/', '@', '#']) || shown.contains("::");
        // Behind an elision, as in `l'API`.
        let bare = shown.rsplit(['\'', '’']).next().unwrap_or(shown);
        let inner = bare.chars().skip(1).any(char::is_uppercase);
        let capital = bare.chars().next().is_some_and(char::is_uppercase);
        let is_name = inner || (capital && (!begins || !is_common(shown)));
        let parts = words(if begins && capital { shown } else { bare });
        let is_said =
            |word: &String| said.contains(word) || (begins && STARTS.contains(&word.as_str()));
        if (has_digit || is_identifier || is_name) && !parts.iter().all(is_said) {
            return Some(shown.to_owned());
        }
    }
    None
}

/// Returns whether a word at the beginning of a fact is an ordinary one, with a capital for its place only.
fn is_common(word: &str) -> bool {
    words(word).iter().all(|word| STARTS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// The transcripts that the rules were made on, and others that nobody looked at meanwhile.
    const MADE_ON: &str = include_str!("../../tests/corpus/verification.jsonl");
    const HELD_OUT: &str = include_str!("../../tests/corpus/verification-held-out.jsonl");

    fn verdict(row: &Value) -> &'static str {
        let turns = row["transcript"].as_array().unwrap().iter().map(|turn| Turn {
            user: turn["role"] == "user",
            text: turn["text"].as_str().unwrap().to_owned(),
        });
        let text = |name: &str| row[name].as_str().unwrap();
        match verify(text("fact"), text("quote"), &turns.collect::<Vec<_>>()) {
            Verdict::Supported => "accept",
            Verdict::Doubtful(_) => "pending",
            Verdict::Refused(_) => "refuse",
        }
    }

    /// How many were judged as expected, accepted, accepted rightly, and to be accepted.
    fn rates(corpus: &str) -> [usize; 4] {
        let rows = corpus.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let [mut right, mut accepted, mut found, mut wanted] = [0; 4];
        for row in rows {
            let (verdict, expected) = (verdict(&row), row["expect"].as_str().unwrap());
            right += usize::from(verdict == expected);
            accepted += usize::from(verdict == "accept");
            wanted += usize::from(expected == "accept");
            found += usize::from(verdict == "accept" && expected == "accept");
            if verdict != expected {
                println!("{verdict} for {expected}: {row}");
            }
        }
        [right, accepted, found, wanted]
    }

    /// Prints the rates with `--nocapture`. Precision is what counts: what is learned stands in every prompt.
    #[test]
    fn transcripts_are_judged_with_a_precision_of_98_in_100() {
        for (name, corpus, least) in [("made on", MADE_ON, 95), ("held out", HELD_OUT, 60)] {
            let [right, accepted, found, wanted] = rates(corpus);
            let all = corpus.lines().count();
            println!(
                "{name}: {right} of {all} as expected; {found} of {accepted} accepted rightly, of {wanted}"
            );
            assert!(all >= 60 && found * 100 >= accepted * 98, "{name}: {found} of {accepted}");
            assert!(found * 100 >= wanted * least, "{name}: {found} of {wanted}");
        }
    }

    #[test]
    fn a_quote_is_words_of_the_user_in_their_order() {
        let turns =
            [Turn { user: true, text: "Nous utilisons « Postgres 15 », partout !".to_owned() }];
        assert_eq!(
            verify("Le projet utilise Postgres 15", "NOUS  utilisons Postgres 15", &turns),
            Verdict::Supported
        );
        assert_eq!(
            verify("Le projet utilise Postgres 15", "utilisons Postgres", &turns),
            Verdict::Refused("its quote has fewer than three words")
        );
        assert!(matches!(
            verify("Le projet utilise Postgres 16", "nous utilisons postgres", &turns),
            Verdict::Doubtful(why) if why.contains("16")
        ));
    }
}
