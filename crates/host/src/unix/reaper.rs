//! A process that lives a moment longer than we do, to end what our processes leave behind.
//!
//! We cannot clean up when we are killed at once (`kill -9`, no memory). Our processes die with us, as
//! each has asked the system for that, but not what they have started. So our first process is
//! preceded by this one: our program started once more, in a process group of its own so that Ctrl-C
//! does not reach it. It waits for the end of a pipe whose other end is ours alone.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use super::linux::{kill_tagged, sandbox};
use super::ourselves::OURSELVES;
use super::tag::Tag;

/// First argument of our program where it is to be the reaper.
pub const WORD: &str = "__reap";

/// Held for as long as we live, and with it our end of the pipe. Where there is no process for it,
/// others are started all the same.
static REAPER: LazyLock<Option<Child>> = LazyLock::new(|| {
    let mut command = Command::new(OURSELVES);
    command
        .args([WORD, Tag::of_all().text(), &std::process::id().to_string()])
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    command.spawn().ok()
});

/// Sees to it that there is one.
pub fn engage() {
    LazyLock::force(&REAPER);
}

/// Waits for the end of who started this process, whose number is told, and ends what has the tag of its
/// processes.
pub fn reap(tag: String, arena: &str) {
    let mut nothing = [0];
    // Nothing is ever written: the first read ends when the other end does.
    let _ = std::io::stdin().read(&mut nothing);
    kill_tagged(&Tag::told(tag));
    if let Ok(arena) = arena.parse() {
        sandbox::clear_cgroups(arena);
    }
}
