//! `links`.

use std::fmt::Write;

use super::{
    progress,
    report::{Failure, Output, printable},
};
use crate::{
    config::Sensitivity,
    profile::Profile,
    recall::{Link, Via},
};

/// Show what a note or entry links to, and what links to it
#[derive(Debug, clap::Args)]
pub(super) struct LinksArgs {
    /// Id of a note or entry, or a key
    id: String,
    /// The most sensitive level to show (default: `recall.clearance`)
    #[arg(long, value_name = "S")]
    clearance: Option<Sensitivity>,
}

pub(super) fn run(args: &LinksArgs, profile: &Profile) -> Result<Output, Failure> {
    let linked = profile.links(&args.id, args.clearance, &mut progress::bar())?;
    let mut text = format!("{}\n", linked.id);
    for (arrow, links) in [("→", &linked.ties.links), ("←", &linked.ties.backlinks)] {
        for link in links {
            let _ = writeln!(text, "  {arrow} {}", line(link));
        }
    }
    if linked.ties.links.is_empty() && linked.ties.backlinks.is_empty() {
        text.push_str("  no links, and nothing links to it\n");
    }
    let json = linked.to_json();
    Ok(Output::data(printable(&text), json).with_warnings(linked.warnings))
}

fn line(link: &Link) -> String {
    let name = &link.name;
    let how = match link.via {
        Via::Related => format!("related: {name}"),
        Via::Link => format!("[[{name}]]"),
        Via::Key => format!("the word `{name}`"),
    };
    // What is broken may stand above the clearance as well as nowhere.
    let id = link.id.as_deref().unwrap_or("broken, nothing here has that name");
    format!("{id}  ({how})")
}
