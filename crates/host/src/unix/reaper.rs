//! A process that lives a moment longer than we do, to end what our processes leave behind.
//!
//! We cannot clean up when we are killed at once (`kill -9`, no memory). Our processes die with us, as
//! each has asked the system for that, but not what they have started. So our first process is
//! preceded by this one: our program started once more, in a process group of its own so that Ctrl-C
//! does not reach it. It waits for the end of a pipe whose other end is ours alone. Where processes cannot ask
//! to die with us, it is told of each that begins or ends, and ends the others.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use rustix::process::{Pid, RawPid, Signal};

use super::kernel::{ENDS_WITH_PARENT, kill_tagged, sandbox};
use super::tag::Tag;
use super::{ourselves, starter};

/// First argument of our program where it is to be the reaper.
pub const WORD: &str = "__reap";

/// Held for as long as we live, and with it our end of the pipe. Where there is no process for it,
/// others are started all the same.
static REAPER: LazyLock<Option<Child>> = LazyLock::new(|| {
    let mut command = Command::new(ourselves::program());
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

/// A process, which leads a group, has begun.
pub fn begun(leader: Pid) {
    tell(leader.as_raw_pid());
}

/// It has been waited for.
pub fn ended(leader: Pid) {
    tell(-leader.as_raw_pid());
}

fn tell(number: RawPid) {
    if ENDS_WITH_PARENT || !ourselves::helps() {
        return;
    }
    let input = REAPER.as_ref().and_then(|reaper| reaper.stdin.as_ref());
    if let Some(mut input) = input {
        // One write, so that numbers of two threads do not mix. Where the reaper is gone, nobody listens.
        let _ = input.write_all(&number.to_ne_bytes());
    }
}

/// The groups of which only the beginning was told when the pipe ends.
fn still_there(mut told: impl Read) -> impl Iterator<Item = Pid> {
    let mut there = BTreeSet::new();
    let mut number = [0; size_of::<RawPid>()];
    while told.read_exact(&mut number).is_ok() {
        match RawPid::from_ne_bytes(number) {
            begun @ 1.. => there.insert(begun),
            ended => there.remove(&-ended),
        };
    }
    there.into_iter().filter_map(Pid::from_raw)
}

/// Waits for the end of who started this process, whose number is told, and ends what has the tag of its
/// processes.
pub fn reap(tag: String, arena: &str) {
    // Where nothing is ever written, the first read ends when the other end does.
    for leader in still_there(std::io::stdin().lock()) {
        starter::signal(leader, Signal::KILL);
    }
    kill_tagged(&Tag::told(tag));
    if let Ok(arena) = arena.parse() {
        sandbox::clear_cgroups(arena);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_began_and_did_not_end_is_still_there() {
        let told = [7, 8, -7, 9, 7, -9].map(RawPid::to_ne_bytes).concat();
        // The arena was killed within a write.
        let torn = [&told[..], &[1, 0]].concat();
        let numbers = still_there(&torn[..]).map(Pid::as_raw_pid);
        assert_eq!(numbers.collect::<Vec<_>>(), [7, 8]);
        assert_eq!(still_there(&[][..]).count(), 0);
    }
}
