//! The `memory` tool: one JSON object in, one out.

mod answer;
mod budget;
mod request;
mod schema;

pub use answer::{Edited, Refusal, State, failure, refusal, staged, success, terminal};
pub use budget::{counts, record};
pub use request::Request;
pub use schema::schema;
