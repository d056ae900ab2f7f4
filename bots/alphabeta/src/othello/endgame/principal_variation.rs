//! The principal variation of the endgame: exact scores, and the line of perfect play.

use std::mem;
use std::sync::Arc;

use games::othello::{Kernel, Position, squares};

use super::move_ordering::{Candidates, REMEMBERED};
use super::parallel_search::{RootAnswer, RootQuestion, next_candidate};
use super::shallow_solvers::plain;
use super::solver::{DEEP, Solver};
use super::solver_tables::key;
use crate::othello::{PASS, prob_cut};
use crate::search::{Move, Window};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    pub score: i32,
    /// Perfect play by both sides, including passes. [`Solver::solve_result`] sets at most the first move.
    pub line: Vec<Move>,
}

/// The fewest empty squares at which moves are ordered and lines recorded.
const PLAIN: u32 = 5;

impl<K: Kernel> Solver<K> {
    /// Returns the solution of `position`; `guess` is the centre of the first window. `None` if the budget ran out.
    pub fn solve(&mut self, position: Position, guess: i32) -> Option<Solution> {
        let empties = position.empties().count_ones();
        let mut score = guess;
        for selectivity in Self::selectivities(empties) {
            self.selectivity = selectivity;
            let found = self.score_near(position, score);
            self.selectivity = prob_cut::EXACT;
            score = found?;
        }
        let known = self.take_line(empties);
        let line = self.line(position, score, known);
        Some(Solution { score, line })
    }

    fn score_near(&mut self, position: Position, guess: i32) -> Option<i32> {
        let empties = position.empties().count_ones();
        // Scores are even.
        let guess = (guess / 2 * 2).clamp(-64, 64);
        let mut window = Window::new(guess - 1, guess + 1);
        let mut step = 2;
        loop {
            let score = self.shared_score(position, empties, window)?;
            if window.fail_low(score) && window.alpha > -65 {
                window = Window::new((score - step - 1).max(-65), score + 1);
            } else if window.fail_high(score) && window.beta < 65 {
                window = Window::new(score - 1, (score + step + 1).min(65));
            } else {
                return Some(score);
            }
            step *= 2;
        }
    }

    /// Returns the score within `window`, found with the other threads of the team, if any. `None` if the budget ran out.
    fn shared_score(&mut self, position: Position, empties: u32, window: Window) -> Option<i32> {
        let Some(team) = self.member.as_ref().map(|member| Arc::clone(&member.team)) else {
            let score = self.exact(position, empties, window);
            return (!self.stopped).then_some(score);
        };
        let selectivity = self.selectivity;
        let answer = team.ask(position, window, selectivity, |question| {
            self.search_root(question)
        });
        self.stopped = answer.is_none();
        let RootAnswer { score, line } = answer?;
        self.set_line(empties, line);
        Some(score)
    }

    /// Returns this thread's answer to a question of its team; `None` if it stopped before.
    pub fn search_root(&mut self, question: &RootQuestion) -> Option<RootAnswer> {
        let position = question.position;
        let empties = position.empties().count_ones();
        self.stopped = false;
        self.selectivity = question.selectivity;
        if let Some(member) = &mut self.member {
            member.begin(question);
        }
        let score = self.exact(position, empties, question.window);
        let line = self.take_line(empties);
        (!self.stopped).then_some(RootAnswer { score, line })
    }

    /// Returns win (1), draw (0) or loss (−1), and the best move if the table has it; `None` if the budget ran out.
    pub fn solve_result(&mut self, position: Position) -> Option<Solution> {
        let empties = position.empties().count_ones();
        let bound = self.exact(position, empties, Window::new(-1, 1));
        if self.stopped {
            return None;
        }
        let entry = self.tables.at(empties).probe(key(position));
        Some(Solution {
            score: bound.signum(),
            line: entry
                .and_then(|entry| entry.best.some())
                .into_iter()
                .collect(),
        })
    }

    pub(super) fn exact(&mut self, position: Position, empties: u32, window: Window) -> i32 {
        self.clear_line(empties);
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
            let score = -self.exact(passed, empties, window.flipped());
            self.extend_line(empties, PASS, empties);
            return score;
        }
        let key = key(position);
        let known = self.tables.at(empties).probe(key);
        let remembered = known.map_or(Move::NONE, |entry| entry.best);
        let mut candidates = Candidates::new(self.kernel, position, moves, |square, next| {
            if square == remembered.index() {
                return REMEMBERED;
            }
            -(next.legal_moves().count_ones() as i32)
        });
        if empties >= DEEP {
            self.order_by_search(&mut candidates, position, empties);
        }
        let mut best = (-128, Move::NONE);
        let mut open = window;
        let mut put_off = Vec::new();
        while let Some(candidate) = next_candidate(
            self.sharing(empties),
            &mut candidates,
            &mut put_off,
            position,
        ) {
            let next = candidate.play(position);
            let begun = self.begin(next, empties);
            let mut score = -128;
            if best.1 != Move::NONE {
                score = -self.zero_window(next, empties - 1, -open.alpha - 1);
            }
            if best.1 == Move::NONE || (score > open.alpha && !open.fail_high(score)) {
                score = -self.exact(next, empties - 1, open.flipped());
            }
            self.finish(begun);
            if self.stopped {
                return best.0;
            }
            if score > best.0 {
                best = (score, Move(u16::from(candidate.square)));
                if score > open.alpha && !open.fail_high(score) {
                    self.extend_line(empties, best.1, empties - 1);
                }
                open = open.raised(score);
                if open.fail_high(score) {
                    break;
                }
            }
        }
        self.tables
            .at(empties)
            .store(key, self.draft(empties), window, best.0, best.1);
        best.0
    }
}

impl<K: Kernel> Solver<K> {
    #[inline]
    pub(super) fn clear_line(&mut self, empties: u32) {
        self.set_line(empties, Vec::new());
    }

    pub(super) fn set_line(&mut self, empties: u32, known: Vec<Move>) {
        if let Some(line) = self.lines.get_mut(empties as usize) {
            *line = known;
        }
    }

    /// Sets the line at `empties` empty squares to `played`, followed by the line at `left` empty squares.
    pub(super) fn extend_line(&mut self, empties: u32, played: Move, left: u32) {
        if let Some(rest) = self.lines.get(left as usize) {
            let line = [&[played], &rest[..]].concat();
            self.set_line(empties, line);
        }
    }

    pub(super) fn take_line(&mut self, empties: u32) -> Vec<Move> {
        let line = self.lines.get_mut(empties as usize);
        line.map(mem::take).unwrap_or_default()
    }

    /// Returns the line of perfect play from `position`, in which the side to move scores `score`: first the `known`
    /// moves, then near the end the first moves that keep the score. Does not use the tables, because their best moves
    /// may be missing or come from a search in another window.
    pub(super) fn line(&mut self, position: Position, score: i32, known: Vec<Move>) -> Vec<Move> {
        let (mut now, mut score) = (position, score);
        let mut known = known.into_iter();
        let mut line = Vec::new();
        loop {
            let moves = now.legal_moves();
            let best = if moves == 0 {
                known.next();
                if now.pass().legal_moves() == 0 {
                    return line;
                }
                PASS
            } else {
                let Some(best) = known.next().or_else(|| self.keeping(now, score)) else {
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

    fn keeping(&mut self, position: Position, score: i32) -> Option<Move> {
        if position.empties().count_ones() >= PLAIN {
            return None;
        }
        let keeps = |&square: &usize| {
            let next = position.play(square);
            plain(self.kernel, next, -score - 1, -score + 1, &mut self.nodes) == -score
        };
        squares(position.legal_moves())
            .find(keeps)
            .map(|square| Move(square as u16))
    }
}
