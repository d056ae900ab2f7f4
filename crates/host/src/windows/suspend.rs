//! Stopping all that is in a job, and letting it go on.
//!
//! The system stops threads. It stops all of a process by a call that is not documented, but is in
//! every Windows since XP, and that debuggers use; the documented way, thread by thread, misses those
//! that begin meanwhile.

use std::os::windows::io::{AsHandle, AsRawHandle, FromRawHandle, OwnedHandle};

use windows_sys::Win32::Foundation::{HANDLE, NTSTATUS};
use windows_sys::Win32::System::Threading::{
    OpenProcess, PROCESS_QUERY_INFORMATION, PROCESS_SUSPEND_RESUME,
};

use super::job::Job;

#[link(name = "ntdll")]
unsafe extern "system" {
    fn NtSuspendProcess(process: HANDLE) -> NTSTATUS;
    fn NtResumeProcess(process: HANDLE) -> NTSTATUS;
}

/// Rounds in which new processes are looked for: what is stopped starts none.
const ROUNDS: usize = 4;

/// The processes that are stopped.
#[derive(Debug, Default)]
pub struct Suspended(Vec<(u32, OwnedHandle)>);

impl Suspended {
    /// Stops all that is in the job.
    pub fn all_of(job: &Job) -> Suspended {
        let mut suspended = Suspended::default();
        for _ in 0..ROUNDS {
            let before = suspended.0.len();
            for number in job.members() {
                if !suspended.0.iter().any(|(known, _)| *known == number) {
                    suspended.add(number, job);
                }
            }
            if suspended.0.len() == before {
                break;
            }
        }
        suspended
    }

    fn add(&mut self, number: u32, job: &Job) {
        let rights = PROCESS_SUSPEND_RESUME | PROCESS_QUERY_INFORMATION;
        // SAFETY: any number may be asked for.
        let process = unsafe { OpenProcess(rights, 0, number) };
        if process.is_null() {
            return;
        }
        // SAFETY: it was opened above, and nobody else has it.
        let process = unsafe { OwnedHandle::from_raw_handle(process) };
        // It may have ended meanwhile, and the number be another's.
        if !job.has(process.as_handle()) {
            return;
        }
        // SAFETY: the handle is open and allows it.
        if unsafe { NtSuspendProcess(process.as_raw_handle()) } >= 0 {
            self.0.push((number, process));
        }
    }

    /// Lets them go on.
    pub fn resume(self) {
        for (_, process) in self.0 {
            // SAFETY: the handle is open and allows it. Fails only where it has ended.
            unsafe { NtResumeProcess(process.as_raw_handle()) };
        }
    }
}
