//! `reindex`.

use serde_json::json;

use super::{
    progress,
    report::{Failure, Output},
};
use crate::profile::Profile;

/// Make all indexes anew from the notes
#[derive(Debug, clap::Args)]
pub(super) struct ReindexArgs {}

pub(super) fn run(profile: &Profile) -> Result<Output, Failure> {
    let start = std::time::Instant::now();
    let mut warnings = Vec::new();
    let made = profile.reindex(&mut progress::bar(), &mut warnings)?;
    let seconds = start.elapsed().as_secs_f64();
    let text = format!(
        "{} notes indexed in {} passages, {} of them in the vector index ({seconds:.1} s)\n",
        made.notes, made.passages, made.vectors
    );
    let json = json!({
        "success": true,
        "notes": made.notes,
        "passages": made.passages,
        "vectors": made.vectors,
        "indexing_ms": u64::try_from(made.indexing.as_millis()).unwrap_or(u64::MAX),
        "took_ms": u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
        "warnings": warnings,
    });
    Ok(Output::confirmation(text, json).with_warnings(warnings))
}
