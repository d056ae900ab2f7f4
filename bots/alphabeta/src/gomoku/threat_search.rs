//! Threat space search: victory by continuous fours (VCF), and by continuous threats (VCT), which are fours and
//! open threes.

use super::board::SearchBoard;
use super::cell::Cell;
use super::shape::ThreatKind;

// --- VCF ---
//
// A four has one answer, so a chain of fours that ends in a five cannot be met by anything but
// the forced replies; it may be searched alone, far deeper than the whole tree. [`Vcf::solve`]
// finds such a chain for the side to move, depth first, and remembers positions that have none.
//
// The replies are all legal: a five of the defender, or a four made by a forced reply, is seen.

/// What a search for a win by fours may cost.
#[derive(Clone, Copy, Debug)]
pub struct VcfLimits {
    /// Most fours in the chain before the five.
    pub fours: u32,
    pub nodes: u64,
}

/// The solver, with its own memory of positions that have no such win.
pub struct Vcf {
    /// Positions visited since the solver was made.
    pub nodes: u64,
    stop_at: u64,
    /// Keys of failures; the low eight bits hold how many fours were tried.
    failures: Box<[u64]>,
    /// Keys of positions that [`Vcf::wins`] found won; the low eight bits hold in how many plies.
    wins: Box<[u64]>,
    /// The winning line, last move first.
    line: Vec<Cell>,
    /// Whether fours are tried that make nothing else.
    plain: bool,
    /// Fours to try, of all positions on the way here.
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
    /// As many fours as the memory can count: more than fit on the largest board.
    pub const FOURS: u32 = 255;

    /// Creates a solver that remembers nothing yet.
    pub fn new() -> Vcf {
        Vcf::remembering(Vcf::SLOTS)
    }

    /// Returns a solver that tries only fours which make more than a four, or answer one: it finds most wins
    /// in a small part of the positions.
    pub fn of_rich_fours() -> Vcf {
        Vcf {
            plain: false,
            ..Vcf::new()
        }
    }

    /// As [`Vcf::new`], with room for so many failures or somewhat more: long chains need more room.
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

    /// Returns a win of the side to move by fours and forced replies alone: the line with both sides' moves,
    /// the winning five last. Empty if none was found within `limits`.
    ///
    /// The board is as before when this returns.
    pub fn solve(&mut self, board: &mut SearchBoard, limits: VcfLimits) -> &[Cell] {
        self.line.clear();
        self.fours.clear();
        self.stop_at = self.nodes + limits.nodes;
        self.attack(board, limits.fours.min(Vcf::FOURS));
        self.line.reverse();
        &self.line
    }

    /// Returns the plies of a win of the side to move by fours, where one is found within `limits`. Both
    /// answers are remembered, a search that was cut short as one that found nothing: so the same limits
    /// should be given every time.
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

    /// Returns whether the side to move wins; its line is then appended to `self.line`, last move first.
    fn attack(&mut self, board: &mut SearchBoard, left: u32) -> bool {
        self.nodes += 1;
        let attacker = board.side_to_move().index();
        let defender = attacker ^ 1;
        if let Some(five) = board.fives[attacker].first() {
            self.line.push(five);
            return true;
        }
        if left == 0 || board.count(defender, ThreatKind::Five) > 1 || self.nodes >= self.stop_at {
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

    /// Plays a four and what it forces; whether that wins.
    fn play_four(&mut self, board: &mut SearchBoard, four: Cell, left: u32) -> bool {
        let attacker = board.side_to_move().index();
        board.play(four);
        let fives = board.count(attacker, ThreatKind::Five);
        let mut won = false;
        if let Some(reply) = board.fives[attacker].first() {
            if fives > 1 || !board.is_allowed(reply) {
                won = true;
                self.finish(board);
            } else {
                board.play(reply);
                won = self.attack(board, left - 1);
                board.undo();
                if won {
                    self.line.push(reply);
                }
            }
        }
        board.undo();
        if won {
            self.line.push(four);
        }
        won
    }

    /// The end of the line when a four cannot be answered: a reply in vain and the five.
    fn finish(&mut self, board: &mut SearchBoard) {
        let attacker = board.side_to_move().index() ^ 1;
        if let Some(vain) = any_answer(board) {
            let fives = &board.fives[attacker];
            self.line.extend(fives.iter().find(|&five| five != vain));
            self.line.push(vain);
        }
    }

    /// Lists the fours that the attacker may try: all, or the one that answers a four.
    fn list_fours(&mut self, board: &SearchBoard) {
        let attacker = board.side_to_move().index();
        let answer = board.fives[attacker ^ 1].first();
        let of_board = board.fours[attacker].iter();
        let least = if self.plain || answer.is_some() {
            ThreatKind::Four
        } else {
            ThreatKind::FourPlus
        };
        let fours = of_board.filter(|&cell| {
            answer.is_none_or(|answer| cell == answer) && board.kind(cell, attacker) >= least
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
        self.fours.swap_remove(best.expect("there are more")).1
    }
}

// --- VCT ---
//
// An open three has few answers: the cells that spoil it, and fours of the defender's own. So the
// tree of threats and answers is small, and a win in it is a proof: [`SearchBoard::candidates`]
// lists every answer that does not lose at once, and all of them are tried. [`Vct::solve`] deepens ply
// by ply, fours and open threes alike, so that no win by threats is shorter than the first found.

/// What a search for a win by threats may cost.
#[derive(Clone, Copy, Debug)]
pub struct VctLimits {
    /// Length of the longest win looked for, both sides' moves counted; at most [`Vct::PLIES`].
    pub plies: u32,
    pub nodes: u64,
}

/// The search spent its nodes before it had a result.
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
type WinningLine = Vec<Cell>;

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

    /// Creates a solver that remembers nothing yet.
    pub fn new() -> Vct {
        Vct {
            nodes: 0,
            stop_at: 0,
            failures: vec![0; Vct::SLOTS].into(),
            answers: vec![None; Vct::SLOTS].into(),
            threes: true,
        }
    }

    /// The same for wins by fours alone: slower than [`Vcf`], but what it finds is
    /// shortest.
    pub fn by_fours() -> Vct {
        Vct {
            threes: false,
            ..Vct::new()
        }
    }

    /// Returns the shortest win of the side to move by threats: the line with both sides' moves, the defender
    /// holding out as long as it can and the winning five last. `Ok` and empty where there is none within the
    /// plies; `Err` where the nodes did not suffice to know.
    ///
    /// The board is as before when this returns.
    pub fn solve(
        &mut self,
        board: &mut SearchBoard,
        limits: VctLimits,
    ) -> Result<Vec<Cell>, Spent> {
        self.deepen(board, limits, 1, Vct::attack)
    }

    /// Returns the line in which the side to move, who faces a four or an open three, holds out as long as it
    /// can if it loses whatever it plays; its first move is one that loses as late as any. `Ok` and empty
    /// where it does not lose within the plies; `Err` as for [`Vct::solve`].
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

    /// Returns whether the side to move wins within the limits if it begins with `first`, a threat.
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

    /// Returns the line by which the side to move wins within `left` plies.
    fn attack(&mut self, board: &mut SearchBoard, left: u32) -> Option<WinningLine> {
        self.nodes += 1;
        let attacker = board.side_to_move().index();
        if let Some(five) = board.fives[attacker].first() {
            return Some(vec![five]);
        }
        let facing = board.count(attacker ^ 1, ThreatKind::Five);
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

    /// Returns the moves of the attacker that may still win within `left` plies, the strongest first.
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

    /// Returns the line in which the side to move loses as late as it can, but within `left` plies; `None` if
    /// it does not.
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
        // Nothing helps, but something must be played.
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

/// Returns the order in which moves of the side to move are tried.
pub(super) fn strength(board: &SearchBoard, cell: Cell) -> i32 {
    let mover = board.side_to_move().index();
    1024 * board.kind(cell, mover) as i32 + board.promise(cell, mover)
}

/// Returns a move for a lost defender: where the attacker wants to play, or anywhere.
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
    fn what_was_found_is_found_again_in_the_memory() {
        let mut board = SearchBoard::from_rules(&drawn("fork"));
        let mut solver = Vcf::of_rich_fours();
        // Two fours at once, a reply in vain, the five.
        assert_eq!(solver.wins(&mut board, LIMITS), Some(3));
        let nodes = solver.nodes;
        assert_eq!(solver.wins(&mut board, LIMITS), Some(3));
        assert_eq!(solver.nodes, nodes, "without a search");
        // A search that was cut short is not made again either.
        let mut solver = Vcf::of_rich_fours();
        let short = VcfLimits { nodes: 1, ..LIMITS };
        assert_eq!(solver.wins(&mut board, short), None);
        assert_eq!(solver.wins(&mut board, LIMITS), None);
    }
}
