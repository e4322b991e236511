//! Recall: from a question to hits, over what the indexes hold and what has changed since.

mod calendar;
mod fuse;
mod latest;
mod links;
mod period;
mod refresh;
mod search;
mod time_words;
mod word;

pub use crate::index::Filter;
pub use fuse::{Ranking, Scores};
pub use latest::latest;
pub use links::{Admission, Link, Ties, Via, ties};
pub use period::{Aim, Narrowed, Period, narrow};
pub use refresh::{Difference, Progress, Vectors, compare, compare_some, read, update};
pub use search::{Answer, Hit, Part, Query, search};
