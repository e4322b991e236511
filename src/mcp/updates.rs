//! Telling a client that what it has subscribed to has changed.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rmcp::{Peer, RoleServer, model::ResourceUpdatedNotificationParam};

use super::resources::Named;
use crate::profile::{FileState, Profile};

/// How often the files behind the subscriptions are looked at: a call to the system for each of them.
pub(super) const LOOKED: Duration = Duration::from_millis(200);

/// What is subscribed to, with the state that the client knows.
#[derive(Debug, Default)]
pub(super) struct Watched(BTreeMap<String, Option<FileState>>);

impl Watched {
    /// Subscribes to `uri`; false where it names nothing.
    pub(super) fn add(&mut self, uri: &str, profile: &Profile) -> bool {
        let Some(named) = Named::find(uri) else { return false };
        self.0.insert(uri.to_owned(), named.state(profile));
        true
    }

    fn remove(&mut self, uri: &str) {
        self.0.remove(uri);
    }

    /// Returns what has changed since it was last asked.
    pub(super) fn changed(&mut self, profile: &Profile) -> Vec<String> {
        let mut changed = Vec::new();
        for (uri, known) in &mut self.0 {
            let now = Named::find(uri).and_then(|named| named.state(profile));
            if now != *known {
                *known = now;
                changed.push(uri.clone());
            }
        }
        changed
    }
}

/// The subscriptions of a client that shook hands: one set for the life of the server.
#[derive(Clone, Debug, Default)]
pub(super) struct Subscriptions(Arc<Mutex<Option<Watched>>>);

impl Subscriptions {
    /// Subscribes to `uri`; false where it names nothing. With the first one a task begins that looks at them.
    pub(super) fn add(&self, uri: &str, profile: &Arc<Profile>, peer: Peer<RoleServer>) -> bool {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = slot.is_none();
        let known = slot.get_or_insert_default().add(uri, profile);
        if is_first {
            tokio::spawn(self.clone().tell(Arc::clone(profile), peer));
        }
        known
    }

    pub(super) fn remove(&self, uri: &str) {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(watched) = slot.as_mut() {
            watched.remove(uri);
        }
    }

    async fn tell(self, profile: Arc<Profile>, peer: Peer<RoleServer>) {
        loop {
            tokio::time::sleep(LOOKED).await;
            let changed = {
                let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                slot.as_mut().map(|watched| watched.changed(&profile)).unwrap_or_default()
            };
            for uri in changed {
                let update = ResourceUpdatedNotificationParam::new(uri);
                if peer.notify_resource_updated(update).await.is_err() {
                    return;
                }
            }
        }
    }
}
