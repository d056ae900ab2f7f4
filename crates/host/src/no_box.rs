//! Systems on which no box can be made for a bot yet.

use crate::{Lack, Look};

/// What is missing.
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
