//! The tokenizer: pieces of words, the most probable split of each.

use unicode_normalization::UnicodeNormalization;

/// The vocabulary, read where it lies in the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vocabulary<'m> {
    /// The pieces' bytes, one after the other.
    pub(super) blob: &'m [u8],
    /// Piece `i` is `blob[offsets[i]..offsets[i + 1]]`; little-endian u32.
    pub(super) offsets: &'m [u8],
    /// Unigram log probabilities; little-endian f32.
    pub(super) scores: &'m [u8],
    /// Open addressing with linear probing, 0 for an empty slot; little-endian u32.
    pub(super) hash: &'m [u8],
    /// The longest piece in bytes.
    pub(super) longest: usize,
    /// Score of a character that is no piece.
    pub(super) unknown: f32,
}

/// Stands before each word.
const WORD: char = '\u{2581}';

impl Vocabulary<'_> {
    /// Returns the ids of the pieces of `text`; what is no piece is left out.
    pub(super) fn tokens(&self, text: &str) -> Vec<u32> {
        let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
        let mut tokens = Vec::new();
        let mut word = String::new();
        let mut path = Path::default();
        for part in folded.split_whitespace() {
            word.clear();
            word.push(WORD);
            word.push_str(part);
            path.split(self, &word, &mut tokens);
        }
        tokens
    }

    /// Returns the id of the piece with these bytes and this hash; 0 where there is none.
    fn piece(&self, bytes: &[u8], hash: u64) -> u32 {
        let slots = self.hash.len() / 4;
        let mask = slots.saturating_sub(1);
        let mut slot =
            usize::try_from(hash & u64::try_from(mask).unwrap_or_default()).unwrap_or_default();
        for _ in 0..slots {
            let id = word_at(self.hash, slot);
            if id == 0 {
                return 0;
            }
            let index = usize::try_from(id).unwrap_or_default();
            let offset = |at: usize| usize::try_from(word_at(self.offsets, at)).unwrap_or_default();
            if self.blob.get(offset(index)..offset(index + 1)) == Some(bytes) {
                return id;
            }
            slot = (slot + 1) & mask;
        }
        0
    }

    fn score(&self, id: u32) -> f32 {
        f32::from_bits(word_at(self.scores, usize::try_from(id).unwrap_or_default()))
    }
}

/// Returns the little-endian word at `index`; 0 past the end.
pub(super) fn word_at(bytes: &[u8], index: usize) -> u32 {
    let word = bytes.get(index * 4..).and_then(<[u8]>::first_chunk::<4>);
    word.copied().map_or(0, u32::from_le_bytes)
}

/// FNV-1a of 64 bits.
const FNV_BASIS: u64 = 1_469_598_103_934_665_603;
const FNV_PRIME: u64 = 1_099_511_628_211;

/// The best way to each place of a word, kept between words to spare allocations.
#[derive(Debug, Default)]
struct Path {
    /// For each byte position: the score of the best way there, where its last piece began, and that piece.
    best: Vec<Option<(f32, usize, u32)>>,
}

impl Path {
    /// Appends the pieces of the most probable split of `word`, without the unknown.
    fn split(&mut self, vocabulary: &Vocabulary<'_>, word: &str, tokens: &mut Vec<u32>) {
        self.best.clear();
        self.best.resize(word.len() + 1, None);
        if let Some(start) = self.best.first_mut() {
            *start = Some((0.0, 0, 0));
        }
        for (start, _) in word.char_indices() {
            let Some((score, ..)) = self.best.get(start).copied().flatten() else { continue };
            let rest = word.get(start..).unwrap_or_default();
            let mut hash = FNV_BASIS;
            for (at, c) in rest.char_indices() {
                let end = at + c.len_utf8();
                if end > vocabulary.longest && at > 0 {
                    break;
                }
                let bytes = rest.as_bytes().get(..end).unwrap_or_default();
                for byte in bytes.get(at..).unwrap_or_default() {
                    hash = (hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME);
                }
                let id = vocabulary.piece(bytes, hash);
                let gain = match id {
                    0 if at == 0 => vocabulary.unknown,
                    0 => continue,
                    id => vocabulary.score(id),
                };
                let Some(place) = self.best.get_mut(start + end) else { continue };
                if place.is_none_or(|(known, ..)| score + gain > known) {
                    *place = Some((score + gain, start, id));
                }
            }
        }
        let first = tokens.len();
        let mut end = word.len();
        while end > 0 {
            let Some((_, start, id)) = self.best.get(end).copied().flatten() else { break };
            if id != 0 {
                tokens.push(id);
            }
            end = start;
        }
        if let Some(added) = tokens.get_mut(first..) {
            added.reverse();
        }
    }
}
