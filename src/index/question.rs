//! The words of a question, weighed over all levels that are open.

use std::collections::HashMap;

use tantivy::{
    Term,
    query::{Bm25StatisticsProvider, BooleanQuery, BoostQuery, Occur, Query, TermQuery},
    schema::{Field, IndexRecordOption},
};

use super::{
    Damage, Terms,
    living::Living,
    schema::{Fields, WORDS, by_field},
};

/// How words are scored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bm25 {
    /// Saturation: how soon more of the same word counts no more.
    pub k1: f32,
    /// Length normalisation, 0 to 1.
    pub b: f32,
    /// What a word counts in the folded, English, French and exact field.
    pub boosts: [f32; 4],
    /// What a word counts that is written as a name: it is the same in every language, and tells who or what is meant.
    pub name: f32,
    /// What a word counts that is only a part of an identifier, which is looked for as a whole.
    pub part: f32,
}

impl Default for Bm25 {
    /// Short texts want less saturation and normalisation than the usual 1.2 and 0.75.
    fn default() -> Self {
        Self { k1: 0.9, b: 0.4, boosts: [1.0, 0.8, 0.8, 1.5], name: 2.0, part: 0.25 }
    }
}

/// The place of the exact field among the fields of words.
pub(super) const EXACT: usize = 3;

/// Distinct words of a question that are looked for in one field; of more, the rarest.
const MOST_WORDS: usize = 48;

/// A word of a question in one field.
#[derive(Debug)]
pub(super) struct Word {
    /// Its place in the fields of words.
    pub(super) field: usize,
    pub(super) term: Term,
    /// What the field counts, and a name in it.
    boost: f32,
    /// That, times its inverse document frequency.
    pub(super) weight: f32,
    /// Passages that hold it.
    holding: u64,
}

/// What the words of a question weigh, over all levels that are open.
#[derive(Debug)]
pub(super) struct Question {
    /// Those that some passage holds.
    pub(super) words: Vec<Word>,
    /// What a passage with each term once would score.
    pub(super) reachable: f32,
    pub(super) bm25: Bm25,
    /// Terms of a passage in each field, on average.
    pub(super) averages: [f32; WORDS],
    docs: u64,
    tokens: HashMap<Field, u64>,
    frequencies: HashMap<Term, u64>,
}

impl Question {
    /// Weighs the words of a question over `texts`.
    pub(super) fn weigh(
        texts: &[Living<'_>],
        words_of: &Terms,
        bm25: Bm25,
    ) -> Result<Self, Damage> {
        let fields = Fields::new();
        let mut question = Self {
            words: Vec::new(),
            reachable: 0.0,
            bm25,
            averages: [1.0; WORDS],
            docs: 0,
            tokens: HashMap::new(),
            frequencies: HashMap::new(),
        };
        let mut terms = [0; WORDS];
        for text in texts {
            let (docs, more) = text.sizes()?;
            question.docs += docs;
            terms.iter_mut().zip(more).for_each(|(all, more)| *all += more);
        }
        let by_field = fields.words.into_iter().zip(by_field(words_of)).zip(terms).enumerate();
        for (((at, ((field, words), tokens)), boost), average) in
            by_field.zip(bm25.boosts).zip(question.averages.iter_mut())
        {
            question.tokens.insert(field, tokens);
            *average = (count(tokens) / count(question.docs.max(1))).max(1e-3);
            let mut found: Vec<Word> = Vec::new();
            for word in words {
                let term = Term::from_field_text(field, word);
                if question.frequencies.contains_key(&term) {
                    continue;
                }
                let mut holding = 0;
                for text in texts {
                    holding += text.holding(&term)?;
                }
                question.frequencies.insert(term.clone(), holding);
                let all = count(question.docs);
                let idf = (1.0 + (all - count(holding) + 0.5) / (count(holding) + 0.5)).ln();
                let (is_name, is_part) =
                    (words_of.names.binary_search(word), words_of.parts.binary_search(word));
                let boost = match (is_name, is_part) {
                    (_, Ok(_)) => boost * bm25.part,
                    (Ok(_), _) => boost * bm25.name,
                    _ => boost,
                };
                found.push(Word { field: at, term, boost, weight: idf * boost, holding });
            }
            // The rarest first, but before them those that some passage holds: the others cost nothing to look for, and
            // only tell how much is out of reach.
            found.sort_by(|a, b| {
                (b.holding > 0).cmp(&(a.holding > 0)).then(b.weight.total_cmp(&a.weight))
            });
            found.truncate(MOST_WORDS);
            question.reachable += found.iter().map(|word| word.weight).sum::<f32>();
            question.words.extend(found.into_iter().filter(|word| word.holding > 0));
        }
        Ok(question)
    }

    /// Returns whether some passage holds an identifier of the question.
    pub(super) fn holds_identifier(&self) -> bool {
        self.words.iter().any(|word| word.field == EXACT)
    }

    /// Returns the question as a query: any of its words.
    pub(super) fn query(&self) -> Option<Box<dyn Query>> {
        let parts = self.words.iter().map(|Word { term, boost, .. }| {
            let word = TermQuery::new(term.clone(), IndexRecordOption::WithFreqs);
            let word = BoostQuery::new(Box::new(word), *boost);
            (Occur::Should, Box::new(word) as Box<dyn Query>)
        });
        let parts: Vec<_> = parts.collect();
        (!parts.is_empty()).then(|| Box::new(BooleanQuery::new(parts)) as Box<dyn Query>)
    }
}

/// Statistics over all open levels, so that each scores as a part of one whole.
impl Bm25StatisticsProvider for Question {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        Ok(self.tokens.get(&field).copied().unwrap_or(1))
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.docs)
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        Ok(self.frequencies.get(term).copied().unwrap_or(1))
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts need no more than 24 bits here")]
pub(super) fn count(count: u64) -> f32 {
    count as f32
}
