//! Tools of the Python Package Index, in an environment of their own under `target`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Result, root};

/// The folder with their programs, which are installed if they are not there in the versions of
/// `.ci/tools.txt`: others may build other bytes.
pub fn folder() -> Result<PathBuf> {
    run(&mut Command::new(root().join(".ci/tools")))?;
    Ok(root().join("target/tools/bin"))
}

/// Runs a command, which is to succeed.
pub fn run(command: &mut Command) -> Result<()> {
    let name = Path::new(command.get_program()).display().to_string();
    let status = command.status();
    let status = status.map_err(|error| format!("{name}: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{name}: {status}").into())
    }
}
