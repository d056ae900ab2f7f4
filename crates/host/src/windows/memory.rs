//! How much memory a process has had.

use std::mem;
use std::os::windows::io::{AsRawHandle, BorrowedHandle};

use windows_sys::Win32::System::ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};

/// The most at a time, in KiB.
pub fn peak_kib(process: BorrowedHandle<'_>) -> Option<u64> {
    let mut counters = PROCESS_MEMORY_COUNTERS::default();
    let size = mem::size_of_val(&counters) as u32;
    // SAFETY: the handle is open, and the counters are as long as we say.
    let done = unsafe { K32GetProcessMemoryInfo(process.as_raw_handle(), &raw mut counters, size) };
    (done != 0).then_some(counters.PeakWorkingSetSize as u64 / 1024)
}
