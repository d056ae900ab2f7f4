//! SHA-256 of a file, to see whether two files are the same.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

/// SHA-256 of a file's bytes in 64 small hexadecimal digits.
pub fn sha256(path: &Path) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(digits(hash)),
            length => hash.update(&buffer[..length]),
        }
    }
}

/// The digits of a hash.
pub fn digits(hash: Sha256) -> String {
    let bytes = hash.finalize();
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.concat()
}
