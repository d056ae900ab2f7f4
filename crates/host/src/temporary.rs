//! Folders for as long as a program needs them.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::{Builder, TempDir};

/// A temporary folder that is removed with this value, whatever a program has made of it: folders that
/// it may not list itself, or thousands in each other.
#[derive(Debug)]
pub struct TemporaryFolder(TempDir);

impl TemporaryFolder {
    /// One whose name begins with `prefix`, in the folder `place`, or where the system has such.
    pub fn new(prefix: &str, place: Option<&Path>) -> io::Result<TemporaryFolder> {
        let mut folder = Builder::new();
        folder.prefix(prefix);
        match place {
            Some(place) => folder.tempdir_in(place),
            None => folder.tempdir(),
        }
        .map(TemporaryFolder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let path = self.0.path();
        if fs::remove_dir_all(path).is_ok() || !path.exists() {
            return;
        }
        // These go as deep as folders can, with few files open.
        for words in [&["chmod", "-R", "u+rwX", "--"][..], &["rm", "-rf", "--"]] {
            let mut command = Command::new(words[0]);
            command.args(&words[1..]).arg(path);
            let _ = command.stdin(Stdio::null()).stderr(Stdio::null()).status();
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

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
