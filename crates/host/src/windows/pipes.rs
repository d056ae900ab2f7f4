//! Pipes between us and a process. Our end never blocks; the other end can be a standard stream of any program.
//!
//! Reads and writes are "overlapped": they run while we do something else. A [`Transfer`] is such a read or write; a
//! [`Reader`] always has one under way, a [`Writer`] several. Pipes for this need a name. The name contains our process
//! number and a random number and is used once; we open the other end at once, so that no other process can.

use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::windows::io::{AsHandle, AsRawHandle, BorrowedHandle, FromRawHandle, OwnedHandle};
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

use windows_sys::Win32::Foundation::{
    ERROR_IO_INCOMPLETE, ERROR_IO_PENDING, HANDLE_FLAG_INHERIT, INVALID_HANDLE_VALUE,
    SetHandleInformation, WAIT_FAILED, WAIT_OBJECT_0,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, PIPE_ACCESS_INBOUND, PIPE_ACCESS_OUTBOUND,
    ReadFile, WriteFile,
};
use windows_sys::Win32::System::IO::{CancelIoEx, GetOverlappedResult, OVERLAPPED};
use windows_sys::Win32::System::Pipes::{
    CreateNamedPipeW, PIPE_REJECT_REMOTE_CLIENTS, PIPE_TYPE_BYTE,
};
use windows_sys::Win32::System::Threading::{
    CreateEventW, INFINITE, SetEvent, WaitForMultipleObjects, WaitForSingleObject,
};

use super::wide;
use crate::{ReadResult, Streams, WriteResult};

const READ: usize = 16 * 1024;
const ROOM: usize = 64 * 1024;
/// The most unread bytes of a process's output, as in a pipe of Linux.
const OUTPUT: u32 = 64 * 1024;

static OURS: LazyLock<String> = LazyLock::new(|| {
    let chance = RandomState::new().hash_one(std::process::id());
    format!(r"\\.\pipe\arena-{}-{chance:016x}", std::process::id())
});

#[derive(Debug)]
pub struct Pipes {
    input: Input,
    output: Ends,
    /// `None`: the process writes its errors into its output.
    errors: Option<Ends>,
}

#[derive(Debug)]
enum Input {
    Pipe(Ends),
    Nothing(File),
}

impl Pipes {
    pub fn new(streams: Streams) -> io::Result<Pipes> {
        let (input, errors) = match streams {
            Streams::Dialogue => (Input::Pipe(for_input()?), Some(for_output()?)),
            Streams::Report => (Input::Nothing(nothing()?), None),
        };
        Ok(Pipes {
            input,
            output: for_output()?,
            errors,
        })
    }

    pub fn theirs(&self) -> [&File; 3] {
        let input = match &self.input {
            Input::Pipe(ends) => &ends.theirs,
            Input::Nothing(file) => file,
        };
        let errors = self.errors.as_ref().unwrap_or(&self.output);
        [input, &self.output.theirs, &errors.theirs]
    }

    /// Returns our ends of input, output and errors. Closes the other ends, so that each pipe ends with the process.
    pub fn into_ours(self) -> (Option<OwnedHandle>, OwnedHandle, Option<OwnedHandle>) {
        let input = match self.input {
            Input::Pipe(ends) => Some(ends.ours),
            Input::Nothing(_) => None,
        };
        (input, self.output.ours, self.errors.map(|ends| ends.ours))
    }
}

#[derive(Debug)]
struct Ends {
    ours: OwnedHandle,
    theirs: File,
}

fn for_output() -> io::Result<Ends> {
    let (ours, name) = create(PIPE_ACCESS_INBOUND, OUTPUT)?;
    let theirs = File::options().write(true).open(name)?;
    Ok(Ends {
        ours,
        theirs: inherited(theirs)?,
    })
}

/// Makes a pipe from which a process reads. The pipe has no buffer: a write ends once the process has read its bytes.
fn for_input() -> io::Result<Ends> {
    let (ours, name) = create(PIPE_ACCESS_OUTBOUND, 0)?;
    let theirs = File::open(name)?;
    Ok(Ends {
        ours,
        theirs: inherited(theirs)?,
    })
}

fn nothing() -> io::Result<File> {
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
    // SAFETY: it was created above, and nothing else owns it.
    Ok((unsafe { OwnedHandle::from_raw_handle(ours) }, name))
}

fn inherited(file: File) -> io::Result<File> {
    let handle = file.as_raw_handle();
    // SAFETY: the handle belongs to an open file.
    let done = unsafe { SetHandleInformation(handle, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT) };
    if done == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(file)
}

/// Our end of an output, with one read always under way. `None` once it is closed.
#[derive(Debug)]
pub struct Reader(Option<Transfer>);

impl Reader {
    pub fn new(end: Option<OwnedHandle>) -> io::Result<Reader> {
        let transfer = end.map(|end| Transfer::new(Arc::new(end), vec![0; READ].into()));
        let mut transfer = transfer.transpose()?;
        if let Some(transfer) = &mut transfer {
            transfer.start_reading();
        }
        Ok(Reader(transfer))
    }

    pub fn is_open(&self) -> bool {
        self.0.is_some()
    }

    pub fn ready(&self) -> Option<BorrowedHandle<'_>> {
        self.0.as_ref().map(Transfer::done)
    }

    pub fn read<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> io::Result<ReadResult<T>> {
        let Some(transfer) = &mut self.0 else {
            return Ok(ReadResult::Nothing);
        };
        match transfer.result() {
            Ok(None) => Ok(ReadResult::Nothing),
            Ok(Some(length)) => {
                // The process may have written zero bytes.
                let taken = (length > 0).then(|| take(&transfer.buffer()[..length]));
                transfer.start_reading();
                Ok(taken.map_or(ReadResult::Nothing, ReadResult::Bytes))
            }
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.0 = None;
                Ok(ReadResult::End)
            }
            Err(error) => Err(error),
        }
    }
}

/// Our end of an input. A write lasts until the process has read its bytes, so the number of unread bytes is known.
#[derive(Debug)]
pub struct Writer {
    end: Option<Arc<OwnedHandle>>,
    unread: VecDeque<Transfer>,
}

impl Writer {
    pub fn new(end: Option<OwnedHandle>) -> Writer {
        Writer {
            end: end.map(Arc::new),
            unread: VecDeque::new(),
        }
    }

    pub fn is_open(&self) -> bool {
        self.end.is_some()
    }

    /// Closes the input once the process has read what was written. Closing the pipe at once would lose the rest.
    pub fn close(&mut self) {
        self.end = None;
        let mut unread = std::mem::take(&mut self.unread);
        if forget_read(&mut unread).is_ok() && !unread.is_empty() {
            let linger = move || unread.iter_mut().for_each(|write| drop(write.wait()));
            // The thread ends once the process has read all or has ended. If the thread is refused, the rest is lost.
            let _ = thread::Builder::new().spawn(linger);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.unread.iter().all(|write| is_signalled(write.done()))
    }

    /// Returns a handle that is signalled once there is room; `None`: there is room already, or the pipe is closed.
    pub fn until_room(&self) -> Option<BorrowedHandle<'_>> {
        self.end.as_ref()?;
        let oldest = self.unread.front().filter(|_| self.room() == 0);
        oldest.map(Transfer::done)
    }

    fn room(&self) -> usize {
        ROOM.saturating_sub(self.unread.iter().map(Transfer::size).sum())
    }

    pub fn write(&mut self, bytes: &[u8]) -> WriteResult {
        match self.try_write(bytes) {
            Ok(Some(written)) => WriteResult::Bytes(written),
            Ok(None) => WriteResult::Full,
            Err(_) => {
                self.close();
                WriteResult::Closed
            }
        }
    }

    fn try_write(&mut self, bytes: &[u8]) -> io::Result<Option<usize>> {
        let Some(end) = &self.end else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        forget_read(&mut self.unread)?;
        let length = bytes.len().min(self.room());
        if length == 0 {
            return Ok(bytes.is_empty().then_some(0));
        }
        let mut write = Transfer::new(end.clone(), bytes[..length].into())?;
        write.start_writing();
        if write.result()?.is_none() {
            self.unread.push_back(write);
        }
        Ok(Some(length))
    }
}

fn forget_read(unread: &mut VecDeque<Transfer>) -> io::Result<()> {
    while let Some(write) = unread.front_mut() {
        if write.result()?.is_none() {
            break;
        }
        unread.pop_front();
    }
    Ok(())
}

/// A buffer for overlapped reads or writes, one at a time.
///
/// The system writes to the buffer and the state until the transfer is done. So both are on the heap, and dropping a
/// transfer cancels it first. A transfer ends early if the thread that started it ends.
struct Transfer {
    file: Arc<OwnedHandle>,
    done: OwnedHandle,
    state: Box<UnsafeCell<OVERLAPPED>>,
    buffer: Box<[u8]>,
    stage: TransferState,
}

#[derive(Debug)]
enum TransferState {
    Idle,
    Underway,
    Refused(io::Error),
}

// SAFETY: the pointers inside are to its own data; any thread may use events and files.
unsafe impl Send for Transfer {}

impl fmt::Debug for Transfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transfer")
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}

impl Transfer {
    /// `file` must be open for overlapped transfers.
    pub fn new(file: Arc<OwnedHandle>, buffer: Box<[u8]>) -> io::Result<Transfer> {
        // SAFETY: no pointer is passed.
        let done = unsafe { CreateEventW(ptr::null(), 1, 0, ptr::null()) };
        if done.is_null() {
            return Err(io::Error::last_os_error());
        }
        Ok(Transfer {
            file,
            // SAFETY: the event was created above, and nothing else owns it.
            done: unsafe { OwnedHandle::from_raw_handle(done) },
            state: Box::default(),
            buffer,
            stage: TransferState::Idle,
        })
    }

    pub fn start_reading(&mut self) {
        self.renew();
        let (buffer, length) = (self.buffer.as_mut_ptr(), self.buffer.len() as u32);
        // SAFETY: buffer and state stay where they are until the transfer is done, and nothing else uses them.
        let at_once = unsafe {
            ReadFile(
                self.file.as_raw_handle(),
                buffer,
                length,
                ptr::null_mut(),
                self.state.get(),
            )
        };
        self.begin(at_once);
    }

    pub fn start_writing(&mut self) {
        self.renew();
        let (buffer, length) = (self.buffer.as_ptr(), self.buffer.len() as u32);
        // SAFETY: as in `start_reading`; the buffer is only read.
        let at_once = unsafe {
            WriteFile(
                self.file.as_raw_handle(),
                buffer,
                length,
                ptr::null_mut(),
                self.state.get(),
            )
        };
        self.begin(at_once);
    }

    fn renew(&mut self) {
        debug_assert!(
            !matches!(self.stage, TransferState::Underway),
            "one at a time"
        );
        let state = OVERLAPPED {
            hEvent: self.done.as_raw_handle(),
            ..OVERLAPPED::default()
        };
        *self.state.get_mut() = state;
    }

    fn begin(&mut self, at_once: i32) {
        let error = io::Error::last_os_error();
        if at_once != 0 || error.raw_os_error() == Some(ERROR_IO_PENDING as i32) {
            self.stage = TransferState::Underway;
            return;
        }
        self.stage = TransferState::Refused(error);
        // SAFETY: the event is ours.
        unsafe { SetEvent(self.done.as_raw_handle()) };
    }

    /// Returns the number of bytes moved; `None`: the transfer is not done, or was not started.
    pub fn result(&mut self) -> io::Result<Option<usize>> {
        self.outcome(false)
    }

    pub fn wait(&mut self) -> io::Result<Option<usize>> {
        self.outcome(true)
    }

    fn outcome(&mut self, wait: bool) -> io::Result<Option<usize>> {
        match std::mem::replace(&mut self.stage, TransferState::Idle) {
            TransferState::Idle => return Ok(None),
            TransferState::Refused(error) => return Err(error),
            TransferState::Underway => {}
        }
        let mut moved = 0;
        let file = self.file.as_raw_handle();
        // SAFETY: the state belongs to the transfer that was started with this file.
        let done =
            unsafe { GetOverlappedResult(file, self.state.get(), &raw mut moved, wait.into()) };
        if done != 0 {
            return Ok(Some(moved as usize));
        }
        let error = io::Error::last_os_error();
        if error.raw_os_error() == Some(ERROR_IO_INCOMPLETE as i32) {
            self.stage = TransferState::Underway;
            return Ok(None);
        }
        Err(error)
    }

    /// Returns the bytes that were read or written. Must not be called during a transfer.
    pub fn buffer(&self) -> &[u8] {
        debug_assert!(!matches!(self.stage, TransferState::Underway));
        &self.buffer
    }

    pub fn size(&self) -> usize {
        self.buffer.len()
    }

    pub fn done(&self) -> BorrowedHandle<'_> {
        self.done.as_handle()
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        if matches!(self.stage, TransferState::Underway) {
            // SAFETY: the state belongs to a transfer of this file. Has no effect if the transfer is done.
            unsafe { CancelIoEx(self.file.as_raw_handle(), self.state.get()) };
            let _ = self.wait();
        }
    }
}

/// Waits until one of the handles is signalled, but at most for `limit`. Skips `None`.
pub fn wait_for_any(of: &[Option<BorrowedHandle<'_>>], limit: Option<Duration>) -> io::Result<()> {
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

pub fn is_signalled(handle: BorrowedHandle<'_>) -> bool {
    // SAFETY: the handle is open.
    let woken = unsafe { WaitForSingleObject(handle.as_raw_handle(), 0) };
    woken == WAIT_OBJECT_0
}

/// Rounds up, because a caller that wakes too early would wait again.
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
