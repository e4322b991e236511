//! A turn of a conversation as clauses of words: what was really said, and in which mood.

use super::mood::is_negation;
use crate::{fence::without_ours, memory::folded};

/// A clause: its words, folded, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clause {
    /// Its words, with the number of the part between commas that each stands in.
    pub(super) words: Vec<(String, usize)>,
    /// Whether its sentence is a question.
    pub(super) question: bool,
    /// Its sentence: what one clause of it supposes, those behind it rest on.
    pub(super) sentence: usize,
}

/// Lines from which a block without a blank line counts as pasted, and characters.
const PASTED_LINES: usize = 12;
const PASTED_CHARS: usize = 1_500;

/// Returns what a person wrote into a turn: without what carnet has put there, fences, quoted lines and pastes.
pub(super) fn own_words(turn: &str) -> String {
    let mut kept = String::new();
    let mut fence: Option<&str> = None;
    let turn = without_ours(turn);
    for line in turn.lines() {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, Some(mark)) => fence = Some(mark),
            (Some(_), _) => {}
            (None, None) if start.starts_with('>') => kept.push_str("\n\n"),
            (None, None) => {
                kept.push_str(line);
                kept.push('\n');
            }
        }
    }
    let is_pasted =
        |block: &&str| block.lines().count() > PASTED_LINES || block.chars().count() > PASTED_CHARS;
    let blocks: Vec<_> = kept.split("\n\n").filter(|block| !is_pasted(block)).collect();
    without_quotations(&blocks.join("\n\n"))
}

/// Words in quotation marks from which they are what somebody else said.
const QUOTED: usize = 3;

/// Returns `text` without longer quotations: they are somebody else's words.
fn without_quotations(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((open, mark)) = rest.char_indices().find(|(_, c)| matches!(c, '"' | '“' | '«'))
    {
        let close = match mark {
            '“' => '”',
            '«' => '»',
            mark => mark,
        };
        let inside_at = open + mark.len_utf8();
        let inside = rest.get(inside_at..).unwrap_or_default();
        let Some(end) = inside
            .find(close)
            .filter(|end| !inside.get(..*end).is_some_and(|part| part.contains('\n')))
        else {
            kept.push_str(rest.get(..inside_at).unwrap_or_default());
            rest = inside;
            continue;
        };
        let quoted = inside.get(..end).unwrap_or_default();
        kept.push_str(rest.get(..open).unwrap_or_default());
        kept.push_str(if quoted.split_whitespace().count() >= QUOTED { " " } else { quoted });
        rest = inside.get(end + close.len_utf8()..).unwrap_or_default();
    }
    kept.push_str(rest);
    kept
}

/// Words behind which a new clause begins, whatever the mood of the one before.
const BUT: [&str; 9] =
    ["but", "however", "though", "whereas", "mais", "cependant", "toutefois", "pourtant", "sinon"];

/// Words that begin a clause of its own behind `and` or a comma.
const SUBJECTS: [&str; 31] = [
    "i", "we", "you", "they", "he", "she", "it", "maybe", "perhaps", "my", "our", "je", "j", "on",
    "nous", "vous", "tu", "il", "elle", "ils", "elles", "ça", "c", "peut", "mon", "ma", "mes",
    "notre", "nos", "moi", "nous",
];

/// Splits a text into clauses. A `but` parts what comes behind it from what the sentence supposes before.
pub(super) fn clauses(text: &str) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    let mut number = 0;
    for (sentence, question) in sentences(text) {
        number += 1;
        let mut words: Vec<(String, usize)> = Vec::new();
        let mut part = 0;
        let tokens = tokens(&sentence);
        let mut push = |words: &mut Vec<(String, usize)>, number| {
            if !words.is_empty() {
                let words = std::mem::take(words);
                clauses.push(Clause { words, question, sentence: number });
            }
        };
        for (index, token) in tokens.iter().enumerate() {
            let next = match tokens.get(index + 1) {
                Some(Token::Word(word)) => word.as_str(),
                _ => "",
            };
            let Token::Word(word) = token else {
                part += 1;
                if SUBJECTS.contains(&next)
                    || begins_statement(tokens.get(index + 1..).unwrap_or_default())
                {
                    push(&mut words, number);
                }
                continue;
            };
            let joins = matches!(word.as_str(), "and" | "et");
            if BUT.contains(&word.as_str()) {
                push(&mut words, number);
                number += 1;
            } else if (joins && SUBJECTS.contains(&next)) || REASONS.contains(&word.as_str()) {
                push(&mut words, number);
            }
            words.push((word.clone(), part));
            // "on Mondays and never on Fridays": two things are said.
            part += usize::from(joins && is_negation(next));
        }
        push(&mut words, number);
    }
    clauses
}

/// Words that begin a reason or a consequence.
const REASONS: [&str; 6] = ["so", "because", "donc", "car", "parce", "puisque"];

/// Returns whether a part behind a comma is long enough to say something of its own about what its article names.
fn begins_statement(tokens: &[Token]) -> bool {
    const ARTICLES: [&str; 6] = ["the", "le", "la", "les", "l", "un"];
    const LONG: usize = 5;
    let words = tokens.iter().map_while(|token| match token {
        Token::Word(word) => Some(word.as_str()),
        Token::Comma => None,
    });
    let words: Vec<_> = words.collect();
    words.len() >= LONG && words.first().is_some_and(|first| ARTICLES.contains(first))
}

enum Token {
    Word(String),
    Comma,
}

/// Returns the words of a text, folded.
pub(super) fn words(text: &str) -> Vec<String> {
    let word = |token| match token {
        Token::Word(word) => Some(word),
        Token::Comma => None,
    };
    tokens(text).into_iter().filter_map(word).collect()
}

/// Splits folded text into words and commas; what joins letters to a name, a number or a path stays in the word.
fn tokens(text: &str) -> Vec<Token> {
    let text = folded(text);
    let mut tokens = Vec::new();
    let mut word = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let joins = matches!(c, '.' | '_' | '-' | '/' | ':' | '@' | '~' | '#' | '+');
        // `don't` is one word, `l'API` two.
        let contracts = c == '\'' && word.ends_with('n') && chars.peek() == Some(&'t');
        if c.is_alphanumeric() || joins || contracts {
            word.push(c);
            continue;
        }
        push(&mut tokens, &mut word);
        if matches!(c, ',' | '(' | ')' | '–' | '—') {
            tokens.push(Token::Comma);
        }
    }
    push(&mut tokens, &mut word);
    tokens
}

/// Adds a word without what does not belong to it: a colon behind it, a dash before it.
fn push(tokens: &mut Vec<Token>, word: &mut String) {
    let whole = std::mem::take(word);
    let bare = whole.trim_end_matches(|c: char| !c.is_alphanumeric());
    let bare = match bare.strip_prefix('-') {
        Some(rest) if !rest.starts_with('-') => rest,
        _ => bare,
    };
    if !bare.is_empty() {
        tokens.push(Token::Word(bare.to_owned()));
    }
}

/// Splits a text into sentences, each with whether it is a question.
fn sentences(text: &str) -> Vec<(String, bool)> {
    let mut sentences = Vec::new();
    let mut sentence = String::new();
    let chars: Vec<char> = text.chars().collect();
    for (index, c) in chars.iter().enumerate() {
        let is_last = chars.get(index + 1).is_none_or(|next| next.is_whitespace());
        let ends = matches!(c, '\n' | ';' | '…') || (matches!(c, '.' | '!' | '?' | ':') && is_last);
        if !ends {
            sentence.push(*c);
            continue;
        }
        let question = *c == '?' || begins_as_question(&sentence);
        if !sentence.trim().is_empty() {
            sentences.push((std::mem::take(&mut sentence), question));
        }
    }
    if !sentence.trim().is_empty() {
        let question = begins_as_question(&sentence);
        sentences.push((sentence, question));
    }
    sentences
}

/// Beginnings of questions that are often written without their mark.
const QUESTIONS: [&str; 47] = [
    "do we",
    "do you",
    "do i",
    "do they",
    "do the",
    "do deploys",
    "does",
    "did",
    "is it",
    "is the",
    "is there",
    "are we",
    "are you",
    "are the",
    "are there",
    "was",
    "were",
    "can i",
    "can we",
    "can you",
    "could",
    "should",
    "would you",
    "will",
    "what",
    "why",
    "how",
    "which",
    "who",
    "whose",
    "est-ce",
    "qu'est-ce",
    "est ce",
    "qu est ce",
    "pourquoi",
    "comment",
    "combien",
    "quel",
    "quelle",
    "quels",
    "quelles",
    "qui",
    "que",
    "peux-tu",
    "peut-on",
    "doit-on",
    "faut-il",
];

fn begins_as_question(sentence: &str) -> bool {
    // Behind a word or two that only call: "hey, are we …", "dis, on …".
    const CALL: usize = 2;
    let sentence = folded(sentence.trim());
    let mut rest = sentence.as_str();
    loop {
        let begins = |start: &&str| {
            rest.strip_prefix(*start).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        // A verb before its subject.
        let inverted = ["do ", "does ", "did "].iter().any(|verb| rest.starts_with(verb));
        if QUESTIONS.iter().any(begins) || inverted {
            return true;
        }
        match rest.split_once(',') {
            Some((call, behind)) if call.split_whitespace().count() <= CALL => {
                rest = behind.trim_start();
            }
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let shown = |clause: &Clause| {
            let words: Vec<_> = clause.words.iter().map(|(word, _)| word.as_str()).collect();
            format!("{}{}", words.join(" "), if clause.question { " ?" } else { "" })
        };
        clauses(text).iter().map(shown).collect()
    }

    #[test]
    fn a_turn_is_what_a_person_wrote_into_it() {
        let turn = "[carnet-memory]\nx\n[/carnet-memory]\nMine.\n```\nnot mine\n```\n> quoted\nThe error says \"no such file or directory\" to \"me\".";
        assert_eq!(
            own_words(turn).split_whitespace().collect::<Vec<_>>().join(" "),
            "Mine. The error says to me."
        );
        let pasted = format!("Look:\n\n{}\n\nYes.", "line\n".repeat(20));
        assert_eq!(own_words(&pasted).split_whitespace().collect::<Vec<_>>(), ["Look:", "Yes."]);
    }

    #[test]
    fn clauses_end_with_sentences_and_before_but() {
        assert_eq!(
            shown(
                "We use v1.0.21, not ~/.x/y.toml, but we might move. Should I? Oui : on part sur src/lib.rs:42"
            ),
            [
                "we use v1.0.21 not ~/.x/y.toml",
                "but we might move",
                "should i ?",
                "oui",
                "on part sur src/lib.rs:42"
            ]
        );
        assert_eq!(
            shown("We use A and we may use B and D"),
            ["we use a", "and we may use b and d"]
        );
        assert_eq!(shown("Est-ce que ça marche"), ["est-ce que ça marche ?"]);
    }
}
