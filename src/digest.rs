//! BLAKE3 in hex: what texts, files and states are told apart by.

/// Returns the hash of `bytes`, 64 hex digits.
pub(crate) fn hex(bytes: impl AsRef<[u8]>) -> String {
    blake3::hash(bytes.as_ref()).to_hex().to_string()
}

/// Returns the first `digits` of the hash of `bytes`, 64 at most.
pub(crate) fn short(bytes: impl AsRef<[u8]>, digits: usize) -> String {
    let mut hex = hex(bytes);
    hex.truncate(digits);
    hex
}
