//! Tests of what needs more than Rust and Python, or minutes, run only if a variable asks for them, as `.ci/run` does.
//! Otherwise a note on the real standard error, which the test harness does not capture, says what is not tested. A
//! test that is asked for fails if a program is missing.

use std::collections::BTreeSet;
use std::io::{Write, stderr};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Asks for the tests with programs that a system may have: browsers, compilers, engines of others, clusters.
pub const ALL_TOOLS: &str = "ARENA_ALL_TOOLS";

pub fn is_asked(variable: &str, what: &str) -> bool {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let is_asked = std::env::var_os(variable).is_some();
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if !is_asked && said.insert(what.to_owned()) {
        let _ = writeln!(stderr(), "\nNOT TESTED: {what} ({variable}= asks for it)\n");
    }
    is_asked
}

/// Returns whether tests with this program are left out. Panics if they are asked for and the program is missing.
pub fn is_left_out(program: &str) -> bool {
    match program {
        "python3" => return false,
        "time" => return !is_asked(ALL_TOOLS, "long scripts"),
        _ => {}
    }
    let is_asked = is_asked(ALL_TOOLS, program);
    assert!(
        !is_asked || is_installed(program),
        "{program} is not installed"
    );
    !is_asked
}

/// Returns whether a program is in `PATH` or in `/usr/sbin`, where servers are.
fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    folders.any(|folder| folder.join(program).is_file())
}
