//! Which parts of a text stand in a closed code fence.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// Returns the byte ranges of the closed code fences of `text`, in order.
///
/// `pulldown-cmark` says what is a fence. A fence that runs to the end of its container without a closing line
/// is not returned: it hides nothing.
pub(crate) fn closed_fences(text: &str) -> Vec<Range<usize>> {
    if !text.contains("```") && !text.contains("~~~") {
        return Vec::new();
    }
    let text = with_lf_lines(text);
    let mut fences = Vec::new();
    // The block's range, and where its code ended so far.
    let mut open: Option<(Range<usize>, usize)> = None;
    for (event, range) in Parser::new(&text).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                let first_line = text.get(range.clone()).and_then(|block| block.find('\n'));
                let code = first_line.map_or(range.end, |end| range.start + end + 1);
                open = Some((range, code));
            }
            Event::Text(_) => {
                if let Some((_, code_end)) = &mut open {
                    *code_end = range.end;
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((block, code_end)) = open.take() {
                    // What stands behind the code is the closing line, if there is one.
                    let tail = text.get(code_end..block.end).unwrap_or_default();
                    if tail.contains(['`', '~']) {
                        fences.push(block);
                    }
                }
            }
            _ => {}
        }
    }
    fences
}

/// Returns `text` with its lines ended by LF at the same byte positions: pulldown-cmark ends lines of code at LF only.
fn with_lf_lines(text: &str) -> String {
    text.replace("\r\n", " \n").replace('\r', "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> =
            closed_fences(text).into_iter().map(|range| text[range].trim_end()).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn a_closed_fence_is_found_whatever_it_holds() {
        check("a\n```\n§\n```\nb", &["```\n§\n```"]);
        check("~~~~ rust\n```\n§\n~~~~", &["~~~~ rust\n```\n§\n~~~~"]);
        check("```\n```", &["```\n```"]);
        check("```\n\n```\n", &["```\n\n```"]);
        check("```sh\r\n§\r\n```\r\nb", &["```sh\r\n§\r\n```"]);
        check("```\r§\r```\rb", &["```\r§\r```"]);
        check("- item\n  ```\n  §\n  ```\n", &["```\n  §\n  ```"]);
    }

    #[test]
    fn an_unclosed_fence_hides_nothing() {
        check("```\n§\nb", &[]);
        check("```", &[]);
        check("```\n", &[]);
        check("````\n§\n```\n", &[]);
        check("> ```\n> a\n\n§\n", &[]);
        check("```\na\n    ```\n", &[]);
    }

    #[test]
    fn what_is_no_fence_is_not_taken_for_one() {
        check("a ``` b\n§\n``` c ```\n", &[]);
        check("    ```\n    §\n    ```\n", &[]);
        check("<!--\n```\n§\n```\n-->\n", &[]);
    }
}
