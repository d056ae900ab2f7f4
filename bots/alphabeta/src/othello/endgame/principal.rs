//! The principal variation of the endgame: the few positions whose score is to be known exactly.

use games::othello::{Kernel, Position, squares};

use super::candidates::Candidates;
use super::solver::{DEEP, Solver, key, plain};
use crate::othello::{PASS, prob_cut};
use crate::search::{Move, Window};

/// A position that was solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The final score in discs for the side to move.
    pub score: i32,
    /// Perfect play by both sides, passes included, as far as it is remembered.
    pub line: Vec<Move>,
}

/// Fewer empty squares than this are solved without any order of moves.
const PLAIN: u32 = 5;

/// Most empty squares at which the line is followed by solving again.
const FOLLOW: u32 = 10;

impl<K: Kernel> Solver<K> {
    /// The final score of `position`, searched first in a window round `guess`; `None` if the budget
    /// ran out.
    pub fn solve(&mut self, position: Position, guess: i32) -> Option<Solution> {
        let mut score = guess;
        for selectivity in Self::selectivities(position.empties().count_ones()) {
            self.selectivity = selectivity;
            let found = self.score_near(position, score);
            self.selectivity = prob_cut::EXACT;
            score = found?;
        }
        let line = self.line(position, score);
        Some(Solution { score, line })
    }

    /// The score of `position`, searched first in a window round `guess`; `None` if the budget ran
    /// out.
    fn score_near(&mut self, position: Position, guess: i32) -> Option<i32> {
        let empties = position.empties().count_ones();
        // Scores are even.
        let guess = (guess / 2 * 2).clamp(-64, 64);
        let mut window = Window::new(guess - 1, guess + 1);
        let mut step = 2;
        loop {
            let score = self.exact(position, empties, window);
            if self.stopped {
                return None;
            }
            if window.fail_low(score) && score > -64 {
                window = Window::new((score - step - 1).max(-65), score + 1);
            } else if window.fail_high(score) && score < 64 {
                window = Window::new(score - 1, (score + step + 1).min(65));
            } else {
                return Some(score);
            }
            step *= 2;
        }
    }

    /// Whether the side to move of `position` wins (1), draws (0) or loses (−1), with a line that
    /// shows it; `None` if the budget ran out.
    pub fn solve_result(&mut self, position: Position) -> Option<Solution> {
        let empties = position.empties().count_ones();
        let bound = self.exact(position, empties, Window::new(-1, 1));
        if self.stopped {
            return None;
        }
        let line = self.line(position, bound);
        Some(Solution {
            score: bound.signum(),
            line,
        })
    }

    /// The score of `position` in any window.
    pub(super) fn exact(&mut self, position: Position, empties: u32, window: Window) -> i32 {
        if empties < PLAIN {
            let (alpha, beta) = (window.alpha, window.beta);
            return plain(self.kernel, position, alpha, beta, &mut self.nodes);
        }
        if window.is_zero() {
            return self.zero_window(position, empties, window.alpha);
        }
        self.nodes += 1;
        let moves = self.kernel.legal_moves(position.own, position.opponent);
        if moves == 0 {
            let passed = position.pass();
            if passed.legal_moves() == 0 {
                return position.final_score();
            }
            return -self.exact(passed, empties, window.flipped());
        }
        let key = key(position);
        let known = self.table.probe(key);
        let remembered = known.map_or(Move::NONE, |entry| entry.best);
        let mut candidates = Candidates::new(self.kernel, position, moves, |square, next| {
            if square == remembered.index() {
                return i32::MAX;
            }
            -(next.legal_moves().count_ones() as i32)
        });
        if empties >= DEEP {
            self.order_by_search(&mut candidates, position, empties);
        }
        let mut best = (-128, Move::NONE);
        let mut open = window;
        while let Some(candidate) = candidates.next() {
            let next = candidate.play(position);
            let mut score = -128;
            if best.1 != Move::NONE {
                score = -self.zero_window(next, empties - 1, -open.alpha - 1);
            }
            if best.1 == Move::NONE || (score > open.alpha && !open.fail_high(score)) {
                score = -self.exact(next, empties - 1, open.flipped());
            }
            if self.stopped {
                return best.0;
            }
            if score > best.0 {
                best = (score, Move(u16::from(candidate.square)));
                open = open.raised(score);
                if open.fail_high(score) {
                    break;
                }
            }
        }
        self.table
            .store(key, self.draft(empties), window, best.0, best.1);
        best.0
    }

    /// Perfect play from `position` on, where the side to move ends with `score`: the moves that are
    /// remembered, and near the end, where nothing is, the first that keep the score.
    fn line(&mut self, position: Position, score: i32) -> Vec<Move> {
        let (mut now, mut score) = (position, score);
        let mut line = Vec::new();
        loop {
            let moves = now.legal_moves();
            let best = if moves == 0 {
                if now.pass().legal_moves() == 0 {
                    return line;
                }
                PASS
            } else {
                let remembered = self.table.probe(key(now)).map(|entry| entry.best);
                let legal = remembered.filter(|best| best.0 < 64 && moves >> best.0 & 1 == 1);
                let Some(best) = legal.or_else(|| self.keeping(now, score)) else {
                    return line;
                };
                best
            };
            line.push(best);
            score = -score;
            now = if best == PASS {
                now.pass()
            } else {
                now.play(best.index())
            };
        }
    }

    /// The first move of a position with few empty squares that keeps `score`.
    fn keeping(&mut self, position: Position, score: i32) -> Option<Move> {
        let empties = position.empties().count_ones();
        if empties > FOLLOW {
            return None;
        }
        let keeps = |&square: &usize| {
            let next = position.play(square);
            self.exact(next, empties - 1, Window::new(-score - 1, -score + 1)) == -score
        };
        squares(position.legal_moves())
            .find(keeps)
            .map(|square| Move(square as u16))
    }
}
