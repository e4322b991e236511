//! Asking the configured model.

use std::time::Duration;

use super::chat::{Dialect, address, request, words};
use crate::{
    config::Llm,
    endpoint::{Address, Bounds},
};

/// A model may think for a while; its answer is a page or two.
const BOUNDS: Bounds =
    Bounds { timeout: Duration::from_secs(180), attempts: 3, answer: 4 * 1024 * 1024 };

/// The configured model.
#[derive(Debug)]
pub struct Client {
    dialect: Dialect,
    model: String,
    address: Address,
}

impl Client {
    /// Opens the model that is configured; `None` where there is none.
    pub fn open(llm: &Llm) -> Result<Option<Self>, String> {
        let Some(url) = &llm.url else { return Ok(None) };
        let (dialect, url) = address(url);
        let model = llm.model.clone().ok_or("llm: it is not said which `model`")?;
        let address =
            Address::new(url, llm.api_key.as_deref()).map_err(|why| format!("llm: {why}"))?;
        Ok(Some(Self { dialect, model, address }))
    }

    /// Returns whether what it is asked stays on this machine.
    pub fn stays_here(&self) -> bool {
        self.address.is_here()
    }

    /// Returns what it answers to `text` under the instructions `system`.
    pub fn ask(&self, system: &str, text: &str) -> Result<String, String> {
        let body = request(self.dialect, &self.model, system, text);
        let answer = self.address.post(&body, BOUNDS)?;
        words(&answer).map_err(|why| format!("{}: {why}", self.address.url()))
    }
}
