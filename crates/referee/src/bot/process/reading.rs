//! Reading what has arrived, without waiting for more.

use std::time::Instant;

use host::Piece;

use super::BotProcess;
use crate::bot::{ArenaError, Event, Failure, Step};

/// Reads that empty a pipe; a bot that has written more since is flooding, and its fault shows.
const PIPE_PIECES: usize = 8;

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
        let piece = self.process.read_output(|bytes| {
            self.log.received(bytes);
            self.conversation.on(Event::Output(bytes), Instant::now())
        });
        piece.map_err(ArenaError::Pipe)
    }

    fn see_closed(&mut self) -> Step {
        self.conversation.on(Event::OutputClosed, Instant::now())
    }

    /// Empties the pipe of its standard error.
    pub(super) fn drain_errors(&mut self) -> Result<(), ArenaError> {
        (0..PIPE_PIECES).try_for_each(|_| self.read_errors())
    }

    pub(super) fn read_errors(&mut self) -> Result<(), ArenaError> {
        let read = self.process.read_errors(|bytes| self.tail.extend(bytes));
        read.map(drop).map_err(ArenaError::Pipe)
    }
}
