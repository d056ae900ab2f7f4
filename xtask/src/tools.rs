//! Tools from the Python Package Index, in their own environment under `target`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Result, root};

/// Installs the tools if necessary, in the versions of `.ci/tools.txt`, and returns the folder of their programs.
pub fn folder() -> Result<PathBuf> {
    run(&mut Command::new(root().join(".ci/tools")))?;
    Ok(root().join("target/tools/bin"))
}

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
