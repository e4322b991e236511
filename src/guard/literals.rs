//! Which literals occur in a text, found without building anything from the literals first.
//!
//! A process that scans two small files and ends would spend more time on building an automaton of a thousand literals
//! than on all the rest. So one pass over the text notes its pairs of bytes; a literal with a pair that does not occur
//! is out at the first look, and the few that are left are searched for.

/// The pairs of neighbouring bytes of a text.
pub(super) struct Pairs(Vec<u64>);

const WORDS: usize = (1 << 16) / 64;

impl Pairs {
    /// Notes the pairs of `text`.
    pub(super) fn of(text: &str) -> Self {
        let mut seen = vec![0_u64; WORDS];
        for (word, bit) in places(text) {
            if let Some(word) = seen.get_mut(word) {
                *word |= bit;
            }
        }
        Self(seen)
    }

    /// Returns whether `literal` may occur in the text; where it says no, it does not.
    pub(super) fn may_hold(&self, literal: &str) -> bool {
        places(literal).all(|(word, bit)| self.0.get(word).is_some_and(|word| word & bit != 0))
    }
}

/// Returns where each pair of `text` is noted.
fn places(text: &str) -> impl Iterator<Item = (usize, u64)> {
    text.as_bytes().windows(2).filter_map(|pair| {
        let [first, second] = pair else { return None };
        let pair = usize::from(*first) << 8 | usize::from(*second);
        Some((pair / 64, 1 << (pair % 64)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_occurs_is_never_ruled_out() {
        let text = "one §two\nthree 日本";
        let pairs = Pairs::of(text);
        for start in 0..text.len() {
            for end in start..=text.len() {
                if let Some(part) = text.get(start..end) {
                    assert!(pairs.may_hold(part), "{part:?}");
                }
            }
        }
        assert!(!pairs.may_hold("four") && !pairs.may_hold("eno"));
    }
}
