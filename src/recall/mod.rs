//! Recall: from a question to hits, over what the indexes hold and what has changed since.

mod fuse;
mod links;
mod refresh;
mod search;

pub use crate::index::Filter;
pub use fuse::{Ranking, Scores};
pub use links::{Admission, Link, Ties, Via, ties};
pub use refresh::{Difference, Progress, Vectors, compare, compare_some, read, update};
pub use search::{Answer, Hit, Part, Query, search};
