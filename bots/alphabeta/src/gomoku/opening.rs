//! Decisions in an opening by a rule.
//!
//! If the opponent chooses a colour next, a stone is put where the search finds the position most even. Of two colours,
//! the bot takes the one with the better score, so it never puts two more stones, and never offers ten fifth moves. Each
//! question is answered by itself; the seed makes openings differ.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Instant;

use games::gomoku::{Choice, GomokuBoard, Opening, Step};
use games::{Move, Rules, Side, Square};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::board::SearchBoard;
use super::evaluation::PROVEN;
use super::position::GomokuPosition;
use super::searcher::DEEPEST;
use crate::options::Evaluation;
use crate::search::{Budget, Score, Search, TranspositionTable};

/// The most candidates that a search compares, and the nodes for each of them.
const MOST: u64 = 12;
const NODES_EACH: u64 = 250;
/// The first stones lie at most so far from an edge, and from each other.
const EDGE: u8 = 2;
const NEAR: u8 = 5;

pub(super) struct Opener<'a> {
    pub judge: Evaluation,
    pub table: &'a Arc<TranspositionTable>,
    pub budget: Budget,
    pub seed: u64,
}

impl Opener<'_> {
    /// Returns the decision; `None` if it is simply the best move of the next stone's colour.
    pub fn choose(&self, rules: &GomokuBoard, opening: &Opening) -> Option<Move> {
        let board = rules.without_opening();
        let legal = rules.legal_squares();
        let square = match (opening.step(), opening.steps().get(1)) {
            (Step::Choose(decider, choices), _) => {
                return Some(Move::Choose(self.word(&board, decider, choices)));
            }
            (Step::Place(..), Some(Step::Place(..))) => self.aside(&board, &legal, opening),
            (Step::Place(..), Some(Step::Choose(_, choices)))
                if choices.contains(&Choice::Swap) =>
            {
                let even = |score: Score| -score.abs();
                let squares = self.candidates(&board, legal, even, 2 * self.width());
                self.compare(&board, self.draw(squares, opening), even)
            }
            (Step::Place(..), _) => return None,
            (Step::Offer, _) => {
                let squares = self.candidates(&board, legal, |score| score, self.width());
                self.compare(&board, squares, |score| score)
            }
            // White chooses the fifth move that is worst for black.
            (Step::Pick, _) => self.compare(&board, legal, |score| -score),
        };
        Some(Move::Place(square))
    }

    fn word(&self, board: &GomokuBoard, decider: Side, choices: &[Choice]) -> Choice {
        if !choices.contains(&Choice::Stay) {
            return self.number(board, choices);
        }
        let score = self.value(board, self.budget);
        let own = if decider == board.next_stone() {
            score
        } else {
            -score
        };
        if own < 0 { Choice::Swap } else { Choice::Stay }
    }

    /// Returns the number of fifth moves for which the worst of them is most even: white will choose it.
    fn number(&self, board: &GomokuBoard, choices: &[Choice]) -> Choice {
        let squares = self.candidates(board, board.legal_squares(), |score| score, choices.len());
        let share = self.share(squares.len());
        let mut scores: Vec<Score> = squares
            .into_iter()
            .map(|square| -self.value(&after(board, square), share))
            .collect();
        scores.sort_by_key(|&score| Reverse(score));
        let numbered = choices.iter().zip(scores);
        let best = numbered.min_by_key(|(_, score)| score.abs());
        best.map_or(choices[0], |(choice, _)| *choice)
    }

    /// Returns the number of candidates that the budget allows.
    fn width(&self) -> usize {
        let most = self.budget.nodes.map_or(MOST, |nodes| nodes / NODES_EACH);
        most.clamp(4, MOST) as usize
    }

    fn random(&self, opening: &Opening) -> ChaCha8Rng {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(opening.so_far().len() as u64);
        random
    }

    /// Returns any legal square near an edge and near the stones: there, openings stay even for longest.
    fn aside(&self, board: &GomokuBoard, legal: &[Square], opening: &Opening) -> Square {
        let last = board.size() - 1;
        let from_edge = |at: u8| at.min(last - at);
        let stone = opening.so_far().iter().find_map(|played| played.square());
        let is_aside = |square: &&Square| {
            let is_by_edge = from_edge(square.column()).min(from_edge(square.row())) <= EDGE;
            let is_near = stone.is_none_or(|stone| {
                let columns = square.column().abs_diff(stone.column());
                columns.max(square.row().abs_diff(stone.row())) <= NEAR
            });
            is_by_edge && is_near
        };
        let aside: Vec<Square> = legal.iter().filter(is_aside).copied().collect();
        let squares = if aside.is_empty() { legal } else { &aside };
        squares[(self.random(opening).next_u64() % squares.len() as u64) as usize]
    }

    /// Draws half of the squares.
    fn draw(&self, mut squares: Vec<Square>, opening: &Opening) -> Vec<Square> {
        let mut random = self.random(opening);
        let drawn = squares.len().div_ceil(2);
        for index in 0..drawn {
            let left = (squares.len() - index) as u64;
            squares.swap(index, index + (random.next_u64() % left) as usize);
        }
        squares.truncate(drawn);
        squares
    }

    /// Returns the squares with the highest `worth` by the evaluation alone. A score is that of the side that puts the
    /// stone.
    fn candidates(
        &self,
        board: &GomokuBoard,
        mut legal: Vec<Square>,
        worth: impl Fn(Score) -> Score,
        most: usize,
    ) -> Vec<Square> {
        legal.sort_by_cached_key(|&square| {
            let mut after = SearchBoard::from_rules(&after(board, square));
            Reverse(worth(-after.evaluate()))
        });
        legal.truncate(most);
        legal
    }

    /// Returns the square with the highest `worth` after searches: each round keeps the better half.
    fn compare(
        &self,
        board: &GomokuBoard,
        mut squares: Vec<Square>,
        worth: impl Fn(Score) -> Score,
    ) -> Square {
        while squares.len() > 1 {
            let share = self.share(squares.len());
            squares.sort_by_cached_key(|&square| {
                Reverse(worth(-self.value(&after(board, square), share)))
            });
            squares.truncate(squares.len().div_ceil(2));
        }
        squares[0]
    }

    /// Returns the budget of a search if this round and the later ones have the same effort, and each keeps a half of
    /// so many squares.
    fn share(&self, squares: usize) -> Budget {
        let rounds = |squares: usize| squares.max(2).next_power_of_two().ilog2();
        let searches = rounds(squares) * squares as u32;
        let until = self
            .budget
            .left()
            .map(|left| Instant::now() + left / searches);
        let of_nodes =
            |nodes: u64| (nodes / u64::from(rounds(self.width())) / squares as u64).max(1);
        Budget {
            nodes: self.budget.nodes.map(of_nodes),
            soft: until,
            hard: until,
            ..self.budget
        }
    }

    /// Returns the search's score for the side to move.
    fn value(&self, board: &GomokuBoard, budget: Budget) -> Score {
        let board = SearchBoard::from_rules(board);
        let position = GomokuPosition::judged_by(self.judge, board);
        let mut search = Search::new(position, Arc::clone(self.table));
        let budget = Budget {
            decided: Some(PROVEN),
            ..budget
        };
        search.deepen(budget, DEEPEST, &mut |_| ()).score
    }
}

/// Returns the position after the next stone. So few stones win nothing.
fn after(board: &GomokuBoard, square: Square) -> GomokuBoard {
    let mover = board.next_stone();
    let mut after = board.clone().with_side_to_move(!mover);
    after.set(square, Some(mover));
    after
}
