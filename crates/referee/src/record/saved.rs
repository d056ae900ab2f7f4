//! A game of a run as other programs are told of it.

use games::formats::{GameResult, How, SavedGame, SavedMove};
use games::{Game, Rules, Side};

use super::{Fault, GameRecord, Outcome, Verdict};

/// Discs that a game of Othello lost without playing on is counted with.
const ALL_DISCS: f64 = 64.0;

impl GameRecord {
    /// The game as files of the trade hold it: its event, date and remark are the caller's to say.
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

    /// Black's discs less white's: empty squares count for the winner, and a side that did not play
    /// on has lost them all.
    fn margin(&self, how: How, winner: Option<Side>) -> Option<f64> {
        if self.game != Game::Othello || how == How::Void {
            return None;
        }
        let [black, white] = self.counts.map(f64::from);
        let lead = |side| match side {
            Side::Black => 1.0,
            Side::White => -1.0,
        };
        let played_out = how == How::Played;
        Some(match winner {
            None => 0.0,
            Some(side) if played_out => black - white + lead(side) * (ALL_DISCS - black - white),
            Some(side) => lead(side) * ALL_DISCS,
        })
    }
}
