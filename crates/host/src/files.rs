//! What differs between systems about files.

use std::fs::Permissions;
use std::path::Path;

use crate::system;

/// Whether the system takes the file for a program that may be run.
pub fn is_program(path: &Path) -> bool {
    path.is_file() && system::may_run(path)
}

/// What a new file may be used for where nothing special is said: read by all whom the user's
/// settings allow. `None`: such are the permissions of every file anyway.
pub fn usual_permissions() -> Option<Permissions> {
    system::usual_permissions()
}
