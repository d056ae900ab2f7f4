//! What the system knows of the threads of a process. Use it rarely: it tells of all processes.

use std::mem;

use windows_sys::Wdk::System::SystemInformation::{
    NtQuerySystemInformation, SystemProcessInformation,
};
use windows_sys::Win32::Foundation::STATUS_INFO_LENGTH_MISMATCH;
use windows_sys::Win32::System::WindowsProgramming::{
    SYSTEM_PROCESS_INFORMATION, SYSTEM_THREAD_INFORMATION,
};

/// States of a thread that is ready to run, runs, is about to, or waits for a core (`KTHREAD_STATE`).
const READY: [u32; 4] = [1, 2, 3, 7];

/// Entries begin at whole ones.
const WORD: usize = mem::size_of::<u64>();

/// Whether a thread of the process runs or is ready to.
pub fn is_ready(process: u32) -> bool {
    let Some(told) = all_processes() else {
        return false;
    };
    let bytes = mem::size_of_val(&*told);
    let mut at = 0;
    while at + mem::size_of::<SYSTEM_PROCESS_INFORMATION>() <= bytes {
        // SAFETY: the system has put an entry here, within what it filled, at a whole word.
        let entry = unsafe {
            let entry = told.as_ptr().add(at / WORD);
            &*entry.cast::<SYSTEM_PROCESS_INFORMATION>()
        };
        if entry.UniqueProcessId as usize == process as usize {
            let count = entry.NumberOfThreads as usize;
            let first = at + mem::size_of::<SYSTEM_PROCESS_INFORMATION>();
            if first + count * mem::size_of::<SYSTEM_THREAD_INFORMATION>() > bytes {
                return false;
            }
            // SAFETY: its threads follow it, as many as it says.
            let threads = unsafe {
                let first = told.as_ptr().add(first / WORD);
                std::slice::from_raw_parts(first.cast::<SYSTEM_THREAD_INFORMATION>(), count)
            };
            return threads
                .iter()
                .any(|thread| READY.contains(&thread.ThreadState));
        }
        match entry.NextEntryOffset as usize {
            0 => break,
            offset => at += offset,
        }
    }
    false
}

/// Entries of all processes.
fn all_processes() -> Option<Vec<u64>> {
    let mut told = vec![0_u64; 1 << 16];
    loop {
        let (size, mut needed) = (mem::size_of_val(&*told) as u32, 0);
        // SAFETY: the memory is as long as we say.
        let status = unsafe {
            NtQuerySystemInformation(
                SystemProcessInformation,
                told.as_mut_ptr().cast(),
                size,
                &raw mut needed,
            )
        };
        match status {
            0.. => return Some(told),
            STATUS_INFO_LENGTH_MISMATCH if told.len() < 1 << 23 => told.resize(told.len() * 2, 0),
            _ => return None,
        }
    }
}
