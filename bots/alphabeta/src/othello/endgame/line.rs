//! The line of perfect play that goes with a score.

use std::mem;

use games::othello::{Kernel, Position, squares};

use super::principal::PLAIN;
use super::solver::{Solver, plain};
use crate::othello::PASS;
use crate::search::Move;

impl<K: Kernel> Solver<K> {
    /// No line is known from a position with so many empty squares.
    #[inline]
    pub(super) fn clear_line(&mut self, empties: u32) {
        self.set_line(empties, Vec::new());
    }

    pub(super) fn set_line(&mut self, empties: u32, known: Vec<Move>) {
        if let Some(line) = self.lines.get_mut(empties as usize) {
            *line = known;
        }
    }

    /// The line from a position with so many empty squares is `played`, and the one noted after it, where
    /// `left` squares are empty.
    pub(super) fn extend_line(&mut self, empties: u32, played: Move, left: u32) {
        if let Some(rest) = self.lines.get(left as usize) {
            let line = [&[played], &rest[..]].concat();
            self.set_line(empties, line);
        }
    }

    /// The line noted from a position with so many empty squares.
    pub(super) fn take_line(&mut self, empties: u32) -> Vec<Move> {
        let line = self.lines.get_mut(empties as usize);
        line.map(mem::take).unwrap_or_default()
    }

    /// Perfect play from `position` on, where the side to move ends with `score`: the moves that are
    /// `known`, and near the end, where none are noted, the first that keep the score. The tables are not
    /// asked: they forget the best move of a position, and learn another from a search that asked less.
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

    /// The first move of a position with few empty squares that keeps `score`.
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
