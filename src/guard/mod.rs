//! What may enter the prompt: one rule table, one pass over the text.

mod characters;
mod fold;
mod literals;
mod rule;
mod rules;
mod scan;

pub use scan::{Finding, Scanner};
