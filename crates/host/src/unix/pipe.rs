//! One end of a pipe that is never waited for.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;

use crate::{Piece, Written};

/// One read; a pipe holds 64 KiB.
const PIECE: usize = 16 * 1024;

/// Our end; `None` once it is closed.
#[derive(Debug)]
pub struct Pipe(Option<OwnedFd>);

impl Pipe {
    /// This end, which is not to block from now on; none where there is no pipe.
    pub fn new(end: Option<impl Into<OwnedFd>>) -> io::Result<Pipe> {
        let end = end.map(Into::into);
        if let Some(end) = &end {
            rustix::io::ioctl_fionbio(end, true)?;
        }
        Ok(Pipe(end))
    }

    pub fn is_open(&self) -> bool {
        self.0.is_some()
    }

    pub fn close(&mut self) {
        self.0 = None;
    }

    pub fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.0.as_ref().map(AsFd::as_fd)
    }

    /// Both ends of a pipe know how much is in it.
    pub fn is_empty(&self) -> bool {
        let end = self.0.as_ref();
        end.is_none_or(|end| rustix::io::ioctl_fionread(end) == Ok(0))
    }

    pub fn write(&mut self, bytes: &[u8]) -> Written {
        let Some(end) = &self.0 else {
            return Written::Closed;
        };
        match rustix::io::write(end, bytes) {
            Ok(written) => Written::Bytes(written),
            Err(Errno::AGAIN) => Written::Full,
            Err(Errno::INTR) => Written::Bytes(0),
            Err(_) => {
                self.close();
                Written::Closed
            }
        }
    }

    pub fn read<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> io::Result<Piece<T>> {
        let Some(end) = &self.0 else {
            return Ok(Piece::Nothing);
        };
        let mut buffer = [MaybeUninit::uninit(); PIECE];
        match rustix::io::read(end, &mut buffer) {
            Ok(([], _)) => {
                self.close();
                Ok(Piece::End)
            }
            Ok((bytes, _)) => Ok(Piece::Bytes(take(bytes))),
            Err(Errno::AGAIN | Errno::INTR) => Ok(Piece::Nothing),
            Err(errno) => Err(errno.into()),
        }
    }
}
