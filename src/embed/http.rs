//! An endpoint that makes the vectors: Ollama's, or one that speaks as OpenAI's does.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::{EmbedError, Embedder, Patience};
use crate::endpoint::{Address, Bounds};

/// Texts sent at once.
const BATCH: usize = 64;

/// Bytes of an answer that are read.
const MAX_ANSWER: u64 = 256 * 1024 * 1024;

impl Patience {
    fn bounds(self) -> Bounds {
        let (seconds, attempts) = match self {
            Self::Short => (5, 2),
            Self::Long => (120, 4),
        };
        Bounds { timeout: Duration::from_secs(seconds), attempts, answer: MAX_ANSWER }
    }
}

/// Which words the endpoint understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Ollama,
    Openai,
}

/// An HTTP endpoint.
#[derive(Debug)]
pub struct Endpoint {
    dialect: Dialect,
    model: String,
    address: Address,
}

/// What an endpoint answers: Ollama's field, or OpenAI's.
#[derive(Deserialize)]
struct Answer {
    embeddings: Option<Vec<Vec<f32>>>,
    data: Option<Vec<Item>>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    index: usize,
    embedding: Vec<f32>,
}

impl Endpoint {
    /// An Ollama server at `url`, such as `http://127.0.0.1:11434`.
    pub fn ollama(url: &str, model: &str) -> Result<Self, EmbedError> {
        let base = url.trim_end_matches('/').trim_end_matches("/api");
        Self::at(Dialect::Ollama, format!("{base}/api/embed"), model, None)
    }

    /// A server that speaks as OpenAI's does at `url`, such as `http://127.0.0.1:8080/v1`; `key` may be `env:NAME`.
    pub fn openai(url: &str, model: &str, key: Option<&str>) -> Result<Self, EmbedError> {
        let base = url.trim_end_matches('/').trim_end_matches("/embeddings");
        Self::at(Dialect::Openai, format!("{base}/embeddings"), model, key)
    }

    fn at(
        dialect: Dialect,
        url: String,
        model: &str,
        key: Option<&str>,
    ) -> Result<Self, EmbedError> {
        let address =
            Address::new(url, key).map_err(|why| EmbedError(format!("embedder: {why}")))?;
        Ok(Self { dialect, model: model.to_owned(), address })
    }

    /// Sends one batch.
    fn send(&self, texts: &[&str], patience: Patience) -> Result<Vec<Vec<f32>>, EmbedError> {
        let body = json!({ "model": self.model, "input": texts });
        let answer = self.address.post(&body, patience.bounds()).map_err(EmbedError)?;
        self.vectors(&answer, texts.len())
            .map_err(|why| EmbedError(format!("{}: {why}", self.address.url())))
    }

    /// Reads the vectors of `count` texts from an answer.
    fn vectors(&self, answer: &[u8], count: usize) -> Result<Vec<Vec<f32>>, String> {
        let answer: Answer = serde_json::from_slice(answer)
            .map_err(|error| format!("its answer cannot be read: {error}"))?;
        let vectors = match (self.dialect, answer) {
            (Dialect::Ollama, Answer { embeddings: Some(vectors), .. }) => vectors,
            (Dialect::Openai, Answer { data: Some(mut items), .. }) => {
                items.sort_by_key(|item| item.index);
                items.into_iter().map(|item| item.embedding).collect()
            }
            _ => return Err("its answer holds no vectors".to_owned()),
        };
        let dims = vectors.first().map_or(0, Vec::len);
        if vectors.len() != count || dims == 0 || vectors.iter().any(|one| one.len() != dims) {
            let made = vectors.len();
            return Err(format!("it made {made} vectors of {count} texts, or of several lengths"));
        }
        Ok(vectors)
    }
}

impl Embedder for Endpoint {
    fn name(&self) -> String {
        format!("{} {}", self.address.url(), self.model)
    }

    fn stays_here(&self) -> bool {
        self.address.is_here()
    }

    fn embed(&self, texts: &[&str], patience: Patience) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            vectors.extend(self.send(batch, patience)?);
        }
        Ok(vectors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_completed() {
        let at = |url: &str| Endpoint::openai(url, "m", None).unwrap().address.url().to_owned();
        assert_eq!(at("http://127.0.0.1:8080/v1/"), "http://127.0.0.1:8080/v1/embeddings");
        assert_eq!(
            at("http://127.0.0.1:8080/v1/embeddings"),
            "http://127.0.0.1:8080/v1/embeddings"
        );
        assert_eq!(
            Endpoint::ollama("http://[::1]:11434", "m").unwrap().address.url(),
            "http://[::1]:11434/api/embed"
        );
    }
}
