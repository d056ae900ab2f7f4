//! A person as a player: waits until the page sends a move.

use std::sync::Arc;
use std::time::{Duration, Instant};

use games::Rules;
use protocol::{GameResult, Over, Start};

use super::session::Table;
use crate::run::Stop;
use referee::bot::{ArenaError, Failure};
use referee::{Answer, Player, Turn};

/// The time between two checks for a stop request.
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
        let side = turn.board.side_to_move();
        let asked_at = Instant::now();
        self.table.ask(side);
        loop {
            if let Some(played) = self.table.answer(LOOK) {
                return Ok(Answer {
                    played,
                    used: asked_at.elapsed(),
                    ..Answer::default()
                });
            }
            if self.stop.is_requested() {
                return Err(Failure::Arena(ArenaError::Aborted));
            }
            let limit = turn
                .allowance
                .limit
                .map(|limit| limit + turn.allowance.margin);
            if limit.is_some_and(|limit| asked_at.elapsed() > limit) {
                // The referee sees that the time is up.
                return Ok(Answer {
                    played: "resign".to_owned(),
                    used: asked_at.elapsed(),
                    ..Answer::default()
                });
            }
        }
    }

    /// The second game of a pair, colours swapped, is played only if somebody asks for it.
    fn over(&mut self, over: &Over) {
        // A second request would give the game up before it is recorded.
        if over.result != GameResult::Void && !self.stop.is_requested() {
            self.stop.request();
        }
    }
}
