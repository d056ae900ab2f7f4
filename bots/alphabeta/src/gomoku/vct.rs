//! Victory by continuous threats: fours and open threes.
//!
//! An open three has few answers: the cells that spoil it, and fours of the defender's own. So the
//! tree of threats and answers is small, and a win in it is a proof: [`Board::candidates`] lists
//! every answer that does not lose at once, and all of them are tried. [`Vct::solve`] deepens from
//! one three to many, with fours searched to their end at every attacking position, so that the
//! first win found needs the fewest threes.

use super::board::Board;
use super::cell::Cell;
use super::shape::Kind;
use super::vcf::{Vcf, VcfLimits};

/// What a search for a win by threats may cost.
#[derive(Clone, Copy, Debug)]
pub struct VctLimits {
    /// Most moves of the attacker before fours alone win.
    pub moves: u32,
    /// Positions visited, those of the fours included.
    pub nodes: u64,
}

/// The solver, with its own memory of positions that have no such win.
pub struct Vct {
    /// Positions visited since the solver was made.
    pub nodes: u64,
    stop_at: u64,
    vcf: Vcf,
    /// Keys of failures; the low six bits hold how many moves were tried.
    failures: Box<[u64]>,
}

/// A winning line, its last move first.
type Line = Vec<Cell>;

impl Default for Vct {
    fn default() -> Vct {
        Vct::new()
    }
}

impl Vct {
    const SLOTS: usize = 1 << 18;
    /// As many moves as the memory can count.
    const DEEPEST: u32 = 63;
    /// Effort for the fours of one position.
    const FOURS: VcfLimits = VcfLimits {
        fours: 16,
        nodes: 400,
    };

    /// A solver that remembers nothing yet.
    pub fn new() -> Vct {
        Vct {
            nodes: 0,
            stop_at: 0,
            vcf: Vcf::new(),
            failures: vec![0; Vct::SLOTS].into(),
        }
    }

    /// A win of the side to move by threats: the line with both sides' moves, the defender holding
    /// out as long as it can and the winning five last. Empty if none was found within `limits`.
    pub fn solve(&mut self, board: &mut Board, limits: VctLimits) -> Vec<Cell> {
        self.stop_at = self.nodes + limits.nodes;
        for moves in 1..=limits.moves.min(Vct::DEEPEST) {
            if let Some(mut line) = self.attack(board, moves) {
                line.reverse();
                return line;
            }
            if self.is_spent() {
                break;
            }
        }
        Vec::new()
    }

    fn is_spent(&self) -> bool {
        self.nodes >= self.stop_at
    }

    /// The line by which the side to move wins with `left` threats before the last fours.
    fn attack(&mut self, board: &mut Board, left: u32) -> Option<Line> {
        self.nodes += 1;
        let attacker = board.side_to_move().index();
        let facing = board.count(attacker ^ 1, Kind::Five);
        if self.is_spent() {
            return None;
        }
        if let Some(line) = self.fours(board) {
            return Some(line);
        }
        if left == 0 || facing > 1 {
            return None;
        }
        let key = board.key() & !63;
        let slot = (board.key() >> 32) as usize & (Vct::SLOTS - 1);
        let known = self.failures[slot];
        if known & !63 == key && known & 63 >= u64::from(left) {
            return None;
        }
        // The answer to a four is forced, and so it does not count as one of the moves.
        let left_after = if facing > 0 { left } else { left - 1 };
        for threat in threats(board) {
            board.play(threat);
            let line = self.defend(board, left_after);
            board.undo();
            if let Some(mut line) = line {
                line.push(threat);
                return Some(line);
            }
        }
        if !self.is_spent() {
            self.failures[slot] = key | u64::from(left);
        }
        None
    }

    /// The line in which the side to move loses as late as it can; `None` if it does not lose, as
    /// far as can be seen.
    fn defend(&mut self, board: &mut Board, left: u32) -> Option<Line> {
        let defender = board.side_to_move().index();
        let attacker = defender ^ 1;
        let a_four_stands = board.count(attacker, Kind::Five) > 0;
        if !a_four_stands && board.count(attacker, Kind::OpenFour) == 0
            || board.decided(0).is_some_and(|score| score > 0)
        {
            return None;
        }
        let answers: Vec<Cell> = board.candidates().iter().collect();
        let mut longest: Option<Line> = None;
        for answer in answers {
            if board.is_allowed(answer) {
                let line = self.after_answer(board, answer, left)?;
                if longest
                    .as_ref()
                    .is_none_or(|longest| line.len() > longest.len())
                {
                    longest = Some(line);
                }
            }
        }
        if longest.is_some() {
            return longest;
        }
        // Nothing helps, but something must be played.
        let vain = any_answer(board)?;
        self.after_answer(board, vain, left)
    }

    fn after_answer(&mut self, board: &mut Board, answer: Cell, left: u32) -> Option<Line> {
        board.play(answer);
        let line = self.attack(board, left);
        board.undo();
        let mut line = line?;
        line.push(answer);
        Some(line)
    }

    /// A win by fours alone.
    fn fours(&mut self, board: &mut Board) -> Option<Line> {
        let before = self.vcf.nodes;
        let line = self.vcf.solve(board, Vct::FOURS);
        let line = (!line.is_empty()).then(|| line.iter().rev().copied().collect());
        self.nodes += self.vcf.nodes - before;
        line
    }
}

/// The moves of the attacker that make a threat, or answer a four; the most promising first.
fn threats(board: &mut Board) -> Vec<Cell> {
    let attacker = board.side_to_move().index();
    let pressed = board.count(attacker ^ 1, Kind::OpenFour) > 0;
    if board.fives[attacker ^ 1].first().is_some() {
        let answer = board.fives[attacker ^ 1].first();
        return answer
            .into_iter()
            .filter(|&cell| board.is_allowed(cell))
            .collect();
    }
    let mut threats = board.threes[attacker].clone();
    if pressed {
        threats.intersect(&board.candidates());
    }
    let mut scored: Vec<(i32, Cell)> = Vec::new();
    for cell in threats.iter() {
        if board.is_allowed(cell) {
            let (own, taken) = (board.shape(cell, attacker), board.shape(cell, attacker ^ 1));
            scored.push((board.tables.promise(own, taken), cell));
        }
    }
    scored.sort_by_key(|&(score, _)| -score);
    scored.into_iter().map(|(_, cell)| cell).collect()
}

/// A move for a defender whom nothing helps: where the attacker wants to play, or anywhere.
pub(super) fn any_answer(board: &mut Board) -> Option<Cell> {
    let attacker = board.side_to_move().index() ^ 1;
    let wanted: Vec<Cell> = board.fives[attacker]
        .iter()
        .chain(board.fours[attacker].iter())
        .chain(board.cells())
        .collect();
    wanted
        .into_iter()
        .find(|&cell| board.is_empty(cell) && board.is_allowed(cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::drawn::position;
    use games::{Move, Rules, Side};

    const LIMITS: VctLimits = VctLimits {
        moves: 8,
        nodes: 200_000,
    };

    /// Black to move wins by threats, against every legal move of white at every turn: black's
    /// moves come from the solver, white's are all tried.
    fn assert_wins(rules: &games::gomoku::Board, depth: u32) {
        let line = Vct::new().solve(&mut Board::from_rules(rules), LIMITS);
        let first = line.first().expect("black has a win").square();
        let mut rules = rules.clone();
        rules.play(Move::Place(first)).expect("legal");
        if let Some(ending) = rules.ending() {
            assert_eq!(ending.winner, Some(Side::Black));
            return;
        }
        assert!(depth > 0, "the win is longer than the line");
        for reply in rules.legal_squares() {
            let mut rules = rules.clone();
            rules.play(Move::Place(reply)).expect("legal");
            assert_eq!(rules.ending(), None, "white has won with {reply}");
            assert_wins(&rules, depth - 1);
        }
    }

    #[test]
    fn a_double_three_wins_against_every_defence() {
        let rules = position(
            "freestyle",
            &[
                "........", "........", "...XX...", ".....X..", ".....X..", "........", "O..O...O",
                "........",
            ],
        );
        assert_wins(&rules, 3);
    }

    #[test]
    fn a_double_three_does_not_win_against_a_four_that_comes_first() {
        let rules = position(
            "freestyle",
            &[
                "OOO.....", "........", "...XX...", ".....X..", ".....X..", "........", "..OO....",
                "........",
            ],
        );
        // White's four answers the double three, and its fifth cell spoils nothing; black must see
        // that and win all the same, or not claim it.
        let line = Vct::new().solve(&mut Board::from_rules(&rules), LIMITS);
        if !line.is_empty() {
            assert_wins(&rules, 4);
        }
    }

    #[test]
    fn two_stones_are_no_win() {
        let rules = position(
            "standard",
            &["......", "......", "..XX..", "......", ".O..O.", "......"],
        );
        assert!(
            Vct::new()
                .solve(&mut Board::from_rules(&rules), LIMITS)
                .is_empty()
        );
    }
}
