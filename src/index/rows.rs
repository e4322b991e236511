//! A set of rows.

/// A set of row numbers below a bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    words: Vec<u64>,
}

impl Rows {
    /// Returns the empty set for rows below `bound`.
    pub(super) fn below(bound: usize) -> Self {
        Self { words: vec![0; bound.div_ceil(64)] }
    }

    /// Adds `row`; one that is not below the bound is left out.
    pub(super) fn insert(&mut self, row: u32) {
        if let Some(word) = self.words.get_mut(super::packed::index(row / 64)) {
            *word |= 1 << (row % 64);
        }
    }

    /// Takes `row` out.
    pub(super) fn remove(&mut self, row: u32) {
        if let Some(word) = self.words.get_mut(super::packed::index(row / 64)) {
            *word &= !(1 << (row % 64));
        }
    }

    /// Returns whether `row` is in the set.
    pub(super) fn contains(&self, row: u32) -> bool {
        let word = self.words.get(super::packed::index(row / 64));
        word.is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// Returns how many rows are in the set.
    pub(super) fn len(&self) -> usize {
        self.words.iter().map(|word| super::packed::index(word.count_ones())).sum()
    }

    /// Returns the rows in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        (0_u32..).zip(&self.words).flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_set(added in proptest::collection::vec(0_u32..300, 0..60), removed in proptest::collection::vec(0_u32..300, 0..60)) {
            let (mut rows, mut set) = (Rows::below(300), BTreeSet::new());
            for row in added {
                rows.insert(row);
                set.insert(row);
            }
            for row in removed {
                rows.remove(row);
                set.remove(&row);
            }
            prop_assert_eq!(rows.len(), set.len());
            prop_assert!((0..400).all(|row| rows.contains(row) == set.contains(&row)));
            prop_assert_eq!(rows.iter().collect::<Vec<_>>(), set.into_iter().collect::<Vec<_>>());
        }
    }
}
