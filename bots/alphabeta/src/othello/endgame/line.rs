//! The line of perfect play that goes with a score.

use std::mem;

use games::othello::{Kernel, Position, squares};

use super::solver::{Solver, key};
use crate::othello::PASS;
use crate::search::{Move, Window};

/// Most empty squares at which moves are found by solving again: cheap up to here.
const FOLLOW: u32 = 12;

impl<K: Kernel> Solver<K> {
    /// From now on, principal variations are noted: what threads of a team find in the table may be what
    /// another has made of it.
    pub(super) fn note_lines(&mut self) {
        self.lines.resize_with(65, Vec::new);
    }

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
    /// `known`, then those that are remembered, and near the end the first that keep the score.
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
                let best = known.next().or_else(|| self.remembered(now));
                let legal = best.filter(|best| best.0 < 64 && moves >> best.0 & 1 == 1);
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

    /// The best move that the large table knows. Of positions with few empty squares the tables forget
    /// the best move, and learn another from a search that asked less.
    fn remembered(&self, position: Position) -> Option<Move> {
        let is_kept = position.empties().count_ones() > FOLLOW;
        let entry = is_kept.then(|| self.table.probe(key(position)))??;
        Some(entry.best)
    }

    /// The first move of a position with few empty squares that keeps `score`.
    fn keeping(&mut self, position: Position, score: i32) -> Option<Move> {
        let empties = position.empties().count_ones();
        if empties > FOLLOW {
            return None;
        }
        let keeps = |&square: &usize| {
            let next = position.play(square);
            let kept = self.exact(next, empties - 1, Window::new(-score - 1, -score + 1));
            kept == -score && !self.stopped
        };
        squares(position.legal_moves())
            .find(keeps)
            .map(|square| Move(square as u16))
    }
}
