//! The roles for which our program is started again.

use std::process::exit;

use super::kernel::sandbox;
use super::{ourselves, reaper, starter};

/// First argument of our program where it is to end at once.
pub const NOTHING: &str = "__nothing";

/// Takes the role that the command line names, and never returns; returns if it names none.
pub fn take_role_if_asked() {
    take_back_sigchld();
    let mut words = std::env::args_os().skip(1);
    let first = words.next();
    if first.as_ref().is_some_and(|word| word == reaper::WORD) {
        let told = |number| std::env::args().nth(number).unwrap_or_default();
        reaper::reap(told(2), &told(3));
        exit(0);
    }
    let Some(first) = first.as_deref().and_then(std::ffi::OsStr::to_str) else {
        return ourselves::can_help();
    };
    match first {
        starter::WORD => starter::become_program(words),
        NOTHING => exit(0),
        word => sandbox::take_role(word, words),
    }
    ourselves::can_help();
}

/// Some supervisors ignore this signal, and what they start inherits that: no exit status is kept then, neither for
/// us nor for a bot that has children.
fn take_back_sigchld() {
    #[expect(unsafe_code, reason = "no library has this call for each Unix")]
    // SAFETY: no handler is replaced, since nothing else has run yet.
    unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
    }
}
