//! A game of a run for the files of other programs.

use games::formats::{GameResult, How, SavedGame, SavedMove};
use games::{Rules, Side};

use super::{Fault, GameRecord, Outcome, Verdict};

impl GameRecord {
    /// The game for a file of a standard format; the caller adds event, date and remark.
    ///
    /// A position that its opening gives and nobody could have played stands at its start.
    pub fn saved(&self) -> SavedGame {
        let mut board = self.game.start();
        let is_played = self.opening.iter().all(|&given| board.play(given).is_ok());
        let (start, opening) = if is_played {
            (self.game.start(), self.opening.as_slice())
        } else {
            (self.start(), &[][..])
        };
        let given = opening.iter().map(|&played| SavedMove::from(played));
        let played = self.plies.iter().map(|ply| SavedMove {
            played: ply.played,
            evaluation: ply.thought.score,
            time: ply.effort.map(|effort| effort.wall),
        });
        SavedGame {
            moves: given.chain(played).collect(),
            players: self.players.clone(),
            result: Some(self.result()),
            ..SavedGame::new(start)
        }
    }

    /// A game that both failed, so that nobody scores, does not count for others.
    fn result(&self) -> GameResult {
        let how = match &self.verdict {
            Verdict::Rules { .. } => How::Played,
            Verdict::Resigned(_) => How::Resigned,
            Verdict::Forfeit {
                fault: Fault::OutOfTime { .. },
                ..
            } => How::OutOfTime,
            Verdict::Forfeit { .. } => How::Forfeit,
            Verdict::Adjudicated { .. } => How::Agreed,
            Verdict::BothFailed(_) | Verdict::Void { .. } => How::Void,
        };
        let winner = match self.verdict.outcome() {
            Outcome::Win(side) => Some(side),
            Outcome::Draw | Outcome::NobodyScores | Outcome::Void => None,
        };
        GameResult {
            winner,
            margin: self.margin(how, winner),
            how,
        }
    }

    /// Black's discs less white's, where discs count: empty squares count for the winner, and a side that did not play
    /// on has lost them all.
    fn margin(&self, how: How, winner: Option<Side>) -> Option<f64> {
        let played_out = self.game.margin(self.counts, winner)?;
        let margin = match (how, winner) {
            (How::Void, _) => return None,
            (_, None) => 0,
            (How::Played, Some(_)) => played_out,
            (_, Some(Side::Black)) => self.game.greatest_margin(),
            (_, Some(Side::White)) => -self.game.greatest_margin(),
        };
        Some(margin.into())
    }
}
