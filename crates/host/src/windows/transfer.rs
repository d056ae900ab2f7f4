//! A read or a write that the system does while we do something else ("overlapped").
//!
//! The system writes into the buffer and the state until it is done, so both lie on the heap, and a
//! transfer that is dropped is cancelled first. A transfer ends early if the thread that started it
//! ends: processes belong to one thread.

use std::cell::UnsafeCell;
use std::fmt;
use std::io;
use std::os::windows::io::{AsHandle, AsRawHandle, BorrowedHandle, FromRawHandle, OwnedHandle};
use std::ptr;
use std::sync::Arc;

use windows_sys::Win32::Foundation::{ERROR_IO_INCOMPLETE, ERROR_IO_PENDING};
use windows_sys::Win32::Storage::FileSystem::{ReadFile, WriteFile};
use windows_sys::Win32::System::IO::{CancelIoEx, GetOverlappedResult, OVERLAPPED};
use windows_sys::Win32::System::Threading::{CreateEventW, SetEvent};

/// One transfer at a time, through one buffer.
pub struct Transfer {
    file: Arc<OwnedHandle>,
    /// Signalled once it is done.
    done: OwnedHandle,
    state: Box<UnsafeCell<OVERLAPPED>>,
    buffer: Box<[u8]>,
    stage: Stage,
}

/// Where it stands.
#[derive(Debug)]
enum Stage {
    /// Nothing was asked, or what was asked is done.
    Idle,
    /// The system has the buffer.
    Underway,
    /// The system refused it.
    Refused(io::Error),
}

// SAFETY: the pointers inside are to what it owns; events and files can be used from any thread.
unsafe impl Send for Transfer {}

impl fmt::Debug for Transfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transfer")
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}

impl Transfer {
    /// One between the file, which was opened for this, and the buffer.
    pub fn new(file: Arc<OwnedHandle>, buffer: Box<[u8]>) -> io::Result<Transfer> {
        // SAFETY: no pointer is passed.
        let done = unsafe { CreateEventW(ptr::null(), 1, 0, ptr::null()) };
        if done.is_null() {
            return Err(io::Error::last_os_error());
        }
        Ok(Transfer {
            file,
            // SAFETY: the event was created above, and nobody else has it.
            done: unsafe { OwnedHandle::from_raw_handle(done) },
            state: Box::default(),
            buffer,
            stage: Stage::Idle,
        })
    }

    /// Asks for as much as the buffer takes. A refusal is the result.
    pub fn start_reading(&mut self) {
        self.renew();
        let (buffer, length) = (self.buffer.as_mut_ptr(), self.buffer.len() as u32);
        // SAFETY: buffer and state stay where they are until it is done, and nobody else uses them.
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

    /// Asks to write the whole buffer. A refusal is the result.
    pub fn start_writing(&mut self) {
        self.renew();
        let (buffer, length) = (self.buffer.as_ptr(), self.buffer.len() as u32);
        // SAFETY: as above; the buffer is only read.
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
        debug_assert!(!matches!(self.stage, Stage::Underway), "one at a time");
        let state = OVERLAPPED {
            hEvent: self.done.as_raw_handle(),
            ..OVERLAPPED::default()
        };
        *self.state.get_mut() = state;
    }

    fn begin(&mut self, at_once: i32) {
        let error = io::Error::last_os_error();
        if at_once != 0 || error.raw_os_error() == Some(ERROR_IO_PENDING as i32) {
            self.stage = Stage::Underway;
            return;
        }
        self.stage = Stage::Refused(error);
        // SAFETY: the event is ours.
        unsafe { SetEvent(self.done.as_raw_handle()) };
    }

    /// How many bytes were moved; `None`: it goes on.
    pub fn result(&mut self) -> io::Result<Option<usize>> {
        self.outcome(false)
    }

    /// The same, but waits for the end.
    pub fn wait(&mut self) -> io::Result<Option<usize>> {
        self.outcome(true)
    }

    fn outcome(&mut self, wait: bool) -> io::Result<Option<usize>> {
        match std::mem::replace(&mut self.stage, Stage::Idle) {
            Stage::Idle => return Ok(None),
            Stage::Refused(error) => return Err(error),
            Stage::Underway => {}
        }
        let mut moved = 0;
        let file = self.file.as_raw_handle();
        // SAFETY: the state is that of the transfer which was started with this file.
        let done =
            unsafe { GetOverlappedResult(file, self.state.get(), &raw mut moved, wait.into()) };
        if done != 0 {
            return Ok(Some(moved as usize));
        }
        let error = io::Error::last_os_error();
        if error.raw_os_error() == Some(ERROR_IO_INCOMPLETE as i32) {
            self.stage = Stage::Underway;
            return Ok(None);
        }
        Err(error)
    }

    /// What was read or written. Only between two transfers.
    pub fn buffer(&self) -> &[u8] {
        debug_assert!(!matches!(self.stage, Stage::Underway));
        &self.buffer
    }

    /// How much it holds.
    pub fn size(&self) -> usize {
        self.buffer.len()
    }

    /// Signalled once there is a result.
    pub fn done(&self) -> BorrowedHandle<'_> {
        self.done.as_handle()
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        if matches!(self.stage, Stage::Underway) {
            // SAFETY: the state is that of a transfer of this file. Where it is done already, there
            // is nothing to cancel.
            unsafe { CancelIoEx(self.file.as_raw_handle(), self.state.get()) };
            let _ = self.wait();
        }
    }
}
