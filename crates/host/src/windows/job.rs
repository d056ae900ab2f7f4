//! A job, which holds a process with its descendants, and the system's data on these processes. No process can leave
//! its job, and the system kills a job once its last handle is closed: at the latest when we end.

use std::io;
use std::mem;
use std::os::windows::io::{AsHandle, AsRawHandle, BorrowedHandle, FromRawHandle, OwnedHandle};
use std::path::Path;
use std::ptr;
use std::time::Duration;

use windows_sys::Wdk::System::SystemInformation::{
    NtQuerySystemInformation, SystemProcessInformation,
};
use windows_sys::Win32::Foundation::{
    ERROR_MORE_DATA, FILETIME, HANDLE, NTSTATUS, STATUS_INFO_LENGTH_MISMATCH,
};
use windows_sys::Win32::System::JobObjects::{
    CreateJobObjectW, IsProcessInJob, JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_BASIC_ACCOUNTING_INFORMATION,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectBasicAccountingInformation,
    JobObjectBasicProcessIdList, JobObjectExtendedLimitInformation, QueryInformationJobObject,
    SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::Threading::{
    GetCurrentThread, GetProcessTimes, GetThreadTimes, OpenProcess, PROCESS_QUERY_INFORMATION,
    PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_SUSPEND_RESUME, QueryFullProcessImageNameW,
};
use windows_sys::Win32::System::WindowsProgramming::{
    SYSTEM_PROCESS_INFORMATION, SYSTEM_THREAD_INFORMATION,
};

use super::narrow;
use crate::{CoreTime, Exit};

/// The most rounds of [`Suspended::all_of`]. Suspended processes start no others, so few rounds are needed.
const ROUNDS: usize = 4;
/// States of a thread that is ready, runs, is about to run, or waits for a core (`KTHREAD_STATE`).
const READY_STATES: [u32; 4] = [1, 2, 3, 7];
const WORD: usize = mem::size_of::<u64>();
/// The exit status of processes that we kill. Bit 29 distinguishes it from the system's statuses.
const KILLED: u32 = 0xE000_0009;
/// Statuses of the system and the corresponding signals of Unix.
const SIGNALS: [(u32, i32); 10] = [
    (KILLED, 9),
    // Ctrl-C.
    (0xC000_013A, 2),
    // Illegal and privileged instruction.
    (0xC000_001D, 4),
    (0xC000_0096, 4),
    // `abort`, a failed stack check.
    (0xC000_0409, 6),
    // Integer division by zero, integer overflow.
    (0xC000_0094, 8),
    (0xC000_0095, 8),
    // Access violation, stack overflow, corrupt heap.
    (0xC000_0005, 11),
    (0xC000_00FD, 11),
    (0xC000_0374, 11),
];
const LOWEST_ERROR: u32 = 0xC000_0000;

#[link(name = "ntdll")]
unsafe extern "system" {
    fn NtSuspendProcess(process: HANDLE) -> NTSTATUS;
    fn NtResumeProcess(process: HANDLE) -> NTSTATUS;
}

#[derive(Debug)]
pub struct Job(OwnedHandle);

#[derive(Clone, Debug)]
pub struct ProcessTree(usize);

impl ProcessTree {
    pub fn number(&self) -> u64 {
        self.0 as u64
    }

    pub fn kill(&self) {
        // SAFETY: a `ProcessGroup` has a tree only while the job is open. Fails only if the job is empty.
        unsafe { TerminateJobObject(self.0 as HANDLE, KILLED) };
    }
}

impl Job {
    /// Makes an empty job. Its processes end with ours, and a program that crashes in it shows no dialog.
    pub fn new() -> io::Result<Job> {
        // SAFETY: no pointer is passed.
        let job = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
        if job.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it was created above, and nothing else owns it.
        let job = Job(unsafe { OwnedHandle::from_raw_handle(job) });
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags =
            JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
        // SAFETY: the limits are of the class that is named, and as long as we say.
        let done = unsafe {
            SetInformationJobObject(
                job.raw(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                mem::size_of_val(&limits) as u32,
            )
        };
        if done == 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(job)
    }

    pub fn tree(&self) -> ProcessTree {
        ProcessTree(self.raw() as usize)
    }

    pub fn handle(&self) -> BorrowedHandle<'_> {
        self.0.as_handle()
    }

    fn raw(&self) -> HANDLE {
        self.0.as_raw_handle()
    }

    pub fn members(&self) -> Vec<u32> {
        // Two 32-bit numbers come before the list: the number of processes in the job, and the number of those listed.
        let mut list = vec![0_usize; 64];
        loop {
            let size = mem::size_of_val(&*list) as u32;
            // SAFETY: the list is as long as we say; its elements are as wide as those of the system.
            let done = unsafe {
                QueryInformationJobObject(
                    self.raw(),
                    JobObjectBasicProcessIdList,
                    list.as_mut_ptr().cast(),
                    size,
                    ptr::null_mut(),
                )
            };
            if done != 0 {
                let header = mem::size_of::<[u32; 2]>() / mem::size_of::<usize>();
                // SAFETY: the system has filled the two numbers at the beginning, which is aligned.
                let count = unsafe { list.as_ptr().cast::<[u32; 2]>().read() }[1] as usize;
                let listed = list.iter().skip(header).take(count);
                return listed.map(|&number| number as u32).collect();
            }
            let error = io::Error::last_os_error().raw_os_error();
            if error != Some(ERROR_MORE_DATA as i32) || list.len() > 1 << 20 {
                return Vec::new();
            }
            list.resize(list.len() * 2, 0);
        }
    }

    fn has(&self, process: BorrowedHandle<'_>) -> bool {
        let mut is_in = 0;
        // SAFETY: both handles are open, and the answer is ours.
        let done = unsafe { IsProcessInJob(process.as_raw_handle(), self.raw(), &raw mut is_in) };
        done != 0 && is_in != 0
    }

    /// Returns the CPU time of all processes that the job has or had; `None`: zero, or not counted (Wine).
    pub fn cpu_time(&self) -> Option<Duration> {
        let mut account = JOBOBJECT_BASIC_ACCOUNTING_INFORMATION::default();
        // SAFETY: the account is of the class that is named, and as long as we say.
        let done = unsafe {
            QueryInformationJobObject(
                self.raw(),
                JobObjectBasicAccountingInformation,
                (&raw mut account).cast(),
                mem::size_of_val(&account) as u32,
                ptr::null_mut(),
            )
        };
        if done == 0 {
            return None;
        }
        let time = ticks(account.TotalUserTime as u64) + ticks(account.TotalKernelTime as u64);
        (!time.is_zero()).then_some(time)
    }
}

/// The stopped processes of a job.
///
/// `NtSuspendProcess` stops all threads of a process. It is undocumented, but debuggers use it and every Windows since
/// XP has it. The documented way, thread by thread, misses threads that start in the meantime.
#[derive(Debug, Default)]
pub struct Suspended(Vec<(u32, OwnedHandle)>);

impl Suspended {
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
        // SAFETY: only numbers are passed.
        let process = unsafe { OpenProcess(rights, 0, number) };
        if process.is_null() {
            return;
        }
        // SAFETY: it was opened above, and nothing else owns it.
        let process = unsafe { OwnedHandle::from_raw_handle(process) };
        // The process may have ended, and another may have its number.
        if !job.has(process.as_handle()) {
            return;
        }
        // SAFETY: the handle is open and allows it.
        if unsafe { NtSuspendProcess(process.as_raw_handle()) } >= 0 {
            self.0.push((number, process));
        }
    }

    pub fn resume(self) {
        for (_, process) in self.0 {
            // SAFETY: the handle is open and allows it. Fails only if the process has ended.
            unsafe { NtResumeProcess(process.as_raw_handle()) };
        }
    }
}

/// Returns whether the process, by its program's name, is the console that the system starts for every program without
/// a window. The console may be in the program's job, although the program did not start it.
pub fn is_console(number: u32) -> bool {
    // SAFETY: only numbers are passed.
    let process = unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, number) };
    if process.is_null() {
        return false;
    }
    // SAFETY: it was opened above, and nothing else owns it.
    let process = unsafe { OwnedHandle::from_raw_handle(process) };
    let (mut name, mut length) = ([0_u16; 1024], 1024);
    // SAFETY: the name is as long as we say.
    let done = unsafe {
        QueryFullProcessImageNameW(
            process.as_raw_handle(),
            0,
            name.as_mut_ptr(),
            &raw mut length,
        )
    };
    done != 0
        && Path::new(&narrow(&name))
            .file_name()
            .is_some_and(|name| name.eq_ignore_ascii_case("conhost.exe"))
}

pub fn peak_memory_kib(process: BorrowedHandle<'_>) -> Option<u64> {
    let mut counters = PROCESS_MEMORY_COUNTERS::default();
    let size = mem::size_of_val(&counters) as u32;
    // SAFETY: the handle is open, and the counters are as long as we say.
    let done = unsafe { K32GetProcessMemoryInfo(process.as_raw_handle(), &raw mut counters, size) };
    (done != 0).then_some(counters.PeakWorkingSetSize as u64 / 1024)
}

/// Returns the CPU time of the process itself, even after its end. The system counts in steps of up to 15.6 ms.
pub fn process_cpu_time(process: BorrowedHandle<'_>) -> Option<Duration> {
    let mut times = [FILETIME::default(); 4];
    let [made, ended, kernel, user] = &mut times;
    // SAFETY: the handle is open, and the times are ours.
    let done = unsafe { GetProcessTimes(process.as_raw_handle(), made, ended, kernel, user) };
    (done != 0).then(|| span(*kernel) + span(*user))
}

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

pub fn thread_core_time() -> CoreTime {
    CoreTime::default()
}

fn span(time: FILETIME) -> Duration {
    ticks(u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime))
}

fn ticks(number: u64) -> Duration {
    Duration::from_nanos(number.saturating_mul(100))
}

pub fn is_ready(process: u32) -> bool {
    let Some(data) = all_processes() else {
        return false;
    };
    let bytes = mem::size_of_val(&*data);
    let mut at = 0;
    while at + mem::size_of::<SYSTEM_PROCESS_INFORMATION>() <= bytes {
        // SAFETY: the system has put an entry here, inside the memory that it filled, aligned to a word.
        let entry = unsafe {
            let entry = data.as_ptr().add(at / WORD);
            &*entry.cast::<SYSTEM_PROCESS_INFORMATION>()
        };
        if entry.UniqueProcessId as usize == process as usize {
            let count = entry.NumberOfThreads as usize;
            let first = at + mem::size_of::<SYSTEM_PROCESS_INFORMATION>();
            if first + count * mem::size_of::<SYSTEM_THREAD_INFORMATION>() > bytes {
                return false;
            }
            // SAFETY: the entry's threads follow it; their number is in it.
            let threads = unsafe {
                let first = data.as_ptr().add(first / WORD);
                std::slice::from_raw_parts(first.cast::<SYSTEM_THREAD_INFORMATION>(), count)
            };
            return threads
                .iter()
                .any(|thread| READY_STATES.contains(&thread.ThreadState));
        }
        match entry.NextEntryOffset as usize {
            0 => break,
            offset => at += offset,
        }
    }
    false
}

fn all_processes() -> Option<Vec<u64>> {
    let mut data = vec![0_u64; 1 << 16];
    loop {
        let (size, mut needed) = (mem::size_of_val(&*data) as u32, 0);
        // SAFETY: the memory is as long as we say.
        let status = unsafe {
            NtQuerySystemInformation(
                SystemProcessInformation,
                data.as_mut_ptr().cast(),
                size,
                &raw mut needed,
            )
        };
        match status {
            0.. => return Some(data),
            STATUS_INFO_LENGTH_MISMATCH if data.len() < 1 << 23 => data.resize(data.len() * 2, 0),
            _ => return None,
        }
    }
}

/// Returns how a process with this status ended. The system's own statuses have the two highest bits set (`NTSTATUS`);
/// common ones become the signals of Unix, so that a record means the same on every system.
pub fn exit_of_status(status: u32) -> Exit {
    match SIGNALS.iter().find(|(known, _)| *known == status) {
        Some(&(_, signal)) => Exit::BySystem(signal),
        // Higher numbers come from programs, which often return -1.
        None if (LOWEST_ERROR..0xD000_0000).contains(&status) => Exit::BySystem(status as i32),
        None => Exit::Status(status as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_system_differ_from_statuses() {
        for (status, exit) in [
            (0, Exit::Status(0)),
            (3, Exit::Status(3)),
            (u32::MAX, Exit::Status(-1)),
            // STATUS_ACCESS_VIOLATION, STATUS_INTEGER_DIVIDE_BY_ZERO, STATUS_DLL_NOT_FOUND in ntstatus.h.
            (0xC000_0005, Exit::BySystem(11)),
            (0xC000_0094, Exit::BySystem(8)),
            (0xC000_0135, Exit::BySystem(0xC000_0135_u32 as i32)),
        ] {
            assert_eq!(exit_of_status(status), exit, "{status:#x}");
        }
    }
}
