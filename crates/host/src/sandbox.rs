//! What a program in a box may do, and what this machine can do to hold it there.
//!
//! A [`Program`](crate::Program) with a [`Sandbox`] is started in a box: it sees its own files and those
//! of its runtime, has a folder for temporary files that ends with it, and can reach no other process.
//! How that is done is the system's business; [`look`](crate::look) says how much of it a machine can do.

use std::fmt;
use std::path::PathBuf;

/// How well a box is closed. A later one closes more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// The program sees the machine's names, but may open, reach and disturb only what is its own.
    Standard,
    /// It sees nothing else at all: it has its own processes, files and network.
    Strict,
}

impl Tier {
    /// All, the best first.
    pub const ALL: [Tier; 2] = [Tier::Strict, Tier::Standard];

    /// Its name on the command line and in files.
    pub const fn word(self) -> &'static str {
        match self {
            Tier::Strict => "strict",
            Tier::Standard => "standard",
        }
    }

    /// The tier with this name.
    pub fn from_word(word: &str) -> Option<Tier> {
        Tier::ALL.into_iter().find(|tier| tier.word() == word)
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The box of a program. What is not allowed here is forbidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    /// How well it is closed.
    pub tier: Tier,
    /// Files and folders that it may read and run, beside those of the system.
    pub readable: Vec<PathBuf>,
    /// Whether it sees the runtimes that are installed outside the system's folders, and to build with also the
    /// compilers.
    pub runtimes: bool,
    /// Programs that it also sees, with what they need where they are runtimes: names that are looked up in the
    /// `PATH`, or absolute paths. Only what the user named, never what a stranger did.
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
    /// A box in which nothing but the system's programs can be read, without limits.
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

/// A limit that a box has run into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// A process of it was ended, or got no memory.
    Memory {
        /// The limit in MiB.
        limit_mib: u64,
        /// The most that it had at a time, in MiB.
        peak_mib: u64,
    },
    /// A process or a thread was refused.
    Processes {
        /// The limit.
        limit: u64,
    },
}
