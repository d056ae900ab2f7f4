//! A mark in a bot's environment, by which whatever it has started is found and ended.
//!
//! A process group dies with its bot, but a process may leave the group (`setsid`), and once its
//! parent has ended nothing else says whose it was. Every program that a bot starts inherits its
//! environment, though, and so [`NAME`] in it, which the kernel shows of every process as it was when
//! its program began. Only who starts a program with another environment loses it; what a bot does on
//! purpose to outlive the arena is the business of a sandbox.
//!
//! Looking for it reads something of every process of the machine (some 10 µs each), so it is done
//! when a bot has ended, and never while a clock runs.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Pid, PidfdFlags, RawPid, Signal, pidfd_open, pidfd_send_signal};

/// The variable that a bot is marked with.
pub(super) const NAME: &str = "ARENA_BOT";

/// The arena's part of all its marks.
static ARENA: LazyLock<String> = LazyLock::new(|| {
    let chance = RandomState::new().hash_one(std::process::id());
    format!("{chance:016x}")
});

/// One bot's mark, or the part that those of all bots of an arena begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark(String);

impl Mark {
    /// One that no other bot has.
    pub fn new() -> Mark {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Mark(format!("{}-{number}.", *ARENA))
    }

    /// That of all bots of this arena.
    pub fn of_arena() -> Mark {
        Mark(format!("{}-", *ARENA))
    }

    /// The one that another process of the arena was told.
    pub fn told(text: String) -> Mark {
        Mark(text)
    }

    /// The variable's value.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// How many processes have it.
    pub fn count(&self) -> usize {
        self.bearers().count()
    }

    /// Kills every process that has it, those that are started meanwhile, too.
    pub fn kill_all(&self) {
        let mut killed = BTreeSet::new();
        loop {
            let before = killed.len();
            killed.extend(self.bearers().filter(|&pid| self.kill(pid)));
            if killed.len() == before {
                return;
            }
        }
    }

    fn bearers(&self) -> impl Iterator<Item = RawPid> {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        processes
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(|&pid| self.is_borne_by(pid))
    }

    /// A process that has ended and is not waited for yet has no environment any more.
    fn is_borne_by(&self, pid: RawPid) -> bool {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        is_in(&environment, &self.0)
    }

    /// False where it is gone, or another has its number.
    fn kill(&self, pid: RawPid) -> bool {
        let Some(process) = Pid::from_raw(pid) else {
            return false;
        };
        let Ok(process) = pidfd_open(process, PidfdFlags::empty()) else {
            return false;
        };
        self.is_borne_by(pid) && pidfd_send_signal(process, Signal::KILL).is_ok()
    }
}

/// Whether the environment, as the kernel shows it, holds [`NAME`] with a value that begins so.
fn is_in(environment: &[u8], mark: &str) -> bool {
    environment.split(|&byte| byte == 0).any(|variable| {
        let value = variable.strip_prefix(NAME.as_bytes());
        let value = value.and_then(|rest| rest.strip_prefix(b"="));
        value.is_some_and(|value| value.starts_with(mark.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_has_its_own_mark_and_that_of_its_arena() {
        let (one, other) = (Mark::new(), Mark::new());
        let environment = format!("PATH=/bin\0{NAME}={}\0HOME=/\0", one.text());
        assert!(is_in(environment.as_bytes(), one.text()));
        assert!(is_in(environment.as_bytes(), Mark::of_arena().text()));
        assert!(!is_in(environment.as_bytes(), other.text()));
        let elsewhere = format!("X{NAME}={}\0", one.text());
        assert!(!is_in(elsewhere.as_bytes(), one.text()));
        assert!(!is_in(b"", one.text()));
    }
}
