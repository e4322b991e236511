//! PURE: the calendar in words, French and English, and its stretches: days, weeks, months, years, in UTC.

use jiff::{
    Span, Timestamp, ToSpan,
    civil::{Date, Weekday},
    tz::Offset,
};

/// From the first day to the day after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) since: Date,
    pub(super) until: Date,
}

/// A unit that people count time in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// Returns the midnight, in UTC, that `date` begins with.
pub(super) fn midnight(date: Date) -> Option<Timestamp> {
    Offset::UTC.to_timestamp(date.at(0, 0, 0, 0)).ok()
}

/// Returns the day of `now`, in UTC.
pub(super) fn day_of(now: Timestamp) -> Date {
    Offset::UTC.to_datetime(now).date()
}

/// Returns the unit that a folded word names.
pub(super) fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "hour" | "hours" | "heure" | "heures" => Unit::Hour,
        "day" | "days" | "jour" | "jours" => Unit::Day,
        "week" | "weeks" | "semaine" | "semaines" => Unit::Week,
        "month" | "months" | "mois" => Unit::Month,
        "year" | "years" | "an" | "ans" | "annee" | "annees" => Unit::Year,
        _ => return None,
    })
}

/// Returns the number that a folded word says, where it is a count.
pub(super) fn count(word: &str) -> Option<i32> {
    const WORDS: [(&str, i32); 33] = [
        ("a", 1),
        ("an", 1),
        ("one", 1),
        ("un", 1),
        ("une", 1),
        ("two", 2),
        ("couple", 2),
        ("deux", 2),
        ("few", 3),
        ("quelques", 3),
        ("three", 3),
        ("trois", 3),
        ("four", 4),
        ("quatre", 4),
        ("five", 5),
        ("cinq", 5),
        ("six", 6),
        ("seven", 7),
        ("sept", 7),
        ("eight", 8),
        ("huit", 8),
        ("nine", 9),
        ("neuf", 9),
        ("ten", 10),
        ("dix", 10),
        ("eleven", 11),
        ("onze", 11),
        ("twelve", 12),
        ("douze", 12),
        ("quinze", 15),
        ("twenty", 20),
        ("vingt", 20),
        ("trente", 30),
    ];
    let in_digits = || word.parse().ok().filter(|number| (1..=999).contains(number));
    WORDS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number).or_else(in_digits)
}

/// Returns the month, from 1, that a folded word names.
pub(super) fn month(word: &str) -> Option<i8> {
    const MONTHS: [[&str; 2]; 12] = [
        ["january", "janvier"],
        ["february", "fevrier"],
        ["march", "mars"],
        ["april", "avril"],
        ["may", "mai"],
        ["june", "juin"],
        ["july", "juillet"],
        ["august", "aout"],
        ["september", "septembre"],
        ["october", "octobre"],
        ["november", "novembre"],
        ["december", "decembre"],
    ];
    (1..).zip(MONTHS).find(|(_, names)| names.contains(&word)).map(|(number, _)| number)
}

/// Returns the day of the week that a folded word names.
pub(super) fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" | "lundi" => Weekday::Monday,
        "tuesday" | "mardi" => Weekday::Tuesday,
        "wednesday" | "mercredi" => Weekday::Wednesday,
        "thursday" | "jeudi" => Weekday::Thursday,
        "friday" | "vendredi" => Weekday::Friday,
        "saturday" | "samedi" => Weekday::Saturday,
        "sunday" | "dimanche" => Weekday::Sunday,
        _ => return None,
    })
}

/// Returns the day of a month that a folded word says: `3`, `3rd`, `1er`.
pub(super) fn day_number(word: &str) -> Option<i8> {
    let ends = ["st", "nd", "rd", "th", "er"];
    let digits = ends.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    digits.parse().ok().filter(|day| digits.len() <= 2 && (1..=31).contains(day))
}

/// Returns the year that a word says, where someone may have written notes in it.
pub(super) fn year_number(word: &str, today: Date) -> Option<i16> {
    let year = word.parse().ok().filter(|_| word.len() == 4)?;
    (1950..=today.year() + 1).contains(&year).then_some(year)
}

/// Returns the date that a word is, written in numbers: `2026-05-03`, `03/05/2026`.
pub(super) fn date_in_numbers(word: &str) -> Option<Date> {
    if let Some(date) = word.parse().ok().filter(|_| word.len() == 10 && word.contains('-')) {
        return Some(date);
    }
    let parts: Vec<_> = word.split('/').collect();
    let [day, month, year] = parts.as_slice() else { return None };
    let year = year.parse().ok().filter(|_| year.len() == 4)?;
    Date::new(year, month.parse().ok()?, day.parse().ok()?).ok()
}

impl Stretch {
    pub(super) fn day(date: Date) -> Option<Self> {
        Some(Self { since: date, until: date.checked_add(1.day()).ok()? })
    }

    /// Returns the week of `date`, from its Monday.
    pub(super) fn week(date: Date) -> Option<Self> {
        let after_monday = i32::from(date.weekday().since(Weekday::Monday));
        let since = date.checked_sub(after_monday.days()).ok()?;
        Some(Self { since, until: since.checked_add(7.days()).ok()? })
    }

    pub(super) fn month(year: i16, month: i8) -> Option<Self> {
        let since = Date::new(year, month, 1).ok()?;
        Some(Self { since, until: since.checked_add(1.month()).ok()? })
    }

    pub(super) fn year(year: i16) -> Option<Self> {
        let since = Date::new(year, 1, 1).ok()?;
        Some(Self { since, until: Date::new(year.checked_add(1)?, 1, 1).ok()? })
    }

    /// Returns the stretch of `unit` that `date` is in.
    pub(super) fn around(date: Date, unit: Unit) -> Option<Self> {
        match unit {
            Unit::Hour | Unit::Day => Self::day(date),
            Unit::Week => Self::week(date),
            Unit::Month => Self::month(date.year(), date.month()),
            Unit::Year => Self::year(date.year()),
        }
    }

    /// Returns the month `month` that began last.
    pub(super) fn latest_month(month: i8, today: Date) -> Option<Self> {
        let year = if month > today.month() { today.year() - 1 } else { today.year() };
        Self::month(year, month)
    }

    /// Returns the day `day` of `month`: of `year`, or the one that was last.
    pub(super) fn day_of_month(day: i8, month: i8, year: Option<i16>, today: Date) -> Option<Self> {
        let in_year = |year| Date::new(year, month, day).ok();
        let this = in_year(year.unwrap_or(today.year()));
        let is_ahead = year.is_none() && this.is_none_or(|date| date > today);
        Self::day(if is_ahead { in_year(today.year() - 1)? } else { this? })
    }

    /// Returns the last day before `today` that is this day of the week.
    pub(super) fn latest_weekday(weekday: Weekday, today: Date) -> Option<Self> {
        let back = match i32::from(today.weekday().since(weekday)) {
            0 => 7,
            days => days,
        };
        Self::day(today.checked_sub(back.days()).ok()?)
    }

    /// Returns the last weekend that has begun before this week's.
    pub(super) fn latest_weekend(today: Date) -> Option<Self> {
        let week = Self::week(today)?;
        Some(Self { since: week.since.checked_sub(2.days()).ok()?, until: week.since })
    }
}

/// Returns how long `count` of `unit` are.
pub(super) fn length(count: i32, unit: Unit) -> Span {
    match unit {
        Unit::Hour => count.hours(),
        Unit::Day => count.days(),
        Unit::Week => count.weeks(),
        Unit::Month => count.months(),
        Unit::Year => count.years(),
    }
}

/// Returns the time that lies `count` of `unit` before `now`.
pub(super) fn back(now: Timestamp, count: i32, unit: Unit) -> Option<Timestamp> {
    let at = Offset::UTC.to_datetime(now).checked_sub(length(count, unit)).ok()?;
    Offset::UTC.to_timestamp(at).ok()
}
