//! `history`, `undo` and `restore`.

use std::{collections::HashSet, fmt::Write};

use serde_json::json;

use super::{
    entries,
    report::{Failure, Output, one_line, printable},
};
use crate::{
    notes::Layer,
    profile::{Profile, Restored, note_to_json},
    storage::{Kind, Record},
    tool,
};

/// Show what changed, when and by whom
#[derive(Debug, clap::Args)]
pub(super) struct HistoryArgs {
    /// How many changes, the last ones
    #[arg(short, value_name = "N", default_value_t = 20)]
    n: usize,
    /// Show what was learned in this session, by its id or that of its note, instead
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

/// Take the last change back
#[derive(Debug, clap::Args)]
pub(super) struct UndoArgs {
    /// Take this change back, as the history names it
    run: Option<String>,
}

/// Bring an archived text back
#[derive(Debug, clap::Args)]
pub(super) struct RestoreArgs {
    /// An archived note, or the id of an entry that left
    id: String,
}

pub(super) fn history(args: &HistoryArgs, profile: &Profile) -> Result<Output, Failure> {
    if let Some(session) = &args.session {
        return learned(session, profile);
    }
    let records = profile.history()?;
    let undone: HashSet<_> = records.iter().filter_map(|record| record.undoes.as_deref()).collect();
    let skipped = records.len().saturating_sub(args.n);
    let mut text = String::new();
    for record in records.iter().skip(skipped) {
        let by = record.client.as_deref().unwrap_or(record.by.as_str());
        let file = match record.target() {
            Some(target) => target.file_name(),
            None => record.target.as_str(),
        };
        let what = match (record.kind, &record.undoes) {
            (Kind::Undo, Some(run)) => format!("took back {run} in {file}"),
            (Kind::Hand, _) if record.before.is_empty() => format!("{file} as it was found"),
            (Kind::Late, _) => format!("written late into {file}"),
            (Kind::Restore, _) => format!("restored into {file}"),
            (Kind::Merge, _) if record.after.is_empty() => format!("merged {file} into another"),
            (Kind::Merge, _) => format!("merged others into {file}"),
            _ if record.after.is_empty() => format!("removed {file}"),
            _ if record.before.is_empty() && record.target().is_none() => format!("wrote {file}"),
            _ => format!("edited {file}"),
        };
        let mark = if undone.contains(record.run.as_str()) { "  (taken back)" } else { "" };
        let _ = writeln!(text, "{}  {:.0}  {by}: {what}{mark}", record.run, record.at);
        let words = |id: &str| profile.words(id).map_or_else(String::new, |words| one_line(&words));
        for effect in &record.effects {
            if let Some(new) = &effect.new {
                let _ = writeln!(text, "    + {new}  {}", words(new));
            }
            if let Some(old) = &effect.old {
                let note = effect.archive.as_deref().unwrap_or("not archived");
                let _ = writeln!(text, "    - {old}  {}  [{note}]", words(old));
            }
        }
    }
    let changes: Vec<_> = records.iter().skip(skipped).map(change).collect();
    Ok(Output::data(printable(&text), json!({ "success": true, "changes": changes })))
}

/// Answers what was learned in a session.
fn learned(session: &str, profile: &Profile) -> Result<Output, Failure> {
    let (summary, notes) = profile.learned(session)?;
    let mut text = format!("{}\n", summary.text());
    for note in &notes {
        let _ = writeln!(text, "  {}\n      {}", note.id, one_line(note.text()));
    }
    let of = |layer: Layer| -> Vec<_> {
        notes.iter().filter(|note| note.layer == layer).map(note_to_json).collect()
    };
    let json = json!({
        "success": true,
        "session": summary.id,
        "summary": summary.text(),
        "facts": of(Layer::Facts),
        "episodes": of(Layer::Episodes),
    });
    Ok(Output::data(printable(&text), json))
}

fn change(record: &Record) -> serde_json::Value {
    let effects: Vec<_> = record
        .effects
        .iter()
        .map(|effect| json!({ "new": effect.new, "old": effect.old, "archive": effect.archive }))
        .collect();
    json!({
        "run": record.run,
        "at": record.at,
        "by": record.by,
        "client": record.client,
        "kind": record.kind,
        "target": record.target,
        "effects": effects,
        "undoes": record.undoes,
    })
}

pub(super) fn undo(args: &UndoArgs, profile: &Profile) -> Result<Output, Failure> {
    let undone = profile
        .undo(args.run.as_deref())
        .map_err(|refusal| Failure::refused(refusal, profile.name()))?;
    let (run, edited) = (&undone.run, undone.edited.as_ref());
    let text = match edited.filter(|_| undone.parts == 1) {
        Some(edited) => {
            let how = if undone.exact {
                "the file is as it was, to the byte"
            } else {
                "entry by entry: the file had moved"
            };
            format!("{}: {run} taken back; {how} ({})\n", edited.target.file_name(), edited.usage)
        }
        None if undone.exact => format!("{run} taken back; every file is as it was, to the byte\n"),
        None => format!("{run} taken back, as far as the files had not moved\n"),
    };
    let json = json!({
        "success": true,
        "run": run,
        "target": undone.target,
        "exact": undone.exact,
        "could_not": undone.could_not,
        "usage": edited.map(|edited| edited.usage.to_string()),
        "sha256": edited.map(|edited| &edited.sha256),
        "profile": profile.name(),
    });
    let could_not = undone.could_not.iter().map(|what| format!("not taken back: {what}"));
    let warnings = could_not.chain(undone.warnings.iter().cloned()).collect();
    Ok(Output::confirmation(text, json).with_warnings(warnings))
}

pub(super) fn restore(args: &RestoreArgs, profile: &Profile) -> Result<Output, Failure> {
    let restored =
        profile.restore(&args.id).map_err(|refusal| Failure::refused(refusal, profile.name()))?;
    match restored {
        Restored::Entry { archive, edited } => {
            let mut json = tool::success(&edited, profile.name());
            if let Some(fields) = json.as_object_mut() {
                fields.insert("archive".to_owned(), json!(archive));
            }
            Ok(entries::done(&edited, profile).with_json(json))
        }
        Restored::Note { archive, id, warnings } => {
            let json =
                json!({ "success": true, "id": id, "archive": archive, "profile": profile.name() });
            Ok(Output::confirmation(format!("{id} is back\n"), json).with_warnings(warnings))
        }
    }
}
