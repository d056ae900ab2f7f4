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

mod boxed;
mod bubblewrap;
mod calls;
mod cgroup;
mod descendants;
mod enter;
mod keeper;
mod landlock;
mod limits;
mod look;
mod places;
mod plan;

pub use boxed::{Boxed, Killer};
pub use cgroup::clear as clear_cgroups;
pub use enter::{WORD as ENTER, enter};
pub use keeper::{WORD as KEEP, keep_in_namespaces as keep};
pub use look::look;
