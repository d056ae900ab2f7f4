//! The events of a run.

use std::sync::Arc;
use std::time::Instant;

use games::{Move, Side};
use referee::TimeLeft;
use referee::record::{GameId, GameRecord, Ply};

/// Something that happened in a run.
#[derive(Clone, Debug)]
pub enum Event {
    /// A game begins.
    Started {
        /// Its number.
        game: GameId,
        /// The bots, black's first, by their numbers in the tournament.
        bots: [usize; 2],
        /// The moves given at the start.
        opening: Arc<[Move]>,
        /// 1, or more if earlier attempts were void.
        attempt: u32,
    },
    /// A half-move was played.
    Ply {
        /// Its game.
        game: GameId,
        /// Counted from 0 after the opening.
        number: usize,
        /// The move, and the bot's thought.
        ply: Ply,
        /// What both sides had left of their time then, black first.
        left: TimeLeft,
        /// When, shortly after the clock stopped.
        at: Instant,
    },
    /// A game has ended and was saved; it is committed at most 50 ms later.
    Finished {
        /// Its record.
        record: Arc<GameRecord>,
    },
    /// The same, for a watcher that was too far behind: only the number was kept. The record of the
    /// run has the game.
    Saved {
        /// Its number.
        game: GameId,
    },
    /// The arena or the machine failed in a game, which may be played again.
    Void {
        /// Its number.
        game: GameId,
        /// What happened.
        why: String,
        /// The side that the arena was waiting for.
        waited_for: Option<Side>,
    },
    /// No event; time has passed.
    Tick,
}
