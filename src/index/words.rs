//! Words that say how a sentence is built and not what it is about, in French and in English.
//!
//! They are dropped from questions only; a question of nothing else keeps them all.

/// Folded function words, sorted.
const FUNCTION_WORDS: &[&str] = &[
    "a", "about", "after", "ai", "all", "also", "an", "and", "any", "are", "as", "at", "au",
    "aucun", "aussi", "aux", "avec", "avez", "avoir", "avons", "be", "been", "but", "by", "c",
    "can", "ce", "cela", "celle", "celui", "ces", "cet", "cette", "chez", "combien", "comme",
    "comment", "could", "d", "dans", "de", "depuis", "des", "did", "do", "does", "doit", "dont",
    "du", "elle", "elles", "en", "est", "et", "etaient", "etait", "ete", "etre", "eu", "fait",
    "faut", "for", "from", "had", "has", "have", "he", "her", "him", "his", "how", "i", "if", "il",
    "ils", "in", "into", "is", "it", "its", "j", "je", "l", "la", "le", "les", "leur", "leurs",
    "lui", "m", "ma", "mais", "me", "mes", "mon", "my", "n", "ne", "nos", "not", "notre", "nous",
    "of", "on", "ont", "or", "ou", "our", "par", "pas", "plus", "pour", "pourquoi", "qu", "quand",
    "que", "quel", "quelle", "quelles", "quels", "qui", "quoi", "s", "sa", "sans", "se", "ses",
    "she", "should", "si", "son", "sont", "sur", "t", "ta", "te", "tes", "than", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "those", "to", "ton", "toujours",
    "tous", "tout", "toute", "toutes", "tres", "tu", "un", "une", "us", "vers", "vos", "votre",
    "vous", "was", "we", "were", "what", "when", "where", "which", "who", "whom", "whose", "why",
    "will", "with", "would", "y", "you", "your",
];

/// Returns whether the folded `word` is a function word.
pub fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_has_each_word_once() {
        assert!(FUNCTION_WORDS.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(is_function_word("est") && is_function_word("the") && !is_function_word("router"));
    }
}
