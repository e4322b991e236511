//! PURE: questions about a time. Its words narrow the recall to a period, and what is left of the question is asked of it.

use std::fmt;

use jiff::Timestamp;

use super::{
    time_words::{find, is_loose},
    word::{Word, is_one, is_past, words},
};
use crate::index::is_function_word;

/// A period that a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    /// What was known from this time on.
    pub since: Option<Timestamp>,
    /// What was known before this time.
    pub until: Option<Timestamp>,
    /// The words that say so.
    pub from: String,
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`:", self.from)?;
        self.since.iter().try_for_each(|since| write!(f, " from {since:.0}"))?;
        self.until.iter().try_for_each(|until| write!(f, " until {until:.0}"))
    }
}

/// What a question asks of its period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// What there is: `what happened yesterday?`
    Everything,
    /// Something that any note of it may be: `what did we decide in March?`
    Anything,
    /// Something of its own.
    Something,
}

/// A question that is about a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narrowed {
    /// The period.
    pub period: Period,
    /// The question without the words of time.
    pub rest: String,
    /// What it asks.
    pub aim: Aim,
}

/// Characters of a question; what is longer tells a story, and its times are those of the story.
const LONGEST: usize = 400;

/// Returns the period that `text`, asked at `now`, is about; `None` where it is about none, or asks for a time itself.
pub fn narrow(text: &str, now: Timestamp) -> Option<Narrowed> {
    if text.chars().count() > LONGEST || has_sentences(text) {
        return None;
    }
    let words = words(text);
    if asks_when(&words) {
        return None;
    }
    let (range, (since, until)) = find(&words, now)?;
    let (start, end) = (words.get(range.start)?.start, words.get(range.end.checked_sub(1)?)?.end);
    let from = text.get(start..end)?.to_owned();
    let rest = [text.get(..start)?.trim_end(), text.get(end..)?.trim_start()].join(" ");
    let rest = rest.trim_start_matches([' ', ',', ';', ':']).trim_end().to_owned();
    let others = words.iter().enumerate().filter(|(at, _)| !range.contains(at));
    let aim = aim(others.map(|(_, word)| word.text.as_str()));
    if aim == Aim::Something && is_loose(words.get(range)?) && !is_past(&words) {
        return None;
    }
    let period = Period { since, until, from };
    Some(Narrowed { period, rest, aim })
}

/// Returns whether `text` has more than one sentence: then it tells something, too.
fn has_sentences(text: &str) -> bool {
    let mut parts = text.trim().split_inclusive(['.', '!', '?', ';']).peekable();
    std::iter::from_fn(|| parts.next().map(|_| parts.peek().copied())).flatten().any(|next| {
        next.starts_with(char::is_whitespace) && next.chars().any(char::is_alphanumeric)
    })
}

/// Returns whether the question asks for a time, which no period may hide.
fn asks_when(words: &[Word]) -> bool {
    let word = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    (0..words.len().min(6)).any(|at| match (word(at), word(at + 1)) {
        ("when" | "quand", _) => at < 3,
        ("how", "long") | ("combien", "de") => true,
        ("what" | "which" | "quel" | "quelle", next) => matches!(
            next,
            "day"
                | "date"
                | "year"
                | "month"
                | "time"
                | "week"
                | "jour"
                | "annee"
                | "mois"
                | "heure"
                | "semaine"
        ),
        _ => false,
    })
}

/// Returns what is asked by `words`, which say no time.
fn aim<'w>(words: impl Iterator<Item = &'w str>) -> Aim {
    const EVERYTHING: &str = "\
        happen happened happening occurred going new news done doing remember remembered \
        know tell show list anything something everything things events notes up recap passe \
        passer arrive fait faire neuf nouveau nouvelles chose choses evenements montre liste \
        dis est-il est-ce a-t-on a-t-il retenu quoi work";
    const ANYTHING: &str = "\
        decide decided decisions decision decides choose chose chosen choisi learn learned \
        appris discuss discussed discute avons-nous";
    let mut aim = Aim::Everything;
    for word in words {
        if is_one(ANYTHING, word) {
            aim = Aim::Anything;
        } else if !is_one(EVERYTHING, word) && !is_function_word(word) {
            return Aim::Something;
        }
    }
    aim
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notes::parse_time;

    /// A Monday.
    const NOW: &str = "2026-11-30T09:30:00Z";

    fn asked(text: &str) -> Option<Narrowed> {
        narrow(text, parse_time(NOW).unwrap())
    }

    /// Checks the days of a period, `..` where it is open.
    #[track_caller]
    fn check(text: &str, since: &str, until: &str) {
        let period = asked(text).unwrap_or_else(|| panic!("{text}")).period;
        let day = |at: Option<Timestamp>| {
            at.map_or("..".to_owned(), |at| at.to_string().replace("T00:00:00Z", ""))
        };
        assert_eq!(
            (day(period.since).as_str(), day(period.until).as_str()),
            (since, until),
            "{text}: {period:?}"
        );
    }

    #[test]
    fn french_words_of_time_are_understood() {
        check("que s'est-il passé le mois dernier ?", "2026-10-01", "2026-11-01");
        check("Qu'a-t-on décidé mardi dernier ?", "2026-11-24", "2026-11-25");
        check("qu'est-ce qu'on a fait hier ?", "2026-11-29", "2026-11-30");
        check("avant-hier, quel bug ?", "2026-11-28", "2026-11-29");
        check("et aujourd'hui ?", "2026-11-30", "2026-12-01");
        check("La semaine passée, on a choisi quoi ?", "2026-11-23", "2026-11-30");
        check("la semaine dernière", "2026-11-23", "2026-11-30");
        check("qu'avons-nous décidé en mars ?", "2026-03-01", "2026-04-01");
        check("en décembre", "2025-12-01", "2026-01-01");
        check("en mars 2024", "2024-03-01", "2024-04-01");
        check("au mois d'août", "2026-08-01", "2026-09-01");
        check("les décisions depuis lundi", "2026-11-23", "..");
        check("depuis le 3 mai 2025", "2025-05-03", "..");
        check("depuis trois jours", "2026-11-27T09:30:00Z", "..");
        check("il y a trois jours", "2026-11-27", "2026-11-28");
        check("il y a deux semaines", "2026-11-16", "2026-11-23");
        check("il y a quinze jours", "2026-11-16", "2026-11-23");
        check("il y a un an, quel projet ?", "2025-01-01", "2026-01-01");
        check("l'an dernier", "2025-01-01", "2026-01-01");
        check("l’année passée", "2025-01-01", "2026-01-01");
        check("cette semaine", "2026-11-30", "2026-12-07");
        check("ces trois derniers jours", "2026-11-27T09:30:00Z", "..");
        check("ces derniers jours", "2026-11-23T09:30:00Z", "..");
        check("le 1er mai", "2026-05-01", "2026-05-02");
        check("le lundi 3 mai 2021", "2021-05-03", "2021-05-04");
        check("le 03/05/2026", "2026-05-03", "2026-05-04");
        check("en 2025, quel framework ?", "2025-01-01", "2026-01-01");
        check("entre mars et mai", "2026-03-01", "2026-06-01");
        check("entre le 3 et le 5 mai", "2026-05-03", "2026-05-06");
        check("du 3 mai au 10 juin", "2026-05-03", "2026-06-11");
        check("de novembre à janvier", "2025-11-01", "2026-02-01");
        check("avant mars", "..", "2026-03-01");
        check("jusqu'au 3 mai", "..", "2026-05-04");
        check("la semaine avant le 3 mai", "2026-04-26", "2026-05-03");
        check("le week-end dernier", "2026-11-28", "2026-11-30");
    }

    #[test]
    fn english_words_of_time_are_understood() {
        check("what did we decide in March?", "2026-03-01", "2026-04-01");
        check("What happened last Tuesday?", "2026-11-24", "2026-11-25");
        check("what happened yesterday?", "2026-11-29", "2026-11-30");
        check("the bug of the day before yesterday", "2026-11-28", "2026-11-29");
        check("what did we do two weeks ago?", "2026-11-16", "2026-11-23");
        check("a couple of days ago", "2026-11-28", "2026-11-29");
        check("an hour ago", "2026-11-30T08:30:00Z", "2026-11-30T09:30:00Z");
        check("in 2025", "2025-01-01", "2026-01-01");
        check("since May 3rd", "2026-05-03", "..");
        check("since the 3rd of May, 2024", "2024-05-03", "..");
        check("since last week", "2026-11-23", "..");
        check("between March and May 2025", "2025-03-01", "2025-06-01");
        check("between 2024 and 2025", "2024-01-01", "2026-01-01");
        check("from May 3 to May 10", "2026-05-03", "2026-05-11");
        check("between 3 and 5 May", "2026-05-03", "2026-05-06");
        check("what did she say on Friday?", "2026-11-27", "2026-11-28");
        check("on May 3rd", "2026-05-03", "2026-05-04");
        check("on 2026-05-03", "2026-05-03", "2026-05-04");
        check("last month's decisions", "2026-10-01", "2026-11-01");
        check("the last two weeks", "2026-11-16T09:30:00Z", "..");
        check("over the past 24 hours", "2026-11-29T09:30:00Z", "..");
        check("this month", "2026-11-01", "2026-12-01");
        check("last year", "2025-01-01", "2026-01-01");
        check("after March 2025", "2025-04-01", "..");
        check("two weeks before August 11, 2023", "2023-07-24", "2023-07-31");
        check("who was there the week after May 3rd?", "2026-05-04", "2026-05-11");
        check("last weekend", "2026-11-28", "2026-11-30");
    }

    #[test]
    fn words_that_only_look_like_time_are_none() {
        for text in [
            "what does March prefer?",
            "what is in March's report?",
            "who joined since March left?",
            "who reads the March report?",
            "what may fail in the build?",
            "quels outils, mais sans Redux ?",
            "le tour du monde en 80 jours",
            "which bug is in 2025.1?",
            "what changed in v2025?",
            "is 1.0.21 the last version?",
            "what is her last name?",
            "what was the last commit?",
            "at last, which database?",
            "quel est le dernier commit ?",
            "la dernière décision sur le routeur",
            "qui aime les barres Mars ?",
            "il y a trois jours fériés en quoi ?",
            "il y a deux serveurs",
            "combien de jours de congé ?",
            "the deploys are on Fridays",
            "what do we eat on Friday?",
            "between 3 and 5 servers",
            "du thé au café",
            "from Paris to Rome",
            "veille:2025-10-24:claude",
            "the plan in 2000 lines",
            "en mars prochain",
            "sept ans de réflexion",
            "un mois de congé",
            "the second week of the sprint",
            "the last week of the sprint",
            "a day in the life",
            "la fermeture du bureau en août",
            "birthdays in February",
            "quelle est l'adresse du bureau aujourd'hui ?",
            "I failed the test today! How should I tell it?",
            "que se passe-t-il le 22 juin 1941 ?",
            "les dernières années du projet",
            "what did she do last weekend before April 10?",
            "since then",
            "depuis toujours",
            "before the deploy",
            "après la réunion",
            "",
            "?",
        ] {
            assert_eq!(asked(text), None, "{text}");
        }
    }

    #[test]
    fn a_question_for_a_time_is_narrowed_by_none() {
        for text in [
            "When did Caroline go to the museum last week?",
            "Quand avons-nous choisi le routeur, en mars ?",
            "depuis quand, en 2025 ?",
            "What date was it in March?",
            "How long did it take in May?",
            "On what day did we meet in June?",
        ] {
            assert_eq!(asked(text), None, "{text}");
        }
    }

    #[test]
    fn the_rest_is_asked_of_the_period() {
        let check = |text: &str, rest: &str, from: &str, aim: Aim| {
            let found = asked(text).unwrap();
            assert_eq!(
                (found.rest.as_str(), found.period.from.as_str(), found.aim),
                (rest, from, aim)
            );
        };
        check("what happened yesterday?", "what happened ?", "yesterday", Aim::Everything);
        check(
            "que s'est-il passé le mois dernier ?",
            "que s'est-il passé ?",
            "le mois dernier",
            Aim::Everything,
        );
        check("what did we decide in March?", "what did we decide ?", "in March", Aim::Anything);
        check("Hier, qui a cassé le build ?", "qui a cassé le build ?", "Hier", Aim::Something);
        check("last week's router bug", "router bug", "last week's", Aim::Something);
        check("yesterday", "", "yesterday", Aim::Everything);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in "((last|in|il y a|depuis|entre|2025|31|mai|March|and|et|week|[é' ,?’-]) ?){0,12}.{0,8}") {
            if let Some(found) = asked(&text) {
                proptest::prop_assert!(text.contains(&found.period.from));
            }
        }
    }
}
