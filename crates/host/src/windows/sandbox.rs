//! Boxes for bots: none yet.

use crate::{Lack, Look};

/// No box can be made here yet.
pub fn look() -> Look {
    let lack = Lack {
        what: "sandboxes are not supported on this system yet".to_owned(),
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
