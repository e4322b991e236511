//! Characters that cannot be seen, or that look like others.

use super::scan::Finding;
use crate::memory::is_blank;

/// Returns whether `c` shows nothing and has no business in a word.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns the Latin letter that the lower-case letter `c` of another script is taken for.
pub(super) fn look_alike(c: char) -> Option<char> {
    Some(match c {
        'а' | 'α' | 'ɑ' => 'a',
        'в' | 'β' | 'ƅ' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' | 'ɗ' => 'd',
        'е' | 'ε' | 'ё' | 'є' => 'e',
        'ɡ' | 'ց' => 'g',
        'һ' | 'н' | 'հ' => 'h',
        'і' | 'ι' | 'ı' | 'ї' | 'ɩ' => 'i',
        'ј' | 'ϳ' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' | 'ⅼ' => 'l',
        'м' | 'ϻ' => 'm',
        'п' | 'η' | 'ո' => 'n',
        'о' | 'ο' | 'օ' | 'σ' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'г' => 'r',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ԝ' | 'ѡ' | 'ω' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' | 'ү' => 'y',
        _ => return None,
    })
}

/// Returns whether `c`, as written, cannot be told from a Latin letter.
fn is_homoglyph(c: char) -> bool {
    matches!(
        c,
        'а' | 'е'
            | 'о'
            | 'р'
            | 'с'
            | 'у'
            | 'х'
            | 'і'
            | 'ј'
            | 'ѕ'
            | 'һ'
            | 'ԁ'
            | 'ԛ'
            | 'ԝ'
            | 'ӏ'
            | 'А'
            | 'В'
            | 'Е'
            | 'К'
            | 'М'
            | 'Н'
            | 'О'
            | 'Р'
            | 'С'
            | 'Т'
            | 'У'
            | 'Х'
            | 'І'
            | 'Ј'
            | 'Ѕ'
            | 'ο'
            | 'ν'
            | 'Α'
            | 'Β'
            | 'Ε'
            | 'Ζ'
            | 'Η'
            | 'Ι'
            | 'Κ'
            | 'Μ'
            | 'Ν'
            | 'Ο'
            | 'Ρ'
            | 'Τ'
            | 'Υ'
            | 'Χ'
            | 'օ'
            | 'ո'
            | 'ս'
    )
}

/// Returns what the characters of `text` give away.
pub(super) fn scan(text: &str) -> Vec<Finding> {
    let characters: Vec<char> = text.chars().collect();
    let rtl = characters.iter().any(|c| is_right_to_left(*c));
    let mut findings = Vec::new();
    for (position, c) in characters.iter().copied().enumerate() {
        let before = characters.get(..position).unwrap_or_default();
        let after = characters.get(position + 1..).unwrap_or_default();
        let id = match c {
            '\u{ad}' | '\u{34f}' => continue,
            '\u{200c}' | '\u{200d}' if joins(before, after) => continue,
            '\u{200e}' | '\u{200f}' | '\u{61c}' if rtl => continue,
            '\u{fe00}'..='\u{fe0f}' if varies(before) => continue,
            '\u{180b}'..='\u{180f}'
                if before.last().is_some_and(|c| ('\u{1800}'..='\u{18af}').contains(c)) =>
            {
                continue;
            }
            '\u{e0100}'..='\u{e01ef}' if before.last().copied().is_some_and(is_han) => continue,
            '\u{e0020}'..='\u{e007f}' if in_flag(before, c, after) => continue,
            '\u{1b}' | '\u{9b}' => "terminal_escape",
            '\u{e0000}'..='\u{e007f}' => "tag_character",
            '\u{200e}'
            | '\u{200f}'
            | '\u{61c}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => "bidi_control",
            c if is_invisible(c) || (c.is_control() && !c.is_whitespace() && !is_blank(c)) => {
                "invisible_character"
            }
            _ => continue,
        };
        findings.push(Finding { rule: id, what: format!("U+{:04X} cannot be seen", u32::from(c)) });
    }
    if text.split(|c: char| !c.is_alphabetic()).any(is_mixed) {
        let what = "a word mixes Latin letters with look-alikes of another script".to_owned();
        findings.push(Finding { rule: "look_alike", what });
    }
    findings
}

/// Returns whether `word` has Latin letters and others that all pass for Latin ones.
fn is_mixed(word: &str) -> bool {
    let latin = |c: char| c.is_ascii_alphabetic();
    let mut others = word.chars().filter(|c| !latin(*c)).peekable();
    word.chars().any(latin) && others.peek().is_some() && others.all(is_homoglyph)
}

/// Returns whether a joiner stands where a script or an emoji needs it.
fn joins(before: &[char], after: &[char]) -> bool {
    let visible = |c: &&char| !matches!(**c, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}');
    let (Some(left), Some(right)) = (before.iter().rev().find(visible), after.first()) else {
        return false;
    };
    let emoji = |c: char| {
        is_emoji(c) || matches!(c, '♂' | '♀' | '⚕' | '⚖' | '✈' | '❤' | '⬛' | '➡' | '↔' | '↕' | '⛓')
    };
    needs_joiners(*left) || (emoji(*left) && emoji(*right))
}

/// Returns whether a variation selector follows something that has variants.
fn varies(before: &[char]) -> bool {
    before.last().is_some_and(|c| {
        is_emoji(*c)
            || is_han(*c)
            || c.is_ascii_digit()
            || matches!(c, '#' | '*' | '©' | '®' | '\u{2000}'..='\u{2bff}' | '\u{3030}'..='\u{303d}' | '㊗' | '㊙'
                | '\u{1000}'..='\u{109f}' | '\u{1820}'..='\u{18af}')
    }) && !before.iter().rev().take(1).any(|c| is_invisible(*c))
}

/// Returns whether a tag character is part of one of the three flags that are written with them.
fn in_flag(before: &[char], c: char, after: &[char]) -> bool {
    let is_tag = |c: &&char| ('\u{e0020}'..='\u{e007f}').contains(*c);
    // The longest of the three names has six characters.
    let head: Vec<char> = before.iter().rev().take(8).take_while(is_tag).copied().collect();
    let flag = before.len().checked_sub(head.len() + 1).and_then(|start| before.get(start));
    let tags = head
        .iter()
        .rev()
        .copied()
        .chain([c])
        .chain(after.iter().take(8).take_while(is_tag).copied());
    let name: String = tags.filter_map(|c| char::from_u32(u32::from(c) - 0xe0000)).collect();
    flag == Some(&'\u{1f3f4}')
        && ["gbeng\u{7f}", "gbsct\u{7f}", "gbwls\u{7f}"].contains(&name.as_str())
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{2b05}'..='\u{2b55}' | '\u{2190}'..='\u{21ff}'
        | '\u{2300}'..='\u{23ff}')
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Arabic, Syriac, the scripts of India and South-East Asia, and Mongolian join letters.
fn needs_joiners(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{e00}'..='\u{109f}' | '\u{1780}'..='\u{18af}'
        | '\u{a840}'..='\u{a8ff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = scan(text).into_iter().map(|finding| finding.rule).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn joiners_and_selectors_in_their_place_are_fine() {
        for text in [
            "👨‍👩‍👧‍👦",
            "❤️‍🔥",
            "🏳️‍🌈",
            "👩🏽‍💻",
            "می‌خواهم",
            "क्‍ष",
            "1️⃣",
            "☎️",
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "שלום\u{200f}!",
            "辻\u{e0100}",
            "co\u{ad}opération",
            "naïve Köln Ångström",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn hidden_characters_are_found() {
        check("a\u{200b}b", &["invisible_character"]);
        check("pass\u{200d}word", &["invisible_character"]);
        check("a\u{202e}b", &["bidi_control"]);
        check("a\u{200f}b", &["bidi_control"]);
        check("\u{e0041}", &["tag_character"]);
        check(
            "🏴\u{e0067}\u{e0062}\u{e007f}",
            &["tag_character", "tag_character", "tag_character"],
        );
        check("a\u{fe0f}", &["invisible_character"]);
        check("\u{1b}[31m", &["terminal_escape"]);
        check("ㅤ", &["invisible_character"]);
        check("a\0b\u{7}\t\n", &["invisible_character", "invisible_character"]);
    }

    #[test]
    fn a_word_of_two_scripts_is_found_only_where_it_deceives() {
        check("pаypal", &["look_alike"]);
        check("PDFка и API-шка", &[]);
        check("Привет, это Docker", &[]);
        check("µs, Ω, λx", &[]);
    }
}
