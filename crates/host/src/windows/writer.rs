//! What a process reads.
//!
//! The system keeps nothing of it: a write goes on until the process has read it. So it is known what
//! was read, and there may be several writes under way, which together hold what a pipe of Linux does.

use std::collections::VecDeque;
use std::io;
use std::os::windows::io::{BorrowedHandle, OwnedHandle};
use std::sync::Arc;
use std::thread;

use super::transfer::Transfer;
use super::wait::is_signalled;
use crate::Written;

/// How much may lie in the pipe.
const ROOM: usize = 64 * 1024;

/// Our end.
#[derive(Debug)]
pub struct Writer {
    /// `None` once it is closed.
    end: Option<Arc<OwnedHandle>>,
    /// What has not been read, as far as we know.
    unread: VecDeque<Transfer>,
}

impl Writer {
    /// This end; none where there is no pipe.
    pub fn new(end: Option<OwnedHandle>) -> Writer {
        Writer {
            end: end.map(Arc::new),
            unread: VecDeque::new(),
        }
    }

    pub fn is_open(&self) -> bool {
        self.end.is_some()
    }

    /// Closes it. What lies in it can still be read: closed at once, the pipe would lose it.
    pub fn close(&mut self) {
        self.end = None;
        let mut unread = std::mem::take(&mut self.unread);
        if forget_read(&mut unread).is_ok() && !unread.is_empty() {
            let linger = move || unread.iter_mut().for_each(|write| drop(write.wait()));
            // Its end comes with that of the process at the latest. Without a thread the rest is lost.
            let _ = thread::Builder::new().spawn(linger);
        }
    }

    /// Whether all has been read.
    pub fn is_empty(&self) -> bool {
        self.unread.iter().all(|write| is_signalled(write.done()))
    }

    /// What is signalled once there is room; `None`: there is, or it is closed.
    pub fn until_room(&self) -> Option<BorrowedHandle<'_>> {
        self.end.as_ref()?;
        let oldest = self.unread.front().filter(|_| self.room() == 0);
        oldest.map(Transfer::done)
    }

    fn room(&self) -> usize {
        ROOM.saturating_sub(self.unread.iter().map(Transfer::size).sum())
    }

    pub fn write(&mut self, bytes: &[u8]) -> Written {
        match self.try_write(bytes) {
            Ok(Some(written)) => Written::Bytes(written),
            Ok(None) => Written::Full,
            Err(_) => {
                self.close();
                Written::Closed
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

/// Forgets what has been read.
fn forget_read(unread: &mut VecDeque<Transfer>) -> io::Result<()> {
    while let Some(write) = unread.front_mut() {
        if write.result()?.is_none() {
            break;
        }
        unread.pop_front();
    }
    Ok(())
}
