//! The sandbox of a program, or box for short.
//!
//! A [`Program`] with a [`Sandbox`] sees only its own files and those of its runtime, has a temporary folder that is
//! removed with it, and can reach no other process. The implementation is in `unix/linux/sandbox`; other systems have
//! no sandbox yet. [`look`] finds out what a machine supports, and [`probe`] what a program in a sandbox can do.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use message::Message;

use crate::{Program, StartError, system};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// The program sees the names of other files and processes, but can open, reach and disturb only its own.
    Standard,
    /// The program has its own processes, files and network, and does not see any others.
    Strict,
}

impl Tier {
    pub const ALL: [Tier; 2] = [Tier::Strict, Tier::Standard];

    pub const fn word(self) -> &'static str {
        match self {
            Tier::Strict => "strict",
            Tier::Standard => "standard",
        }
    }

    pub fn from_word(word: &str) -> Option<Tier> {
        Tier::ALL.into_iter().find(|tier| tier.word() == word)
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The author of a program. If the machine runs out of memory, the kernel ends programs of strangers first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    Stranger,
    /// A built-in bot or a test player.
    Own,
}

/// The rights and limits of a program in a box. Everything else is forbidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    pub tier: Tier,
    /// Files and folders that the program may read and execute, besides those of the system.
    pub readable: Vec<PathBuf>,
    /// Whether the program sees the runtimes outside the system's folders and, if it builds a bot, the compilers there.
    pub runtimes: bool,
    /// Further programs that it sees, with the files that they need: names in the `PATH`, or absolute paths. Only the
    /// user of the arena may name them, never the author of a bot.
    pub programs: Vec<PathBuf>,
    pub writable: Vec<PathBuf>,
    /// Files and folders that the program must not see although they are inside readable or writable ones.
    pub hidden: Vec<PathBuf>,
    pub network: bool,
    /// Whether it may change the permissions of its files, as compilers do.
    pub builds: bool,
    pub trust: Trust,
    /// The limit of the memory of all its processes, in MiB; `None`: no limit.
    pub memory_mib: Option<u64>,
    /// The limit of its processes and threads at a time; `None`: no limit.
    pub processes: Option<u64>,
    /// The limit of its temporary files, in MiB; `None`: no limit. Some systems can only limit each file.
    pub disk_mib: Option<u64>,
}

impl Sandbox {
    /// Returns a box without limits that can read only the files of the system and the runtimes.
    pub fn new(tier: Tier) -> Sandbox {
        Sandbox {
            tier,
            readable: Vec::new(),
            runtimes: true,
            programs: Vec::new(),
            writable: Vec::new(),
            hidden: Vec::new(),
            network: false,
            builds: false,
            trust: Trust::Stranger,
            memory_mib: None,
            processes: None,
            disk_mib: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// A process of the box was killed because of its memory, or was refused memory.
    Memory { limit_mib: u64, peak_mib: u64 },
    /// The kernel killed a process because the machine, or a control group around the box, had no memory left. The box
    /// itself was within its limit.
    MemoryOfMachine,
    /// A new process or thread was refused.
    Processes { limit: u64 },
    /// The box was killed, because a process had not stopped when the arena had `waited` for it. `of_machine`: the process
    /// was ready, but the box ran for less than half of that time, because other programs had the core.
    Unstopped { waited: Duration, of_machine: bool },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Why [`Tier::Strict`] is not available; `None`: it is.
    pub no_strict: Option<Lack>,
    pub no_standard: Option<Lack>,
    /// Whether the kernel prevents programs of the standard tier from sending signals to other programs.
    pub keeps_signals: bool,
    /// Names of the resources that the system limits and counts for the box as a whole.
    pub counted: Vec<&'static str>,
    /// Why the system does not limit and count some resources for the box as a whole.
    pub not_counted: Option<Lack>,
    /// Names of the mechanisms by which a box is made.
    pub made_of: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    pub what: Message,
    pub fix: Message,
}

impl Look {
    pub fn best(&self) -> Option<Tier> {
        Tier::ALL
            .into_iter()
            .find(|&tier| self.lack(tier).is_none())
    }

    pub fn lack(&self, tier: Tier) -> Option<&Lack> {
        match tier {
            Tier::Strict => self.no_strict.as_ref(),
            Tier::Standard => self.no_standard.as_ref(),
        }
    }
}

/// The files that programs in a sandbox can read, besides those of the system and their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Open {
    pub readable: Vec<PathBuf>,
    /// The first readable file or folder that other users cannot read. Set only if sandboxes have their own users: a
    /// program that needs it must run as the arena's user.
    pub closed: Option<PathBuf>,
}

/// Returns the files that programs in this sandbox can read. Runs the runtimes to ask them which files they need.
pub fn open_in(sandbox: &Sandbox) -> Open {
    system::open_in(sandbox)
}

/// Returns a file or folder because of which the program must run as the arena's user; `None` if there is none, or if
/// sandboxes do not have their own users.
pub fn closed_for(program: &Program) -> Option<PathBuf> {
    system::closed_for(program)
}

/// Returns the memory, in MiB, that this program and its children can still use; `None`: unknown.
pub fn free_memory_mib() -> Option<u64> {
    system::free_memory_mib()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Held,
    Open,
    NotTried,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    pub what: &'static str,
    pub outcome: Outcome,
}

/// Tries, in a program of this tier, actions by which a bot could cheat or do harm. Takes some seconds. Fails if no
/// such sandbox can be made.
pub fn probe(tier: Tier) -> Result<Vec<Probed>, StartError> {
    system::probe(tier)
}

/// Finds out by trial which sandboxes this machine supports. Takes some 10 ms and leaves nothing behind.
pub fn look() -> Look {
    system::look()
}

#[cfg(not(target_os = "linux"))]
pub(crate) mod none {
    use super::{Lack, Look, Open, PathBuf, Probed, Program, Sandbox, StartError, Tier};

    pub const NOT_YET: &str = "sandboxes are not supported on this system yet";

    pub fn look() -> Look {
        let lack = Lack {
            what: NOT_YET.into(),
            fix: "use Linux".into(),
        };
        Look {
            no_strict: Some(lack.clone()),
            no_standard: Some(lack.clone()),
            keeps_signals: false,
            counted: Vec::new(),
            not_counted: Some(lack),
            made_of: Vec::new(),
        }
    }

    pub fn open_in(_: &Sandbox) -> Open {
        Open::default()
    }

    pub fn closed_for(_: &Program) -> Option<PathBuf> {
        None
    }

    pub fn free_memory_mib() -> Option<u64> {
        None
    }

    pub fn probe(_: Tier) -> Result<Vec<Probed>, StartError> {
        Err(StartError::NotSupported)
    }

    pub fn ask_runtimes(_: &Sandbox, _: fn(&Program) -> Option<String>) {}
}
