//! Text to vectors: the model in the binary.

mod builtin;
mod tokens;

pub use builtin::Builtin;
