//! Notes: Markdown with YAML front matter, as any hand writes it.

mod front_matter;
mod key;
mod layer;
mod markdown;
mod note;
mod passage;
mod rewrite;
mod stamp;
mod time;

pub use front_matter::{Fields, Importance, MAX_BYTES as MAX_FRONT_MATTER, split};
pub use key::{Key, file_name};
pub use layer::Layer;
pub use markdown::{Markdown, read as read_markdown};
pub use note::Note;
pub use passage::{Passage, passages};
pub use rewrite::{FieldChange, FieldValue, rewrite};
pub use stamp::Stamp;
pub use time::{day_in, parse as parse_time, parse_ago};
