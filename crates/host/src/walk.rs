//! All that is in a folder, in any depth that a path can name.

use std::fs::{self, Metadata, ReadDir};
use std::io;
use std::path::{Path, PathBuf};

/// Walks through a folder: each entry's path from the folder, and its own data. It follows no link, does not
/// recurse, and has one folder open at a time.
#[derive(Debug)]
pub struct Walk {
    folder: PathBuf,
    /// Folders whose entries are still to come, by their paths from `folder`.
    waiting: Vec<PathBuf>,
    open: Option<(PathBuf, ReadDir)>,
    /// Whether the last entry was a folder.
    is_folder: bool,
}

impl Walk {
    /// Begins at `folder`, which is no entry itself.
    pub fn of(folder: &Path) -> Walk {
        Walk {
            folder: folder.to_owned(),
            waiting: vec![PathBuf::new()],
            open: None,
            is_folder: false,
        }
    }

    /// Leaves out the entries of the folder that came last.
    pub fn leave_out(&mut self) {
        if std::mem::take(&mut self.is_folder) {
            self.waiting.pop();
        }
    }

    fn step(&mut self) -> io::Result<Option<(PathBuf, Metadata)>> {
        loop {
            if let Some((inner, entries)) = &mut self.open {
                if let Some(entry) = entries.next() {
                    let entry = entry?;
                    let path = inner.join(entry.file_name());
                    let data = fs::symlink_metadata(entry.path())?;
                    self.is_folder = data.is_dir();
                    if self.is_folder {
                        self.waiting.push(path.clone());
                    }
                    return Ok(Some((path, data)));
                }
                self.open = None;
            }
            let Some(inner) = self.waiting.pop() else {
                return Ok(None);
            };
            let entries = fs::read_dir(self.folder.join(&inner)).map_err(|error| {
                let kind = error.kind();
                io::Error::new(kind, format!("{}: {error}", inner.display()))
            })?;
            self.open = Some((inner, entries));
        }
    }
}

impl Iterator for Walk {
    type Item = io::Result<(PathBuf, Metadata)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}
