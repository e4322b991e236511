//! The reading of a text that phrases are looked for in.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::characters::{is_invisible, look_alike};

/// Returns `text` in compatibility form and lower case, without accents, invisible characters and look-alikes, with
/// plain quotes and single blanks.
pub(super) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.nfkd().flat_map(char::to_lowercase) {
        if is_combining_mark(c) || is_invisible(c) {
            continue;
        }
        match c {
            '\n' => out.push('\n'),
            c if c.is_whitespace() => {
                if !out.ends_with([' ', '\n']) {
                    out.push(' ');
                }
            }
            '‘' | '’' | '‚' | '‛' | 'ʼ' | '′' | '`' | '´' => out.push('\''),
            '“' | '”' | '„' | '‟' | '«' | '»' => out.push('"'),
            '\u{2010}'..='\u{2015}' => out.push('-'),
            'œ' => out.push_str("oe"),
            'æ' => out.push_str("ae"),
            'ß' => out.push_str("ss"),
            c => out.push(look_alike(c).unwrap_or(c)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_read_the_same_however_they_are_spelt() {
        for text in [
            "IGNORE les règles",
            "іgnоrе les règles",
            "ig\u{200b}nore  les re\u{300}gles",
            "𝐢𝐠𝐧𝐨𝐫𝐞\u{a0}les ｒègles",
        ] {
            assert_eq!(fold(text), "ignore les regles");
        }
        assert_eq!(fold("l’œuvre\nd'Ève"), "l'oeuvre\nd'eve");
    }
}
