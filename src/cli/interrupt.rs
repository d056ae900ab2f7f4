//! Ctrl-C.

use super::CliError;
use crate::run::{RunError, Stop};

/// A stop request that Ctrl-C triggers. Call it once per process.
pub fn stop_on_ctrl_c() -> Result<Stop, CliError> {
    let stop = Stop::of_process();
    let heard = stop.clone();
    match ctrlc::set_handler(move || heard.request()) {
        Err(ctrlc::Error::System(source)) => {
            Err(RunError::system("the system gave no thread that hears Ctrl-C")(source).into())
        }
        // Where the system knows no such signal, nothing stops a run but its end.
        _ => Ok(stop),
    }
}
