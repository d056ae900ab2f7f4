//! What the system says of itself and of its processor.

use std::mem;
use std::ptr;

use windows_sys::Wdk::System::SystemServices::RtlGetVersion;
use windows_sys::Win32::System::Registry::{HKEY_LOCAL_MACHINE, RRF_RT_REG_SZ, RegGetValueW};
use windows_sys::Win32::System::SystemInformation::OSVERSIONINFOW;
use windows_sys::core::w;

use super::wide::narrow;

/// As the system tells it; else as its environment does.
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
    let told = (status == 0).then(|| narrow(&name).trim().to_owned());
    told.filter(|name| !name.is_empty())
        .or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok())
}

/// Not looked up: another user cannot read the arguments of a browser, nor the name of the page's host.
pub fn is_from_another_user(_: std::net::SocketAddr, _: std::net::SocketAddr) -> bool {
    false
}

/// Its version with its build, which says which Windows it is.
pub fn system_name() -> String {
    let mut version = OSVERSIONINFOW {
        dwOSVersionInfoSize: mem::size_of::<OSVERSIONINFOW>() as u32,
        ..OSVERSIONINFOW::default()
    };
    // SAFETY: the version is as long as it says.
    unsafe { RtlGetVersion(&raw mut version) };
    format!(
        "Windows {}.{}.{}",
        version.dwMajorVersion, version.dwMinorVersion, version.dwBuildNumber
    )
}

/// As it is called in its network.
pub fn machine_name() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}

/// The system does not count it.
pub fn load() -> Option<f32> {
    None
}

/// Jobs of a scheduler have certain cores.
pub fn shares_cores() -> bool {
    false
}

/// There is no limit that a program could meet.
pub fn most_open() -> Option<usize> {
    None
}

pub fn open_now() -> usize {
    0
}
