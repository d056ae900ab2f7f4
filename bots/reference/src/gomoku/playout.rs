//! Random playouts of Gomoku.

use games::gomoku::GomokuBoard;
use games::{Move, Rules, Side, Square};

use super::{Stones, from_the_centre};
use crate::draw::Draw;
use crate::uct::Playable;

/// Squares within this distance of a stone are candidates in the tree, and more likely moves in a playout.
const REACH: u8 = 2;
/// A near square is this many times as likely in a playout as another square.
const NEAR_WEIGHT: usize = 8;

#[derive(Clone, Debug)]
pub(crate) struct Playout {
    stones: Stones,
    side_to_move: Side,
    winner: Option<Side>,
    last: [Option<Square>; 2],
}

impl Playout {
    pub(crate) fn new(board: &GomokuBoard) -> Playout {
        Playout {
            stones: Stones::new(board),
            side_to_move: board.side_to_move(),
            winner: None,
            last: [None; 2],
        }
    }

    fn put(&mut self, square: Square) {
        let mover = self.side_to_move;
        if self.stones.wins(square, mover) {
            self.winner = Some(mover);
        }
        self.stones.put(square, mover);
        self.last[mover.index()] = Some(square);
        self.side_to_move = !mover;
    }

    fn near(&self, reach: u8) -> Vec<Square> {
        let near = self.stones.neighbourhood(reach);
        (0..self.stones.size())
            .flat_map(|row| {
                games::othello::squares(u64::from(near[usize::from(row)]))
                    .map(move |bit| Square::new(bit as u8 - 1, row))
            })
            .collect()
    }
}

impl Playable for Playout {
    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    /// Returns the first of these that exist: one winning move; the squares on which the opponent would win; the
    /// squares within [`REACH`] of a stone; all empty squares (on an empty board, only the centre). The first two are
    /// decisive and anti-decisive moves (F. Teytaud, O. Teytaud, "On the huge benefit of decisive moves in Monte-Carlo
    /// tree search algorithms", 2010).
    fn moves(&self) -> Vec<Move> {
        if self.winner.is_some() || self.stones.empties() == 0 {
            return Vec::new();
        }
        let beside = self.near(1);
        let winning = |side| {
            let wins = |square: &&Square| self.stones.wins(**square, side);
            let squares: Vec<_> = beside.iter().filter(wins).copied().collect();
            squares
        };
        let mut squares = winning(self.side_to_move);
        squares.truncate(1);
        if squares.is_empty() {
            squares = winning(!self.side_to_move);
        }
        if squares.is_empty() {
            squares = self.near(REACH);
        }
        if squares.is_empty() {
            // The board is empty, or all near squares are occupied.
            squares = from_the_centre(self.stones.size());
            squares.retain(|&square| self.stones.is_empty(square));
            let size = u16::from(self.stones.size());
            if self.stones.empties() == size * size {
                squares.truncate(1);
            }
        }
        squares.into_iter().map(Move::Place).collect()
    }

    fn play(&mut self, played: Move) {
        self.put(played.square().expect("gomoku has no pass"));
    }

    /// Plays at random, mostly near stones. But if the last stones make a five possible, completes or prevents it.
    fn play_out(mut self, draw: &mut Draw) -> i32 {
        let mut empties: Vec<_> = (0..self.stones.size())
            .flat_map(|row| (0..self.stones.size()).map(move |column| Square::new(column, row)))
            .filter(|&square| self.stones.is_empty(square))
            .collect();
        let mut near = self.stones.neighbourhood(REACH);
        while self.winner.is_none() && self.stones.empties() > 0 {
            let square = self
                .urgent()
                .unwrap_or_else(|| self.any(&mut empties, &near, draw));
            self.put(square);
            let first = square.row().saturating_sub(REACH);
            let last = (square.row() + REACH).min(self.stones.size() - 1);
            for row in first..=last {
                near[usize::from(row)] |= 0b11111 << (square.column() + 1) >> REACH;
            }
        }
        match self.winner {
            None => 0,
            Some(Side::Black) => 1,
            Some(Side::White) => -1,
        }
    }
}

impl Playout {
    /// Returns a square in a line through the last stones that wins at once, or else one that prevents a win.
    fn urgent(&self) -> Option<Square> {
        let complete = |side: Side| self.stones.completion(self.last[side.index()]?, side);
        complete(self.side_to_move).or_else(|| complete(!self.side_to_move))
    }

    /// Returns a random empty square. A square of `near` is [`NEAR_WEIGHT`] times as likely as another square.
    /// `empties` must contain all empty squares; occupied squares in it are removed when they are drawn.
    fn any(&self, empties: &mut Vec<Square>, near: &[u32], draw: &mut Draw) -> Square {
        loop {
            let index = draw.below(empties.len());
            let square = empties[index];
            if !self.stones.is_empty(square) {
                empties.swap_remove(index);
                continue;
            }
            let is_near = near[usize::from(square.row())] >> (square.column() + 1) & 1 == 1;
            if is_near || draw.below(NEAR_WEIGHT) == 0 {
                empties.swap_remove(index);
                return square;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::{games, reachable};
    use proptest::prelude::*;

    proptest! {
        /// Every playout ends with a win of one side or a draw.
        #[test]
        fn playouts_end(
            board in games().prop_flat_map(|game| reachable(game, 300)),
            seed in any::<u64>(),
        ) {
            let games::Board::Gomoku(board) = board else { return Ok(()) };
            let margin = Playout::new(&board).play_out(&mut Draw::new(seed, 0));
            prop_assert!((-1..=1).contains(&margin));
        }

        /// A win must be the only candidate. Without one, the opponent's winning squares must be the candidates.
        #[test]
        fn decisive_moves_come_first(
            board in games().prop_flat_map(|game| reachable(game, 100)),
        ) {
            let games::Board::Gomoku(board) = board else { return Ok(()) };
            let side = board.side_to_move();
            let winning = |side| {
                let mut squares: Vec<_> = board.empty_squares().collect();
                squares.retain(|&square| board.wins(square, side));
                squares
            };
            let moves = Playout::new(&board).moves();
            let squares: Vec<_> = moves.into_iter().filter_map(Move::square).collect();
            let (wins, threats) = (winning(side), winning(!side));
            if wins.is_empty() {
                prop_assert!(threats.is_empty() || squares == threats);
            } else {
                prop_assert_eq!(squares, &wins[..1]);
            }
        }
    }
}
