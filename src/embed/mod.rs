//! Text to vectors: the model in the binary, a model directory, or an endpoint.

mod http;
mod model;
mod tokens;

use std::fmt;

pub use http::Endpoint;
pub use model::Static;

use crate::config;

/// Why there is no vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbedError(pub String);

impl fmt::Display for EmbedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EmbedError {}

/// How long an answer may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Someone waits for it.
    Short,
    /// It is made in the background.
    Long,
}

/// Makes vectors of texts.
pub trait Embedder: fmt::Debug + Send + Sync {
    /// Returns what vectors are marked with: those of another name cannot be compared.
    fn name(&self) -> String;

    /// Returns whether the texts stay on this machine.
    fn stays_here(&self) -> bool;

    /// Returns a vector for each of `texts`, all of the same dimensions; zero where a text says nothing to the model.
    fn embed(&self, texts: &[&str], patience: Patience) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Opens the embedder that is configured.
pub fn open(embedder: &config::Embedder) -> Result<Box<dyn Embedder>, EmbedError> {
    Ok(match embedder {
        config::Embedder::Builtin => Box::new(Static::builtin()),
        config::Embedder::Local { path } => Box::new(Static::open(path)?),
        config::Embedder::Ollama { url, model } => Box::new(Endpoint::ollama(url, model)?),
        config::Embedder::Openai { url, model, api_key } => {
            Box::new(Endpoint::openai(url, model, api_key.as_deref())?)
        }
    })
}
