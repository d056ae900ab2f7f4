//! A Gomoku position for search, with an incremental evaluation by lines. A stone changes only four lines, so these
//! bots are about a hundred times as fast as the course programs that they copy.

use games::gomoku::GomokuBoard;
use games::{Move, Rules, Side, Square};

use super::{Line, Stones, from_the_centre};
use crate::search::Tree;

pub(crate) trait Program: Sized {
    /// The value of the bot's five, and the cost of the opponent's five. Each is more than any evaluation.
    const FIVE: [i32; 2];

    /// Returns the value of a line for the bot, whose stones are `line.own`. Fives do not count here: see `FIVE`.
    fn line(line: Line) -> i32;

    fn square(_square: Square, _size: u8) -> i32 {
        0
    }

    /// Returns the candidates with `depth` plies left, in the order of search; empty only on a full board.
    fn candidates(tree: &mut GomokuTree<Self>, depth: u32) -> Vec<Square>;
}

#[derive(Clone, Debug)]
pub(crate) struct GomokuTree<P> {
    stones: Stones,
    me: Side,
    side_to_move: Side,
    lines: Vec<i32>,
    total: i32,
    history: Vec<UndoEntry>,
    order: Vec<Square>,
    program: std::marker::PhantomData<P>,
}

#[derive(Clone, Debug)]
struct UndoEntry {
    square: Square,
    wins: bool,
    lines: [i32; 4],
    total: i32,
}

impl<P: Program> GomokuTree<P> {
    pub(crate) fn new(board: &GomokuBoard) -> GomokuTree<P> {
        let me = board.side_to_move();
        let stones = Stones::new(board);
        let order = from_the_centre(board.size());
        let lines: Vec<i32> = (0..stones.line_count())
            .map(|line| P::line(stones.line(line, me)))
            .collect();
        let squares: i32 = order
            .iter()
            .filter_map(|&square| Some((square, board.stone(square)?)))
            .map(|(square, side)| signed::<P>(square, board.size(), side == me))
            .sum();
        GomokuTree {
            me,
            side_to_move: me,
            total: lines.iter().sum::<i32>() + squares,
            lines,
            stones,
            history: Vec::new(),
            order,
            program: std::marker::PhantomData,
        }
    }

    pub(crate) fn empty_squares(&self) -> Vec<Square> {
        let is_empty = |square: &Square| self.stones.is_empty(*square);
        self.order.iter().copied().filter(is_empty).collect()
    }

    /// Returns the empty squares within `reach` steps of a stone, from the centre outwards; if none, all empty squares.
    pub(crate) fn neighbourhood(&self, reach: u8) -> Vec<Square> {
        let near = self.stones.neighbourhood(reach);
        let is_near =
            |square: &Square| near[usize::from(square.row())] >> (square.column() + 1) & 1 == 1;
        let squares: Vec<_> = self.order.iter().copied().filter(is_near).collect();
        if squares.is_empty() {
            self.empty_squares()
        } else {
            squares
        }
    }

    /// Returns the squares of [`GomokuTree::neighbourhood`], best first, and the more central of equal ones first.
    pub(crate) fn best_first(&mut self, reach: u8) -> Vec<Square> {
        let mut squares = self.neighbourhood(reach);
        squares.sort_by_cached_key(|&square| -self.value_with(square));
        squares
    }

    fn value_with(&mut self, square: Square) -> i32 {
        self.play(Move::Place(square));
        let value = -self.ended().unwrap_or_else(|| self.evaluate());
        self.undo();
        value
    }

    fn to_mover(&self, value: i32) -> i32 {
        if self.side_to_move == self.me {
            value
        } else {
            -value
        }
    }
}

fn signed<P: Program>(square: Square, size: u8, is_own: bool) -> i32 {
    if is_own {
        P::square(square, size)
    } else {
        -P::square(square, size)
    }
}

impl<P: Program> Tree for GomokuTree<P> {
    fn moves(&mut self, depth: u32) -> Vec<Move> {
        P::candidates(self, depth)
            .into_iter()
            .map(Move::Place)
            .collect()
    }

    fn play(&mut self, played: Move) {
        let square = played.square().expect("gomoku has no pass");
        let mover = self.side_to_move;
        let places = self.stones.places(square);
        self.history.push(UndoEntry {
            square,
            wins: self.stones.wins(square, mover),
            lines: places.map(|place| self.lines[place.line]),
            total: self.total,
        });
        self.stones.put(square, mover);
        self.total += signed::<P>(square, self.stones.size(), mover == self.me);
        for place in places {
            let value = P::line(self.stones.line(place.line, self.me));
            self.total += value - self.lines[place.line];
            self.lines[place.line] = value;
        }
        self.side_to_move = !mover;
    }

    fn undo(&mut self) {
        let last = self.history.pop().expect("only what was played is undone");
        self.side_to_move = !self.side_to_move;
        self.stones.take(last.square, self.side_to_move);
        for (place, value) in self.stones.places(last.square).into_iter().zip(last.lines) {
            self.lines[place.line] = value;
        }
        self.total = last.total;
    }

    /// The sooner a side makes a five, the more it is worth to that side. Otherwise, a bot could delay a win forever.
    fn ended(&self) -> Option<i32> {
        let last = self.history.last()?;
        if last.wins {
            let five = P::FIVE[usize::from(self.side_to_move == self.me)];
            return Some(self.history.len() as i32 - five);
        }
        (self.stones.empties() == 0).then_some(0)
    }

    fn evaluate(&self) -> i32 {
        self.to_mover(self.total)
    }

    fn shown(value: i32) -> f64 {
        f64::from(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::centrality;
    use crate::positions::{games, reachable};
    use proptest::prelude::*;

    /// A program in which every stone of a line changes the value of the line.
    #[derive(Clone, Debug)]
    struct Fingerprint;

    impl Program for Fingerprint {
        const FIVE: [i32; 2] = [1 << 30, 1 << 30];

        fn line(line: Line) -> i32 {
            let mixed =
                line.own.wrapping_mul(0x9e37_79b1) ^ line.opponent.wrapping_mul(0x85eb_ca6b);
            (mixed >> 12) as i32
        }

        fn square(square: Square, size: u8) -> i32 {
            centrality(square, size)
        }

        fn candidates(tree: &mut GomokuTree<Fingerprint>, _depth: u32) -> Vec<Square> {
            tree.empty_squares()
        }
    }

    fn positions() -> impl Strategy<Value = games::Board> {
        games()
            .prop_filter("only Gomoku has lines", |game| {
                *game != games::Game::OTHELLO
            })
            .prop_flat_map(|game| reachable(game, 60))
    }

    proptest! {
        #[test]
        fn the_sum_kept_is_the_sum_anew(
            board in positions(),
            choices in proptest::collection::vec(any::<proptest::sample::Index>(), 1..8),
        ) {
            let games::Board::Gomoku(mut board) = board else { unreachable!() };
            let root = GomokuTree::<Fingerprint>::new(&board);
            let mut tree = root.clone();
            let mut plies = 0;
            for choice in choices {
                let moves = board.legal_squares();
                if moves.is_empty() { break; }
                let played = Move::Place(moves[choice.index(moves.len())]);
                board.play(played).unwrap();
                tree.play(played);
                plies += 1;
                // A new tree assumes that the bot is to move.
                let anew = GomokuTree::<Fingerprint>::new(&board.clone().with_side_to_move(root.me));
                prop_assert_eq!(tree.total, anew.total);
                prop_assert_eq!(&tree.lines, &anew.lines);
                prop_assert_eq!(&tree.stones, &anew.stones);
                // The tree detects fives and full boards, but not renju's fouls.
                let ended = board.ending().map(|ending| ending.winner.is_some());
                if tree.ended() != ended.map(|won| if won { plies - (1 << 30) } else { 0 }) {
                    prop_assert_eq!(board.rule(), games::gomoku::Rule::Renju);
                }
            }
            for _ in 0..plies {
                tree.undo();
            }
            prop_assert_eq!(tree.total, root.total);
            prop_assert_eq!(tree.lines, root.lines);
            prop_assert_eq!(tree.stones, root.stones);
        }
    }
}
