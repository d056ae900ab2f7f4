//! A job: a process with all that it starts, which nothing leaves.
//!
//! The system kills everything in it once nobody has the job open any more, so all ends with us,
//! however we end.

use std::io;
use std::mem;
use std::os::windows::io::{AsHandle, AsRawHandle, BorrowedHandle, FromRawHandle, OwnedHandle};
use std::ptr;
use std::time::Duration;

use windows_sys::Win32::Foundation::{ERROR_MORE_DATA, HANDLE};
use windows_sys::Win32::System::JobObjects::{
    CreateJobObjectW, IsProcessInJob, JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_BASIC_ACCOUNTING_INFORMATION,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectBasicAccountingInformation,
    JobObjectBasicProcessIdList, JobObjectExtendedLimitInformation, QueryInformationJobObject,
    SetInformationJobObject, TerminateJobObject,
};

use super::exit::KILLED;
use super::process_clock::ticks;

/// An open job.
#[derive(Debug)]
pub struct Job(OwnedHandle);

/// A job that somebody else keeps open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group(usize);

impl Group {
    /// What it is known by while it is open.
    pub fn number(&self) -> u64 {
        self.0 as u64
    }

    /// Kills all that is in it.
    pub fn kill(&self) {
        // SAFETY: the crew has a group only as long as its process has the job. Fails only where
        // nothing is in it.
        unsafe { TerminateJobObject(self.0 as HANDLE, KILLED) };
    }
}

impl Job {
    /// An empty one, which dies with us. What crashes in it asks nobody whether it may end.
    pub fn new() -> io::Result<Job> {
        // SAFETY: no pointer is passed.
        let job = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
        if job.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it was created above, and nobody else has it.
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

    pub fn group(&self) -> Group {
        Group(self.raw() as usize)
    }

    pub fn handle(&self) -> BorrowedHandle<'_> {
        self.0.as_handle()
    }

    fn raw(&self) -> HANDLE {
        self.0.as_raw_handle()
    }

    /// Numbers of the processes that are in it now.
    pub fn members(&self) -> Vec<u32> {
        // Two numbers of 32 bits before the list: how many there are, and how many are told.
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
                let told = unsafe { list.as_ptr().cast::<[u32; 2]>().read() }[1] as usize;
                let told = list.iter().skip(header).take(told);
                return told.map(|&number| number as u32).collect();
            }
            let error = io::Error::last_os_error().raw_os_error();
            if error != Some(ERROR_MORE_DATA as i32) || list.len() > 1 << 20 {
                return Vec::new();
            }
            list.resize(list.len() * 2, 0);
        }
    }

    /// Whether the process, which was opened with the right to be asked, is in it now.
    pub fn has(&self, process: BorrowedHandle<'_>) -> bool {
        let mut is_in = 0;
        // SAFETY: both handles are open, and the answer is ours.
        let told = unsafe { IsProcessInJob(process.as_raw_handle(), self.raw(), &raw mut is_in) };
        told != 0 && is_in != 0
    }

    /// CPU time of all that is or was in it.
    pub fn cpu_time(&self) -> Duration {
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
            return Duration::ZERO;
        }
        ticks(account.TotalUserTime as u64) + ticks(account.TotalKernelTime as u64)
    }
}
