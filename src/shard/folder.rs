//! Reading the folder of a plan, which others can write to.

use std::io;
use std::path::Path;

use referee::bot::read_own;

/// The most bytes of a file that describes a plan or a merge.
pub const LONGEST_PLAN: u64 = 64 << 20;

/// Reads a file of a plan's folder, in which others write, too.
///
/// # Errors
/// If it is no regular file, has more than `most` bytes, or is no text.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read_own(path, most)?).map_err(io::Error::other)
}
