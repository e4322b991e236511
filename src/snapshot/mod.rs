//! The prompt block: both bounded files, rendered from `templates/`, bounded and masked.

mod extras;
mod fit;
mod mask;
mod render;

pub use extras::{Extra, ExtraKind};
pub use mask::masks;
pub use render::{Input, Rendered, render};
