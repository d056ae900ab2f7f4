//! Threat space search: victory by continuous fours (VCF), and by continuous threats, fours and open threes (VCT).

use super::board::SearchBoard;
use super::cell::Cell;
use super::shape::ThreatKind;

// A four has only one answer, or up to two under caro, so a search of fours alone can go far deeper than the main
// search. [`Vcf::solve`] searches depth first for a chain of fours that ends in a five, and remembers positions without
// such a chain. It plays all replies on the board, so it sees the fives and fours that they make.

#[derive(Clone, Copy, Debug)]
pub struct VcfLimits {
    /// The most fours in the chain before the five.
    pub fours: u32,
    pub nodes: u64,
}

pub struct Vcf {
    pub nodes: u64,
    stop_at: u64,
    /// Keys of failures; the low eight bits are the number of fours tried.
    failures: Box<[u64]>,
    /// Keys of wins that [`Vcf::wins`] found; the low eight bits are their plies.
    wins: Box<[u64]>,
    line: Vec<Cell>,
    /// Whether to try plain fours too. A plain four makes no open two, three or four in another line.
    plain: bool,
    /// A stack of fours to try, for all positions of the current line.
    fours: Vec<(i32, Cell)>,
}

impl Default for Vcf {
    fn default() -> Vcf {
        Vcf::new()
    }
}

impl Vcf {
    const SLOTS: usize = 1 << 16;
    const WINS: usize = 1 << 14;
    /// The most fours that the memory can count: more than fit on the largest board.
    pub const FOURS: u32 = 255;

    pub fn new() -> Vcf {
        Vcf::remembering(Vcf::SLOTS)
    }

    /// Creates a fast solver that finds most wins. It tries plain fours (see `plain`) only if they answer a four.
    pub fn of_rich_fours() -> Vcf {
        Vcf {
            plain: false,
            ..Vcf::new()
        }
    }

    pub fn remembering(failures: usize) -> Vcf {
        Vcf {
            nodes: 0,
            stop_at: 0,
            failures: vec![0; failures.next_power_of_two()].into(),
            wins: vec![0; Vcf::WINS].into(),
            line: Vec::new(),
            plain: true,
            fours: Vec::new(),
        }
    }

    /// Returns a win of the side to move by fours: the moves of both sides up to the winning five. Returns no moves if
    /// no win is found within `limits`. The board is unchanged on return.
    pub fn solve(&mut self, board: &mut SearchBoard, limits: VcfLimits) -> &[Cell] {
        self.line.clear();
        self.fours.clear();
        self.stop_at = self.nodes + limits.nodes;
        self.attack(board, limits.fours.min(Vcf::FOURS));
        self.line.reverse();
        &self.line
    }

    /// Returns the number of plies of a win by fours, if one is found within `limits`. All calls should have the same
    /// limits, because the solver remembers even the result of a search that ran out of nodes.
    pub fn wins(&mut self, board: &mut SearchBoard, limits: VcfLimits) -> Option<usize> {
        const PLIES: u64 = 255;
        let key = board.key() & !PLIES;
        let number = (board.key() >> 32) as usize;
        let slot = number & (Vcf::WINS - 1);
        let known = self.wins[slot];
        if known & !PLIES == key && known != 0 {
            return Some((known & PLIES) as usize);
        }
        let plies = self.solve(board, limits).len();
        if plies > 0 {
            self.wins[slot] = key | (plies as u64).min(PLIES);
            return Some(plies);
        }
        let slot = number & (self.failures.len() - 1);
        self.failures[slot] = key | u64::from(limits.fours);
        None
    }

    /// Returns whether the side to move wins, and appends the line to `self.line`, last move first.
    fn attack(&mut self, board: &mut SearchBoard, left: u32) -> bool {
        self.nodes += 1;
        let attacker = board.side_to_move().index();
        let defender = attacker ^ 1;
        if let Some(five) = board.fives[attacker].first() {
            self.line.push(five);
            return true;
        }
        if left == 0 || board.is_beyond_answer(defender) || self.nodes >= self.stop_at {
            return false;
        }
        let key = board.key() & !u64::from(Vcf::FOURS);
        let slot = (board.key() >> 32) as usize & (self.failures.len() - 1);
        let known = self.failures[slot];
        let tried = known & u64::from(Vcf::FOURS);
        if known ^ tried == key && tried >= u64::from(left) {
            return false;
        }
        let first = self.fours.len();
        self.list_fours(board);
        let mut won = false;
        while self.fours.len() > first && !won {
            let four = self.take_best(first);
            won = board.is_allowed(four) && self.play_four(board, four, left);
        }
        self.fours.truncate(first);
        if !won && self.nodes < self.stop_at {
            self.failures[slot] = key | u64::from(left);
        }
        won
    }

    fn play_four(&mut self, board: &mut SearchBoard, four: Cell, left: u32) -> bool {
        let attacker = board.side_to_move().index();
        board.play(four);
        let won =
            board.count(attacker, ThreatKind::Five) > 0 && self.beats_answers(board, left - 1);
        board.undo();
        if won {
            self.line.push(four);
        }
        won
    }

    /// Returns whether the attacker wins after every answer to a four, and appends the longest of the lines.
    fn beats_answers(&mut self, board: &mut SearchBoard, left: u32) -> bool {
        let attacker = board.side_to_move().index() ^ 1;
        let start = self.line.len();
        for answer in board.answers_to_a_four(attacker).iter() {
            if !board.is_allowed(answer) {
                continue;
            }
            let end = self.line.len();
            board.play(answer);
            let won = self.attack(board, left);
            board.undo();
            if !won {
                self.line.truncate(start);
                return false;
            }
            self.line.push(answer);
            if self.line.len() - end > end - start {
                self.line.drain(start..end);
            } else {
                self.line.truncate(end);
            }
        }
        if self.line.len() == start {
            self.finish(board);
        }
        true
    }

    fn finish(&mut self, board: &mut SearchBoard) {
        let attacker = board.side_to_move().index() ^ 1;
        if let Some(vain) = any_answer(board) {
            board.play(vain);
            self.line.extend(board.fives[attacker].first());
            board.undo();
            self.line.push(vain);
        }
    }

    /// Pushes the fours that the attacker may try. Against a four, these are the fours that answer it. In other
    /// positions, these are all fours; if `plain` is false, all except plain fours.
    fn list_fours(&mut self, board: &SearchBoard) {
        let attacker = board.side_to_move().index();
        let facing = board.count(attacker ^ 1, ThreatKind::Five) > 0;
        let answers = facing.then(|| board.answers_to_a_four(attacker ^ 1));
        let of_board = board.fours[attacker].iter();
        let least = if self.plain || facing {
            ThreatKind::Four
        } else {
            ThreatKind::FourPlus
        };
        let fours = of_board.filter(|&cell| {
            answers
                .as_ref()
                .is_none_or(|answers| answers.contains(cell))
                && board.kind(cell, attacker) >= least
        });
        self.fours.extend(fours.map(|cell| {
            let near = board
                .moves()
                .iter()
                .rev()
                .nth(1)
                .map_or(0, |&own| 8 - i32::from(own.distance(cell)));
            let kind = 1024 * board.kind(cell, attacker) as i32;
            (kind + board.promise(cell, attacker) + 4 * near.max(0), cell)
        }));
    }

    fn take_best(&mut self, first: usize) -> Cell {
        let best = (first..self.fours.len()).max_by_key(|&index| self.fours[index].0);
        self.fours.swap_remove(best.expect("fours are left")).1
    }
}

// An open three has few answers: the cells that stop it, and the defender's fours. So the tree of threats and answers
// is small. A win is proven, because the solver tries every answer that does not lose at once, that is, all
// [`SearchBoard::candidates`]. [`Vct::solve`] deepens step by step, so it finds the shortest win by threats first.

#[derive(Clone, Copy, Debug)]
pub struct VctLimits {
    /// The most plies of a win; at most [`Vct::PLIES`].
    pub plies: u32,
    pub nodes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent;

pub struct Vct {
    pub nodes: u64,
    stop_at: u64,
    /// Keys of positions that the attacker does not win; the low seven bits are the plies searched.
    failures: Box<[u64]>,
    /// The last successful answer, by the key of a position with the defender to move.
    answers: Box<[Option<Cell>]>,
    threes: bool,
}

type WinningLine = Vec<Cell>;

impl Default for Vct {
    fn default() -> Vct {
        Vct::new()
    }
}

impl Vct {
    const SLOTS: usize = 1 << 18;
    pub const PLIES: u32 = 127;
    /// The plies of a win that begins with a four: the four, a reply, the five.
    const FOUR: u32 = 3;
    /// The plies of a win that begins with an open three.
    const THREE: u32 = 5;

    pub fn new() -> Vct {
        Vct {
            nodes: 0,
            stop_at: 0,
            failures: vec![0; Vct::SLOTS].into(),
            answers: vec![None; Vct::SLOTS].into(),
            threes: true,
        }
    }

    /// Creates a solver that tries only fours. It is slower than [`Vcf`], but finds the shortest win.
    pub fn by_fours() -> Vct {
        Vct {
            threes: false,
            ..Vct::new()
        }
    }

    /// Returns the shortest win of the side to move by threats: the moves of both sides up to the winning five. The
    /// defender resists as long as possible. `Ok` with an empty line if there is no win within the plies; `Err` if the
    /// nodes did not suffice. The board is unchanged on return.
    pub fn solve(
        &mut self,
        board: &mut SearchBoard,
        limits: VctLimits,
    ) -> Result<Vec<Cell>, Spent> {
        self.deepen(board, limits, 1, Vct::attack)
    }

    /// Returns the line of longest resistance if the side to move faces a four or an open three and every move loses.
    /// `Ok` with an empty line if not every move loses within the plies; `Err` as for [`Vct::solve`].
    pub fn hold_out(
        &mut self,
        board: &mut SearchBoard,
        limits: VctLimits,
    ) -> Result<Vec<Cell>, Spent> {
        // At each depth, `defend` tries first the answer that held at the previous depth. Ties go to the first answer
        // tried, so this answer is kept, and it is the one that loses last.
        self.deepen(board, limits, 2, Vct::defend)
    }

    /// Searches `first` plies deep, then two plies deeper each time, until there is a line.
    fn deepen(
        &mut self,
        board: &mut SearchBoard,
        limits: VctLimits,
        first: u32,
        search: fn(&mut Vct, &mut SearchBoard, u32) -> Option<WinningLine>,
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

    fn attack(&mut self, board: &mut SearchBoard, left: u32) -> Option<WinningLine> {
        self.nodes += 1;
        let attacker = board.side_to_move().index();
        if let Some(five) = board.fives[attacker].first() {
            return Some(vec![five]);
        }
        if left < Vct::FOUR || board.is_beyond_answer(attacker ^ 1) || self.is_spent() {
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

    fn threats(&self, board: &mut SearchBoard, left: u32) -> Vec<Cell> {
        let attacker = board.side_to_move().index();
        if board.count(attacker ^ 1, ThreatKind::Five) > 0 {
            let answers = board.answers_to_a_four(attacker ^ 1);
            return answers
                .iter()
                .filter(|&cell| board.is_allowed(cell))
                .collect();
        }
        let least = if self.threes && left >= Vct::THREE {
            ThreatKind::Three
        } else {
            ThreatKind::Four
        };
        let pressed = board.count(attacker ^ 1, ThreatKind::OpenFour) > 0;
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

    fn defend(&mut self, board: &mut SearchBoard, left: u32) -> Option<WinningLine> {
        let defender = board.side_to_move().index();
        let attacker = defender ^ 1;
        let needed = if board.count(attacker, ThreatKind::Five) > 0 {
            Vct::FOUR
        } else if board.count(attacker, ThreatKind::OpenFour) > 0 {
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
        let mut longest: Option<WinningLine> = None;
        for (_, answer) in answers {
            if board.is_allowed(answer) {
                let Some(line) = self.after_answer(board, answer, left) else {
                    self.answers[slot] = Some(answer);
                    return None;
                };
                let is_longer = |longest: &WinningLine| line.len() > longest.len();
                if longest.as_ref().is_none_or(is_longer) {
                    longest = Some(line);
                }
            }
        }
        if longest.is_some() {
            return longest;
        }
        // The position is lost, but the line must still have a move.
        let vain = any_answer(board)?;
        self.after_answer(board, vain, left)
    }

    fn after_answer(
        &mut self,
        board: &mut SearchBoard,
        answer: Cell,
        left: u32,
    ) -> Option<WinningLine> {
        board.play(answer);
        let line = self.attack(board, left - 1);
        board.undo();
        let mut line = line?;
        line.push(answer);
        Some(line)
    }
}

pub(super) fn strength(board: &SearchBoard, cell: Cell) -> i32 {
    let mover = board.side_to_move().index();
    1024 * board.kind(cell, mover) as i32 + board.promise(cell, mover)
}

/// Returns a legal move, if possible to a cell that the attacker needs.
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

#[cfg(test)]
mod tests {
    use crate::gomoku::tests::drawn;

    use super::*;

    const LIMITS: VcfLimits = VcfLimits {
        fours: 30,
        nodes: 100_000,
    };

    #[test]
    fn results_are_remembered() {
        let mut board = SearchBoard::from_rules(&drawn("fork"));
        let mut solver = Vcf::of_rich_fours();
        // The three plies are a stone that makes two fours, any reply, and the five.
        assert_eq!(solver.wins(&mut board, LIMITS), Some(3));
        let nodes = solver.nodes;
        assert_eq!(solver.wins(&mut board, LIMITS), Some(3));
        assert_eq!(solver.nodes, nodes, "without a search");
        // A search that ran out of nodes is not repeated either.
        let mut solver = Vcf::of_rich_fours();
        let short = VcfLimits { nodes: 1, ..LIMITS };
        assert_eq!(solver.wins(&mut board, short), None);
        assert_eq!(solver.wins(&mut board, LIMITS), None);
    }
}
