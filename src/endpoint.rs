//! An address that JSON is posted to: with a key, in bounded time, and nowhere else.

use std::{fmt, thread, time::Duration};

use serde_json::Value;
use ureq::{Agent, http::Uri};

use crate::config::secret;

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(2);

/// Pause before the second attempt; it doubles with each.
const PAUSE: Duration = Duration::from_millis(200);

/// How long one request may take, how often it is tried, and how many bytes of its answer are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) timeout: Duration,
    pub(crate) attempts: u32,
    pub(crate) answer: u64,
}

/// Where JSON is posted to.
pub(crate) struct Address {
    url: String,
    key: Option<String>,
    here: bool,
    agent: Agent,
}

impl fmt::Debug for Address {
    /// Leaves the key out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Address").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Address {
    /// Takes the address `url`; `key` may be `env:NAME`.
    pub(crate) fn new(url: String, key: Option<&str>) -> Result<Self, String> {
        let key = key.map(secret).transpose()?;
        let wrong = |why: String| format!("`{url}` is no address: {why}");
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
        Ok(Self { key, here, agent: config.build().into(), url })
    }

    /// Returns the address as it was given.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns whether it is on this machine.
    pub(crate) fn is_here(&self) -> bool {
        self.here
    }

    /// Posts `body` and returns the bytes of the answer; again where that may help.
    pub(crate) fn post(&self, body: &Value, bounds: Bounds) -> Result<Vec<u8>, String> {
        let mut pause = PAUSE;
        let mut attempt = 1;
        loop {
            match self.post_once(body, bounds) {
                Err((_, true)) if attempt < bounds.attempts => {
                    thread::sleep(pause);
                    pause *= 2;
                    attempt += 1;
                }
                answer => return answer.map_err(|(why, _)| format!("{}: {why}", self.url)),
            }
        }
    }

    /// Posts `body` once; an error tells whether another attempt may help.
    fn post_once(&self, body: &Value, bounds: Bounds) -> Result<Vec<u8>, (String, bool)> {
        let timeout = Some(bounds.timeout);
        let mut request = self.agent.post(&self.url).config().timeout_global(timeout).build();
        if let Some(key) = &self.key {
            request = request.header("Authorization", format!("Bearer {key}"));
        }
        let mut response = request.send_json(body).map_err(|error| {
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
        let answer = response.body_mut().with_config().limit(bounds.answer).read_to_vec();
        answer.map_err(|error| (format!("its answer cannot be read: {error}"), false))
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
    fn this_machine_is_known() {
        for (url, here) in [
            ("http://localhost:1", true),
            ("http://127.8.0.1", true),
            ("http://[::1]:1", true),
            ("http://0.0.0.0:1", false),
            ("http://127.0.0.1.example.org", false),
            ("https://api.example.org/v1", false),
        ] {
            assert_eq!(Address::new(url.to_owned(), None).unwrap().is_here(), here, "{url}");
        }
        assert!(Address::new("not an address".to_owned(), None).is_err());
        assert!(Address::new("/v1".to_owned(), None).is_err());
    }

    #[test]
    fn the_key_is_not_shown() {
        let address = Address::new("http://localhost".to_owned(), Some("sk-hidden")).unwrap();
        assert!(!format!("{address:?}").contains("hidden"));
    }
}
