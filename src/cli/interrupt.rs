//! Ctrl-C.

use super::CliError;
use run::{RunError, Stop};

/// A stop request that Ctrl-C triggers. Call it once per process.
pub fn stop_on_ctrl_c() -> Result<Stop, CliError> {
    let stop = Stop::of_process();
    let heard = stop.clone();
    host::on_interrupt(move || heard.request()).map_err(RunError::system(
        "the system gave no thread that hears Ctrl-C",
    ))?;
    Ok(stop)
}
