//! How much of a hand-in is read: only regular files, and not without end.

use std::fs;
use std::io;
use std::path::Path;

use crate::run::Stop;
use crate::tournament::Problem;
use referee::bot::size;

/// Whether this is a folder that a program creates: its contents are not part of the hand-in.
pub(super) fn is_left_behind(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let is_named = ["__pycache__", "node_modules", ".git"]
        .iter()
        .any(|left| name == *left);
    is_named || name == "target" && path.with_file_name("Cargo.toml").is_file()
}

/// All files of a hand-in together, in bytes.
pub const MOST_BYTES: u64 = 1 << 30;
/// The number of files and folders of a hand-in.
pub const MOST_FILES: u64 = 20_000;

/// Looks over a hand-in before anything of it is read. A problem names the file.
///
/// A link counts as its target, which must be a file or a folder; links to folders are not followed.
pub fn check(path: &Path, stop: &Stop) -> Result<(), Problem> {
    let mut found = Found::default();
    found.look(path, path, stop)
}

#[derive(Debug, Default)]
struct Found {
    files: u64,
    bytes: u64,
}

impl Found {
    fn look(&mut self, path: &Path, whole: &Path, stop: &Stop) -> Result<(), Problem> {
        if stop.is_requested() {
            return Err(Problem::new("interrupted"));
        }
        let name = path.strip_prefix(whole).unwrap_or(path);
        let name = if name.as_os_str().is_empty() {
            whole
        } else {
            name
        }
        .display();
        let unreadable = |error: io::Error| {
            problem!("{name} cannot be read: {error}").help("remove it, or hand in a copy")
        };
        let link = fs::symlink_metadata(path).map_err(unreadable)?;
        let data = fs::metadata(path).map_err(|error| {
            problem!("{name} is a link that leads nowhere: {error}").help("remove it")
        })?;
        self.files += 1;
        if self.files > MOST_FILES {
            return Err(problem!("it has more than {MOST_FILES} files")
                .help("leave out what the bot does not need, such as a virtual environment"));
        }
        if data.is_dir() {
            // Only the hand-in itself may be a link to a folder.
            if link.is_symlink() && path != whole {
                return Ok(());
            }
            for entry in fs::read_dir(path).map_err(unreadable)? {
                let entry = entry.map_err(unreadable)?;
                if !is_left_behind(&entry.path()) {
                    self.look(&entry.path(), whole, stop)?;
                }
            }
            return Ok(());
        }
        if !data.is_file() {
            return Err(problem!("{name} is a pipe or a device, not a file").help("remove it"));
        }
        self.bytes = self.bytes.saturating_add(data.len());
        if self.bytes > MOST_BYTES {
            return Err(problem!(
                "{name} has {}: a hand-in may have {} in all",
                size(data.len()),
                size(MOST_BYTES)
            )
            .help("leave out what the bot does not need"));
        }
        Ok(())
    }
}
