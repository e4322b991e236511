//! What ties a note to others: links, names, and keys that stand as words.

use crate::{
    index::{Terms, analyze, fold_name},
    notes::Note,
};

/// What ties a note to others.
#[derive(Debug)]
pub(super) struct Links {
    /// What it is called.
    pub(super) names: Vec<String>,
    /// What it links to, and words of it that may be the key of another note.
    pub(super) to: Vec<String>,
    /// Its keys, as words of other notes.
    pub(super) keys: Terms,
}

impl Links {
    pub(super) fn of(note: &Note) -> Self {
        let fields = &note.fields;
        let keys: Vec<_> = fields.key.iter().chain(&fields.aliases).collect();
        let own = [&note.id].into_iter().chain(keys.iter().copied());
        let mut as_words = Terms::default();
        for key in &keys {
            let terms = analyze(key);
            match (terms.exact.as_slice(), terms.folded.as_slice()) {
                ([whole], _) if *whole == fold_name(key) => as_words.exact.push(whole.clone()),
                ([], [word]) => as_words.folded.push(word.clone()),
                // A key of several words would be found by each of them.
                _ => {}
            }
        }
        let text: Vec<_> = note.passages.iter().map(|passage| passage.text.as_str()).collect();
        let words = analyze(&text.join("\n"));
        let linked = fields.related.iter().chain(&note.links).map(|link| fold_name(link));
        let mut to: Vec<_> = linked.chain(words.folded).chain(words.exact).collect();
        to.sort_unstable();
        to.dedup();
        Self { names: own.map(|name| fold_name(name)).collect(), to, keys: as_words }
    }
}
