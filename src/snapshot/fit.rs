//! Which entries of a file stand in the prompt.

/// Returns for each text whether it stands in a block of `limit` characters.
///
/// Whole texts in order up to the limit, joined by a delimiter of 3 characters; a text that alone is over the limit
/// is passed over, so that it does not hide those behind it.
pub(super) fn fit<'t>(texts: impl Iterator<Item = &'t str>, limit: usize) -> Vec<bool> {
    let mut used = 0;
    let mut full = false;
    texts
        .map(|text| {
            let chars = text.chars().count();
            let needed = if used == 0 { chars } else { used + 3 + chars };
            full = full || (needed > limit && chars <= limit);
            let shown = !full && needed <= limit;
            if shown {
                used = needed;
            }
            shown
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_texts_in_order_up_to_the_limit() {
        let cases: [(&[&str], usize, &[bool]); 5] = [
            (&["aa", "bb"], 7, &[true, true]),
            (&["aa", "bb"], 6, &[true, false]),
            (&["aa", "bbbb", "c"], 7, &[true, false, false]),
            (&["aaaaaaaa", "b", "c"], 5, &[false, true, true]),
            (&["a"], 0, &[false]),
        ];
        for (texts, limit, expected) in cases {
            assert_eq!(fit(texts.iter().copied(), limit), expected, "{texts:?} in {limit}");
        }
    }
}
