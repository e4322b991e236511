//! What tells one state of a note's file from another without reading it.

/// The state of a file. Times are nanoseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Its bytes.
    pub size: u64,
    /// When its content was last changed.
    pub modified: i64,
    /// When its content, name or mode was last changed.
    pub changed: i64,
    /// The number of its inode.
    pub inode: u64,
}
