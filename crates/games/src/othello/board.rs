//! A position with colours, as a referee sees it.

use super::position::{Position, SIZE, squares};
use crate::{Ending, IllegalMove, Move, Reason, Rules, Side, Square, Symmetry};

impl Reason {
    /// Othello: neither side can move, and the discs are counted.
    pub const DISCS: Reason = Reason::new("discs");
}

/// Othello discs by colour, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct OthelloBoard {
    position: Position,
    side_to_move: Side,
}

impl OthelloBoard {
    /// The position before the first move.
    pub const START: OthelloBoard = OthelloBoard::new(Position::START, Side::Black);

    /// Adds colours to `position`: its `own` discs belong to `side_to_move`.
    pub const fn new(position: Position, side_to_move: Side) -> OthelloBoard {
        OthelloBoard {
            position,
            side_to_move,
        }
    }

    pub(crate) fn with_discs(discs: &[(Square, Side)], side_to_move: Side) -> OthelloBoard {
        let mut position = Position {
            own: 0,
            opponent: 0,
        };
        for &(square, side) in discs {
            let colour = if side == side_to_move {
                &mut position.own
            } else {
                &mut position.opponent
            };
            *colour |= 1 << square.index(SIZE);
        }
        OthelloBoard::new(position, side_to_move)
    }

    /// Returns this position turned and mirrored by `symmetry`.
    #[must_use]
    pub const fn turned(&self, symmetry: Symmetry) -> OthelloBoard {
        OthelloBoard::new(self.position.turned(symmetry), self.side_to_move)
    }

    /// Returns the position as the side to move sees it.
    pub const fn position(&self) -> Position {
        self.position
    }

    fn discs(&self, side: Side) -> u64 {
        if side == self.side_to_move {
            self.position.own
        } else {
            self.position.opponent
        }
    }

    fn illegal(&self, played: Move, why: &'static str) -> IllegalMove {
        IllegalMove {
            played,
            side: self.side_to_move,
            why,
        }
    }
}

impl Rules for OthelloBoard {
    fn size(&self) -> u8 {
        SIZE
    }

    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    fn at(&self, square: Square) -> Option<Side> {
        if !square.is_on(SIZE) {
            return None;
        }
        let bit = 1u64 << square.index(SIZE);
        Side::BOTH
            .into_iter()
            .find(|&side| self.discs(side) & bit != 0)
    }

    fn row(&self, row: u8, side: Side) -> u32 {
        (self.discs(side) >> (u32::from(row) * u32::from(SIZE))) as u32 & 0xff
    }

    fn legal_squares(&self) -> Vec<Square> {
        squares(self.position.legal_moves())
            .map(|index| Square::from_index(index, SIZE))
            .collect()
    }

    fn must_pass(&self) -> bool {
        self.position.legal_moves() == 0 && self.position.pass().legal_moves() != 0
    }

    fn play(&mut self, played: Move) -> Result<(), IllegalMove> {
        let moves = self.position.legal_moves();
        let next = match played {
            Move::Pass if self.must_pass() => self.position.pass(),
            Move::Pass if moves == 0 => return Err(self.illegal(played, "the game is over")),
            Move::Pass => return Err(self.illegal(played, "there is a move to play")),
            Move::Choose(_) => {
                return Err(self.illegal(played, "there is nothing to choose now"));
            }
            Move::Place(square) if !square.is_on(SIZE) => {
                return Err(self.illegal(played, "it is off the board"));
            }
            Move::Place(square) => {
                let index = square.index(SIZE);
                if self.position.empties() >> index & 1 == 0 {
                    return Err(self.illegal(played, "the square is taken"));
                }
                if moves >> index & 1 == 0 {
                    return Err(self.illegal(played, "it turns over no disc"));
                }
                self.position.play(index)
            }
        };
        *self = OthelloBoard::new(next, !self.side_to_move);
        Ok(())
    }

    fn ending(&self) -> Option<Ending> {
        if !self.position.is_over() {
            return None;
        }
        let winner = match self.position.disc_difference() {
            0 => None,
            difference if difference > 0 => Some(self.side_to_move),
            _ => Some(!self.side_to_move),
        };
        Some(Ending {
            winner,
            reason: Reason::DISCS,
        })
    }

    fn counts(&self) -> [u16; 2] {
        Side::BOTH.map(|side| self.discs(side).count_ones() as u16)
    }
}
