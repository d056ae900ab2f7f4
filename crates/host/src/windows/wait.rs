//! Waiting for several things at once.

use std::io;
use std::os::windows::io::{AsRawHandle, BorrowedHandle};
use std::thread;
use std::time::Duration;

use windows_sys::Win32::Foundation::{WAIT_FAILED, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::{
    INFINITE, WaitForMultipleObjects, WaitForSingleObject,
};

/// Waits until one of them is signalled or the time is over. Nothing of what is left out is waited for.
pub fn for_any(of: &[Option<BorrowedHandle<'_>>], limit: Option<Duration>) -> io::Result<()> {
    let handles: Vec<_> = of
        .iter()
        .flatten()
        .map(AsRawHandle::as_raw_handle)
        .collect();
    if handles.is_empty() {
        thread::sleep(limit.unwrap_or(Duration::MAX));
        return Ok(());
    }
    // SAFETY: the handles are open, and the list is as long as we say.
    let woken = unsafe {
        WaitForMultipleObjects(
            handles.len() as u32,
            handles.as_ptr(),
            0,
            limit.map_or(INFINITE, milliseconds),
        )
    };
    if woken == WAIT_FAILED {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Whether it is signalled now.
pub fn is_signalled(handle: BorrowedHandle<'_>) -> bool {
    // SAFETY: the handle is open.
    let woken = unsafe { WaitForSingleObject(handle.as_raw_handle(), 0) };
    woken == WAIT_OBJECT_0
}

/// Whole ones, not less than the time: who is woken early waits again.
fn milliseconds(limit: Duration) -> u32 {
    let whole = limit.as_nanos().div_ceil(1_000_000);
    u32::try_from(whole)
        .unwrap_or(INFINITE - 1)
        .min(INFINITE - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_not_shorter_than_asked() {
        assert_eq!(milliseconds(Duration::ZERO), 0);
        assert_eq!(milliseconds(Duration::from_micros(1001)), 2);
        assert_eq!(milliseconds(Duration::MAX), INFINITE - 1);
    }
}
