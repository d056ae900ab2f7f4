//! The static evaluation: what the shapes are worth, and what stands on the board as a threat.

use super::board::SearchBoard;
use super::shape::Kind;
use crate::search::Score;

/// A position won by the side to move in no plies; one that takes n plies scores n less.
pub const WIN: Score = 30_000;

/// Scores beyond ± this prove the end of the game.
pub const PROVEN: Score = 29_000;

/// No evaluation is beyond ± this.
pub(super) const MOST: Score = 20_000;

/// A win of the side to move, `plies` after the root.
pub const fn win_in(plies: usize) -> Score {
    WIN - plies as Score
}

impl SearchBoard {
    /// What the position is worth to the side to move, in engine units.
    pub fn evaluate(&mut self) -> Score {
        let threats = self.tables.threats(self.threats());
        (self.value() + threats).clamp(-MOST, MOST)
    }

    /// Which threats each side has, as a number below
    /// [`THREATS`](super::weights::THREATS): what shapes are worth does not
    /// simply add up where both sides threaten.
    pub fn threats(&self) -> u16 {
        let mover = self.side_to_move().index();
        let has = |side, kind| u16::from(self.count(side, kind) > 0);
        let other = mover ^ 1;
        has(mover, Kind::FourThree)
            | has(mover, Kind::FourPlus) << 1
            | has(mover, Kind::Four) << 2
            | has(mover, Kind::DoubleThree) << 3
            | (has(mover, Kind::ThreePlus) | has(mover, Kind::Three)) << 4
            | has(other, Kind::OpenFour) << 5
            | has(other, Kind::FourThree) << 6
            | (has(other, Kind::FourPlus) | has(other, Kind::Four)) << 7
            | has(other, Kind::DoubleThree) << 8
            | (has(other, Kind::ThreePlus) | has(other, Kind::Three)) << 9
    }

    /// The score of a position that is decided at once: the side to move has a five, or an open
    /// four that no four of the opponent comes before, or faces two fives.
    pub fn decided(&self, ply: usize) -> Option<Score> {
        let mover = self.side_to_move().index();
        let other = mover ^ 1;
        if self.count(mover, Kind::Five) > 0 {
            return Some(win_in(ply + 1));
        }
        match self.count(other, Kind::Five) {
            0 => {}
            1 => return None,
            _ => return Some(-win_in(ply + 2)),
        }
        (self.count(mover, Kind::OpenFour) > 0).then(|| win_in(ply + 3))
    }
}
