//! A person as a player: waits until the screen sends a move.

use std::sync::Arc;
use std::time::{Duration, Instant};

use protocol::{GameResult, Over, Start};

use super::session::Table;
use crate::run::Stop;
use referee::bot::{ArenaError, Failure};
use referee::{Answer, Player, Turn};

/// The time between two looks for a stop request.
const LOOK: Duration = Duration::from_millis(50);

/// A person at a table.
pub(super) struct Guest {
    pub table: Arc<Table>,
    pub stop: Stop,
}

impl Player for Guest {
    fn start(&mut self, _: &Start) -> Result<(), Failure> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        let asked_at = Instant::now();
        let answer = |played| Answer {
            played,
            used: asked_at.elapsed(),
            ..Answer::default()
        };
        self.table.ask(true);
        let limit = turn.allowance.limit;
        let limit = limit.map(|limit| limit + turn.allowance.margin);
        loop {
            if let Some(played) = self.table.answer(LOOK) {
                return Ok(answer(played));
            }
            if self.stop.is_requested() {
                return Err(Failure::Arena(ArenaError::Aborted));
            }
            if limit.is_some_and(|limit| asked_at.elapsed() > limit) {
                // The referee sees that the time is up.
                self.table.ask(false);
                return Ok(answer("resign".to_owned()));
            }
        }
    }

    /// One game is played; the second of the pair, with colours swapped, is not.
    fn over(&mut self, over: &Over) {
        if over.result != GameResult::Void {
            self.stop.request();
        }
    }
}
