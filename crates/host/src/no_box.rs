//! Systems on which no box can be made for a bot yet.

use std::path::PathBuf;

use crate::{Lack, Look, Open, Probed, Program, Sandbox, StartError, Tier};

/// The missing mechanisms.
pub const NOT_YET: &str = "sandboxes are not supported on this system yet";

/// No box can be made here yet.
pub fn look() -> Look {
    let lack = Lack {
        what: NOT_YET.to_owned(),
        fix: "use Linux".to_owned(),
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

/// Nothing is open where no box can be made.
pub fn open_in(_: &Sandbox) -> Open {
    Open::default()
}

/// No program gets another user.
pub fn closed_for(_: &Program) -> Option<PathBuf> {
    None
}

/// Nothing can be tried.
pub fn probe(_: Tier) -> Result<Vec<Probed>, StartError> {
    Err(StartError::NotSupported)
}

/// No runtime is asked where no program is in a box.
pub fn ask_runtimes(_: &Sandbox, _: fn(&Program) -> Option<String>) {}
