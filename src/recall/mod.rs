//! From a question to hits: the words, the ranking, the fusion.

mod analyze;
mod fuse;
mod lexical;
mod search;
mod words;

pub use analyze::{Terms, analyze, query_terms};
pub use fuse::{Scores, Weights};
pub use search::{Answer, Filter, Hit, Query, search};
