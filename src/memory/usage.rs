//! How full a file is, in the peer's arithmetic.

use std::fmt;

use super::{Target, text::grouped};

/// The characters each file may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Limit of `MEMORY.md`.
    pub memory: usize,
    /// Limit of `USER.md`.
    pub user: usize,
}

impl Limits {
    /// Returns the limit of `target`.
    pub fn of(self, target: Target) -> usize {
        match target {
            Target::Memory => self.memory,
            Target::User => self.user,
        }
    }
}

/// Characters used (Unicode scalar values, delimiters included) and allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Characters used.
    pub used: usize,
    /// Characters allowed.
    pub limit: usize,
}

impl Usage {
    /// Returns the whole percentage in use: a truncated double, 100 at most, as the peer computes it.
    ///
    /// 638 of 2,200 is 28 that way, where exact arithmetic says 29.
    #[expect(
        clippy::cast_precision_loss,
        reason = "the peer divides doubles, and its headers are matched byte for byte"
    )]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the value is between 0 and 100"
    )]
    pub fn percent(self) -> u8 {
        if self.limit == 0 {
            return 0;
        }
        ((self.used as f64 / self.limit as f64) * 100.0).min(100.0) as u8
    }

    /// Returns `2,103/2,200`, the short form of a refusal.
    pub fn ratio(self) -> String {
        format!("{}/{}", grouped(self.used, ','), grouped(self.limit, ','))
    }
}

/// Writes `67% — 1,474/2,200 chars`.
impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}% — {} chars", self.percent(), self.ratio())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Percentages that the peer was seen to print.
    #[test]
    fn the_percentage_is_a_truncated_double() {
        let cases = [
            (638, 2200, 28),
            (1254, 2200, 56),
            (1276, 2200, 57),
            (29, 100, 28),
            (57, 100, 56),
            (58, 100, 57),
            (1450, 5000, 28),
            (2850, 5000, 56),
            (2900, 5000, 57),
            (1474, 2200, 67),
            (2201, 2200, 100),
            (5, 0, 0),
            (0, 2200, 0),
            (5, 10, 50),
        ];
        for (used, limit, percent) in cases {
            assert_eq!(Usage { used, limit }.percent(), percent, "{used} of {limit}");
        }
    }

    #[test]
    fn usage_reads_as_the_peer_writes_it() {
        let usage = Usage { used: 1474, limit: 2200 };
        assert_eq!(usage.to_string(), "67% — 1,474/2,200 chars");
        assert_eq!(usage.ratio(), "1,474/2,200");
    }
}
