//! Kills the processes that our children leave behind, even after this program is killed. Finds them by a tag.
//!
//! A process may leave its process group, and once its parent has ended nothing else shows its origin. But every
//! program inherits the environment of the process that starts it, and with it the [`Tag`]. The system shows the
//! environment of a process as it was when its program began. A program loses the tag only if it is started with
//! another environment; the sandbox handles programs that escape on purpose.
//!
//! Looking for the tag reads data of every process of the machine (10 µs each), so it never happens while a clock runs.
//!
//! If this program is killed (`kill -9`, out of memory), its children die too, since each has asked the system for
//! that, but their descendants live on. So before the first child we start the reaper: our own program, in its own
//! process group so that Ctrl-C does not reach it. The reaper waits for the end of a pipe whose other end only we hold.
//! If the system cannot end processes with their parent, we report the start and end of each process to the reaper.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use rustix::process::{Pid, RawPid, Signal};

use super::kernel::{ENDS_WITH_PARENT, kill_tagged, own_program, sandbox};
use super::starter;

pub const TAG_VARIABLE: &str = "ARENA_BOT";

static OURS: LazyLock<String> = LazyLock::new(|| {
    let chance = RandomState::new().hash_one(std::process::id());
    format!("{chance:016x}")
});

/// The tag of one process, or the common prefix of the tags of all processes that this program started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag(String);

impl Tag {
    /// Makes a tag that no other process has, and that does not reveal how many were made before.
    pub fn new() -> Tag {
        Tag(format!(
            "{}-{:016x}.",
            *OURS,
            RandomState::new().hash_one(0)
        ))
    }

    pub fn of_all() -> Tag {
        Tag(format!("{}-", *OURS))
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns whether an environment (`NAME=value`, separated by zero bytes) has this tag.
    pub fn is_in(&self, environment: &[u8]) -> bool {
        environment.split(|&byte| byte == 0).any(|variable| {
            let value = variable.strip_prefix(TAG_VARIABLE.as_bytes());
            let value = value.and_then(|rest| rest.strip_prefix(b"="));
            value.is_some_and(|value| value.starts_with(self.0.as_bytes()))
        })
    }
}

pub const WORD: &str = "__reap";

/// The reaper with our end of the pipe. If it cannot be started, other processes start anyway.
static REAPER: LazyLock<Option<Child>> = LazyLock::new(|| {
    let mut command = Command::new(own_program());
    command
        .args([WORD, Tag::of_all().text()])
        .arg(std::env::temp_dir())
        .arg(std::process::id().to_string())
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    command.spawn().ok()
});

pub fn engage() {
    LazyLock::force(&REAPER);
}

pub fn begun(leader: Pid) {
    report(leader.as_raw_pid());
}

/// Reports to the reaper that we have waited for the leader, whose number may be reused now.
pub fn ended(leader: Pid) {
    report(-leader.as_raw_pid());
}

fn report(number: RawPid) {
    if ENDS_WITH_PARENT || !starter::takes_roles() {
        return;
    }
    let input = REAPER.as_ref().and_then(|reaper| reaper.stdin.as_ref());
    if let Some(mut input) = input {
        // A single write, so that numbers from two threads do not mix. It fails if the reaper has ended.
        let _ = input.write_all(&number.to_ne_bytes());
    }
}

/// Reads reports until the pipe ends, and returns the groups whose end was not reported.
fn still_there(mut reports: impl Read) -> impl Iterator<Item = Pid> {
    let mut there = BTreeSet::new();
    let mut number = [0; size_of::<RawPid>()];
    while reports.read_exact(&mut number).is_ok() {
        match RawPid::from_ne_bytes(number) {
            begun @ 1.. => there.insert(begun),
            ended => there.remove(&-ended),
        };
    }
    there.into_iter().filter_map(Pid::from_raw)
}

pub fn folder_prefix(tag: &Tag) -> String {
    format!("arena-box-{}", tag.text())
}

/// Waits for the end of the process `arena`. Then kills processes with the tag, and removes folders of sandboxes.
pub fn reap(tag: String, temporary: &Path, arena: &str) {
    for leader in still_there(std::io::stdin().lock()) {
        starter::signal(leader, Signal::KILL);
    }
    let tag = Tag(tag);
    kill_tagged(&tag);
    if let Ok(arena) = arena.parse() {
        sandbox::clear_cgroups(arena);
    }
    let prefix = folder_prefix(&tag);
    for place in [temporary, Path::new("/dev/shm")] {
        for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
            if entry
                .file_name()
                .as_encoded_bytes()
                .starts_with(prefix.as_bytes())
            {
                // Fails if the sandbox's supervisor is still stopping processes; it then removes the folder.
                let _ = crate::remove_all(&entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_its_own_tag_and_that_of_its_program() {
        let (one, other) = (Tag::new(), Tag::new());
        let environment = format!("PATH=/bin\0{TAG_VARIABLE}={}\0HOME=/\0", one.text());
        assert!(one.is_in(environment.as_bytes()));
        assert!(Tag::of_all().is_in(environment.as_bytes()));
        assert!(!other.is_in(environment.as_bytes()));
        let elsewhere = format!("X{TAG_VARIABLE}={}\0", one.text());
        assert!(!one.is_in(elsewhere.as_bytes()));
        assert!(!one.is_in(b""));
    }

    #[test]
    fn groups_that_began_and_did_not_end_are_still_there() {
        let reports = [7, 8, -7, 9, 7, -9].map(RawPid::to_ne_bytes).concat();
        // As if the arena was killed during a write.
        let torn = [&reports[..], &[1, 0]].concat();
        let numbers = still_there(&torn[..]).map(Pid::as_raw_pid);
        assert_eq!(numbers.collect::<Vec<_>>(), [7, 8]);
        assert_eq!(still_there(&[][..]).count(), 0);
    }
}
