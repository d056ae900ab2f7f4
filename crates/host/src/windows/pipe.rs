//! Pipes between us and a process. Our end is never waited for; the other is one that any program
//! can use as a standard stream.
//!
//! Such pipes have to have a name here. It begins with our number and a number by chance, it exists
//! once, and the other end is opened at once, so that nobody else can.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::path::Path;
use std::ptr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use windows_sys::Win32::Foundation::{
    HANDLE_FLAG_INHERIT, INVALID_HANDLE_VALUE, SetHandleInformation,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, PIPE_ACCESS_INBOUND, PIPE_ACCESS_OUTBOUND,
};
use windows_sys::Win32::System::Pipes::{
    CreateNamedPipeW, PIPE_REJECT_REMOTE_CLIENTS, PIPE_TYPE_BYTE,
};

use super::wide::wide;

/// What the system keeps of a process's output until we read it, as in a pipe of Linux.
const OUTPUT: u32 = 64 * 1024;

/// Our part of the names of all our pipes.
static OURS: LazyLock<String> = LazyLock::new(|| {
    let chance = RandomState::new().hash_one(std::process::id());
    format!(r"\\.\pipe\arena-{}-{chance:016x}", std::process::id())
});

/// Our end of a pipe, and the one that a process gets.
#[derive(Debug)]
pub struct Ends {
    pub ours: OwnedHandle,
    pub theirs: File,
}

/// A pipe into which a process writes.
pub fn for_output() -> io::Result<Ends> {
    let (ours, name) = create(PIPE_ACCESS_INBOUND, OUTPUT)?;
    let theirs = File::options().write(true).open(name)?;
    Ok(Ends {
        ours,
        theirs: inherited(theirs)?,
    })
}

/// A pipe from which a process reads. The system keeps nothing for it: a write is done once the
/// process has read it.
pub fn for_input() -> io::Result<Ends> {
    let (ours, name) = create(PIPE_ACCESS_OUTBOUND, 0)?;
    let theirs = File::open(name)?;
    Ok(Ends {
        ours,
        theirs: inherited(theirs)?,
    })
}

/// A stream that is empty.
pub fn nothing() -> io::Result<File> {
    inherited(File::open("NUL")?)
}

fn create(direction: u32, size: u32) -> io::Result<(OwnedHandle, String)> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let name = format!("{}-{}", *OURS, NUMBER.fetch_add(1, Ordering::Relaxed));
    let wide_name = wide(Path::new(&name).as_os_str())?;
    // SAFETY: the name ends with a zero.
    let ours = unsafe {
        CreateNamedPipeW(
            wide_name.as_ptr(),
            direction | FILE_FLAG_FIRST_PIPE_INSTANCE | FILE_FLAG_OVERLAPPED,
            PIPE_TYPE_BYTE | PIPE_REJECT_REMOTE_CLIENTS,
            1,
            size,
            size,
            0,
            ptr::null(),
        )
    };
    if ours == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it was created above, and nobody else has it.
    Ok((unsafe { OwnedHandle::from_raw_handle(ours) }, name))
}

/// The file as one that a process can be given.
fn inherited(file: File) -> io::Result<File> {
    let handle = file.as_raw_handle();
    // SAFETY: the handle is that of an open file.
    let done = unsafe { SetHandleInformation(handle, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT) };
    if done == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(file)
}
