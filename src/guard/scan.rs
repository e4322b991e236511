//! The scan: one pass for the literals, expressions only where theirs occur.

use std::{collections::BTreeSet, sync::OnceLock};

use super::{
    characters,
    fold::fold,
    literals::Pairs,
    rule::{Compiled, Group, Reading},
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

/// A literal, with the rule that it leads to and its part there.
#[derive(Clone, Copy, Debug)]
struct Literal {
    text: &'static str,
    rule: usize,
    group: Group,
}

/// The rule table, ready to be used.
#[derive(Debug)]
pub struct Scanner {
    rules: Vec<Compiled>,
    literals: Vec<Literal>,
}

impl Scanner {
    /// Returns the scanner, built at its first use.
    pub fn get() -> &'static Self {
        static SCANNER: OnceLock<Scanner> = OnceLock::new();
        SCANNER.get_or_init(Self::new)
    }

    fn new() -> Self {
        let rules: Vec<_> = TABLES.iter().copied().flatten().map(Compiled::new).collect();
        let named = rules.iter().enumerate();
        let literals = named
            .flat_map(|(number, compiled)| {
                compiled.rule.literals().map(move |(group, text)| Literal {
                    text,
                    rule: number,
                    group,
                })
            })
            .collect();
        Self { rules, literals }
    }

    /// Returns every rule that `text` breaks, each once.
    pub fn scan(&self, text: &str) -> Vec<Finding> {
        self.scan_each(&[text]).pop().unwrap_or_default()
    }

    /// Returns for each of `texts` every rule that it breaks, each once.
    ///
    /// The literals are looked for in all of them at once, as most occur in none.
    pub fn scan_each(&self, texts: &[&str]) -> Vec<Vec<Finding>> {
        let folded: Vec<String> = texts.iter().map(|text| fold(text)).collect();
        let present = self.present(&folded);
        texts
            .iter()
            .zip(&folded)
            .map(|(text, folded)| self.findings(text, folded, &present))
            .collect()
    }

    fn findings(&self, text: &str, folded: &str, present: &[Literal]) -> Vec<Finding> {
        let plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
        let mut findings =
            if text.bytes().all(plain) { Vec::new() } else { characters::scan(text) };
        for compiled in
            self.anchored(folded, present).into_iter().filter_map(|rule| self.rules.get(rule))
        {
            let rule = compiled.rule;
            let reading = match rule.reading {
                Reading::Folded => folded,
                Reading::Raw => text,
            };
            if compiled.matches(reading) {
                findings.push(Finding { rule: rule.id, what: rule.what.to_owned() });
            }
        }
        let mut seen = BTreeSet::new();
        findings.retain(|finding| seen.insert(finding.rule));
        findings
    }

    /// Returns the literals that occur in any of the texts.
    fn present(&self, folded: &[String]) -> Vec<Literal> {
        let all = one_line(&folded.join(" "));
        let pairs = Pairs::of(&all);
        let occurs =
            |literal: &&Literal| pairs.may_hold(literal.text) && all.contains(literal.text);
        self.literals.iter().filter(occurs).copied().collect()
    }

    /// Returns the rules whose literals occur in `folded`, in the order of the table; none but those `present` can.
    fn anchored(&self, folded: &str, present: &[Literal]) -> Vec<usize> {
        if present.is_empty() {
            return Vec::new();
        }
        let line = one_line(folded);
        let found: BTreeSet<_> = present
            .iter()
            .filter(|it| line.contains(it.text))
            .map(|it| (it.rule, it.group))
            .collect();
        let is_complete = |rule: &usize| {
            let wants_more = self.rules.get(*rule).is_some_and(|it| !it.rule.also.is_empty());
            !wants_more || found.contains(&(*rule, Group::Also))
        };
        let anchors =
            found.iter().filter(|(_, group)| *group == Group::Anchor).map(|(rule, _)| *rule);
        anchors.filter(is_complete).collect()
    }
}

/// Returns `text` on one line: a phrase may be broken over two.
fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_expression_compiles_and_every_anchor_is_folded() {
        let scanner = Scanner::get();
        for rule in scanner.rules.iter().map(|compiled| compiled.rule) {
            assert!(
                rule.compile().is_ok(),
                "{} {}: {:?}",
                rule.id,
                rule.what,
                rule.compile().err()
            );
            assert!(!rule.anchors.is_empty(), "{}", rule.what);
            for (_, literal) in rule.literals() {
                assert_eq!(fold(literal), literal);
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

    /// Literals only spare time: no rule would find more if it were tried without them.
    #[test]
    fn no_literal_hides_a_match() {
        let mut hidden = BTreeSet::new();
        for half in ["dev", "held-out"] {
            for kind in ["harmless-en", "harmless-fr", "hostile-en", "hostile-fr"] {
                for (number, line) in lines(&format!("{half}-{kind}.txt")).iter().enumerate() {
                    let folded = fold(line);
                    let anchored = Scanner::get()
                        .anchored(&folded, &Scanner::get().present(std::slice::from_ref(&folded)));
                    for (index, compiled) in Scanner::get().rules.iter().enumerate() {
                        let reading =
                            if compiled.rule.reading == Reading::Folded { &folded } else { line };
                        if !anchored.contains(&index) && compiled.matches(reading) {
                            hidden.insert(format!(
                                "{half}-{kind} {}: {:.60}",
                                number + 1,
                                compiled.rule.anchors
                            ));
                        }
                    }
                }
            }
        }
        assert_eq!(hidden, BTreeSet::new());
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
