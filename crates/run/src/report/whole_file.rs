//! Replaces whole files, so that a reader or a crash never leaves half a table or page.

use std::fs::Permissions;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::store::StoreError;

#[derive(Debug, thiserror::Error, message::Message)]
pub enum TableError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
}

impl TableError {
    /// Returns whether the error is only that the folder is not writable.
    pub fn is_read_only(&self) -> bool {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
        let TableError::Write { source, .. } = self else {
            return false;
        };
        matches!(source.kind(), PermissionDenied | ReadOnlyFilesystem)
    }
}

/// Replaces a whole file: after a crash, the file has either the old or the new content, complete.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), TableError> {
    Replaced::begin(path)?.whole(bytes)
}

/// Replaces a whole file like [`replace`], but only the owner of the new file can read it.
pub fn replace_own(path: &Path, bytes: &[u8]) -> Result<(), TableError> {
    Replaced::with(path, None)?.whole(bytes)
}

/// A draft, written beside the file that it replaces at the end. Each draft has a unique name, because `arena report`
/// and the end of the run may write the same file at the same time.
#[derive(Debug)]
pub(super) struct Replaced {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl Write for Replaced {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Replaced {
    pub fn begin(path: &Path) -> Result<Replaced, TableError> {
        Replaced::with(path, host::usual_permissions())
    }

    fn with(path: &Path, permissions: Option<Permissions>) -> Result<Replaced, TableError> {
        let begin = || {
            let name = path.file_name().unwrap_or_default();
            let folder = path.parent().unwrap_or(Path::new("."));
            let mut draft = tempfile::Builder::new();
            if let Some(permissions) = permissions {
                draft.permissions(permissions);
            }
            draft.prefix(name).suffix(".draft").tempfile_in(folder)
        };
        let file = begin().map_err(|source| TableError::Write {
            path: path.to_owned(),
            source,
        })?;
        Ok(Replaced {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 16, file),
        })
    }

    fn whole(mut self, bytes: &[u8]) -> Result<(), TableError> {
        let written = self.file.write_all(bytes);
        written.map_err(|source| self.failed(source))?;
        self.end()
    }

    pub fn failed(&self, source: io::Error) -> TableError {
        TableError::Write {
            path: self.path.clone(),
            source,
        }
    }

    pub fn end(self) -> Result<(), TableError> {
        let wrap = |source| TableError::Write {
            path: self.path.clone(),
            source,
        };
        let file = self
            .file
            .into_inner()
            .map_err(|error| wrap(error.into_error()))?;
        file.as_file().sync_all().map_err(wrap)?;
        file.persist(&self.path)
            .map_err(|error| wrap(error.error))?;
        Ok(())
    }
}
