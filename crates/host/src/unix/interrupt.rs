//! Requests of the user or the system to end: Ctrl-C, `kill`, a terminal that is closed.

use std::{io, thread};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Calls `heard` at each, in a thread of its own.
pub fn on_interrupt(mut heard: impl FnMut() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let hear = move || signals.forever().for_each(|_| heard());
    thread::Builder::new()
        .name("interrupts".to_owned())
        .spawn(hear)?;
    Ok(())
}
