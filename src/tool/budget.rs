//! Three refusals in a row are enough: the fourth tells the model to go on without.

use crate::storage::Refusals;

/// Refusals after which the next one is final.
const ALLOWED: u32 = 3;

/// After this time refusals are no longer in a row, in milliseconds.
const IN_A_ROW_MS: i64 = 60_000;

/// Returns whether a refusal with this code counts: no room, no match, or a batch that failed on one of its parts.
pub fn counts(code: &str, batch: bool) -> bool {
    match code {
        "limit_exceeded" | "no_match" => true,
        "ambiguous_match" | "missing_old_text" | "empty_content" | "separator_in_entry"
        | "bad_request" | "unsafe_content" | "conflict" => batch,
        _ => false,
    }
}

/// Counts a refusal at `now_ms`; returns the new count and whether the answer is final.
pub fn record(before: Refusals, now_ms: i64) -> (Refusals, bool) {
    let in_a_row = (0..=IN_A_ROW_MS).contains(&(now_ms - before.last_ms));
    let count = if in_a_row { before.count.saturating_add(1) } else { 1 };
    (Refusals { count, last_ms: now_ms }, count > ALLOWED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fourth_refusal_in_a_row_is_final() {
        let mut refusals = Refusals::default();
        let mut answers = Vec::new();
        for now in [1_000_000, 1_001_000, 1_002_000, 1_062_000, 1_063_000, 1_200_000] {
            let (after, is_final) = record(refusals, now);
            refusals = after;
            answers.push(is_final);
        }
        assert_eq!(answers, [false, false, false, true, true, false]);
    }

    #[test]
    fn only_what_a_model_repeats_counts() {
        assert!(
            counts("limit_exceeded", false)
                && counts("no_match", false)
                && counts("ambiguous_match", true)
        );
        assert!(
            !counts("ambiguous_match", false)
                && !counts("unsafe_content", false)
                && !counts("lock_timeout", true)
        );
    }
}
