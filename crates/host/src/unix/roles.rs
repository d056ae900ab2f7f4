//! The roles for which our program is started again.

use std::process::exit;

use super::{ourselves, reaper, starter};

/// Takes the role that the command line names, and never returns; returns if it names none.
pub fn take_role_if_asked() {
    let mut words = std::env::args_os().skip(1);
    let first = words.next();
    if first.as_ref().is_some_and(|word| word == reaper::WORD) {
        reaper::reap(std::env::args().nth(2).unwrap_or_default());
        exit(0);
    }
    if first.is_some_and(|word| word == starter::WORD) {
        starter::become_program(words);
    }
    ourselves::can_help();
}
