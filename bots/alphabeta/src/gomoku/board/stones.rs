//! Putting stones down and taking them back: what changes on the board, and what follows from it.

use games::Side;

use super::{Change, SearchBoard};
use crate::gomoku::cell::Cell;
use crate::gomoku::key::{WHITE_TO_MOVE, stone_key};
use crate::gomoku::shape::Shape;

impl SearchBoard {
    /// Puts a stone of the side to move on an empty cell.
    pub fn play(&mut self, cell: Cell) {
        debug_assert!(self.is_empty(cell), "{cell:?} is taken");
        let side = self.side_to_move;
        self.frames.push(self.changes.len());
        self.moves.push(cell);
        self.change(cell, [Shape::default(); 2]);
        self.lines.set(cell, Side::BOTH.map(|each| each == side));
        self.refresh_line::<0>(cell);
        self.refresh_line::<1>(cell);
        self.refresh_line::<2>(cell);
        self.refresh_line::<3>(cell);
        self.key = self.key_after(cell);
        self.side_to_move = !side;
        self.empty -= 1;
    }

    /// Takes the last stone back.
    pub fn undo(&mut self) {
        let cell = self.moves.pop().expect("a stone was played");
        let frame = self.frames.pop().expect("a frame a stone");
        self.side_to_move = !self.side_to_move;
        self.key ^= stone_key(cell, self.side_to_move.index()) ^ WHITE_TO_MOVE;
        self.lines.set(cell, [false; 2]);
        self.empty += 1;
        while self.changes.len() > frame {
            let Change { cell, before, .. } = self.changes.pop().expect("there are more");
            self.set_shapes(cell, before);
        }
        self.sums.truncate(self.frames.len() + 1);
    }

    /// Gives the turn away, or takes that back.
    pub(in crate::gomoku) fn toggle_side(&mut self) {
        self.side_to_move = !self.side_to_move;
        self.key ^= WHITE_TO_MOVE;
    }

    /// Looks up again what the empty cells within reach of `cell` are along one direction: a constant, for
    /// shifts by constants.
    #[inline]
    fn refresh_line<const DIRECTION: usize>(&mut self, cell: Cell) {
        let tables = self.tables;
        for (near, keys) in self.lines.in_reach(&tables.halves, cell, DIRECTION) {
            let old = self.shapes[near.index()];
            let new = [0, 1].map(|side| {
                let line = tables.line(side, keys[side]);
                old[side].with_line(DIRECTION, line)
            });
            if new != old {
                self.change(near, new);
            }
        }
    }

    #[inline]
    fn change(&mut self, cell: Cell, after: [Shape; 2]) {
        self.changes.push(Change {
            cell,
            before: self.shapes[cell.index()],
            after,
        });
        self.set_shapes(cell, after);
    }
}

#[cfg(test)]
mod tests {
    use games::Square;
    use games::gomoku::Rule;
    use proptest::prelude::*;

    use super::*;
    use crate::gomoku::shape::Kind;

    /// All that a board knows, computed from its stones alone.
    fn afresh(board: &SearchBoard) -> SearchBoard {
        let mut fresh = SearchBoard::new(board.size, board.rule);
        let stones: Vec<(Square, Side)> = board
            .cells()
            .filter_map(|cell| {
                let side = Side::BOTH
                    .into_iter()
                    .find(|side| board.has_stone(cell, side.index()))?;
                Some((cell.square(), side))
            })
            .collect();
        fresh.begin(&stones, board.side_to_move);
        fresh
    }

    fn assert_same(board: &SearchBoard, other: &SearchBoard) {
        assert_eq!(board.key, other.key);
        assert_eq!(board.lines, other.lines);
        for cell in board.cells() {
            assert_eq!(
                board.shapes[cell.index()],
                other.shapes[cell.index()],
                "{cell:?}"
            );
        }
        assert_eq!((&board.fives, &board.fours), (&other.fives, &other.fours));
        assert_eq!(board.threes, other.threes);
        assert_eq!(
            board.counts.map(|of| of[1..].to_vec()),
            other.counts.map(|of| of[1..].to_vec())
        );
        assert_eq!(board.clone().sums_now(), other.clone().sums_now());
        assert_eq!(board.empty, other.empty);
    }

    proptest! {
        #[test]
        fn playing_and_undoing_keeps_everything_as_computed_afresh(
            rule in prop::sample::select(Rule::ALL.to_vec()),
            size in 5u8..=22,
            steps in proptest::collection::vec((any::<prop::sample::Index>(), 0u8..4), 1..120),
        ) {
            let mut board = SearchBoard::new(size, rule);
            for (choice, what) in steps {
                let empty: Vec<Cell> = board.cells().filter(|&cell| board.is_empty(cell)).collect();
                if what == 0 && !board.moves.is_empty() {
                    board.undo();
                } else if !empty.is_empty() {
                    board.play(empty[choice.index(empty.len())]);
                }
            }
            assert_same(&board, &afresh(&board));
            while !board.moves.is_empty() {
                board.undo();
            }
            assert_same(&board, &SearchBoard::new(size, rule));
        }

        #[test]
        fn a_cell_of_kind_five_is_one_where_the_rules_see_a_win(
            rule in prop::sample::select(Rule::ALL.to_vec()),
            size in 5u8..=15,
            stones in proptest::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..120),
        ) {
            let mut rules = games::gomoku::GomokuBoard::new(size, rule);
            for (place, white) in stones {
                let square = Square::from_index(place.index(usize::from(size).pow(2)), size);
                rules.set(square, Some(if white { Side::White } else { Side::Black }));
            }
            let board = SearchBoard::from_rules(&rules);
            for square in rules.empty_squares() {
                for side in Side::BOTH {
                    let five = board.kind(square.into(), side.index()) == Kind::Five;
                    prop_assert_eq!(five, rules.wins(square, side), "{} at {}", side, square);
                }
            }
        }
    }

    #[test]
    fn the_rim_is_as_wide_as_a_cell_sees() {
        assert_eq!(
            u32::from(crate::gomoku::cell::RIM),
            crate::gomoku::pattern::REACH
        );
    }
}
