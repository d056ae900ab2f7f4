//! Builds programs for other systems in `target/cross`. `.ci/run` builds them earlier, beside other tests.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds for this target and returns the folder; `None` if Rust's library for the target is not installed.
pub fn build(target: &str, words: &[&str], environment: &[(&str, &Path)]) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // With a folder of its own, cargo can build at the same time as the tests.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()?
        .join("cross");
    let output = Command::new(env!("CARGO"))
        .args(words)
        .args(["--locked", "--profile", "cross", "--target", target])
        .arg("--target-dir")
        .arg(&folder)
        .env("CARGO_INCREMENTAL", "0")
        .envs(environment.iter().copied())
        .current_dir(root)
        .output()
        .expect("cargo");
    let printed = String::from_utf8_lossy(&output.stderr);
    if printed.contains("can't find crate for `core`") {
        return None;
    }
    let heard = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{heard}{printed}");
    Some(folder.join(target).join("cross"))
}
