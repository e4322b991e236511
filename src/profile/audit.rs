//! The audit: each access of an agent is noted, by ids.

use jiff::Timestamp;
use serde_json::Value;

use super::Profile;
use crate::storage::{Access, accesses, audit};

/// Ids of one access that are noted.
const MOST: usize = 50;

impl Profile {
    /// Notes what an agent was answered, and returns the answer. A log that cannot be written stops nobody.
    pub(super) fn audited(&self, tool: &str, answer: Value) -> Value {
        if let Some(client) = self.client() {
            let mut ids = Vec::new();
            collect(&answer, &mut ids);
            ids.truncate(MOST);
            let (client, tool) = (client.to_owned(), tool.to_owned());
            let _ = audit(self.store.place(), &Access { at: Timestamp::now(), client, tool, ids });
        }
        answer
    }

    /// Notes that an agent has read a resource.
    pub fn audit_read(&self, uri: &str) {
        self.audited("resource", serde_json::json!({ "id": uri }));
    }

    /// Returns the accesses of agents that are known, oldest first.
    pub fn accesses(&self) -> Vec<Access> {
        accesses(self.store.place())
    }
}

/// Gathers the ids of an answer: what it was about, and what it listed.
fn collect(answer: &Value, ids: &mut Vec<String>) {
    const LISTS: [&str; 5] = ["hits", "closest", "notes", "would_forget", "matches"];
    let mut add = |id: Option<&Value>| ids.extend(id.and_then(Value::as_str).map(str::to_owned));
    add(answer.get("id"));
    add(answer.get("pending_id"));
    for list in LISTS.iter().filter_map(|name| answer.get(name)?.as_array()) {
        for item in list {
            add(item.get("id"));
        }
    }
    for list in ["forgotten", "ids"].iter().filter_map(|name| answer.get(name)?.as_array()) {
        for id in list {
            add(Some(id));
        }
    }
}
