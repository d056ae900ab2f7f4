//! The files of a bot: limits on them, their hash, and the detection of files that the bot's author did not write.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::DiskShare;

/// The disk space of a file or folder besides its contents. By default, ext4 has an inode for each 16 KiB.
const ENTRY: u64 = 16 << 10;

/// Reads a regular file of at most `most` bytes; follows a link. Fails for anything else without opening it: a pipe
/// would block, a device has no end. Fails if the file grows.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    read_all(File::open(path)?, most)
}

/// The maximum size of a file that a user names (a tournament, openings, games, a gradebook), in bytes.
const LONGEST_NAMED: u64 = 256 << 20;

pub fn read_named(path: &Path) -> io::Result<Vec<u8>> {
    read_regular(path, LONGEST_NAMED)
}

/// Reads a regular file in a folder that a stranger can write to. Fails for a link: its target may be a secret.
pub fn read_own(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_all(host::open_regular(path)?, most)
}

/// Reads a text file in the folder of a run or a plan. The folder must belong to this user.
pub fn read_in_own(folder: &Path, name: &str, most: u64) -> io::Result<String> {
    let bytes = read_all(host::open_in_own(folder, name)?, most)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

fn read_all(file: File, most: u64) -> io::Result<Vec<u8>> {
    let too_long = || io::Error::other(format!("it has more than {}", size(most)));
    match file.metadata()?.len() {
        // Some files of the system have length 0, and reading them would block until there is data.
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

/// The number of files and bytes that a hand-in, an archive or a build may still add.
#[derive(Clone, Copy, Debug)]
pub struct Quota {
    entries: u64,
    bytes: u64,
    /// The hand-in's share of the disk, and the free space before the first of these files.
    share: Option<(DiskShare, [u64; 2])>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum Exceeded {
    #[error("more than {} files and folders", Quota::ENTRIES)]
    Entries,
    #[error("more than {} of files", size(Quota::BYTES))]
    Bytes,
    /// The machine is at fault.
    #[error("it takes {}, but its share of the {} that are free on this machine is {}", size(*.used), size(*.free), size(*.share))]
    Share { used: u64, free: u64, share: u64 },
}

impl Quota {
    /// The maximum number of files and folders, including folders that only lead to others.
    pub const ENTRIES: u64 = 20_000;
    /// The maximum size of all files together, in bytes.
    pub const BYTES: u64 = 1 << 30;

    pub const WHOLE: Quota = Quota {
        entries: Quota::ENTRIES,
        bytes: Quota::BYTES,
        share: None,
    };

    pub(super) fn within(share: DiskShare, free: [u64; 2]) -> Quota {
        Quota {
            share: Some((share, free)),
            ..Quota::WHOLE
        }
    }

    pub fn take(&mut self, entries: u64, bytes: u64) -> Result<(), Exceeded> {
        self.entries = self.entries.checked_sub(entries).ok_or(Exceeded::Entries)?;
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Exceeded::Bytes)?;
        Ok(())
    }

    /// Fails if the taken files and bytes are more than the hand-in's share of the disk.
    pub fn check_share(&self) -> Result<(), Exceeded> {
        let taken = Quota::BYTES - self.bytes + ENTRY * (Quota::ENTRIES - self.entries);
        self.share.map_or(Ok(()), |(share, [free, temporary])| {
            share.check([free.saturating_sub(taken), temporary])
        })
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

const JUNK: [&str; 4] = [".DS_Store", "__MACOSX", "Thumbs.db", "desktop.ini"];
const REMADE: [&str; 2] = [".git", "__pycache__"];
/// Names of folders with installed programs, which a bot may need.
const INSTALLED: [&str; 2] = ["node_modules", "venv"];

const OF_ENVIRONMENTS: [&str; 10] = [
    "pyvenv.cfg",
    "bin",
    "include",
    "lib",
    "lib64",
    "share",
    "etc",
    "Scripts",
    "Lib",
    "Include",
];

fn is(path: &Path, names: &[&str]) -> bool {
    let own = path.file_name();
    names.iter().any(|name| own.is_some_and(|own| own == *name))
}

pub fn is_junk(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".") || is(path, &JUNK)
}

/// Returns whether a tool or a system made the file, so that it is not a part of the bot: caches, Cargo's output, runs
/// of the arena. A folder `target` without a `Cargo.toml` beside it belongs to the bot.
pub fn is_remade(path: &Path) -> bool {
    let is_run = || path.join("run.toml").is_file() && path.join("arena.lock").is_file();
    let is_target = || is(path, &["target"]) && path.with_file_name("Cargo.toml").is_file();
    is(path, &JUNK) || is(path, &REMADE) || is_target() || is_run()
}

/// Returns whether the bot's author probably did not write the file, because it is made by a tool, installed or hidden.
pub fn is_generated_or_installed(path: &Path) -> bool {
    is_junk(path) || is(path, &INSTALLED) || is_remade(path) || is_environment(path)
}

/// Returns whether a folder is a virtual environment of Python, which may have any name. A folder with further entries is
/// a project that was made into one.
fn is_environment(path: &Path) -> bool {
    let entries = || fs::read_dir(path).into_iter().flatten().flatten();
    let is_usual = |path: &Path| is_junk(path) || is(path, &OF_ENVIRONMENTS);
    path.join("pyvenv.cfg").is_file() && entries().all(|entry| is_usual(&entry.path()))
}

pub fn sha256(path: &Path) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut hash = Sha256::new();
    add_rest(&mut hash, File::open(path)?, &|| false)?;
    Ok(digits(hash))
}

pub fn digits(hash: Sha256) -> String {
    let bytes = hash.finalize();
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.concat()
}

/// Adds to a hash the entries of a folder: their relative paths, the contents of files, and the targets of links. An
/// empty path stands for `folder` itself. Fails if an entry cannot be read, or when `is_stopped` returns true.
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

/// Adds to a hash the length of the bytes and then the bytes, so that different lists of texts have different hashes.
pub fn add_bytes(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

/// Adds to a hash the length of a file and then its bytes. Fails if `is_stopped` returns true.
pub fn add_file(hash: &mut Sha256, path: &Path, is_stopped: &dyn Fn() -> bool) -> io::Result<()> {
    let file = File::open(path)?;
    hash.update(file.metadata()?.len().to_le_bytes());
    add_rest(hash, file, is_stopped)
}

/// Adds a file to a hash, at most up to the length at its opening: endless files such as `/proc/kmsg` have length 0.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_best_unit() {
        for (bytes, text) in [(12, "12 bytes"), (1 << 20, "1 MiB"), (3 << 30, "3 GiB")] {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn long_files_and_folders_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("bot.toml");
        fs::write(&file, "abcd").expect("a file");
        assert_eq!(read_regular(&file, 4).expect("short"), b"abcd");
        let error = |path: &Path, most| read_regular(path, most).expect_err("refused").to_string();
        assert_eq!(error(&file, 3), "it has more than 3 bytes");
        assert_eq!(error(folder.path(), 3), "it is not a regular file");
    }

    #[test]
    fn a_folder_is_known_by_its_contents_and_not_by_a_common_name() {
        type Row = (String, String, bool, bool);
        let folder = tempfile::tempdir().expect("a folder");
        for (made, name, remade, foreign) in cases::cases::<Row>("generated-folders") {
            let file = folder.path().join(&made);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(&file, "").expect("a file");
            let path = folder.path().join(&name);
            assert_eq!(
                (is_remade(&path), is_generated_or_installed(&path)),
                (remade, foreign),
                "{name} with {made}"
            );
        }
    }
}
