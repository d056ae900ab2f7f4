//! What is set once for the whole program.

use std::sync::Once;

use windows_sys::Win32::Media::timeBeginPeriod;
use windows_sys::Win32::System::Console::{
    ENABLE_VIRTUAL_TERMINAL_PROCESSING, GetConsoleMode, GetStdHandle, STD_ERROR_HANDLE,
    STD_OUTPUT_HANDLE, SetConsoleMode,
};
use windows_sys::Win32::System::Diagnostics::Debug::{
    SEM_FAILCRITICALERRORS, SEM_NOGPFAULTERRORBOX, SEM_NOOPENFILEERRORBOX, SetErrorMode,
};

/// Our program has no other roles here; it is only told how to write colours.
pub fn take_role_if_asked() {
    show_colours();
}

/// Lets a console understand the sequences for colours, which older ones print otherwise.
fn show_colours() {
    for stream in [STD_OUTPUT_HANDLE, STD_ERROR_HANDLE] {
        // SAFETY: a standard stream may be asked for and told its mode; where it is no console, that
        // fails.
        unsafe {
            let (stream, mut mode) = (GetStdHandle(stream), 0);
            if GetConsoleMode(stream, &raw mut mode) != 0 {
                SetConsoleMode(stream, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
            }
        }
    }
}

/// Prepares for bots: waits end within a millisecond or two of their time, instead of 15.6 ms; and
/// programs that crash, or lack a library, end instead of showing a window, which they inherit.
pub fn prepare_for_processes() {
    static ONCE: Once = Once::new();
    // SAFETY: both only set a number of this process.
    ONCE.call_once(|| unsafe {
        timeBeginPeriod(1);
        SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    });
}
