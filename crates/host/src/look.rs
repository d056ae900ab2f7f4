//! What this machine can do to hold a program in a sandbox, and what a program in one can do.

use std::path::PathBuf;

use crate::{Program, Sandbox, StartError, Tier, system};

/// The abilities of this machine that sandboxes are built on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Why not [`Tier::Strict`]; `None`: it can be had.
    pub no_strict: Option<Lack>,
    /// Why not [`Tier::Standard`]; `None`: it can be had.
    pub no_standard: Option<Lack>,
    /// Whether programs of the lower tier are kept from sending signals to others by the kernel.
    pub keeps_signals: bool,
    /// The mechanism that limits and counts the box as a whole, in words; empty if there is none.
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

/// The files that programs in a sandbox can read beside the system's and their own, and the users that they run as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// Files and folders of the runtimes that are installed outside the system's folders.
    pub readable: Vec<PathBuf>,
    /// Of these the first that only the arena's user can read, where the arena gives each sandbox a user of its own:
    /// programs that need it stay the arena's user.
    pub closed: Option<PathBuf>,
}

/// Asks the runtimes what they need.
pub fn open_in(sandbox: &Sandbox) -> Open {
    system::open_in(sandbox)
}

/// The file or folder for which this program stays the arena's user, although sandboxes get a user of their own here.
pub fn closed_for(program: &Program) -> Option<PathBuf> {
    system::closed_for(program)
}

/// Whether a program in a sandbox can do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It tried, and could not.
    Held,
    /// It could.
    Open,
    /// It was not tried on this machine.
    NotTried,
}

/// Something that a program could try, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// Its description, in words.
    pub what: &'static str,
    /// Its outcome.
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
