//! Long notes in passages, cut at headings and paragraphs.

use super::markdown::{Block, Markdown};

/// Characters that a passage has at most; a longer paragraph is cut at a blank.
const LONGEST: usize = 1200;

/// A part of a note that is scored and shown as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Its plain text.
    pub text: String,
    /// The byte of the body it starts at.
    pub start: usize,
}

/// Returns the passages of a note; a short one is a single passage.
pub fn passages(markdown: &Markdown) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    let mut fresh = true;
    for block in &markdown.blocks {
        for (text, start) in pieces(block) {
            let joined = passages.last_mut().filter(|last| {
                !fresh
                    && !block.heading
                    && last.text.chars().count() + 1 + text.chars().count() <= LONGEST
            });
            match joined {
                Some(last) => {
                    last.text.push('\n');
                    last.text.push_str(text);
                }
                None => passages.push(Passage { text: text.to_owned(), start }),
            }
            fresh = false;
        }
    }
    // A short note is not cut at its headings.
    let all: usize = passages.iter().map(|passage| passage.text.chars().count() + 1).sum();
    if all <= LONGEST && passages.len() > 1 {
        let start = passages.first().map_or(0, |passage| passage.start);
        let texts: Vec<_> = passages.into_iter().map(|passage| passage.text).collect();
        return vec![Passage { text: texts.join("\n"), start }];
    }
    passages
}

/// Returns a block in pieces of at most the longest length, with the byte each starts at.
fn pieces(block: &Block) -> Vec<(&str, usize)> {
    let mut pieces = Vec::new();
    let mut rest = block.text.trim();
    let start = |rest: &str| {
        let at = rest.as_ptr().addr() - block.text.as_ptr().addr();
        if at == block.text.len() - block.text.trim_start().len() {
            block.range.start
        } else {
            block.source_of(at)
        }
    };
    while let Some((cut, _)) = rest.char_indices().nth(LONGEST) {
        let head = rest.get(..cut).unwrap_or(rest);
        // At a blank in the second half, else in the middle of a word.
        let end = head.rfind(char::is_whitespace).filter(|end| *end > cut / 2).unwrap_or(cut);
        pieces.push((rest.get(..end).unwrap_or(rest).trim_end(), start(rest)));
        rest = rest.get(end..).unwrap_or_default().trim_start();
    }
    pieces.push((rest, start(rest)));
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notes::read_markdown;

    #[test]
    fn a_short_note_is_one_passage_and_a_long_one_is_cut_at_its_headings() {
        let short = passages(&read_markdown("# A\n\ntext\n\n# B\n\nmore"));
        assert_eq!(short, [Passage { text: "A\ntext\nB\nmore".to_owned(), start: 0 }]);
        let long = format!("# A\n\n{}\n\n# B\n\n{}", "a ".repeat(400), "b ".repeat(400));
        let cut = passages(&read_markdown(&long));
        assert_eq!(cut.len(), 2);
        assert!(cut[0].text.starts_with("A\na a") && cut[1].text.starts_with("B\nb b"));
        assert!(long[cut[1].start..].starts_with("# B"));
    }

    proptest! {
        #[test]
        fn no_word_is_lost_and_no_passage_too_long(text in "([a-zé日#`\\[ ]{0,400}\n){0,12}") {
            let markdown = read_markdown(&text);
            let found = passages(&markdown);
            prop_assert!(found.iter().all(|passage| passage.text.chars().count() <= LONGEST && text.is_char_boundary(passage.start)));
            let words = |text: &str| text.split_whitespace().collect::<String>();
            let all: String = markdown.blocks.iter().map(|block| words(&block.text)).collect();
            prop_assert_eq!(words(&found.iter().map(|passage| passage.text.as_str()).collect::<Vec<_>>().join(" ")), all);
        }
    }
}
