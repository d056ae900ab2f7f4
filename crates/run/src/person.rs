//! A person as a player: waits until a page or a screen brings a move.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::{Duration, Instant};

use games::{Rules, Side};
use protocol::{GameResult, Over, Start};

use super::Stop;
use referee::bot::{Allowance, ArenaError, Failure};
use referee::record::Fault;
use referee::{Answer, Player, Turn};

/// The time between two looks for a stop request.
const LOOK: Duration = Duration::from_millis(50);

/// Where a person sits: asked there for a move, which comes from there.
pub(super) trait Seat: Debug + Send + Sync {
    /// The person is to move with this side; `None`: no longer.
    fn ask(&self, side: Option<Side>);

    /// The move, after waiting for it for at most `most`.
    fn answer(&self, most: Duration) -> Option<String>;
}

/// A person in a seat. After a game the run is stopped: the second of the pair, with colours swapped,
/// is played only if somebody asks for it.
#[derive(Debug)]
pub(super) struct Person {
    /// Where the person sits.
    pub seat: Arc<dyn Seat>,
    /// That of the run.
    pub stop: Stop,
}

impl Player for Person {
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
        self.seat.ask(Some(turn.board.side_to_move()));
        let Allowance { limit, margin } = turn.allowance;
        loop {
            if let Some(played) = self.seat.answer(LOOK) {
                return Ok(answer(played));
            }
            if self.stop.is_requested() {
                return Err(Failure::Arena(ArenaError::Aborted));
            }
            let used = asked_at.elapsed();
            if let Some(allowed) = limit.filter(|&limit| used > limit + margin) {
                self.seat.ask(None);
                return Err(Failure::Fault(Fault::OutOfTime { used, allowed }));
            }
        }
    }

    fn over(&mut self, over: &Over) {
        // A second request would give the game up before it is recorded.
        if over.result != GameResult::Void && !self.stop.is_requested() {
            self.stop.request();
        }
    }
}
