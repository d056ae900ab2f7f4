//! Reading what has arrived, without waiting for more.

use std::mem::MaybeUninit;
use std::os::fd::AsFd;
use std::time::Instant;

use rustix::io::Errno;

use super::BotProcess;
use crate::bot::{ArenaError, Event, Failure, Step};

/// One read; a pipe holds 64 KiB.
const PIECE: usize = 16 * 1024;
/// Reads that empty a pipe; a bot that has written more since is flooding, and its fault shows.
const PIPE_PIECES: usize = 8;

/// What a read brought.
enum Piece<T> {
    Bytes(T),
    Nothing,
    End,
}

impl BotProcess {
    /// Takes in whatever has arrived: before a question, and between games.
    pub(super) fn collect(&mut self) -> Result<(), Failure> {
        for _ in 0..PIPE_PIECES {
            match self.hear()? {
                Piece::Bytes(Step::Fault(fault)) => return Err(fault.into()),
                Piece::Bytes(_) => {}
                Piece::Nothing => break,
                Piece::End => {
                    self.see_closed();
                    break;
                }
            }
        }
        Ok(())
    }

    /// One read of its output, and what it comes to.
    pub(super) fn read_output(&mut self) -> Result<Step, ArenaError> {
        Ok(match self.hear()? {
            Piece::Bytes(step) => step,
            Piece::Nothing => Step::Wait(None),
            Piece::End => self.see_closed(),
        })
    }

    /// Reads all that a process which has ended has left in its output, up to what decides something.
    pub(super) fn read_rest(&mut self) -> Result<Option<Step>, ArenaError> {
        for _ in 0..PIPE_PIECES {
            match self.hear()? {
                Piece::Bytes(Step::Wait(_)) => {}
                Piece::Bytes(step) => return Ok(Some(step)),
                Piece::Nothing | Piece::End => break,
            }
        }
        Ok(None)
    }

    fn hear(&mut self) -> Result<Piece<Step>, ArenaError> {
        let Some(pipe) = &self.output else {
            return Ok(Piece::Nothing);
        };
        read_piece(pipe, |bytes| {
            self.log.received(bytes);
            self.conversation.on(Event::Output(bytes), Instant::now())
        })
    }

    fn see_closed(&mut self) -> Step {
        self.output = None;
        self.conversation.on(Event::OutputClosed, Instant::now())
    }

    /// Empties the pipe of its standard error.
    pub(super) fn drain_errors(&mut self) -> Result<(), ArenaError> {
        (0..PIPE_PIECES).try_for_each(|_| self.read_errors())
    }

    pub(super) fn read_errors(&mut self) -> Result<(), ArenaError> {
        let Some(pipe) = &self.errors else {
            return Ok(());
        };
        if let Piece::End = read_piece(pipe, |bytes| self.tail.extend(bytes))? {
            self.errors = None;
        }
        Ok(())
    }
}

/// One read without waiting.
fn read_piece<T>(pipe: &impl AsFd, take: impl FnOnce(&[u8]) -> T) -> Result<Piece<T>, ArenaError> {
    let mut buffer = [MaybeUninit::uninit(); PIECE];
    match rustix::io::read(pipe, &mut buffer) {
        Ok(([], _)) => Ok(Piece::End),
        Ok((bytes, _)) => Ok(Piece::Bytes(take(bytes))),
        Err(Errno::AGAIN | Errno::INTR) => Ok(Piece::Nothing),
        Err(errno) => Err(ArenaError::Pipe(errno.into())),
    }
}
