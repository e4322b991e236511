//! What a note says: its plain text, headings and links, as `pulldown-cmark` reads them.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A piece of a note's text: a heading, a paragraph, an item, a block of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its plain text.
    pub text: String,
    /// The bytes it stands in.
    pub range: Range<usize>,
    /// Whether it is a heading.
    pub heading: bool,
    /// Where parts of its text come from.
    pub spots: Vec<Spot>,
}

/// Where a part of a block's text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The byte of the text it begins at.
    text: usize,
    /// The byte it stands at.
    source: usize,
    /// Whether it stands there byte for byte, as code between backticks does not.
    is_verbatim: bool,
}

impl Block {
    /// Returns the byte that the byte `at` of the text stands at.
    pub fn source_of(&self, at: usize) -> usize {
        let spot = self.spots.partition_point(|spot| spot.text <= at).checked_sub(1);
        let spot = spot.and_then(|spot| self.spots.get(spot));
        spot.map_or(self.range.start, |spot| {
            spot.source + if spot.is_verbatim { at - spot.text } else { 0 }
        })
    }
}

/// A note's text in pieces, and what it links to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markdown {
    /// The pieces, in order.
    pub blocks: Vec<Block>,
    /// Targets of links and of `[[wikilinks]]`.
    pub links: Vec<String>,
}

/// Reads Markdown; anything is Markdown.
pub fn read(text: &str) -> Markdown {
    let mut markdown = Markdown::default();
    let mut block: Option<Block> = None;
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(tag) => match tag {
                Tag::Heading { .. } => open(&mut markdown, &mut block, range, true),
                Tag::Paragraph
                | Tag::Item
                | Tag::CodeBlock(_)
                | Tag::TableRow
                | Tag::TableHead
                | Tag::HtmlBlock => {
                    open(&mut markdown, &mut block, range, false);
                }
                Tag::Link { dest_url, .. } => markdown.links.push(dest_url.into_string()),
                _ => {}
            },
            Event::End(
                TagEnd::Heading(_)
                | TagEnd::Paragraph
                | TagEnd::CodeBlock
                | TagEnd::TableRow
                | TagEnd::TableHead
                | TagEnd::Item
                | TagEnd::HtmlBlock,
            ) => close(&mut markdown, &mut block),
            Event::Text(part) | Event::Code(part) | Event::Html(part) | Event::InlineHtml(part) => {
                push(&mut block, &range, &part);
            }
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::TableCell) => {
                push(&mut block, &range, " ");
            }
            _ => {}
        }
    }
    close(&mut markdown, &mut block);
    markdown.links.extend(wikilinks(text));
    markdown
}

fn open(markdown: &mut Markdown, block: &mut Option<Block>, range: Range<usize>, heading: bool) {
    close(markdown, block);
    *block = Some(Block { text: String::new(), range, heading, spots: Vec::new() });
}

fn push(block: &mut Option<Block>, range: &Range<usize>, text: &str) {
    let block = block.get_or_insert_with(|| Block {
        text: String::new(),
        range: range.clone(),
        heading: false,
        spots: Vec::new(),
    });
    let is_verbatim = range.len() == text.len();
    block.spots.push(Spot { text: block.text.len(), source: range.start, is_verbatim });
    block.text.push_str(text);
}

fn close(markdown: &mut Markdown, block: &mut Option<Block>) {
    if let Some(block) = block.take().filter(|block| !block.text.trim().is_empty()) {
        markdown.blocks.push(block);
    }
}

/// Returns the targets of `[[target]]`, `[[target|shown]]` and `[[target#heading]]`.
fn wikilinks(text: &str) -> Vec<String> {
    let parts = text.split("[[").skip(1);
    let targets = parts.filter_map(|part| part.split_once("]]").map(|(link, _)| link));
    let named = targets.map(|link| link.split(['|', '#']).next().unwrap_or_default().trim());
    named.filter(|name| !name.is_empty() && !name.contains('\n')).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_text_and_links_are_told_apart() {
        let markdown = read(
            "# One\n\nA *paragraph* with `code`\nover two lines, [a link](facts/x) and [[notes/y|shown]].\n\n- item\n  - inner\n\n```rs\nlet x;\n```\n",
        );
        let blocks: Vec<_> =
            markdown.blocks.iter().map(|block| (block.heading, block.text.trim())).collect();
        assert_eq!(
            blocks,
            [
                (true, "One"),
                (false, "A paragraph with code over two lines, a link and [[notes/y|shown]]."),
                (false, "item"),
                (false, "inner"),
                (false, "let x;"),
            ]
        );
        assert_eq!(markdown.links, ["facts/x", "notes/y"]);
    }
}
