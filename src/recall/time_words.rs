//! PURE: the words of a question that say a time, French and English.

use std::ops::Range;

use jiff::{Timestamp, civil::Date};

use super::{
    calendar::{
        Stretch, Unit, back, count, date_in_numbers, day_number, day_of, midnight, month, unit,
        weekday, year_number,
    },
    word::{Word, is_one, is_past},
};

/// What follows a count of days that says no time.
const COUNTED_DAYS: &str = "de d dans par pour entre sur ferie feries ouvres ouvrables restants";

/// Since and until, each where there is one.
pub(super) type Bounds = (Option<Timestamp>, Option<Timestamp>);

/// Finds the words of time in `words`: which they are, and the bounds they set; `None` where there are several.
pub(super) fn find(words: &[Word], now: Timestamp) -> Option<(Range<usize>, Bounds)> {
    let reader = Reader { words, now, today: day_of(now) };
    let from = |start: usize| {
        (start..words.len()).find_map(|at| {
            let (bounds, end) = reader.expression(at)?;
            Some((at..end, bounds))
        })
    };
    let found = from(0)?;
    // Which of two times is meant, nobody can tell.
    from(found.0.end).is_none().then_some(found)
}

/// Returns whether the words of time say one that may be meant of any year or day: `in August`, `today`.
pub(super) fn is_loose(words: &[Word]) -> bool {
    let word = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let last = word(words.len().saturating_sub(1));
    let bare = is_one("in en during durant pendant au courant", word(0)) && month(last).is_some();
    bare || is_one("today hui aujourd", last)
}

/// Reads words of time, each reading from a place and returning what it found and the place behind it.
struct Reader<'w> {
    words: &'w [Word],
    now: Timestamp,
    today: Date,
}

impl Reader<'_> {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.text.as_str())
    }

    /// Returns the place behind the words `phrase`, where they stand at `at`.
    fn phrase(&self, at: usize, phrase: &str) -> Option<usize> {
        let mut end = at;
        for word in phrase.split(' ') {
            if self.word(end) != word {
                return None;
            }
            end += 1;
        }
        Some(end)
    }

    /// Returns the place behind one of `phrases`.
    fn one_of(&self, at: usize, phrases: &[&str]) -> Option<usize> {
        phrases.iter().find_map(|phrase| self.phrase(at, phrase))
    }

    fn skip(&self, at: usize, phrases: &[&str]) -> usize {
        self.one_of(at, phrases).unwrap_or(at)
    }

    /// Returns whether what stands before `at` is a part of something: `the last days of the project`.
    fn is_of(&self, at: usize) -> bool {
        is_one("of de du d des", self.word(at))
    }

    fn expression(&self, at: usize) -> Option<(Bounds, usize)> {
        self.beside(at)
            .or_else(|| self.open_ended(at))
            .or_else(|| self.between(at))
            .or_else(|| self.last_few(at))
            .or_else(|| self.within(at))
            .or_else(|| self.plain(at))
    }

    /// `the week before May 3rd`, `deux semaines après le 3 mai`.
    fn beside(&self, at: usize) -> Option<(Bounds, usize)> {
        let start = self.skip(at, &["the", "la", "le", "l"]);
        let (number, unit, next) = match unit(self.word(start)) {
            Some(unit) => (None, unit, start + 1),
            None => {
                self.number_of_units(start).map(|(number, unit, end)| (Some(number), unit, end))?
            }
        };
        let is_before = self.one_of(next, &["before", "avant"]).is_some();
        let next = self.one_of(next, &["before", "avant", "after", "apres"])?;
        let (point, end) = self.point(next)?;
        let (since, until) = (midnight(point.since)?, midnight(point.until)?);
        let bounds = match (number, is_before) {
            (None, true) => (back(since, 1, unit)?, since),
            (None, false) => (until, back(until, -1, unit)?),
            (Some(number), _) => {
                let number = if is_before { number } else { -number };
                let there = Stretch::around(day_of(back(since, number, unit)?), unit)?;
                (midnight(there.since)?, midnight(there.until)?)
            }
        };
        Some(((Some(bounds.0), Some(bounds.1)), end))
    }

    /// `depuis lundi`, `since May 3rd`, `before March`, `jusqu'au 3 mai`.
    fn open_ended(&self, at: usize) -> Option<(Bounds, usize)> {
        if self.one_of(at, &["avant hier"]).is_some() {
            return None;
        }
        if let Some(next) = self.one_of(at, &["since", "depuis"]) {
            if let Some((number, unit, end)) = self.number_of_units(next) {
                return Some(((back(self.now, number, unit), None), end));
            }
            let (point, end) = self.point(next)?;
            return Some(((midnight(point.since), None), end));
        }
        if let Some(next) = self.one_of(at, &["before", "avant"]) {
            let (point, end) = self.point(next)?;
            return Some(((None, midnight(point.since)), end));
        }
        if let Some(next) = self.one_of(at, &["after", "apres"]) {
            let (point, end) = self.point(next)?;
            return Some(((midnight(point.until), None), end));
        }
        let until = ["until", "till", "jusqu a", "jusqu au", "jusqu en", "jusqu"];
        let next = self.one_of(at, &until)?;
        let (point, end) = self.point(next)?;
        Some(((None, midnight(point.until)), end))
    }

    /// `between March and May`, `du 3 au 5 mai`, `entre lundi et jeudi`.
    fn between(&self, at: usize) -> Option<(Bounds, usize)> {
        let (next, joints): (_, &[&str]) = match self.word(at) {
            "between" => (at + 1, &["and"]),
            "entre" => (at + 1, &["et"]),
            "from" => (at + 1, &["to", "until", "till", "through"]),
            "du" | "de" | "d" => (at + 1, &["a", "au", "jusqu a", "jusqu au", "jusqu en"]),
            _ => return None,
        };
        // `between 3 and 5 May`: the first day is of the month of the second.
        let first = self.skip(next, &["le", "the"]);
        if let Some(day) = day_number(self.word(first))
            && let Some(joint) = self.one_of(first + 1, joints)
            && let Some((point, end)) = self.date(self.skip(joint, &["le", "the"]))
        {
            let since = Date::new(point.since.year(), point.since.month(), day).ok()?;
            let bounds = (midnight(since), midnight(point.until));
            return (since < point.until).then_some((bounds, end));
        }
        let (mut first, middle) = self.point(next)?;
        let (last, end) = self.point(self.one_of(middle, joints)?)?;
        for _ in 0..100 {
            if first.since <= last.since {
                break;
            }
            first.since =
                Date::new(first.since.year() - 1, first.since.month(), first.since.day()).ok()?;
        }
        Some(((midnight(first.since), midnight(last.until)), end))
    }

    /// `the last two weeks`, `ces trois derniers jours`.
    fn last_few(&self, at: usize) -> Option<(Bounds, usize)> {
        let start = self.skip(
            at,
            &["in", "over", "during", "within", "for", "au cours des", "pendant", "sur", "durant"],
        );
        let start = self.skip(start, &["the", "les", "ces", "mes", "nos"]);
        let lately = |number, unit, end| Some(((back(self.now, number, unit), None), end));
        if let Some(next) = self.one_of(start, &["last", "past", "previous"]) {
            let number = count(self.word(next))?;
            let next = self.skip(next + 1, &["of"]);
            let unit = unit(self.word(next)).filter(|_| !self.is_of(next + 1))?;
            return lately(number, unit, next + 1);
        }
        let number = count(self.word(start));
        let next = if number.is_some() { start + 1 } else { start };
        let next = self.one_of(next, &["derniers", "dernieres"])?;
        // `ces derniers jours` are a few.
        let unit = unit(self.word(next)).filter(|_| !self.is_of(next + 1))?;
        let few = if unit == Unit::Day { 7 } else { 3 };
        (start > at || number.is_some()).then(|| lately(number.unwrap_or(few), unit, next + 1))?
    }

    /// `in March`, `en 2025`, `on Tuesday`, `le 3 mai`.
    fn within(&self, at: usize) -> Option<(Bounds, usize)> {
        let bounds =
            |point: Stretch, end| Some(((midnight(point.since), midnight(point.until)), end));
        let months = [
            "in the month of",
            "during the month of",
            "au mois de",
            "au mois d",
            "courant",
            "pendant le mois de",
            "in",
            "during",
            "en",
            "durant",
            "pendant",
        ];
        if let Some(next) = self.one_of(at, &months) {
            let next = self.skip(next, &["early", "late", "mid"]);
            let (point, end) = self.month(next).or_else(|| self.year(next))?;
            let names = self.word(at) == "in"
                && self.words.get(end).is_some_and(|word| word.capital && word.text.len() > 1);
            return if names { None } else { bounds(point, end) };
        }
        if let Some(next) = self.one_of(at, &["on the", "on", "le", "du", "the"])
            && let Some((point, end)) = self.date(next)
        {
            return bounds(point, end);
        }
        let next = self.one_of(at, &["on"])?;
        let day = weekday(self.word(next)).filter(|_| is_past(self.words))?;
        bounds(Stretch::latest_weekday(day, self.today)?, next + 1)
    }

    /// `yesterday`, `la semaine dernière`, `two weeks ago`: what needs no word before it.
    fn plain(&self, at: usize) -> Option<(Bounds, usize)> {
        let before = ["during", "in", "from", "of", "pendant", "durant", "de", "d"];
        let next = self.skip(at, &before);
        if let Some((at, end)) = self.hours_ago(next) {
            return Some(((Some(at), back(at, -1, Unit::Hour)), end));
        }
        let (point, end) = self.relative(next)?;
        let end = if self.words.get(end).is_some_and(|word| word.bound && word.text == "s") {
            end + 1
        } else {
            end
        };
        Some(((midnight(point.since), midnight(point.until)), end))
    }

    /// Returns the stretch that a point in time is in, whatever way it is said.
    fn point(&self, at: usize) -> Option<(Stretch, usize)> {
        let at = self.skip(at, &["le", "la", "the", "early", "late", "mid"]);
        if let Some(found) = self.relative(at).or_else(|| self.date(at)) {
            return Some(found);
        }
        if let Some(found) = self.month(at).or_else(|| self.year(at)) {
            return Some(found);
        }
        let day = weekday(self.word(at))?;
        Some((Stretch::latest_weekday(day, self.today)?, at + 1))
    }

    /// `hier`, `last week`, `mardi dernier`, `il y a trois jours`.
    fn relative(&self, at: usize) -> Option<(Stretch, usize)> {
        self.near(at).or_else(|| self.ago(at)).or_else(|| self.last(at)).or_else(|| self.this(at))
    }

    fn near(&self, at: usize) -> Option<(Stretch, usize)> {
        const NEAR: [(&str, i32); 14] = [
            ("the day before yesterday", 2),
            ("day before yesterday", 2),
            ("avant hier", 2),
            ("avant-hier", 2),
            ("yesterday morning", 1),
            ("yesterday", 1),
            ("last night", 1),
            ("hier soir", 1),
            ("hier matin", 1),
            ("hier", 1),
            ("today", 0),
            ("this morning", 0),
            ("ce matin", 0),
            ("aujourd hui", 0),
        ];
        NEAR.iter().find_map(|(phrase, days)| {
            let end = self.phrase(at, phrase)?;
            Some((Stretch::day(day_of(back(self.now, *days, Unit::Day)?))?, end))
        })
    }

    fn number_of_units(&self, at: usize) -> Option<(i32, Unit, usize)> {
        let number = count(self.word(at))?;
        let next = self.skip(at + 1, &["of"]);
        Some((number, unit(self.word(next))?, next + 1))
    }

    /// `two weeks ago`, `il y a deux semaines`, with what is counted.
    fn counted(&self, at: usize) -> Option<(i32, Unit, usize)> {
        if let Some(next) = self.one_of(at, &["il y a", "voici", "voila"]) {
            let (number, unit, end) = self.number_of_units(next)?;
            // `il y a trois jours fériés` counts days, and says none.
            let is_count = is_one(COUNTED_DAYS, self.word(end));
            return (!is_count).then_some(match (self.word(next), unit) {
                ("huit", Unit::Day) => (1, Unit::Week, end),
                ("quinze", Unit::Day) => (2, Unit::Week, end),
                _ => (number, unit, end),
            });
        }
        let (number, unit, next) = self.number_of_units(at)?;
        Some((number, unit, self.one_of(next, &["ago", "plus tot", "earlier"])?))
    }

    fn ago(&self, at: usize) -> Option<(Stretch, usize)> {
        let (number, unit, end) = self.counted(at).filter(|(_, unit, _)| *unit != Unit::Hour)?;
        Some((Stretch::around(day_of(back(self.now, number, unit)?), unit)?, end))
    }

    /// `two hours ago`: the hour that began then.
    fn hours_ago(&self, at: usize) -> Option<(Timestamp, usize)> {
        let (number, _, end) = self.counted(at).filter(|(_, unit, _)| *unit == Unit::Hour)?;
        Some((back(self.now, number, Unit::Hour)?, end))
    }

    /// `last Tuesday`, `le mois dernier`.
    fn last(&self, at: usize) -> Option<(Stretch, usize)> {
        let start = self.skip(at, &["the", "le", "la", "l"]);
        let ends = ["dernier", "derniere", "passe", "passee", "precedent", "precedente"];
        let in_english = self.one_of(start, &["last", "past", "previous"]);
        let in_french = || Some((start, self.one_of(start + 1, &ends)?));
        let (named, end) = in_english.map(|next| (next, next + 1)).or_else(in_french)?;
        let word = self.word(named);
        let stretch = match unit(word) {
            Some(Unit::Hour | Unit::Day) => None,
            // `the last week of the sprint` is no week of the calendar's.
            Some(_) if self.is_of(end) => None,
            Some(unit) => Stretch::around(day_of(back(self.now, 1, unit)?), unit),
            None if matches!(word, "weekend" | "week-end") => Stretch::latest_weekend(self.today),
            None => match (weekday(word), month(word)) {
                (Some(day), _) => Stretch::latest_weekday(day, self.today),
                (None, Some(month)) => Stretch::latest_month(month, self.today),
                (None, None) => None,
            },
        };
        Some((stretch?, end))
    }

    fn this(&self, at: usize) -> Option<(Stretch, usize)> {
        let next = self.one_of(at, &["this", "ce", "cet", "cette"])?;
        let unit = unit(self.word(next)).filter(|unit| !matches!(unit, Unit::Hour | Unit::Day))?;
        let end = self.skip(next + 1, &["ci"]);
        Some((Stretch::around(self.today, unit)?, end))
    }

    /// `3 mai 2025`, `May 3rd`, `the 3rd of May`, `2026-05-03`, with the day of the week before it or without.
    fn date(&self, at: usize) -> Option<(Stretch, usize)> {
        let at = if weekday(self.word(at)).is_some() { at + 1 } else { at };
        let at = self.skip(at, &["the", "le"]);
        if let Some(date) = date_in_numbers(self.word(at)) {
            return Some((Stretch::day(date)?, at + 1));
        }
        let (day, month, end) = if let Some(day) = day_number(self.word(at)) {
            let next = self.skip(at + 1, &["of"]);
            (day, month(self.word(next))?, next + 1)
        } else {
            (day_number(self.word(at + 1))?, month(self.word(at))?, at + 2)
        };
        let year = year_number(self.word(end), self.today);
        // A year in which nobody has written notes.
        if year.is_none() && self.word(end).len() == 4 && self.word(end).parse::<u16>().is_ok() {
            return None;
        }
        let end = if year.is_some() { end + 1 } else { end };
        Some((Stretch::day_of_month(day, month, year, self.today)?, end))
    }

    /// A month with its year or without, where it is not a name: `March said`, `March's`, `mars prochain`.
    fn month(&self, at: usize) -> Option<(Stretch, usize)> {
        const NAMED: &str =
            "s said says left joined is was has had came went told quit prochain prochaine suivant";
        let month = month(self.word(at))?;
        let end = self.skip(at + 1, &["of", "de"]);
        if let Some(year) = year_number(self.word(end), self.today) {
            return Some((Stretch::month(year, month)?, end + 1));
        }
        let next = self.word(at + 1);
        let is_name = is_one(NAMED, next) || (next.len() > 4 && next.ends_with("ed"));
        let stretch = Stretch::latest_month(month, self.today)?;
        (!is_name).then_some((stretch, at + 1))
    }

    /// A year, where it counts nothing: `in 2000 lines`.
    fn year(&self, at: usize) -> Option<(Stretch, usize)> {
        const COUNTED: &str = "\
            bytes octets lines lignes steps etapes files fichiers users utilisateurs days \
            jours hours heures euros dollars tokens words mots characters caracteres notes \
            px ms seconds secondes";
        let year = year_number(self.word(at), self.today)?;
        let counts = is_one(COUNTED, self.word(at + 1));
        let stretch = Stretch::year(year)?;
        (!counts).then_some((stretch, at + 1))
    }
}
