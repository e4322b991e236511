//! The snapshot, fresh or frozen for a session.

use super::Profile;
use crate::{
    config::{Config, Language},
    error::MemoryError,
    memory::Target,
    snapshot::{Input, Rendered, render},
    storage::{Frozen, Trust},
};

/// Which snapshot is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SnapshotRequest {
    /// Freeze it for this session, or return the one that is frozen.
    pub session: Option<String>,
    /// Freeze it anew.
    pub refresh: bool,
    /// The language of its headers; the configured one by default.
    pub language: Option<Language>,
    /// Bytes that its reader takes: whole entries are left out from the end until it has no more.
    pub max_bytes: Option<usize>,
}

/// A snapshot.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Its text, digest and entries.
    pub frozen: Frozen,
    /// What the caller should know beside, one line each.
    pub warnings: Vec<String>,
}

/// Bytes that a template may have: its parser goes down one level for each sign before a value.
const MAX_TEMPLATE: u64 = 16 * 1024;

/// Characters that the headers and words of a template may add to the entries.
const MAX_FRAME: usize = 4000;

impl Profile {
    /// Returns the snapshot; for a session always the same bytes. No index is opened.
    pub fn snapshot(&self, request: &SnapshotRequest) -> Result<Snapshot, MemoryError> {
        let place = self.store.place();
        let Some(session) = &request.session else { return self.render(request) };
        check_session(session)?;
        let mut damaged = None;
        if !request.refresh {
            match Frozen::load(place, session) {
                Ok(Some(frozen))
                    if request.max_bytes.is_none_or(|max| frozen.text.len() <= max) =>
                {
                    return Ok(Snapshot { frozen, warnings: Vec::new() });
                }
                // It was frozen for a reader that takes more, and stays so for it.
                Ok(Some(_)) => return self.render(request),
                Ok(None) => {}
                Err(error) => damaged = Some(format!("{error}: it is frozen anew")),
            }
        }
        let mut snapshot = self.render(request)?;
        let stored = if request.refresh || damaged.is_some() {
            snapshot.frozen.replace(place, session).map(|()| snapshot.frozen.clone())
        } else {
            snapshot.frozen.clone().store(place, session)
        };
        snapshot.warnings.extend(damaged);
        match stored {
            Ok(frozen) => snapshot.frozen = frozen,
            // The prompt needs its memory even where nothing can be stored.
            Err(error) => snapshot.warnings.push(format!("the snapshot is not frozen: {error}")),
        }
        Ok(snapshot)
    }

    /// Returns the frozen snapshot of `session` after checking it against its digest.
    pub fn verify_snapshot(&self, session: &str) -> Result<Frozen, MemoryError> {
        check_session(session)?;
        let found = Frozen::load(self.store.place(), session)?;
        found.ok_or_else(|| {
            let what = "no snapshot is frozen for that session";
            MemoryError::not_found(what, "freeze one by asking for the snapshot of that session")
        })
    }

    fn render(&self, request: &SnapshotRequest) -> Result<Snapshot, MemoryError> {
        let language = request.language.unwrap_or(self.config.language);
        let mut warnings = self.config.warnings.clone();
        let mut files = Vec::new();
        for target in Target::ALL {
            let document = self.store.read(target)?.document;
            if !document.is_utf8() {
                warnings.push(format!(
                    "{} is not UTF-8: shown with replacement characters",
                    target.file_name()
                ));
            }
            files.push((target, document));
        }
        let extras = self.extras();
        let input = Input {
            max_bytes: request.max_bytes,
            extras: &extras,
            ..Input::new(&files, &self.config, language)
        };
        let template = self.template(language, &mut warnings);
        let rendered = template.and_then(|template| match render(&input, Some(&template)) {
            Ok(rendered) if rendered.text.chars().count() <= self.longest() => Some(rendered),
            Ok(_) => {
                warnings.push("the profile's snapshot template is not used: it makes more than the limits allow".to_owned());
                None
            }
            Err(error) => {
                warnings.push(format!("the profile's snapshot template is not used: {error}"));
                None
            }
        });
        let Rendered { text, entries } = match rendered {
            Some(rendered) => rendered,
            None => render(&input, None)
                .map_err(|error| MemoryError::bad_request(error.to_string(), "report this"))?,
        };
        Ok(Snapshot { frozen: Frozen::new(text, language.as_str(), entries), warnings })
    }

    /// Returns the characters that a snapshot may have.
    fn longest(&self) -> usize {
        let Config { limits, snapshot, .. } = &self.config;
        limits
            .memory
            .saturating_add(limits.user)
            .saturating_add(snapshot.extra_chars)
            .saturating_add(MAX_FRAME)
    }

    /// Returns the profile's own template where it has one and is trusted.
    fn template(&self, language: Language, warnings: &mut Vec<String>) -> Option<String> {
        let place = self.store.place();
        let path = place.dir.join(format!("templates/snapshot.{}.md.j2", language.as_str()));
        let found = std::fs::metadata(&path).ok()?;
        if place.trust == Trust::Untrusted {
            warnings.push(format!("{} is not used: the directory is not trusted", path.display()));
            return None;
        }
        if !found.is_file() {
            return None;
        }
        if found.len() > MAX_TEMPLATE {
            warnings.push(format!("{} is not used: it is larger than 16 KiB", path.display()));
            return None;
        }
        match std::fs::read_to_string(&path) {
            Ok(template) => Some(template),
            Err(error) => {
                warnings.push(format!("{} is not used: {error}", path.display()));
                None
            }
        }
    }
}

fn check_session(session: &str) -> Result<(), MemoryError> {
    if session.is_empty() {
        let hint = "give the id of the session, in any characters";
        return Err(MemoryError::bad_request("the session id is empty", hint));
    }
    Ok(())
}
