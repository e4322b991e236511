//! Which program wrote it, where that can be told safely.

use std::{fmt, io::BufRead, str::FromStr};

use serde_json::Value;

use super::{
    basic_memory, chatgpt, claude, elements::elements, hermes, jsonl, mem0, skip_mark, text,
};

/// A form in which memories come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The bounded files of Hermes.
    Hermes,
    /// The data export of Claude, or `CLAUDE.md`.
    Claude,
    /// The data export of ChatGPT.
    Chatgpt,
    /// The memories of mem0.
    Mem0,
    /// The notes of Basic Memory.
    BasicMemory,
    /// A note a line.
    Jsonl,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Hermes, Self::Claude, Self::Chatgpt, Self::Mem0, Self::BasicMemory, Self::Jsonl];

    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hermes => "hermes",
            Self::Claude => "claude",
            Self::Chatgpt => "chatgpt",
            Self::Mem0 => "mem0",
            Self::BasicMemory => "basic-memory",
            Self::Jsonl => "jsonl",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|format| format.as_str() == word).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join("`, `");
            format!("unknown format `{word}`, expected one of `{names}`")
        })
    }
}

/// Files of a folder that are looked at to tell what they are.
const LOOKED_AT: usize = 100;

/// Returns whether an import of `format` reads the file at `path` in a folder.
pub fn takes(format: Format, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = ending(name);
    let is_conversations = name.starts_with("conversations") && ending == "json";
    match format {
        Format::Hermes => hermes::target(name).is_some() && is_near(path),
        Format::Claude => {
            is_conversations || name == "memories.json" || name.eq_ignore_ascii_case("CLAUDE.md")
        }
        Format::Chatgpt => is_conversations || name == "memories.json",
        Format::Mem0 => ending == "json",
        Format::BasicMemory => ending == "md",
        Format::Jsonl => matches!(ending.as_str(), "jsonl" | "ndjson"),
    }
}

/// Returns what stands behind the last dot of a name, in lower case.
pub(super) fn ending(name: &str) -> String {
    name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase()
}

/// Returns whether the file stands in the folder itself, or in the one that Hermes keeps its memory in.
fn is_near(path: &str) -> bool {
    path.rsplit_once('/').is_none_or(|(folder, _)| folder == "memories")
}

/// Returns the format of the folder that holds these files, where their names say it.
///
/// Where they do not, the others are the files that are to be looked at: what the first is that tells, they all are.
pub fn guess_folder<'f>(paths: &[&'f str]) -> (Option<Format>, Vec<&'f str>) {
    let of = |format: Format| paths.iter().copied().filter(move |path| takes(format, path));
    if of(Format::Hermes).next().is_some() {
        return (Some(Format::Hermes), Vec::new());
    }
    let conversations = of(Format::Chatgpt);
    let rest = of(Format::Mem0).chain(of(Format::Jsonl)).chain(of(Format::BasicMemory));
    (None, conversations.chain(rest).take(LOOKED_AT).collect())
}

/// Returns the format of the file `name`, by its name or by what it begins with; `None` where it may be anything.
pub fn guess(name: &str, reader: &mut dyn BufRead) -> Option<Format> {
    let name = name.rsplit('/').next().unwrap_or(name);
    if hermes::target(name).is_some() {
        return Some(Format::Hermes);
    }
    if name.eq_ignore_ascii_case("CLAUDE.md") {
        return Some(Format::Claude);
    }
    match ending(name).as_str() {
        "jsonl" | "ndjson" => Some(Format::Jsonl),
        "md" => text(reader)
            .ok()
            .filter(|text| basic_memory::is_note(text))
            .map(|_| Format::BasicMemory),
        _ => {
            skip_mark(reader).ok()?;
            let mut found = None;
            // Lines of JSON are no JSON, but the first of them is.
            let _ = elements(reader, &["results", "conversations"], &mut |_, element| {
                found = of_element(&element);
                false
            });
            found
        }
    }
}

fn of_element(element: &Value) -> Option<Format> {
    if claude::is_conversation(element) || claude::is_memories(element) {
        Some(Format::Claude)
    } else if chatgpt::is_conversation(element) {
        Some(Format::Chatgpt)
    } else if mem0::is_memory(element) {
        Some(Format::Mem0)
    } else {
        jsonl::is_line(element).then_some(Format::Jsonl)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_safely_is_told() {
        let check = |name: &str, text: &str, expected: Option<Format>| {
            assert_eq!(guess(name, &mut text.as_bytes()), expected, "{name} {text}");
        };
        check("MEMORY.md", "", Some(Format::Hermes));
        check("claude.md", "# x", Some(Format::Claude));
        check("a.jsonl", "nothing", Some(Format::Jsonl));
        check("-", "\u{feff}{\"text\": \"mapping\"}\nx", Some(Format::Jsonl));
        check("c.json", r#"[{"chat_messages": []}, oops"#, Some(Format::Claude));
        check("c.json", r#"[{"conversations_memory": "x"}]"#, Some(Format::Claude));
        check("c.json", r#"[{"title": "x", "mapping": {}}]"#, Some(Format::Chatgpt));
        check("c.json", r#"{"results": [{"memory": "x"}]}"#, Some(Format::Mem0));
        check("note.md", "---\npermalink: a/b\n---\nx", Some(Format::BasicMemory));
        check("note.md", "# Any\n", None);
        check("c.json", r#"["x"]"#, None);
        check("c.csv", "a,b", None);
    }

    #[test]
    fn a_folder_is_told_by_its_files() {
        assert_eq!(guess_folder(&["config.yaml", "memories/USER.md"]).0, Some(Format::Hermes));
        assert_eq!(guess_folder(&["a.json", "conversations.json"]).1[0], "conversations.json");
        assert_eq!(guess_folder(&["deep/er/MEMORY.md", "a.md"]).1, ["deep/er/MEMORY.md", "a.md"]);
        assert_eq!(guess_folder(&["a.png"]), (None, vec![]));
    }
}
