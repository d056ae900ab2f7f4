//! Victory by continuous threats: fours and open threes.
//!
//! An open three has few answers: the cells that spoil it, and fours of the defender's own. So the
//! tree of threats and answers is small, and a win in it is a proof: [`SearchBoard::candidates`]
//! lists every answer that does not lose at once, and all of them are tried. [`Vct::solve`] deepens ply
//! by ply, fours and open threes alike, so that no win by threats is shorter than the first found.

use super::board::SearchBoard;
use super::cell::Cell;
use super::shape::Kind;

/// What a search for a win by threats may cost.
#[derive(Clone, Copy, Debug)]
pub struct VctLimits {
    /// Length of the longest win looked for, both sides' moves counted; at most [`Vct::PLIES`].
    pub plies: u32,
    /// Positions visited.
    pub nodes: u64,
}

/// The search ended before it knew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent;

/// The solver, with its own memory.
pub struct Vct {
    /// Positions visited since the solver was made.
    pub nodes: u64,
    stop_at: u64,
    /// Keys of positions that the attacker does not win; the low seven bits hold within how many
    /// plies.
    failures: Box<[u64]>,
    /// By key of a position with the defender to move: the answer that held the last time.
    answers: Box<[Option<Cell>]>,
    /// Whether open threes are threats, too.
    threes: bool,
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
    /// As many plies as the memory can count.
    pub const PLIES: u32 = 127;
    /// The plies that win after a four, itself counted: the four, a reply, the five.
    const FOUR: u32 = 3;
    /// Likewise after an open three.
    const THREE: u32 = 5;

    /// A solver that remembers nothing yet.
    pub fn new() -> Vct {
        Vct {
            nodes: 0,
            stop_at: 0,
            failures: vec![0; Vct::SLOTS].into(),
            answers: vec![None; Vct::SLOTS].into(),
            threes: true,
        }
    }

    /// The same for wins by fours alone: slower than [`Vcf`](super::Vcf), but what it finds is
    /// shortest.
    pub fn by_fours() -> Vct {
        Vct {
            threes: false,
            ..Vct::new()
        }
    }

    /// The shortest win of the side to move by threats: the line with both sides' moves, the
    /// defender holding out as long as it can and the winning five last. `Ok` and empty where there
    /// is none within the plies; `Err` where the nodes did not suffice to know.
    ///
    /// The board is as before when this returns.
    pub fn solve(
        &mut self,
        board: &mut SearchBoard,
        limits: VctLimits,
    ) -> Result<Vec<Cell>, Spent> {
        self.deepen(board, limits, 1, Vct::attack)
    }

    /// The line in which the side to move, who faces a four or an open three, holds out as long as
    /// it can if it loses whatever it plays; its first move is one that loses as late as any. `Ok`
    /// and empty where it does not lose within the plies; `Err` as for [`Vct::solve`].
    pub fn hold_out(
        &mut self,
        board: &mut SearchBoard,
        limits: VctLimits,
    ) -> Result<Vec<Cell>, Spent> {
        // The answer that held the last time is tried first: of several, it is the one that falls
        // last.
        self.deepen(board, limits, 2, Vct::defend)
    }

    /// Searches two plies deeper each time, from `first` plies on, until there is a line.
    fn deepen(
        &mut self,
        board: &mut SearchBoard,
        limits: VctLimits,
        first: u32,
        search: fn(&mut Vct, &mut SearchBoard, u32) -> Option<Line>,
    ) -> Result<Vec<Cell>, Spent> {
        self.stop_at = self.nodes + limits.nodes;
        for left in (first..=limits.plies.min(Vct::PLIES)).step_by(2) {
            if let Some(mut line) = search(self, board, left) {
                line.reverse();
                return Ok(line);
            }
            if self.is_spent() {
                return Err(Spent);
            }
        }
        Ok(Vec::new())
    }

    /// Whether the side to move wins within the limits if it begins with `first`, a threat.
    pub fn wins_with(&mut self, board: &mut SearchBoard, first: Cell, limits: VctLimits) -> bool {
        self.stop_at = self.nodes + limits.nodes;
        board.play(first);
        let line = self.defend(board, limits.plies.saturating_sub(1));
        board.undo();
        line.is_some()
    }

    fn is_spent(&self) -> bool {
        self.nodes >= self.stop_at
    }

    /// The line by which the side to move wins within `left` plies.
    fn attack(&mut self, board: &mut SearchBoard, left: u32) -> Option<Line> {
        self.nodes += 1;
        let attacker = board.side_to_move().index();
        if let Some(five) = board.fives[attacker].first() {
            return Some(vec![five]);
        }
        let facing = board.count(attacker ^ 1, Kind::Five);
        if left < Vct::FOUR || facing > 1 || self.is_spent() {
            return None;
        }
        let key = board.key() & !u64::from(Vct::PLIES);
        let slot = (board.key() >> 32) as usize & (Vct::SLOTS - 1);
        let known = self.failures[slot];
        if known & !u64::from(Vct::PLIES) == key && known & u64::from(Vct::PLIES) >= u64::from(left)
        {
            return None;
        }
        for threat in self.threats(board, left) {
            board.play(threat);
            let line = self.defend(board, left - 1);
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

    /// The moves of the attacker that may still win within `left` plies, the strongest first.
    fn threats(&self, board: &mut SearchBoard, left: u32) -> Vec<Cell> {
        let attacker = board.side_to_move().index();
        if let Some(answer) = board.fives[attacker ^ 1].first() {
            return board
                .is_allowed(answer)
                .then_some(answer)
                .into_iter()
                .collect();
        }
        let least = if self.threes && left >= Vct::THREE {
            Kind::Three
        } else {
            Kind::Four
        };
        let pressed = board.count(attacker ^ 1, Kind::OpenFour) > 0;
        let mut threats = board.threes[attacker].clone();
        if pressed {
            threats.intersect(&board.candidates());
        }
        let mut scored: Vec<(i32, Cell)> = threats
            .iter()
            .filter(|&cell| board.kind(cell, attacker) >= least)
            .map(|cell| (strength(board, cell), cell))
            .collect();
        scored.retain(|&(_, cell)| board.is_allowed(cell));
        scored.sort_by_key(|&(score, _)| -score);
        scored.into_iter().map(|(_, cell)| cell).collect()
    }

    /// The line in which the side to move loses as late as it can, but within `left` plies; `None`
    /// if it does not.
    fn defend(&mut self, board: &mut SearchBoard, left: u32) -> Option<Line> {
        let defender = board.side_to_move().index();
        let attacker = defender ^ 1;
        let needed = if board.count(attacker, Kind::Five) > 0 {
            Vct::FOUR
        } else if board.count(attacker, Kind::OpenFour) > 0 {
            Vct::THREE
        } else {
            return None;
        };
        if left + 1 < needed {
            return None;
        }
        if board.decided(0).is_some_and(|score| score > 0) {
            return None;
        }
        let answers = board.candidates();
        let slot = (board.key() >> 32) as usize & (Vct::SLOTS - 1);
        let held = self.answers[slot];
        let mut answers: Vec<(i32, Cell)> = answers
            .iter()
            .map(|cell| (strength(board, cell), cell))
            .collect();
        answers.sort_by_key(|&(score, cell)| (held != Some(cell), -score));
        let mut longest: Option<Line> = None;
        for (_, answer) in answers {
            if board.is_allowed(answer) {
                let Some(line) = self.after_answer(board, answer, left) else {
                    self.answers[slot] = Some(answer);
                    return None;
                };
                let is_longer = |longest: &Line| line.len() > longest.len();
                if longest.as_ref().is_none_or(is_longer) {
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

    fn after_answer(&mut self, board: &mut SearchBoard, answer: Cell, left: u32) -> Option<Line> {
        board.play(answer);
        let line = self.attack(board, left - 1);
        board.undo();
        let mut line = line?;
        line.push(answer);
        Some(line)
    }
}

/// The order in which moves of the side to move are tried.
fn strength(board: &SearchBoard, cell: Cell) -> i32 {
    let mover = board.side_to_move().index();
    let (own, theirs) = (board.shape(cell, mover), board.shape(cell, mover ^ 1));
    1024 * board.kind(cell, mover) as i32 + board.tables.policy(own, theirs)
}

/// A move for a defender whom nothing helps: where the attacker wants to play, or anywhere.
pub(super) fn any_answer(board: &mut SearchBoard) -> Option<Cell> {
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
