//! Stones on a board, whose turn it is, and how the game ended.

use super::line::{self, DIRECTIONS};
use super::{Rule, renju};
use crate::{Ending, Game, IllegalMove, Move, Reason, Rules, Side, Square};

/// A Gomoku position.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    size: u8,
    rule: Rule,
    side_to_move: Side,
    ending: Option<Ending>,
    stones: [u16; 2],
    cells: Vec<Option<Side>>,
}

impl Board {
    /// An empty board of `size` (5 to 22), black to move.
    ///
    /// # Panics
    /// When there is no such board.
    pub fn new(size: u8, rule: Rule) -> Board {
        assert!(
            (super::MIN_SIZE..=super::MAX_SIZE).contains(&size),
            "no board of {size}"
        );
        Board {
            size,
            rule,
            side_to_move: Side::Black,
            ending: None,
            stones: [0, 0],
            cells: vec![None; usize::from(size) * usize::from(size)],
        }
    }

    /// The position with these stones.
    pub(crate) fn with_stones(
        size: u8,
        rule: Rule,
        stones: &[(Square, Side)],
        to_move: Side,
    ) -> Board {
        let mut board = Board::new(size, rule).with_side_to_move(to_move);
        for &(square, side) in stones {
            board.set(square, Some(side));
        }
        board
    }

    /// Side of the board, 5 to 22.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Which lines win.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Who has the stone on `square`, which must be on the board.
    pub fn stone(&self, square: Square) -> Option<Side> {
        self.cells[square.index(self.size)]
    }

    /// The squares with no stone, row by row.
    pub fn empty_squares(&self) -> impl Iterator<Item = Square> {
        (0..self.cells.len())
            .filter(|&index| self.cells[index].is_none())
            .map(|index| Square::from_index(index, self.size))
    }

    /// Puts a stone down or takes one away, without asking whose turn it is or whether the game
    /// has ended: for setting up positions and for trying moves. Never noticed as a win.
    pub fn set(&mut self, square: Square, stone: Option<Side>) {
        let cell = &mut self.cells[square.index(self.size)];
        if let Some(old) = std::mem::replace(cell, stone) {
            self.stones[old.index()] -= 1;
        }
        if let Some(new) = stone {
            self.stones[new.index()] += 1;
        }
    }

    /// The same stones with `side` to move.
    #[must_use]
    pub fn with_side_to_move(mut self, side: Side) -> Board {
        self.side_to_move = side;
        self
    }

    /// Whether a stone of `side` on `square` (its own cell is not looked at) makes a winning line.
    pub fn wins(&self, square: Square, side: Side) -> bool {
        let exactly_five = match self.rule {
            Rule::Freestyle => false,
            Rule::Standard => true,
            Rule::Renju => side == Side::Black,
        };
        DIRECTIONS.into_iter().any(|direction| {
            let length = 1
                + line::run(self, square, direction, 1, side)
                + line::run(self, square, direction, -1, side);
            length == 5 || (length > 5 && !exactly_five)
        })
    }

    /// Why black may not play on the empty `square`: always `None` but for black under renju.
    fn forbidden(&self, square: Square) -> Option<Reason> {
        if self.rule != Rule::Renju || self.side_to_move != Side::Black {
            return None;
        }
        renju::forbidden(self, square)
    }

    fn illegal(&self, played: Move, why: &'static str) -> IllegalMove {
        IllegalMove {
            played,
            side: self.side_to_move,
            why,
        }
    }
}

impl Rules for Board {
    fn game(&self) -> Game {
        Game::Gomoku {
            size: self.size,
            rule: self.rule,
        }
    }

    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    fn at(&self, square: Square) -> Option<Side> {
        if square.is_on(self.size) {
            self.stone(square)
        } else {
            None
        }
    }

    fn legal_squares(&self) -> Vec<Square> {
        if self.ending.is_some() {
            return Vec::new();
        }
        self.empty_squares()
            .filter(|&square| self.forbidden(square).is_none())
            .collect()
    }

    fn must_pass(&self) -> bool {
        false
    }

    fn play(&mut self, played: Move) -> Result<(), IllegalMove> {
        if self.ending.is_some() {
            return Err(self.illegal(played, "the game is over"));
        }
        let Move::Place(square) = played else {
            return Err(self.illegal(played, "gomoku has no pass"));
        };
        if !square.is_on(self.size) {
            return Err(self.illegal(played, "it is off the board"));
        }
        if self.stone(square).is_some() {
            return Err(self.illegal(played, "the square is taken"));
        }
        let mover = self.side_to_move;
        let forbidden = self.forbidden(square);
        let won = self.wins(square, mover);
        self.set(square, Some(mover));
        self.side_to_move = !mover;
        self.ending = if let Some(reason) = forbidden {
            Some(Ending {
                winner: Some(!mover),
                reason,
            })
        } else if won {
            Some(Ending {
                winner: Some(mover),
                reason: Reason::Five,
            })
        } else if self.is_stuck() {
            Some(Ending {
                winner: None,
                reason: Reason::BoardFull,
            })
        } else {
            None
        };
        Ok(())
    }

    fn ending(&self) -> Option<Ending> {
        self.ending
    }

    fn counts(&self) -> [u16; 2] {
        self.stones
    }
}

impl Board {
    /// Whether the side to move has no square left that it may play.
    fn is_stuck(&self) -> bool {
        self.empty_squares()
            .all(|square| self.forbidden(square).is_some())
    }
}
