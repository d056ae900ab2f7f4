//! CPU time of a process and of a thread. The system counts both in steps of up to 15.6 ms.

use std::os::windows::io::{AsRawHandle, BorrowedHandle};
use std::time::Duration;

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Threading::{GetCurrentThread, GetProcessTimes, GetThreadTimes};

use crate::CoreTime;

/// That of the process itself, even when it has ended.
pub fn process_cpu_time(process: BorrowedHandle<'_>) -> Option<Duration> {
    let mut times = [FILETIME::default(); 4];
    let [made, ended, kernel, user] = &mut times;
    // SAFETY: the handle is open, and the times are ours.
    let done = unsafe { GetProcessTimes(process.as_raw_handle(), made, ended, kernel, user) };
    (done != 0).then(|| span(*kernel) + span(*user))
}

/// That of the calling thread.
pub fn thread_cpu_time() -> Duration {
    let mut times = [FILETIME::default(); 4];
    let [made, ended, kernel, user] = &mut times;
    // SAFETY: a thread can always be asked for itself, and the times are ours.
    let done = unsafe { GetThreadTimes(GetCurrentThread(), made, ended, kernel, user) };
    if done == 0 {
        return Duration::ZERO;
    }
    span(*kernel) + span(*user)
}

/// The system does not tell how long a thread waited for its core.
pub fn thread_core_time() -> CoreTime {
    CoreTime::default()
}

fn span(time: FILETIME) -> Duration {
    ticks(u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime))
}

/// The system's own unit is 100 ns.
pub fn ticks(number: u64) -> Duration {
    Duration::from_nanos(number.saturating_mul(100))
}
