//! The box of a program, on Linux.
//!
//! [`Boxed`] is the arena's side: it makes the box's cgroup, its pipes and its folder, and starts our own
//! program once more ([`enter`]), which in a strict box becomes `bwrap` ([`bubblewrap`]). The first process
//! inside is the [`keeper`]: it starts the program, which before it begins gives up most files
//! ([`landlock`]), most system calls ([`calls`]) and what it may use beyond its share ([`limits`]).
//!
//! Why not the crate `hakoniwa`, which does much of this: it makes namespaces itself, in the process that
//! calls it, and so needs a fork of the arena with all its memory for every bot, and it knows neither
//! version 1 of cgroups nor how to stop a box; and bubblewrap is a program that distributions keep safe.

use std::ffi::OsString;

use crate::Sandbox;

use self::runtimes::Runtimes;

mod boxed;
mod bubblewrap;
mod calls;
mod cgroup;
mod descendants;
mod enter;
mod forks;
mod keeper;
mod landlock;
mod limits;
mod look;
mod places;
mod plan;
mod probe;
mod runtimes;
mod user;

pub use boxed::{Boxed, Killer};
pub use cgroup::clear as clear_cgroups;
pub use look::{closed_for, look, open_in};
pub use probe::probe;
pub use runtimes::Answer;

/// Takes the role that this word names, and never returns; returns if it names none of ours.
pub fn take_role(word: &str, words: impl Iterator<Item = OsString>) {
    match word {
        enter::WORD => enter::enter(words),
        keeper::WORD => keeper::keep_in_namespaces(words),
        probe::WORD => probe::try_all(words),
        probe::VICTIM => probe::be_victim(),
        _ => {}
    }
}

/// Asks the runtimes that this sandbox has where they are installed, so that [`Boxed`] knows it.
pub fn ask_runtimes(sandbox: &Sandbox, answer: Answer) {
    Runtimes::ask(sandbox, answer);
}
