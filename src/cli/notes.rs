//! `remember`, `fact`, `procedure`, `episode`: the notes behind the two files.

use std::fmt::Write;

use serde_json::json;

use super::{
    report::{Failure, Output, one_line, printable},
    text,
};
use crate::{
    config::Sensitivity,
    error::MemoryError,
    lifecycle::{NoteRequest, Source},
    notes::{Importance, Key, Layer, Note},
    profile::{ListRequest, Profile, key_of, note_to_json},
};

/// What may be said of any note.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct NoteFields {
    /// How much it matters: low, normal, high or critical
    #[arg(long, value_name = "I")]
    importance: Option<Importance>,
    /// How far it may travel: public, internal, confidential or secret
    #[arg(long, value_name = "S")]
    sensitivity: Option<Sensitivity>,
    /// When it stops being true: a date, or a length of time from now (`30d`)
    #[arg(long, value_name = "D")]
    expires: Option<String>,
    /// A word to find it by; may be given several times, and replaces those it had
    #[arg(long = "tag", value_name = "T")]
    tags: Vec<String>,
    /// Id or key of a note it belongs to; may be given several times, and replaces those it had
    #[arg(long = "related", value_name = "ID")]
    related: Vec<String>,
}

impl NoteFields {
    fn request(&self, layer: Layer, argument: &str) -> Result<NoteRequest, MemoryError> {
        let some = |list: &Vec<String>| (!list.is_empty()).then(|| list.clone());
        Ok(NoteRequest {
            layer: Some(layer),
            text: text(argument)?,
            importance: self.importance,
            sensitivity: self.sensitivity,
            expires: self.expires.clone(),
            tags: some(&self.tags),
            related: some(&self.related),
            ..NoteRequest::default()
        })
    }
}

/// What may be said of a fact.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct FactFields {
    /// identity, project, tech, preferences, general, or another word
    #[arg(long, value_name = "C")]
    category: Option<String>,
    /// How sure it is, 0 to 1 (default: by its source)
    #[arg(long, value_name = "X")]
    confidence: Option<f64>,
    /// Who said it: user, agent or inferred
    #[arg(long, value_name = "S", default_value_t = Source::User)]
    source: Source,
    /// What was said, word for word
    #[arg(long, value_name = "TEXT")]
    quote: Option<String>,
    #[command(flatten)]
    note: NoteFields,
}

impl FactFields {
    fn request(&self, key: Option<String>, text: &str) -> Result<NoteRequest, MemoryError> {
        Ok(NoteRequest {
            key,
            category: self.category.clone(),
            confidence: self.confidence,
            source: Some(self.source),
            quote: self.quote.clone(),
            ..self.note.request(Layer::Facts, text)?
        })
    }
}

/// Remember a fact, under a key made of its text
#[derive(Debug, clap::Args)]
pub(super) struct RememberArgs {
    /// What to remember (`-` reads standard input)
    #[arg(allow_hyphen_values = true)]
    text: String,
    #[command(flatten)]
    fields: FactFields,
}

/// Facts: one note a key
#[derive(Debug, clap::Subcommand)]
pub(super) enum FactCommand {
    /// Set the fact of a key; what is left out stays as it is
    Set {
        /// Its key: any text in one line, without slashes
        key: String,
        /// What it says (`-` reads standard input)
        #[arg(allow_hyphen_values = true)]
        text: String,
        #[command(flatten)]
        fields: Box<FactFields>,
    },
    /// Show the fact of a key
    Get {
        /// Its key
        key: String,
    },
    /// List facts, the surest first, then the latest
    List(ListArgs),
    /// Take the fact of a key out of memory, into the archive
    Remove {
        /// Its key
        key: String,
    },
}

/// Procedures: how things are done
#[derive(Debug, clap::Subcommand)]
pub(super) enum ProcedureCommand {
    /// Set the procedure of a key; what is left out stays as it is
    Set {
        /// Its key: any text in one line, without slashes
        key: String,
        /// What to do (`-` reads standard input)
        #[arg(allow_hyphen_values = true)]
        text: String,
        /// Show it in every snapshot, or, with `--always=false`, no longer
        #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
        always: Option<bool>,
        #[command(flatten)]
        fields: NoteFields,
    },
    /// Show the procedure of a key
    Get {
        /// Its key
        key: String,
    },
    /// List procedures, the latest first
    List(ListArgs),
    /// Take the procedure of a key out of memory, into the archive
    Remove {
        /// Its key
        key: String,
    },
}

/// Episodes: what happened
#[derive(Debug, clap::Subcommand)]
pub(super) enum EpisodeCommand {
    /// Add an episode; the same text on the same day is the same episode
    Add {
        /// What happened (`-` reads standard input)
        #[arg(allow_hyphen_values = true)]
        text: String,
        /// decision, milestone, bug, event, or another word
        #[arg(long = "type", value_name = "T")]
        kind: Option<String>,
        /// When it happened (default: now)
        #[arg(long, value_name = "D")]
        date: Option<String>,
        #[command(flatten)]
        fields: NoteFields,
    },
    /// List episodes, the latest first
    List(ListArgs),
}

/// Which notes are listed.
#[derive(Debug, clap::Args)]
pub(super) struct ListArgs {
    /// Only this category
    #[arg(long, value_name = "C")]
    category: Option<String>,
    /// The most sensitive level to show (default: `recall.clearance`)
    #[arg(long, value_name = "S")]
    clearance: Option<Sensitivity>,
}

pub(super) fn remember(args: &RememberArgs, profile: &Profile) -> Result<Output, Failure> {
    write_note(profile, &args.fields.request(None, &args.text)?)
}

pub(super) fn fact(command: &FactCommand, profile: &Profile) -> Result<Output, Failure> {
    match command {
        FactCommand::Set { key, text, fields } => {
            write_note(profile, &fields.request(Some(key.clone()), text)?)
        }
        FactCommand::Get { key } => get(profile, Layer::Facts, key),
        FactCommand::List(args) => list(profile, Layer::Facts, args),
        FactCommand::Remove { key } => remove(profile, Layer::Facts, key),
    }
}

pub(super) fn procedure(command: &ProcedureCommand, profile: &Profile) -> Result<Output, Failure> {
    match command {
        ProcedureCommand::Set { key, text, always, fields } => {
            let request = fields.request(Layer::Procedures, text)?;
            write_note(profile, &NoteRequest { key: Some(key.clone()), always: *always, ..request })
        }
        ProcedureCommand::Get { key } => get(profile, Layer::Procedures, key),
        ProcedureCommand::List(args) => list(profile, Layer::Procedures, args),
        ProcedureCommand::Remove { key } => remove(profile, Layer::Procedures, key),
    }
}

pub(super) fn episode(command: &EpisodeCommand, profile: &Profile) -> Result<Output, Failure> {
    match command {
        EpisodeCommand::Add { text, kind, date, fields } => {
            let request = fields.request(Layer::Episodes, text)?;
            write_note(profile, &NoteRequest { kind: kind.clone(), date: date.clone(), ..request })
        }
        EpisodeCommand::List(args) => list(profile, Layer::Episodes, args),
    }
}

fn write_note(profile: &Profile, request: &NoteRequest) -> Result<Output, Failure> {
    let remembered = profile.remember(request)?;
    let text = format!("{}: {}\n", remembered.id, remembered.action.as_str());
    let json = remembered.to_json();
    Ok(Output::confirmation(printable(&text), json).with_warnings(remembered.warnings))
}

fn key(word: &str) -> Result<Key, MemoryError> {
    Key::parse(word).map_err(|what| MemoryError::bad_request(what, "give the key as it was set"))
}

fn get(profile: &Profile, layer: Layer, word: &str) -> Result<Output, Failure> {
    let note = profile.keyed_note(layer, &key(word)?)?;
    let mut json = note_to_json(&note);
    if let Some(fields) = json.as_object_mut() {
        fields.insert("success".to_owned(), json!(true));
    }
    Ok(Output::data(printable(&format!("{}\n", note.text())), json))
}

pub(super) fn list(profile: &Profile, layer: Layer, args: &ListArgs) -> Result<Output, Failure> {
    let request = ListRequest {
        layers: vec![layer],
        category: args.category.clone(),
        clearance: args.clearance,
    };
    let (notes, warnings) = profile.notes(&request)?;
    let mut text = String::new();
    for note in &notes {
        let _ = writeln!(text, "{}\n      {}", heading(note), one_line(note.text()));
    }
    if notes.is_empty() {
        let _ = writeln!(text, "there are no {layer} of that kind");
    }
    let shown: Vec<_> = notes.iter().map(note_to_json).collect();
    let json = json!({ "success": true, layer.as_str(): shown });
    Ok(Output::data(printable(&text), json).with_warnings(warnings))
}

fn heading(note: &Note) -> String {
    match note.layer {
        Layer::Facts => {
            let key = key_of(note).unwrap_or_default();
            format!("{:.2}  {key}  [{}]", note.confidence(), note.category())
        }
        Layer::Episodes => format!("{}  {}", note.created.strftime("%Y-%m-%d"), note.id),
        _ => note.id.clone(),
    }
}

fn remove(profile: &Profile, layer: Layer, word: &str) -> Result<Output, Failure> {
    let (id, warnings) = profile.remove_keyed(layer, &key(word)?)?;
    let json = json!({ "success": true, "id": id, "action": "removed" });
    let text = format!("{id}: removed; `carnet undo` brings it back\n");
    Ok(Output::confirmation(printable(&text), json).with_warnings(warnings))
}
