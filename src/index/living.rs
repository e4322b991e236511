//! The statistics of a text index: of what lives, and not of what has changed since or is gone.

use std::collections::HashSet;

use tantivy::{
    DocAddress, DocSet, Searcher, TERMINATED, Term,
    schema::{Field, IndexRecordOption},
};

use super::{Damage, schema::WORDS};

/// What counts in the statistics: texts that have changed since, or are gone, do not.
pub(super) struct Living<'t> {
    searcher: &'t Searcher,
    words: [Field; WORDS],
    /// Passages, and terms in each field of words, the hidden included.
    sizes: (u64, [u64; WORDS]),
    hidden: HashSet<DocAddress>,
}

impl<'t> Living<'t> {
    /// Counts what `searcher` sees without `hidden`.
    pub(super) fn of(
        searcher: &'t Searcher,
        words: [Field; WORDS],
        sizes: (u64, [u64; WORDS]),
        hidden: HashSet<DocAddress>,
    ) -> Self {
        Self { searcher, words, sizes, hidden }
    }

    /// Returns how many passages there are, and how many terms they have in each field of words.
    pub(super) fn sizes(&self) -> Result<(u64, [u64; WORDS]), Damage> {
        let (mut docs, mut terms) = self.sizes;
        for place in &self.hidden {
            docs = docs.saturating_sub(1);
            let segment = self.searcher.segment_reader(place.segment_ord);
            for (field, terms) in self.words.into_iter().zip(&mut terms) {
                let lengths = segment.get_fieldnorms_reader(field)?;
                *terms = terms.saturating_sub(u64::from(lengths.fieldnorm(place.doc_id)));
            }
        }
        Ok((docs, terms))
    }

    /// Returns how many passages hold `term`.
    pub(super) fn holding(&self, term: &Term) -> Result<u64, Damage> {
        let mut holding = 0;
        for (segment_ord, segment) in (0..).zip(self.searcher.segment_readers()) {
            let inverted = segment.inverted_index(term.field())?;
            let is_here = |place: &DocAddress| place.segment_ord == segment_ord;
            if !segment.has_deletes() && !self.hidden.iter().any(is_here) {
                holding += u64::from(inverted.doc_freq(term)?);
                continue;
            }
            let Some(mut postings) = inverted.read_postings(term, IndexRecordOption::Basic)? else {
                continue;
            };
            while postings.doc() != TERMINATED {
                let doc_id = postings.doc();
                let lives = !segment.is_deleted(doc_id)
                    && !self.hidden.contains(&DocAddress { segment_ord, doc_id });
                holding += u64::from(lives);
                postings.advance();
            }
        }
        Ok(holding)
    }
}
