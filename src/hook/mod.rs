//! What a client's hooks tell and what they are answered: JSON in, JSON out, no file and no clock.

mod answer;
mod input;

pub use answer::{Recalled, Said, answer, recalled, remembered};
pub use input::{Harness, Input, Moment, moment};

/// Bytes of context that every client takes whole: the strictest counts 10,000 and takes the middle out of what is longer.
pub const MAX_CONTEXT: usize = 9_500;

/// Notes that a prompt is answered with at most.
pub const MAX_RECALLED: usize = 3;
