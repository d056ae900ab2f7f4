//! Stones on a board, the side to move, and the end of the game.

use super::lines::{DIRECTIONS, Lines};
use super::opening::{Opening, OpeningRule};
use super::renju;
use super::rule::{MAX_SIZE, MIN_SIZE, Rule};
use crate::{Ending, IllegalMove, Move, Reason, Rules, Side, Square, Symmetry};

/// A Gomoku position.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct GomokuBoard {
    rule: Rule,
    /// The colour of the next stone.
    side_to_move: Side,
    ending: Option<Ending>,
    stones: [u16; 2],
    lines: Box<Lines>,
    opening: Option<Box<Opening>>,
}

impl GomokuBoard {
    /// Creates an empty board of `size`, black to move. Panics if the size is not from 5 to 22.
    pub fn new(size: u8, rule: Rule) -> GomokuBoard {
        assert!(
            (MIN_SIZE..=MAX_SIZE).contains(&size),
            "the board size must be 5 to 22"
        );
        GomokuBoard {
            rule,
            side_to_move: Side::Black,
            ending: None,
            stones: [0, 0],
            lines: Box::new(Lines::new(size)),
            opening: None,
        }
    }

    /// Returns this empty board at the start of an opening.
    #[must_use]
    pub fn with_opening(mut self, rule: OpeningRule) -> GomokuBoard {
        self.opening = Some(Box::new(Opening::new(rule)));
        self
    }

    /// Returns this position without the opening: the stones and the colour of the next stone stay the same.
    #[must_use]
    pub fn without_opening(&self) -> GomokuBoard {
        GomokuBoard {
            opening: None,
            ..self.clone()
        }
    }

    /// Returns the state of the opening; `None` if it has ended, or if there is no opening rule.
    pub fn opening(&self) -> Option<&Opening> {
        self.opening.as_deref()
    }

    /// Returns the colour of the next stone. In an opening, the player of the other colour may have to put it.
    pub fn next_stone(&self) -> Side {
        self.side_to_move
    }

    /// Returns the number of rows and of columns, 5 to 22.
    pub fn size(&self) -> u8 {
        self.lines.size()
    }

    /// Returns the rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the owner of the stone on `square`, which must be on the board.
    pub fn stone(&self, square: Square) -> Option<Side> {
        self.lines.stone(square)
    }

    /// Returns the number of squares without a stone.
    pub fn empties(&self) -> u16 {
        u16::from(self.size()) * u16::from(self.size()) - self.stones[0] - self.stones[1]
    }

    /// Returns the squares without a stone, row by row.
    pub fn empty_squares(&self) -> impl Iterator<Item = Square> {
        (0..self.size()).flat_map(|row| {
            let mut rest = self.lines.empty_row(row);
            std::iter::from_fn(move || {
                let column = (rest != 0).then(|| rest.trailing_zeros() as u8)?;
                rest &= rest - 1;
                Some(Square::new(column, row))
            })
        })
    }

    /// Sets the content of a square, to set up positions and try moves. Never ends the game.
    pub fn set(&mut self, square: Square, stone: Option<Side>) {
        if let Some(old) = self.stone(square) {
            self.lines.toggle(square, old);
            self.stones[old.index()] -= 1;
        }
        if let Some(new) = stone {
            self.lines.toggle(square, new);
            self.stones[new.index()] += 1;
        }
    }

    /// Returns this position turned and mirrored by `symmetry`, without the opening.
    #[must_use]
    pub fn turned(&self, symmetry: Symmetry) -> GomokuBoard {
        let mut turned = GomokuBoard {
            ending: self.ending,
            ..GomokuBoard::new(self.size(), self.rule).with_side_to_move(self.side_to_move)
        };
        for index in 0..usize::from(self.size()) * usize::from(self.size()) {
            let square = Square::from_index(index, self.size());
            turned.set(symmetry.apply(square, self.size()), self.stone(square));
        }
        turned
    }

    /// Returns the same stones with `side` to move.
    #[must_use]
    pub fn with_side_to_move(mut self, side: Side) -> GomokuBoard {
        self.side_to_move = side;
        self
    }

    /// Returns true if a stone of `side` on `square` makes a winning line. The current content of `square` is ignored.
    #[inline]
    pub fn wins(&self, square: Square, side: Side) -> bool {
        (0..DIRECTIONS.len()).any(|direction| self.wins_along(square, direction, side))
    }

    #[inline]
    fn wins_along(&self, square: Square, direction: usize, side: Side) -> bool {
        let length = self.lines.unbroken(square, direction, side);
        let is_closed = || self.lines.is_closed(square, direction, side);
        self.rule.five(side).wins(length, is_closed)
    }

    /// Returns the stones of the winning lines through the stone on `square`; empty if there are none.
    pub fn winning_stones(&self, square: Square) -> Vec<Square> {
        let Some(side) = self.stone(square) else {
            return Vec::new();
        };
        let winning =
            (0..DIRECTIONS.len()).filter(|&direction| self.wins_along(square, direction, side));
        let mut stones: Vec<Square> = winning
            .flat_map(|direction| self.lines.row_of(square, direction, side))
            .collect();
        stones.sort_unstable();
        stones.dedup();
        stones
    }

    /// Returns the side with a winning line, for positions that were set up; black if both have one.
    pub fn winner(&self) -> Option<Side> {
        let has_won = |&side: &Side| {
            let own = |&index: &usize| {
                let square = Square::from_index(index, self.size());
                self.stone(square) == Some(side) && self.wins(square, side)
            };
            (0..usize::from(self.size()) * usize::from(self.size())).any(|index| own(&index))
        };
        Side::BOTH.into_iter().find(has_won)
    }

    /// Returns why renju forbids black to play on the empty `square`. Ignores the board's rule and side to move.
    pub fn renju_forbids(&self, square: Square) -> Option<Reason> {
        renju::forbidden(&self.lines, square)
    }

    fn has_forbidden_points(&self) -> bool {
        self.rule.forbids(self.side_to_move)
    }

    fn forbidden(&self, square: Square) -> Option<Reason> {
        self.has_forbidden_points()
            .then(|| self.renju_forbids(square))?
    }

    fn illegal(&self, played: Move, why: &'static str) -> IllegalMove {
        IllegalMove {
            played,
            side: self.side_to_move(),
            why,
        }
    }
}

impl Rules for GomokuBoard {
    fn size(&self) -> u8 {
        self.lines.size()
    }

    fn side_to_move(&self) -> Side {
        let opening = self.opening.as_ref();
        opening.map_or(self.side_to_move, |opening| opening.decider())
    }

    fn at(&self, square: Square) -> Option<Side> {
        if square.is_on(self.size()) {
            self.stone(square)
        } else {
            None
        }
    }

    fn row(&self, row: u8, side: Side) -> u32 {
        self.lines.row(row, side)
    }

    fn legal_squares(&self) -> Vec<Square> {
        if self.ending.is_some() {
            return Vec::new();
        }
        if let Some(opening) = &self.opening {
            return opening.squares(self);
        }
        // A plain loop, for speed: there are about two hundred squares at every ply.
        let mut squares = Vec::with_capacity(usize::from(self.empties()));
        for row in 0..self.size() {
            let mut columns = self.lines.empty_row(row);
            while columns != 0 {
                squares.push(Square::new(columns.trailing_zeros() as u8, row));
                columns &= columns - 1;
            }
        }
        if self.has_forbidden_points() {
            squares.retain(|&square| self.forbidden(square).is_none());
        }
        squares
    }

    fn play(&mut self, played: Move) -> Result<(), IllegalMove> {
        if self.ending.is_some() {
            return Err(self.illegal(played, "the game is over"));
        }
        if let Some(mut opening) = self.opening.clone() {
            if let Some(why) = opening.refusal(self, played) {
                return Err(self.illegal(played, why));
            }
            if let Some(square) = opening.take(played) {
                self.set(square, Some(self.side_to_move));
                self.side_to_move = !self.side_to_move;
            }
            self.opening = Some(opening).filter(|opening| !opening.has_ended());
            return Ok(());
        }
        if let Move::Choose(_) = played {
            return Err(self.illegal(played, "there is nothing to choose now"));
        }
        let Move::Place(square) = played else {
            return Err(self.illegal(played, "gomoku has no pass"));
        };
        if !square.is_on(self.size()) {
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
                reason: Reason::FIVE,
            })
        } else if self.is_stuck() {
            Some(Ending {
                winner: None,
                reason: Reason::BOARD_FULL,
            })
        } else {
            None
        };
        Ok(())
    }

    fn give(&mut self, given: Move) -> Result<(), IllegalMove> {
        self.opening = None;
        if let Move::Place(square) = given {
            if !square.is_on(self.size()) {
                return Err(self.illegal(given, "it is off the board"));
            }
            if self.stone(square).is_some() {
                return Err(self.illegal(given, "the square is taken"));
            }
            self.set(square, Some(self.side_to_move));
        }
        self.side_to_move = !self.side_to_move;
        Ok(())
    }

    fn ending(&self) -> Option<Ending> {
        self.ending
    }

    fn counts(&self) -> [u16; 2] {
        self.stones
    }
}

impl GomokuBoard {
    fn is_stuck(&self) -> bool {
        if self.has_forbidden_points() {
            self.empty_squares()
                .all(|square| self.forbidden(square).is_some())
        } else {
            self.empties() == 0
        }
    }
}
