//! `consolidate`.

use std::{fmt::Write, path::PathBuf};

use super::report::{Failure, Output, one_line, printable};
use crate::{
    config::Sensitivity,
    error::MemoryError,
    notes::Note,
    profile::{Consolidated, Consolidation, Profile},
};

/// Merge notes that say the same, and show those that contradict each other
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("way").required(true).args(["plan", "apply", "run"]))]
pub(super) struct ConsolidateArgs {
    /// Show what may be merged, and change nothing
    #[arg(long)]
    plan: bool,
    /// Merge as this file says: `{"merges":[{"cluster","text","confidence"}]}` (`-` reads standard input)
    #[arg(long, value_name = "FILE")]
    apply: Option<PathBuf>,
    /// Ask the model that is configured as `llm`, and merge as it says
    #[arg(long)]
    run: bool,
    /// The most sensitive level to look at (default: `recall.clearance`)
    #[arg(long, value_name = "S", conflicts_with = "apply")]
    clearance: Option<Sensitivity>,
}

pub(super) fn run(args: &ConsolidateArgs, profile: &Profile) -> Result<Output, Failure> {
    if let Some(file) = &args.apply {
        let answer = if file.as_os_str() == "-" {
            super::stdin_bytes()?
        } else {
            std::fs::read(file).map_err(MemoryError::reading(file))?
        };
        return Ok(done(&profile.apply_merges(&answer)?));
    }
    if args.run {
        return Ok(done(&profile.consolidate(args.clearance)?));
    }
    let plan = profile.consolidation(args.clearance)?;
    Ok(Output::data(printable(&plan_text(&plan)), plan.to_json())
        .with_warnings(plan.warnings.clone()))
}

fn plan_text(plan: &Consolidation) -> String {
    let mut text = String::new();
    let show = |text: &mut String, note: &Note| {
        let _ = writeln!(text, "      {}  {}", note.id, one_line(note.text()));
    };
    for cluster in &plan.clusters {
        let _ = writeln!(text, "{:.2}  {}  {}", cluster.similarity, cluster.layer(), cluster.id);
        cluster.notes.iter().for_each(|note| show(&mut text, note));
    }
    if !plan.contradictions.is_empty() {
        let _ = writeln!(text, "contradictions, which are never merged:");
    }
    for found in &plan.contradictions {
        let _ = writeln!(
            text,
            "{:.2}  they differ in {}",
            found.similarity,
            word(found.differs.as_str())
        );
        found.notes.iter().for_each(|note| show(&mut text, note));
    }
    if plan.clusters.is_empty() {
        text.push_str("no notes say the same\n");
    }
    text
}

fn word(difference: &str) -> &str {
    match difference {
        "polarity" => "what they deny",
        "order" => "the order of the same words",
        other => other,
    }
}

fn done(consolidated: &Consolidated) -> Output {
    let mut text = String::new();
    for (_, id, archived) in &consolidated.merged {
        let _ = writeln!(text, "{id}: merged with {}", archived.join(", "));
    }
    for (cluster, why) in &consolidated.refused {
        let _ = writeln!(text, "{cluster}: not merged, {why}");
    }
    let _ = match &consolidated.run {
        Some(run) => writeln!(text, "`carnet undo` takes {run} back as a whole"),
        None => writeln!(text, "nothing was merged"),
    };
    Output::confirmation(printable(&text), consolidated.to_json())
        .with_warnings(consolidated.warnings.clone())
}
