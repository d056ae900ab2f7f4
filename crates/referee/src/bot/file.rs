//! Reading what a stranger handed in: only regular files, and only so much of them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The bytes of a regular file of at most `most` bytes; a link counts as its target.
///
/// A pipe would wait for a writer and a device has no end, so both are refused unopened, and what has
/// become longer since it was looked at is refused as well.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    read_all(File::open(path)?, most)
}

/// The most bytes of a file that a user names: a tournament, openings, games, a gradebook.
const LONGEST_NAMED: u64 = 256 << 20;

/// The same of a file that a user names, which may be large.
pub fn read_named(path: &Path) -> io::Result<Vec<u8>> {
    read_regular(path, LONGEST_NAMED)
}

/// The same of a file in a folder that a stranger can write to, where a link counts as no file: it may lead to what
/// the stranger cannot read.
pub fn read_own(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_all(host::open_regular(path)?, most)
}

/// The text of a file in the folder of a run or a plan, which must be this user's own.
pub fn read_in_own(folder: &Path, name: &str, most: u64) -> io::Result<String> {
    let bytes = read_all(host::open_in_own(folder, name)?, most)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

fn read_all(file: File, most: u64) -> io::Result<Vec<u8>> {
    let too_long = || io::Error::other(format!("it has more than {}", size(most)));
    match file.metadata()?.len() {
        // Some files of the system wait for what is to come.
        0 => return Ok(Vec::new()),
        length if length > most => return Err(too_long()),
        _ => {}
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(too_long());
    }
    Ok(bytes)
}

/// A number of bytes for a person: `3 GiB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut unit = 0;
    let mut count = bytes as f64;
    while count >= 1024.0 && unit + 1 < UNITS.len() {
        count /= 1024.0;
        unit += 1;
    }
    format!("{} {}", (10.0 * count).round() / 10.0, UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_by_people() {
        for (bytes, text) in [(12, "12 bytes"), (1 << 20, "1 MiB"), (3 << 30, "3 GiB")] {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn what_is_too_long_or_no_file_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("bot.toml");
        fs::write(&file, "abcd").expect("a file");
        assert_eq!(read_regular(&file, 4).expect("short"), b"abcd");
        let error = |path: &Path, most| read_regular(path, most).expect_err("refused").to_string();
        assert_eq!(error(&file, 3), "it has more than 3 bytes");
        assert_eq!(error(folder.path(), 3), "it is not a regular file");
    }
}
