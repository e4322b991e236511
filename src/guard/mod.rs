//! What may enter the prompt: one rule table, one pass over the text.

mod characters;
mod fold;
mod injection;
mod rule;
mod scan;
mod secrets;

pub use scan::{Finding, Scanner};
