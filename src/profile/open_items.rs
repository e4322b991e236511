//! What sessions have left to do.

use super::Profile;
use crate::{
    digest,
    error::MemoryError,
    notes::{FieldChange, FieldValue, Note, rewrite},
    storage::{Kind, NoteStep},
};

/// Something that is left to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenItem {
    /// Names it.
    pub id: String,
    /// What is to be done.
    pub text: String,
    /// The session that left it.
    pub session: String,
}

impl Profile {
    /// Returns what is left to do, of the latest sessions first, within the configured clearance.
    pub fn open_items(&self) -> Vec<OpenItem> {
        let clearance = self.config.recall.clearance;
        let mut items: Vec<OpenItem> = Vec::new();
        for note in self.session_notes().into_iter().filter(|note| note.sensitivity() <= clearance)
        {
            for text in &note.fields.open_items {
                let id = format!("o-{}", digest::short(text, 8));
                if !items.iter().any(|item| item.id == id) {
                    items.push(OpenItem { id, text: text.clone(), session: note.id.clone() });
                }
            }
        }
        items
    }

    /// Closes what was left to do, named by its id or its text; returns it.
    pub fn close_item(&self, named: &str) -> Result<OpenItem, MemoryError> {
        self.check_write()?;
        let is_it = |item: &OpenItem| item.id == named || item.text == named.trim();
        let item = self.open_items().into_iter().find(is_it).ok_or_else(|| {
            let what = format!("nothing of that name is left to do: `{named}`");
            MemoryError::not_found(what, "list what is open, and give an id of it")
        })?;
        let run = self.run_of(Kind::Edit);
        let holds = |note: &Note| note.fields.open_items.contains(&item.text);
        let sessions: Vec<_> = self.session_notes().into_iter().filter(holds).collect();
        self.store.change_notes(&run, &mut Vec::new(), || {
            let mut steps = Vec::new();
            for note in &sessions {
                let seen = self.store.see_note(&note.id)?;
                let text = String::from_utf8_lossy(&seen.bytes).into_owned();
                let (mut open, mut closed) =
                    (note.fields.open_items.clone(), note.fields.closed_items.clone());
                open.retain(|text| *text != item.text);
                closed.push(item.text.clone());
                let changes = [
                    FieldChange::set("open_items", FieldValue::List(open)),
                    FieldChange::set("closed_items", FieldValue::List(closed)),
                ];
                let after = rewrite(&text, &changes, None).map_err(|why| {
                    MemoryError::bad_request(format!("{}: {why}", note.id), "mend its front matter")
                })?;
                steps.push(NoteStep {
                    id: note.id.clone(),
                    seen,
                    after: Some(after),
                    from: None,
                    reason: None,
                });
            }
            Ok((steps, ()))
        })?;
        Ok(item)
    }
}
