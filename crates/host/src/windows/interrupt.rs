//! Requests of the user or the system to end: Ctrl-C, Ctrl-Break, a console that is closed.

use std::io;

/// Calls `heard` at each, in a thread of its own.
pub fn on_interrupt(heard: impl FnMut() + Send + 'static) -> io::Result<()> {
    match ctrlc::set_handler(heard) {
        Err(ctrlc::Error::System(error)) => Err(error),
        // Where there is no console, nobody presses a key.
        _ => Ok(()),
    }
}
