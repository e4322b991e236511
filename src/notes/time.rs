//! Times as people and machines write them.

use jiff::{Span, Timestamp, civil::Date, tz::Offset};

/// Reads RFC 3339, or a date, which means its midnight in UTC.
pub fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    let date: Date = text.get(..10).filter(|_| text.len() == 10)?.parse().ok()?;
    Offset::UTC.to_timestamp(date.at(0, 0, 0, 0)).ok()
}

/// Reads a time as [`parse`] does, or a length of time back from `now`, such as `30d` or `1h`.
pub fn parse_ago(text: &str, now: Timestamp) -> Option<Timestamp> {
    if let Some(at) = parse(text) {
        return Some(at);
    }
    let span: Span = text.trim().parse().ok()?;
    if span.is_negative() {
        return None;
    }
    // Days and longer need a calendar.
    Offset::UTC.to_timestamp(Offset::UTC.to_datetime(now).checked_sub(span).ok()?).ok()
}

/// Returns the day that a file name begins with, such as `2026-04-22-router`.
pub fn day_in(name: &str) -> Option<Timestamp> {
    parse(name.get(..10)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_times_and_lengths_are_read() {
        let now = parse("2026-05-14T10:30:00Z").unwrap();
        let cases = [
            ("2026-05-14", Some("2026-05-14T00:00:00Z")),
            ("2026-05-14T12:00:00+02:00", Some("2026-05-14T10:00:00Z")),
            ("1h", Some("2026-05-14T09:30:00Z")),
            ("30d", Some("2026-04-14T10:30:00Z")),
            ("2 months", Some("2026-03-14T10:30:00Z")),
            ("yesterday-ish", None),
            ("2026-13-01", None),
            ("", None),
            ("-3d", None),
        ];
        for (text, expected) in cases {
            assert_eq!(
                parse_ago(text, now).map(|at| at.to_string()).as_deref(),
                expected,
                "{text}"
            );
        }
        assert!(
            day_in("2026-04-22-router").is_some()
                && day_in("router").is_none()
                && day_in("é2026-04-2").is_none()
        );
    }
}
