//! The roles of our own program when we start it again.

use std::ffi::OsStr;
use std::path::Path;
use std::process::exit;

use super::kernel::sandbox;
use super::{reaper, starter};

pub fn take_role_if_asked() {
    take_back_sigchld();
    let mut words = std::env::args_os().skip(1);
    let first = words.next();
    if first.as_ref().is_some_and(|word| word == reaper::WORD) {
        let word = |number| std::env::args().nth(number).unwrap_or_default();
        let temporary = std::env::args_os().nth(3).unwrap_or_default();
        reaper::reap(word(2), Path::new(&temporary), &word(4));
        exit(0);
    }
    let Some(first) = first.as_deref().and_then(OsStr::to_str) else {
        return starter::allow_roles();
    };
    match first {
        starter::BECOME => starter::become_program(words),
        starter::NOTHING => exit(0),
        word => sandbox::take_role(word, words),
    }
    starter::allow_roles();
}

/// Restores the default handling of SIGCHLD: if the parent process ignores it, the system keeps no exit status.
fn take_back_sigchld() {
    #[expect(unsafe_code, reason = "no library has this call for each Unix")]
    // SAFETY: replaces no handler, since nothing else has run yet.
    unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
    }
}
