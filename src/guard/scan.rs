//! The scan: anchors in one pass, expressions only where an anchor occurs.

use std::{collections::BTreeSet, sync::OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::{
    characters,
    fold::fold,
    rule::{Reading, Rule},
    rules::TABLES,
};

/// A rule that a text breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule's id.
    pub rule: &'static str,
    /// What the rule looks for; never a part of the text but the number of a character.
    pub what: String,
}

/// The rule table, with its anchors ready to be looked for.
#[derive(Debug)]
pub struct Scanner {
    rules: Vec<&'static Rule>,
    anchors: Option<AhoCorasick>,
    /// The rule that each anchor belongs to.
    owners: Vec<usize>,
}

impl Scanner {
    /// Returns the scanner, built at its first use.
    pub fn get() -> &'static Self {
        static SCANNER: OnceLock<Scanner> = OnceLock::new();
        SCANNER.get_or_init(Self::new)
    }

    fn new() -> Self {
        let rules: Vec<_> = TABLES.iter().copied().flatten().collect();
        let named = || {
            rules
                .iter()
                .enumerate()
                .flat_map(|(rule, found)| found.anchors.iter().map(move |a| (rule, a)))
        };
        let owners = named().map(|(rule, _)| rule).collect();
        // The noncontiguous automaton is the one that is built fastest, and texts are short.
        let kind = Some(AhoCorasickKind::NoncontiguousNFA);
        let anchors =
            AhoCorasick::builder().kind(kind).build(named().map(|(_, anchor)| anchor)).ok();
        Self { rules, anchors, owners }
    }

    /// Returns every rule that `text` breaks, each once.
    pub fn scan(&self, text: &str) -> Vec<Finding> {
        let mut findings = if text.is_ascii() && !text.contains('\u{1b}') {
            Vec::new()
        } else {
            characters::scan(text)
        };
        let folded = fold(text);
        for rule in self.anchored(&folded).into_iter().filter_map(|rule| self.rules.get(rule)) {
            let reading = match rule.reading {
                Reading::Folded => &folded,
                Reading::Raw => text,
            };
            if rule.matches(reading) {
                findings.push(Finding { rule: rule.id, what: rule.what.to_owned() });
            }
        }
        let mut seen = BTreeSet::new();
        findings.retain(|finding| seen.insert(finding.rule));
        findings
    }

    /// Returns the rules of which an anchor occurs, in the order of the table.
    fn anchored(&self, folded: &str) -> BTreeSet<usize> {
        let Some(anchors) = &self.anchors else { return (0..self.rules.len()).collect() };
        let found = anchors.find_overlapping_iter(folded);
        found.filter_map(|found| self.owners.get(found.pattern().as_usize()).copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_expression_compiles_and_every_anchor_is_folded() {
        let scanner = Scanner::get();
        assert!(scanner.anchors.is_some());
        for rule in &scanner.rules {
            assert!(
                rule.compile().is_ok(),
                "{} {}: {:?}",
                rule.id,
                rule.what,
                rule.compile().err()
            );
            assert!(!rule.anchors.is_empty(), "{}", rule.what);
            for anchor in rule.anchors {
                assert_eq!(fold(anchor), **anchor);
            }
        }
    }

    #[test]
    fn a_finding_never_holds_the_secret() {
        let secret = ["ghp_", "0123456789abcdefghijABCDEFGHIJ012345"].concat();
        let findings = Scanner::get().scan(&format!("token {secret}"));
        assert_eq!(findings.len(), 1);
        assert!(!format!("{findings:?}").contains("0123"));
    }
}

#[cfg(test)]
mod corpus {
    use std::{fs, path::Path};

    use super::*;

    fn lines(name: &str) -> Vec<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
        let text = fs::read_to_string(path).unwrap();
        text.lines().map(|line| expand(&line.replace("{{}}", ""))).collect()
    }

    /// Turns `\u{HEX}` into the character: hidden characters are not hidden in the corpus.
    fn expand(line: &str) -> String {
        let mut parts = line.split(r"\u{");
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (hex, rest) = part.split_once('}').unwrap();
            out.push(char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap());
            out.push_str(rest);
        }
        out
    }

    /// Returns how many lines of the file are flagged, how many there are, and those that are on the wrong side.
    fn flagged(name: &str, hostile: bool) -> (usize, usize, Vec<String>) {
        let lines = lines(name);
        let is_flagged = |line: &String| !Scanner::get().scan(line).is_empty();
        let count = lines.iter().filter(|line| is_flagged(line)).count();
        let wrong = lines.iter().filter(|line| is_flagged(line) != hostile);
        let wrong = wrong.map(|line| format!("{line} {:?}", Scanner::get().scan(line))).collect();
        (count, lines.len(), wrong)
    }

    /// The sentences of the held-out half are never printed: the rules were written without looking at them.
    #[test]
    fn the_corpus_is_told_apart() {
        for half in ["dev", "held-out"] {
            let (mut alarms, mut harmless, mut caught, mut hostile) = (0, 0, 0, 0);
            for lang in ["en", "fr"] {
                let (count, lines, wrong) = flagged(&format!("{half}-harmless-{lang}.txt"), false);
                (alarms, harmless) = (alarms + count, harmless + lines);
                let (count_h, lines_h, missed) =
                    flagged(&format!("{half}-hostile-{lang}.txt"), true);
                (caught, hostile) = (caught + count_h, hostile + lines_h);
                eprintln!(
                    "{half} {lang}: {count} of {lines} harmless flagged, {count_h} of {lines_h} hostile caught"
                );
                if half == "dev" {
                    for line in wrong.iter().chain(&missed) {
                        eprintln!("  {line}");
                    }
                }
            }
            assert!(
                alarms * 50 < harmless,
                "{half}: {alarms} of {harmless} harmless sentences are flagged"
            );
            assert!(
                caught * 4 >= hostile * 3,
                "{half}: only {caught} of {hostile} hostile sentences are caught"
            );
        }
    }
}
