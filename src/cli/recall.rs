//! `recall`.

use std::fmt::Write;

use super::report::{Failure, Output, one_line, printable};
use crate::{
    config::Sensitivity,
    notes::{Layer, Note},
    profile::{Profile, RecallRequest, parse_bound},
    recall::{Filter, Hit},
};
use jiff::Timestamp;

/// Answer a question from everything in the profile
#[derive(Debug, clap::Args)]
pub(super) struct RecallArgs {
    /// The question, in any words
    #[arg(allow_hyphen_values = true)]
    query: String,
    /// Hits at most (default: `recall.limit`)
    #[arg(short, long = "limit", value_name = "N")]
    n: Option<usize>,
    /// Only this layer, such as facts or episodes; may be given several times
    #[arg(long, value_name = "L")]
    layer: Vec<Layer>,
    /// Only this category
    #[arg(long, value_name = "C")]
    category: Option<String>,
    /// Only notes with this tag; may be given several times
    #[arg(long, value_name = "T")]
    tag: Vec<String>,
    /// Only notes from this date on, or from so long ago (`30d`)
    #[arg(long, value_name = "D")]
    since: Option<String>,
    /// Only notes before this date, or before so long ago
    #[arg(long, value_name = "D")]
    until: Option<String>,
    /// The most sensitive level to open (default: `recall.clearance`)
    #[arg(long, value_name = "S")]
    clearance: Option<Sensitivity>,
    /// How relevant a hit must be, 0 to 1
    #[arg(long, value_name = "X", value_parser = threshold)]
    threshold: Option<f32>,
    /// Look in the archive too
    #[arg(long)]
    archive: bool,
    /// Show every part of every score
    #[arg(long)]
    explain: bool,
}

/// Reads how relevant a hit must be.
fn threshold(text: &str) -> Result<f32, String> {
    let value = text.parse().ok().filter(|value| (0.0..=1.0).contains(value));
    value.ok_or_else(|| "it is a number from 0 to 1".to_owned())
}

pub(super) fn run(args: &RecallArgs, profile: &Profile) -> Result<Output, Failure> {
    let start = std::time::Instant::now();
    let now = Timestamp::now();
    let time = |name: &str, text: &Option<String>| {
        text.as_deref().map(|text| parse_bound(&format!("--{name}"), text, now)).transpose()
    };
    let filter = Filter {
        layers: args.layer.clone(),
        category: args.category.clone(),
        tags: args.tag.clone(),
        since: time("since", &args.since)?,
        until: time("until", &args.until)?,
        archive: args.archive,
        ..Filter::default()
    };
    let request = RecallRequest {
        query: args.query.clone(),
        limit: args.n,
        threshold: args.threshold,
        filter,
        clearance: args.clearance,
        ..RecallRequest::default()
    };
    let recalled = profile.recall(&request, &mut super::progress::bar())?;
    let mut text = String::new();
    if let Some(period) = recalled.period.as_ref().filter(|_| args.explain) {
        let _ = writeln!(text, "the time asked for is {period}");
    }
    for (hit, note) in &recalled.hits {
        show(&mut text, hit, note, args.explain);
    }
    if !recalled.closest.is_empty() {
        let _ = writeln!(text, "closest, though not close:");
        for (hit, note) in &recalled.closest {
            show(&mut text, hit, note, args.explain);
        }
    }
    if text.is_empty() {
        text.push_str(match recalled.searched {
            0 => "nothing is remembered yet\n",
            _ => "nothing is remembered that this question may find\n",
        });
    }
    let json = recalled.to_json(&args.query, start.elapsed());
    Ok(Output::data(printable(&text), json).with_warnings(recalled.warnings.clone()))
}

fn show(text: &mut String, hit: &Hit, note: &Note, explain: bool) {
    let passage = note.passages.get(hit.passage).map_or("", |passage| passage.text.as_str());
    let _ = writeln!(text, "{:.2}  {}\n      {}", hit.score, note.id, one_line(passage));
    if explain {
        let parts = hit.scores;
        let _ = writeln!(
            text,
            "      lexical {:.3}, semantic {:.3}, graph {:.1}; recency {:.3}, importance {:.2}, confidence {:.2}; relevance {:.3}",
            parts.lexical,
            parts.semantic,
            parts.graph,
            parts.recency,
            parts.importance,
            parts.confidence,
            hit.relevance
        );
    }
}
