//! The sandbox of a program, what this machine can do to hold it, and what a program in it can do.
//!
//! A [`Program`] with a [`Sandbox`] is started in a box: it sees its own files and those of its runtime, has a folder for
//! temporary files that is removed with it, and can reach no other process. The system's own part is in
//! `unix/linux/sandbox`; elsewhere there is no box yet. [`look`] finds out how much of it a machine can do.

use std::fmt;
use std::path::PathBuf;

use message::Message;

use crate::{Program, StartError, system};

/// How well a box is closed. A later tier closes more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// The program sees the machine's names, but may open, reach and disturb only what is its own.
    Standard,
    /// The program sees nothing else at all: it has its own processes, files and network.
    Strict,
}

impl Tier {
    /// All tiers, best first.
    pub const ALL: [Tier; 2] = [Tier::Strict, Tier::Standard];

    /// Returns its name on the command line and in files.
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

/// The rights and limits of a program in a box. Everything that is not allowed here is forbidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    pub tier: Tier,
    /// Files and folders that it may read and run, beside those of the system.
    pub readable: Vec<PathBuf>,
    /// Whether it sees the runtimes that are installed outside the system's folders, and to build with also the
    /// compilers.
    pub runtimes: bool,
    /// Programs that it also sees, with the files that they need where they are runtimes: names that are looked up in
    /// the `PATH`, or absolute paths. Only programs that the user named, never those of a stranger.
    pub programs: Vec<PathBuf>,
    /// Files and folders that it may also change.
    pub writable: Vec<PathBuf>,
    /// Files and folders inside those that it must not see.
    pub hidden: Vec<PathBuf>,
    /// Whether it has the machine's network.
    pub network: bool,
    /// Whether it may change the permissions of its files, as compilers do.
    pub builds: bool,
    /// All memory of its processes, in MiB; `None`: no limit.
    pub memory_mib: Option<u64>,
    /// Its processes and threads at a time; `None`: no limit.
    pub processes: Option<u64>,
    /// Its temporary files, in MiB; `None`: no limit. Where the system can only limit each file, this
    /// is the limit of each.
    pub disk_mib: Option<u64>,
}

impl Sandbox {
    /// Returns a box without limits that can read only the system's programs.
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
            memory_mib: None,
            processes: None,
            disk_mib: None,
        }
    }
}

/// A limit that a box has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// A process of the box was killed, or got no memory.
    Memory {
        limit_mib: u64,
        /// The most memory that the box had at a time.
        peak_mib: u64,
    },
    /// A process or a thread was refused.
    Processes { limit: u64 },
}

/// The abilities of this machine that sandboxes are built on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Why [`Tier::Strict`] is not available; `None`: it is.
    pub no_strict: Option<Lack>,
    /// Why [`Tier::Standard`] is not available; `None`: it is.
    pub no_standard: Option<Lack>,
    /// Whether the kernel keeps programs of the standard tier from sending signals to others.
    pub keeps_signals: bool,
    /// What is limited and counted for the box as a whole, in words; empty if nothing is.
    pub counted: Vec<&'static str>,
    /// Why the box is not limited and counted as a whole in every way.
    pub not_counted: Option<Lack>,
    /// The mechanisms of a box, in words.
    pub made_of: Vec<String>,
}

/// Something that a machine lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// The missing mechanisms.
    pub what: Message,
    /// How to get them.
    pub fix: Message,
}

impl Look {
    /// Returns the best tier that is available.
    pub fn best(&self) -> Option<Tier> {
        Tier::ALL
            .into_iter()
            .find(|&tier| self.lack(tier).is_none())
    }

    /// Returns why this tier is not available.
    pub fn lack(&self, tier: Tier) -> Option<&Lack> {
        match tier {
            Tier::Strict => self.no_strict.as_ref(),
            Tier::Standard => self.no_standard.as_ref(),
        }
    }
}

/// The files that programs in a sandbox can read beside the system's and their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// Files and folders of the runtimes that are installed outside the system's folders.
    pub readable: Vec<PathBuf>,
    /// The first of these that only the arena's user can read, where the arena gives each sandbox a user of its own:
    /// programs that need it run as the arena's user.
    pub closed: Option<PathBuf>,
}

/// Asks the runtimes which files they need.
pub fn open_in(sandbox: &Sandbox) -> Open {
    system::open_in(sandbox)
}

/// Returns the file or folder for which this program runs as the arena's user, although sandboxes get a user of their
/// own here.
pub fn closed_for(program: &Program) -> Option<PathBuf> {
    system::closed_for(program)
}

/// Whether a program in a sandbox can do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It tried, and failed.
    Held,
    /// It tried, and succeeded.
    Open,
    /// Not tried on this machine.
    NotTried,
}

/// Something that a program could try, and the outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    pub what: &'static str,
    pub outcome: Outcome,
}

/// Starts a program in this tier that tries what a bot could try. It takes some seconds.
///
/// # Errors
/// If no sandbox of this tier can be made here.
pub fn probe(tier: Tier) -> Result<Vec<Probed>, StartError> {
    system::probe(tier)
}

/// Tries out what this machine can do. It takes some 10 ms and leaves nothing behind.
pub fn look() -> Look {
    system::look()
}

/// The system's part where no box can be made yet.
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

    pub fn probe(_: Tier) -> Result<Vec<Probed>, StartError> {
        Err(StartError::NotSupported)
    }

    pub fn ask_runtimes(_: &Sandbox, _: fn(&Program) -> Option<String>) {}
}
