//! Who may use whom.

use std::{fs, path::Path};

/// The modules from the bottom up; a module uses only rows below its own, and `config`, `guard` and `storage` stand
/// apart from each other but for the plain settings.
const ROWS: [&[&str]; 10] = [
    &["digest", "fence", "whole"],
    &["memory"],
    &["error"],
    &["config"],
    &["endpoint", "notes"],
    &["embed", "guard", "index", "llm", "storage"],
    &["exchange", "hook", "lifecycle", "recall", "snapshot", "tool"],
    &["profile"],
    &["mcp", "setup"],
    &["cli"],
];

fn row(module: &str) -> usize {
    ROWS.iter()
        .position(|row| row.contains(&module))
        .unwrap_or_else(|| panic!("{module} has no row"))
}

fn sources(dir: &Path, found: &mut Vec<(String, String)>) {
    for file in fs::read_dir(dir).unwrap() {
        let path = file.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Returns the modules that a source names as `crate::module` or in a `use crate::{…}` block.
fn used(source: &str) -> Vec<String> {
    let mut modules = Vec::new();
    for part in source.split("crate::").skip(1) {
        if let Some(block) = part.strip_prefix('{') {
            let mut depth = 0;
            let mut name = String::new();
            for c in block.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    _ => {}
                }
                if depth == 0 && (c == ',' || c == ':' || c == '\n') {
                    modules.push(std::mem::take(&mut name).trim().to_owned());
                } else if depth == 0 {
                    name.push(c);
                }
            }
            modules.push(name.trim().to_owned());
        } else {
            modules.push(part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    modules.retain(|name| ROWS.iter().any(|row| row.contains(&name.as_str())));
    modules
}

#[test]
fn a_module_uses_only_the_rows_below_its_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut edges = 0;
    for module in ROWS.iter().copied().flatten() {
        let mut files = Vec::new();
        let dir = root.join(module);
        if dir.is_dir() {
            sources(&dir, &mut files);
        } else {
            let file = root.join(format!("{module}.rs"));
            files.push((file.display().to_string(), fs::read_to_string(&file).unwrap()));
        }
        for (name, source) in files {
            for other in used(&source).iter().filter(|other| other.as_str() != *module) {
                assert!(
                    row(other) < row(module),
                    "{name} uses `{other}`, which is not below `{module}`"
                );
                edges += 1;
            }
        }
    }
    assert!(edges > 20, "only {edges} uses were found");
}

#[test]
fn the_rules_do_no_input_or_output() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let pure = ["memory", "notes", "guard", "exchange", "snapshot", "tool"];
    let modules = [
        "embed/tokens.rs",
        "index/analyze.rs",
        "index/words.rs",
        "llm/chat.rs",
        "recall/fuse.rs",
        "recall/search.rs",
    ];
    for pure in pure.into_iter().chain(modules) {
        let mut files = Vec::new();
        if root.join(pure).is_dir() {
            sources(&root.join(pure), &mut files);
        } else {
            files.push((pure.to_owned(), fs::read_to_string(root.join(pure)).unwrap()));
        }
        for (name, source) in files {
            let rules = source.split("#[cfg(test)]").next().unwrap();
            for forbidden in [
                "std::fs",
                "std::env",
                "std::net",
                "std::thread",
                "std::process",
                "Timestamp::now",
                "SystemTime",
            ] {
                assert!(!rules.contains(forbidden), "{name} uses {forbidden}");
            }
        }
    }
}
