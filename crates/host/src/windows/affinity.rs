//! The cores that a thread may run on: those of one group, which holds up to 64.
//!
//! Here a process does not inherit them from the thread that starts it, so that is remembered.

use std::cell::Cell;
use std::io;
use std::os::windows::io::{AsRawHandle, BorrowedHandle};

use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentThread, GetProcessAffinityMask, SetProcessAffinityMask,
    SetThreadAffinityMask,
};

thread_local! {
    /// A bit for each core that this thread was pinned to; 0: it was not.
    static PINNED: Cell<usize> = const { Cell::new(0) };
}

/// Those of this process.
pub fn allowed_cores() -> Vec<usize> {
    let (mut ours, mut all) = (0_usize, 0_usize);
    // SAFETY: a process can always be asked for itself, and the numbers are ours.
    unsafe { GetProcessAffinityMask(GetCurrentProcess(), &raw mut ours, &raw mut all) };
    (0..usize::BITS as usize)
        .filter(|core| ours >> core & 1 == 1)
        .collect()
}

/// Lets the calling thread, and the processes it starts, run on these alone, if the system agrees.
pub fn pin_to(cores: impl Iterator<Item = usize>) {
    let mask = cores.fold(0, |mask, core| mask | 1_usize << core);
    // SAFETY: a thread may always be told where to run.
    if unsafe { SetThreadAffinityMask(GetCurrentThread(), mask) } != 0 {
        PINNED.set(mask);
    }
}

/// Whether this thread was pinned.
pub fn is_pinned() -> bool {
    PINNED.get() != 0
}

/// Lets the process run where this thread does.
pub fn pin_like_us(process: BorrowedHandle<'_>) -> io::Result<()> {
    // SAFETY: the handle is open, and was given to us with all rights.
    if unsafe { SetProcessAffinityMask(process.as_raw_handle(), PINNED.get()) } == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}
