//! Windows' data on the machine, and settings of the whole program.

use std::io;
use std::mem;
use std::ptr;
use std::sync::Once;

use windows_sys::Wdk::System::SystemServices::RtlGetVersion;
use windows_sys::Win32::Media::timeBeginPeriod;
use windows_sys::Win32::System::Console::{
    ENABLE_VIRTUAL_TERMINAL_PROCESSING, GetConsoleMode, GetStdHandle, STD_ERROR_HANDLE,
    STD_OUTPUT_HANDLE, SetConsoleMode,
};
use windows_sys::Win32::System::Diagnostics::Debug::{
    SEM_FAILCRITICALERRORS, SEM_NOGPFAULTERRORBOX, SEM_NOOPENFILEERRORBOX, SetErrorMode,
};
use windows_sys::Win32::System::Registry::{HKEY_LOCAL_MACHINE, RRF_RT_REG_SZ, RegGetValueW};
use windows_sys::Win32::System::SystemInformation::OSVERSIONINFOW;
use windows_sys::core::w;

use super::narrow;

pub fn processor_name() -> Option<String> {
    let mut name = [0_u16; 256];
    let mut size = mem::size_of_val(&name) as u32;
    // SAFETY: the names end with a zero, and the text is as long as we say.
    let status = unsafe {
        RegGetValueW(
            HKEY_LOCAL_MACHINE,
            w!(r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"),
            w!("ProcessorNameString"),
            RRF_RT_REG_SZ,
            ptr::null_mut(),
            name.as_mut_ptr().cast(),
            &raw mut size,
        )
    };
    let found = (status == 0).then(|| narrow(&name).trim().to_owned());
    found
        .filter(|name| !name.is_empty())
        .or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok())
}

/// Always returns false: other users of Windows cannot see a browser's arguments, with the page's key, or a host name.
pub fn is_from_another_user(_: std::net::SocketAddr, _: std::net::SocketAddr) -> bool {
    false
}

pub fn system_name() -> String {
    let mut version = OSVERSIONINFOW {
        dwOSVersionInfoSize: mem::size_of::<OSVERSIONINFOW>() as u32,
        ..OSVERSIONINFOW::default()
    };
    // SAFETY: the structure holds its own length.
    unsafe { RtlGetVersion(&raw mut version) };
    format!(
        "Windows {}.{}.{}",
        version.dwMajorVersion, version.dwMinorVersion, version.dwBuildNumber
    )
}

pub fn machine_name() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}

pub fn load() -> Option<f32> {
    None
}

/// On Windows, the scheduler of a cluster assigns cores to a job, not a quota of CPU time.
pub fn shares_cores() -> bool {
    false
}

/// The system has no limit that a run could reach.
pub fn most_open() -> Option<usize> {
    None
}

pub fn open_now() -> usize {
    0
}

/// Takes no role, because Windows needs none. Makes older consoles interpret colour sequences instead of printing them.
pub fn take_role_if_asked() {
    for stream in [STD_OUTPUT_HANDLE, STD_ERROR_HANDLE] {
        // SAFETY: only numbers of ours are read and written; the calls fail where the stream is no console.
        unsafe {
            let (stream, mut mode) = (GetStdHandle(stream), 0);
            if GetConsoleMode(stream, &raw mut mode) != 0 {
                SetConsoleMode(stream, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
            }
        }
    }
}

/// Prepares this process for bots. A wait then ends at most 1–2 ms late instead of 15.6 ms. Programs that crash or
/// lack a library end without opening a window; child processes inherit this.
pub fn prepare_for_processes() {
    static ONCE: Once = Once::new();
    // SAFETY: both calls only set a number of this process.
    ONCE.call_once(|| unsafe {
        timeBeginPeriod(1);
        SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    });
}

pub fn on_interrupt(heard: impl FnMut() + Send + 'static) -> io::Result<()> {
    match ctrlc::set_handler(heard) {
        Err(ctrlc::Error::System(error)) => Err(error),
        // Without a console there is no Ctrl-C.
        _ => Ok(()),
    }
}
