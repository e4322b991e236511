//! The prompt block: both bounded files, rendered from `templates/`, bounded and masked.

mod fit;
mod mask;
mod render;

pub use mask::masks;
pub use render::{Input, Rendered, render};
