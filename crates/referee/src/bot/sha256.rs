//! SHA-256 of files and folders, to see whether they are the same.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// SHA-256 of a file's bytes in 64 small hexadecimal digits.
pub fn sha256(path: &Path) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut hash = Sha256::new();
    add_rest(&mut hash, File::open(path)?, &|| false)?;
    Ok(digits(hash))
}

/// The digits of a hash.
pub fn digits(hash: Sha256) -> String {
    let bytes = hash.finalize();
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.concat()
}

/// Adds the entries of a folder, by their paths from it; the empty path is the folder itself, or a file. A link counts
/// by the text of its path.
///
/// # Errors
/// If an entry cannot be read, or `is_stopped` has become true.
pub fn add_entries(
    hash: &mut Sha256,
    folder: &Path,
    entries: BTreeMap<PathBuf, Metadata>,
    is_stopped: &dyn Fn() -> bool,
) -> io::Result<()> {
    for (inner, data) in entries {
        let whole = if inner.as_os_str().is_empty() {
            folder.to_owned()
        } else {
            folder.join(&inner)
        };
        add_bytes(hash, inner.as_os_str().as_encoded_bytes());
        if data.is_symlink() {
            let target = fs::read_link(&whole)?;
            add_bytes(hash, target.as_os_str().as_encoded_bytes());
        } else if data.is_file() {
            add_file(hash, &whole, is_stopped)?;
        }
    }
    Ok(())
}

/// Adds bytes, their number first: different lists of texts have different hashes.
pub fn add_bytes(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

/// Adds the bytes of a file, their number first.
///
/// # Errors
/// If it cannot be read, or `is_stopped` has become true.
pub fn add_file(hash: &mut Sha256, path: &Path, is_stopped: &dyn Fn() -> bool) -> io::Result<()> {
    let file = File::open(path)?;
    hash.update(file.metadata()?.len().to_le_bytes());
    add_rest(hash, file, is_stopped)
}

/// No more than it had when it was opened: a file of the system that is read for ever, such as `/proc/kmsg`, has nothing.
fn add_rest(hash: &mut Sha256, file: File, is_stopped: &dyn Fn() -> bool) -> io::Result<()> {
    let length = file.metadata()?.len();
    let mut file = file.take(length);
    let mut buffer = vec![0; 1 << 16];
    loop {
        if is_stopped() {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "interrupted"));
        }
        match file.read(&mut buffer)? {
            0 => return Ok(()),
            length => hash.update(&buffer[..length]),
        }
    }
}
