//! The rule table, by what a text is after, in English and in French.
//!
//! A rule wants the intent and its object together: "ignore" alone, a path, or a product name is a fact like another.

mod instructions;
mod machine;
mod posing;
mod secrets;
mod user;

use super::rule::Rule;

/// The tables, in the order in which findings are named.
pub(super) const TABLES: [&[Rule]; 5] =
    [instructions::RULES, user::RULES, posing::RULES, machine::RULES, secrets::RULES];
