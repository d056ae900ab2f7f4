//! What a process writes: there is always one read under way.

use std::io;
use std::os::windows::io::{BorrowedHandle, OwnedHandle};
use std::sync::Arc;

use super::transfer::Transfer;
use crate::Piece;

/// One read.
const PIECE: usize = 16 * 1024;

/// Our end; `None` once it is closed.
#[derive(Debug)]
pub struct Reader(Option<Transfer>);

impl Reader {
    /// This end; none where there is no pipe.
    pub fn new(end: Option<OwnedHandle>) -> io::Result<Reader> {
        let transfer = end.map(|end| Transfer::new(Arc::new(end), vec![0; PIECE].into()));
        let mut transfer = transfer.transpose()?;
        if let Some(transfer) = &mut transfer {
            transfer.start_reading();
        }
        Ok(Reader(transfer))
    }

    pub fn is_open(&self) -> bool {
        self.0.is_some()
    }

    /// Signalled when there is something to read.
    pub fn ready(&self) -> Option<BorrowedHandle<'_>> {
        self.0.as_ref().map(Transfer::done)
    }

    pub fn read<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> io::Result<Piece<T>> {
        let Some(transfer) = &mut self.0 else {
            return Ok(Piece::Nothing);
        };
        match transfer.result() {
            Ok(None) => Ok(Piece::Nothing),
            Ok(Some(length)) => {
                // A write of nothing is read as nothing.
                let taken = (length > 0).then(|| take(&transfer.buffer()[..length]));
                transfer.start_reading();
                Ok(taken.map_or(Piece::Nothing, Piece::Bytes))
            }
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.0 = None;
                Ok(Piece::End)
            }
            Err(error) => Err(error),
        }
    }
}
