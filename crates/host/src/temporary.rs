//! Folders for as long as a program needs them.

use std::fs;
use std::io;
use std::mem::take;
use std::path::{Path, PathBuf};

use tempfile::Builder;

use crate::remove_all;

/// A temporary folder that is removed with this value, whatever a program has made of it.
#[derive(Debug)]
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// One whose name begins with `prefix`, in the folder `place`, or where the system has such.
    pub fn new(prefix: &str, place: Option<&Path>) -> io::Result<TemporaryFolder> {
        let mut folder = Builder::new();
        folder.prefix(prefix);
        let folder = match place {
            Some(place) => folder.tempdir_in(place),
            None => folder.tempdir(),
        }?;
        Ok(TemporaryFolder(folder.keep()))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Moves it to `path`, where it stays.
    pub fn keep_as(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.0, path)?;
        take(&mut self.0);
        Ok(())
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            // A destructor can report no error.
            let _ = remove_all(&self.0);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};

    #[test]
    fn folders_deeper_than_a_stack_and_than_any_path_are_gone() {
        let folder = TemporaryFolder::new("arena-test-", None).expect("a folder");
        let path = folder.path().to_owned();
        let open = OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut inner = openat(CWD, &path, open, Mode::empty()).expect("a folder");
        for _ in 0..19_000 {
            mkdirat(&inner, "a", Mode::RWXU).expect("a folder");
            mkdirat(&inner, "b", Mode::RWXU).expect("a folder");
            inner = openat(&inner, "a", open, Mode::empty()).expect("a folder");
        }
        drop(inner);
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn a_link_is_gone_and_its_target_stays() {
        let kept = tempfile::tempdir().expect("a folder");
        fs::write(kept.path().join("file"), "x").expect("a file");
        let folder = TemporaryFolder::new("arena-test-", None).expect("a folder");
        fs::create_dir(folder.path().join("inner")).expect("a folder");
        for link in ["link", "inner/link"] {
            std::os::unix::fs::symlink(kept.path(), folder.path().join(link)).expect("a link");
        }
        let path = folder.path().to_owned();
        drop(folder);
        assert!(!path.exists());
        assert!(kept.path().join("file").exists());
    }

    #[test]
    fn it_is_gone_whatever_is_in_it() {
        let folder = TemporaryFolder::new("arena-test-", None).expect("a folder");
        let path = folder.path().to_owned();
        let inner = path.join("closed/inner");
        fs::create_dir_all(&inner).expect("a folder");
        fs::write(inner.join("file"), "x").expect("a file");
        // Entered and written to, but not listed: root may all the same.
        for mode in [(&inner, 0o300), (&path.join("closed"), 0o300)] {
            fs::set_permissions(mode.0, Permissions::from_mode(mode.1)).expect("our own");
        }
        drop(folder);
        assert!(!path.exists());
    }
}
