//! A model that answers in words, where one is configured: Ollama's, or one that speaks as OpenAI's does.

mod chat;
mod client;

pub use chat::json_in;
pub use client::Client;
