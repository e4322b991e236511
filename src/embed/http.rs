//! An endpoint that makes the vectors: Ollama's, or one that speaks as OpenAI's does.

use std::{fmt, thread, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json};
use ureq::{Agent, http::Uri};

use super::{EmbedError, Embedder, Patience};
use crate::config::secret;

/// Texts sent at once.
const BATCH: usize = 64;

/// Bytes of an answer that are read.
const MAX_ANSWER: u64 = 256 * 1024 * 1024;

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(2);

/// Pause before the second attempt; it doubles with each.
const PAUSE: Duration = Duration::from_millis(200);

impl Patience {
    /// Returns how long one request may take, and how often it is tried.
    fn limits(self) -> (Duration, u32) {
        match self {
            Self::Short => (Duration::from_secs(5), 2),
            Self::Long => (Duration::from_secs(120), 4),
        }
    }
}

/// Which words the endpoint understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Ollama,
    Openai,
}

/// An HTTP endpoint.
pub struct Endpoint {
    dialect: Dialect,
    url: String,
    model: String,
    key: Option<String>,
    here: bool,
    agent: Agent,
}

impl fmt::Debug for Endpoint {
    /// Leaves the key out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("url", &self.url)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
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
        let key = key.map(secret).transpose().map_err(EmbedError)?;
        let base = url.trim_end_matches('/').trim_end_matches("/embeddings");
        Self::at(Dialect::Openai, format!("{base}/embeddings"), model, key)
    }

    fn at(
        dialect: Dialect,
        url: String,
        model: &str,
        key: Option<String>,
    ) -> Result<Self, EmbedError> {
        let wrong = |why: String| EmbedError(format!("embedder: `{url}` is no address: {why}"));
        let uri: Uri = url.parse().map_err(|error| wrong(format!("{error}")))?;
        let host = uri.host().ok_or_else(|| wrong("it names no host".to_owned()))?;
        let here = is_here(host);
        let mut config = Agent::config_builder()
            .timeout_connect(Some(CONNECT))
            .http_status_as_error(false)
            // Texts go to the configured endpoint and nowhere else.
            .max_redirects(0);
        if here {
            config = config.proxy(None);
        }
        Ok(Self { dialect, model: model.to_owned(), key, here, agent: config.build().into(), url })
    }

    /// Sends one batch, again where it may help.
    fn send(&self, texts: &[&str], patience: Patience) -> Result<Vec<Vec<f32>>, EmbedError> {
        let (timeout, attempts) = patience.limits();
        let mut pause = PAUSE;
        let mut attempt = 1;
        loop {
            match self.send_once(texts, timeout) {
                Err((why, again)) if again && attempt < attempts => {
                    let _ = why;
                    thread::sleep(pause);
                    pause *= 2;
                    attempt += 1;
                }
                answer => {
                    return answer.map_err(|(why, _)| EmbedError(format!("{}: {why}", self.url)));
                }
            }
        }
    }

    /// Sends one batch; an error tells whether another attempt may help.
    fn send_once(
        &self,
        texts: &[&str],
        timeout: Duration,
    ) -> Result<Vec<Vec<f32>>, (String, bool)> {
        let mut request = self.agent.post(&self.url).config().timeout_global(Some(timeout)).build();
        if let Some(key) = &self.key {
            request = request.header("Authorization", format!("Bearer {key}"));
        }
        let body: Value = json!({ "model": self.model, "input": texts });
        let mut response = request.send_json(&body).map_err(|error| {
            let refused = matches!(&error, ureq::Error::Io(cause) if cause.kind() == std::io::ErrorKind::ConnectionRefused);
            (error.to_string(), !refused)
        })?;
        let status = response.status().as_u16();
        if status != 200 {
            let text = response.body_mut().with_config().limit(2000).read_to_string();
            let text = text.unwrap_or_default();
            let why = format!("it answers {status}: {}", text.trim().replace('\n', " "));
            return Err((why, status == 429 || status >= 500));
        }
        let answer: Answer = response
            .body_mut()
            .with_config()
            .limit(MAX_ANSWER)
            .read_json()
            .map_err(|error| (format!("its answer cannot be read: {error}"), false))?;
        let vectors = match (self.dialect, answer) {
            (Dialect::Ollama, Answer { embeddings: Some(vectors), .. }) => vectors,
            (Dialect::Openai, Answer { data: Some(mut items), .. }) => {
                items.sort_by_key(|item| item.index);
                items.into_iter().map(|item| item.embedding).collect()
            }
            _ => return Err(("its answer holds no vectors".to_owned(), false)),
        };
        let dims = vectors.first().map_or(0, Vec::len);
        if vectors.len() != texts.len() || dims == 0 || vectors.iter().any(|one| one.len() != dims)
        {
            let why = format!(
                "it made {} vectors of {} texts, or of several lengths",
                vectors.len(),
                texts.len()
            );
            return Err((why, false));
        }
        Ok(vectors)
    }
}

impl Embedder for Endpoint {
    fn name(&self) -> String {
        format!("{} {}", self.url, self.model)
    }

    fn stays_here(&self) -> bool {
        self.here
    }

    fn embed(&self, texts: &[&str], patience: Patience) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            vectors.extend(self.send(batch, patience)?);
        }
        Ok(vectors)
    }
}

/// Returns whether `host` is this machine.
fn is_here(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_completed_and_this_machine_is_known() {
        let at = |url: &str| Endpoint::openai(url, "m", None).unwrap();
        assert_eq!(at("http://127.0.0.1:8080/v1/").url, "http://127.0.0.1:8080/v1/embeddings");
        assert_eq!(
            at("http://127.0.0.1:8080/v1/embeddings").url,
            "http://127.0.0.1:8080/v1/embeddings"
        );
        assert_eq!(
            Endpoint::ollama("http://[::1]:11434", "m").unwrap().url,
            "http://[::1]:11434/api/embed"
        );
        for (url, here) in [
            ("http://localhost:1", true),
            ("http://127.8.0.1", true),
            ("http://[::1]:1", true),
            ("http://127.0.0.1.example.org", false),
            ("https://api.example.org/v1", false),
        ] {
            assert_eq!(at(url).stays_here(), here, "{url}");
        }
        assert!(Endpoint::openai("not an address", "m", None).is_err());
        assert!(Endpoint::openai("/v1", "m", None).is_err());
    }

    #[test]
    fn the_key_is_not_shown() {
        let endpoint = Endpoint::openai("http://localhost", "m", Some("sk-hidden")).unwrap();
        assert!(!format!("{endpoint:?}").contains("hidden"));
    }
}
