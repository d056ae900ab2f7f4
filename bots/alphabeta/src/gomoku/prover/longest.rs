//! The line of a proof: the attacker takes the shortest way that is proven, the defender the longest.

use std::collections::HashMap;

use super::Prover;
use crate::gomoku::board::SearchBoard;
use crate::gomoku::cell::Cell;

/// Plies of the longest line from each proven position, and the move that begins it.
type Lengths = HashMap<u64, (usize, Option<Cell>)>;

impl Prover {
    /// The line from a proven position.
    pub(super) fn longest(&self, board: &mut SearchBoard) -> Vec<Cell> {
        let mut lengths = Lengths::new();
        self.measure(board, &mut lengths);
        let mut line = Vec::new();
        while let Some(&(_, Some(cell))) = lengths.get(&board.key()) {
            line.push(cell);
            board.play(cell);
        }
        let played = line.len();
        let fours = &self.positions[&board.key()].fours;
        if board.side_to_move().index() != self.attacker {
            // Nothing stops what threatens.
            let mut empty = board.cells().filter(|&cell| board.is_empty(cell));
            line.extend(empty.find(|cell| !fours.contains(cell)));
        }
        line.extend(fours);
        for _ in 0..played {
            board.undo();
        }
        line
    }

    /// Plies of the line from a proven position.
    fn measure(&self, board: &mut SearchBoard, lengths: &mut Lengths) -> usize {
        let key = board.key();
        if let Some(&(plies, _)) = lengths.get(&key) {
            return plies;
        }
        let is_attack = board.side_to_move().index() == self.attacker;
        let node = &self.positions[&key];
        let mut found: Option<(usize, Cell)> = None;
        for branch in &node.moves {
            let cell = branch.cell;
            let child = self.positions.get(&board.key_after(cell));
            if child.is_none_or(|child| child.numbers.proof > 0) {
                continue;
            }
            board.play(cell);
            let plies = 1 + self.measure(board, lengths);
            board.undo();
            let is_better = |&(best, _): &(usize, Cell)| {
                if is_attack {
                    plies < best
                } else {
                    plies > best
                }
            };
            if found.as_ref().is_none_or(is_better) {
                found = Some((plies, cell));
            }
        }
        let measured = match found {
            Some((plies, cell)) => (plies, Some(cell)),
            None => (node.fours.len() + usize::from(!is_attack), None),
        };
        lengths.insert(key, measured);
        measured.0
    }
}
