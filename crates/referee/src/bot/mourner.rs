//! A process that outlives the arena for a moment, to end what its bots leave behind.
//!
//! The arena cannot clean up when it is killed at once (`kill -9`, no memory). Its bots die with it,
//! as each has asked the system for that, but not what they have started. So the first bot of an arena
//! is preceded by this process: the arena started once more, in a process group of its own so that
//! Ctrl-C does not reach it. It waits for the end of a pipe whose other end is the arena's alone.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use super::mark::Mark;

/// First argument of the arena where it is to mourn another.
pub(super) const WORD: &str = "__mourn";

/// Held for as long as the arena lives, and with it our end of the pipe. Where there is no process
/// for it, bots are played all the same.
static MOURNER: LazyLock<Option<Child>> = LazyLock::new(|| {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(super::helper::OURSELVES);
    command
        .args([WORD, Mark::of_arena().text()])
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    command.spawn().ok()
});

/// Sees to it that somebody mourns this arena.
pub(super) fn engage() {
    LazyLock::force(&MOURNER);
}

/// Waits for the end of the arena and ends what bears the mark of its bots.
pub(super) fn mourn(mark: String) {
    let mut nothing = [0];
    // Nothing is ever written: the first read ends when the arena does.
    let _ = std::io::stdin().read(&mut nothing);
    Mark::told(mark).kill_all();
}
