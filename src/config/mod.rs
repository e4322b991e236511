//! The configuration: two files and the environment, read once, into plain structs.

mod environment;
mod raw;
mod yaml;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::Deserialize;

pub(crate) use environment::secret;
pub use environment::{Environment, Machine};

use crate::{error::MemoryError, memory::Limits};
use raw::Raw;
pub(crate) use yaml::parse as parse_yaml;

/// The language of the snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Language {
    /// English
    #[default]
    #[serde(rename = "en")]
    English,
    /// French
    #[serde(rename = "fr")]
    French,
}

impl Language {
    /// Returns the code of two letters: `en` or `fr`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::French => "fr",
        }
    }
}

impl std::str::FromStr for Language {
    type Err = String;

    fn from_str(code: &str) -> Result<Self, String> {
        [Self::English, Self::French]
            .into_iter()
            .find(|language| language.as_str() == code)
            .ok_or_else(|| format!("unknown language `{code}`: it is `en` or `fr`"))
    }
}

/// What happens to hostile text that is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScanMode {
    /// It is refused.
    #[default]
    Block,
    /// It is written, with a warning; the snapshot still masks it.
    Warn,
    /// It is neither refused nor masked.
    Off,
}

/// How many agents may hold a profile at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sharing {
    /// One; others read.
    #[default]
    Exclusive,
    /// Several, their writes one after the other.
    Shared,
}

/// How far a note may travel, from least to most sensitive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sensitivity {
    /// Anyone.
    Public,
    /// The person and their agents.
    #[default]
    Internal,
    /// On request only.
    Confidential,
    /// Never unasked.
    Secret,
}

impl Sensitivity {
    /// All levels, from least to most sensitive.
    pub const ALL: [Self; 4] = [Self::Public, Self::Internal, Self::Confidential, Self::Secret];

    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Internal => "internal",
            Self::Confidential => "confidential",
            Self::Secret => "secret",
        }
    }
}

impl std::str::FromStr for Sensitivity {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|level| level.as_str() == word).ok_or_else(|| {
            format!(
                "unknown level `{word}`, expected one of `{}`",
                Self::ALL.map(Self::as_str).join("`, `")
            )
        })
    }
}

/// Settings of the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotConfig {
    /// Characters for what follows the two files.
    pub extra_chars: usize,
}

/// Settings of recall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecallConfig {
    /// Hits returned at most.
    pub limit: usize,
    /// The most sensitive level that is opened.
    pub clearance: Sensitivity,
    /// Whether hooks answer each prompt with what it recalls.
    pub on_prompt: bool,
}

/// Which model makes the vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Embedder {
    /// The model in the binary.
    #[default]
    Builtin,
    /// An Ollama endpoint.
    Ollama {
        /// Its address.
        url: String,
        /// Name of the model.
        model: String,
    },
    /// An OpenAI-compatible endpoint.
    Openai {
        /// Its address.
        url: String,
        /// Name of the model.
        model: String,
        /// The key, or `env:NAME`.
        api_key: Option<String>,
    },
    /// A model directory on this machine.
    Local {
        /// The directory.
        path: PathBuf,
    },
}

/// The endpoint for extraction and consolidation; none by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Llm {
    /// Its address.
    pub url: Option<String>,
    /// Name of the model.
    pub model: Option<String>,
    /// The key, or `env:NAME`.
    pub api_key: Option<String>,
}

/// What happens to notes that have reached an age.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retention {
    /// The age, such as `24 months`.
    pub after: Age,
    /// What happens then.
    pub then: Then,
}

/// A length of time in words, such as `24 months` or `30d`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Age(pub String);

impl TryFrom<String> for Age {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.parse::<jiff::Span>() {
            Ok(span) if span.is_positive() => Ok(Self(text)),
            _ => Err(format!("`{text}` is no length of time such as `24 months` or `30d`")),
        }
    }
}

/// What retention does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Then {
    /// The note goes to the archive.
    Archive,
    /// The note goes for good.
    Erase,
}

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Characters each bounded file may hold.
    pub limits: Limits,
    /// Language of the snapshot.
    pub language: Language,
    /// What happens to hostile text.
    pub scan: ScanMode,
    /// How many agents may hold the profile.
    pub sharing: Sharing,
    /// Whether an agent's writes wait for a person.
    pub write_approval: bool,
    /// Settings of the snapshot.
    pub snapshot: SnapshotConfig,
    /// Settings of recall.
    pub recall: RecallConfig,
    /// The most sensitive level that may be sent to an endpoint on another machine.
    pub egress: Sensitivity,
    /// Which model makes the vectors.
    pub embedder: Embedder,
    /// The endpoint for extraction and consolidation.
    pub llm: Llm,
    /// Retention by layer.
    pub retention: BTreeMap<String, Retention>,
    /// Directories that `--dir` may treat as our own.
    pub trusted: Vec<PathBuf>,
    /// What was ignored, one line each.
    pub warnings: Vec<String>,
}

impl Config {
    /// Reads the home's `config.yaml`; where it is missing, every default.
    pub fn of_home(home: &Path) -> Result<Self, MemoryError> {
        Self::default().with_trusted_file(&home.join("config.yaml"), true)
    }

    /// Returns the configuration with the profile's `config.yaml` over it.
    ///
    /// An untrusted directory may only choose the language and lower the limits; the rest is ignored with a warning.
    pub fn with_profile(self, dir: &Path, trusted: bool) -> Result<Self, MemoryError> {
        let path = dir.join("config.yaml");
        if trusted {
            self.with_trusted_file(&path, false)
        } else {
            Ok(self.with_untrusted_file(&path))
        }
    }

    fn with_trusted_file(mut self, path: &Path, home: bool) -> Result<Self, MemoryError> {
        let Some(text) = yaml::read(path)? else { return Ok(self) };
        let raw: Raw =
            yaml::parse(&text).map_err(|why| MemoryError::Config { path: path.to_owned(), why })?;
        if raw.trusted.is_some() && !home {
            let why =
                "`trusted` is only read from the config.yaml of the home directory".to_owned();
            return Err(MemoryError::Config { path: path.to_owned(), why });
        }
        self.warnings.extend(
            raw.ignored().map(|key| format!("{}: `memory.{key}` is ignored", path.display())),
        );
        raw.over(&mut self).map_err(|why| MemoryError::Config { path: path.to_owned(), why })?;
        if home {
            self.trusted = self.trusted.iter().map(|path| Environment::expand(path)).collect();
            if let Some(relative) = self.trusted.iter().find(|path| !path.is_absolute()) {
                let why = format!("trusted: `{}` is not an absolute path", relative.display());
                return Err(MemoryError::Config { path: path.to_owned(), why });
            }
        }
        Ok(self)
    }

    fn with_untrusted_file(mut self, path: &Path) -> Self {
        let mut warn = |what: &str| self.warnings.push(format!("{}: {what}", path.display()));
        if std::fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
            warn("ignored, it is a symbolic link");
            return self;
        }
        let text = match yaml::read(path) {
            Ok(None) => return self,
            Ok(Some(text)) => text,
            Err(_) => {
                warn("ignored, it cannot be read");
                return self;
            }
        };
        let Ok(values) = yaml::parse::<BTreeMap<String, serde_yaml::Value>>(&text) else {
            warn("ignored, it is not a configuration of carnet");
            return self;
        };
        for refused in raw::restrict(values, &mut self.limits, &mut self.language) {
            warn(&format!("`{refused}` is ignored: the directory is not trusted"));
        }
        self
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            limits: Limits { memory: 2200, user: 1375 },
            language: Language::default(),
            scan: ScanMode::default(),
            sharing: Sharing::default(),
            write_approval: false,
            snapshot: SnapshotConfig { extra_chars: 1500 },
            recall: RecallConfig { limit: 5, clearance: Sensitivity::default(), on_prompt: false },
            egress: Sensitivity::default(),
            embedder: Embedder::default(),
            llm: Llm::default(),
            retention: BTreeMap::new(),
            trusted: Vec::new(),
            warnings: Vec::new(),
        }
    }
}
