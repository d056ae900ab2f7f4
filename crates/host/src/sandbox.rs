//! What a program in a box may do, and what this machine can do to hold it there.
//!
//! A [`Program`](crate::Program) with a [`Sandbox`] is started in a box: it sees its own files and those
//! of its runtime, has a folder for temporary files that ends with it, and can reach no other process.
//! How that is done is the system's business; how much of it a machine can do is told by [`look`].

use std::fmt;
use std::path::PathBuf;

use crate::system;

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

/// What this machine can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Why not [`Tier::Strict`]; `None`: it can be had.
    pub no_strict: Option<Lack>,
    /// Why not [`Tier::Standard`]; `None`: it can be had.
    pub no_standard: Option<Lack>,
    /// Whether programs of the lower tier are kept from sending signals to others by the kernel.
    pub keeps_signals: bool,
    /// What limits and counts the box as a whole, in words; empty where nothing does.
    pub counted: Vec<&'static str>,
    /// Why the box is not limited and counted as a whole in every way.
    pub not_counted: Option<Lack>,
    /// What the boxes are made of, in words.
    pub made_of: Vec<String>,
}

/// Something that a machine lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// What is missing.
    pub what: String,
    /// How to get it.
    pub fix: String,
}

impl Look {
    /// The best tier that this machine can hold.
    pub fn best(&self) -> Option<Tier> {
        Tier::ALL
            .into_iter()
            .find(|&tier| self.lack(tier).is_none())
    }

    /// Why this tier cannot be had.
    pub fn lack(&self, tier: Tier) -> Option<&Lack> {
        match tier {
            Tier::Strict => self.no_strict.as_ref(),
            Tier::Standard => self.no_standard.as_ref(),
        }
    }
}

/// Tries out what this machine can do. It takes some 10 ms and leaves nothing behind.
pub fn look() -> Look {
    system::look()
}
