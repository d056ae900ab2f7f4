//! The process that the system gives every program without a window, to be its console. It may belong
//! to the program's job, but the program did not start it.

use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::path::Path;

use windows_sys::Win32::System::Threading::{
    OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION, QueryFullProcessImageNameW,
};

use super::wide::narrow;

/// Whether the process with this number is one, by the name of its program.
pub fn is(number: u32) -> bool {
    // SAFETY: any number may be asked for.
    let process = unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, number) };
    if process.is_null() {
        return false;
    }
    // SAFETY: it was opened above, and nobody else has it.
    let process = unsafe { OwnedHandle::from_raw_handle(process) };
    let (mut name, mut length) = ([0_u16; 1024], 1024);
    // SAFETY: the name is as long as we say.
    let told = unsafe {
        QueryFullProcessImageNameW(
            process.as_raw_handle(),
            0,
            name.as_mut_ptr(),
            &raw mut length,
        )
    };
    told != 0
        && Path::new(&narrow(&name))
            .file_name()
            .is_some_and(|name| name.eq_ignore_ascii_case("conhost.exe"))
}
