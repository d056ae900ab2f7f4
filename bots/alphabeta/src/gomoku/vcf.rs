//! Victory by continuous fours.
//!
//! A four has one answer, so a chain of fours that ends in a five cannot be met by anything but
//! the forced replies; it may be searched alone, far deeper than the whole tree. [`Vcf::solve`]
//! finds such a chain for the side to move, depth first, and remembers positions that have none.
//!
//! The replies are all legal: a five of the defender, or a four made by a forced reply, is seen.

use super::board::SearchBoard;
use super::cell::Cell;
use super::shape::Kind;
use super::vct::any_answer;

/// What a search for a win by fours may cost.
#[derive(Clone, Copy, Debug)]
pub struct VcfLimits {
    /// Most fours in the chain before the five.
    pub fours: u32,
    /// Positions visited.
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

    /// A solver that remembers nothing yet.
    pub fn new() -> Vcf {
        Vcf::remembering(Vcf::SLOTS)
    }

    /// A solver that tries only fours which make more than a four, or answer one: it finds most wins
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

    /// A win of the side to move by fours and forced replies alone: the line with both sides'
    /// moves, the winning five last. Empty if none was found within `limits`.
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

    /// The plies of a win of the side to move by fours, where one is found within `limits`. Both
    /// answers are remembered, a search that was cut short as one that found nothing: so the same
    /// limits should be given every time.
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

    /// Whether the side to move wins; its line is then appended to `self.line`, last move first.
    fn attack(&mut self, board: &mut SearchBoard, left: u32) -> bool {
        self.nodes += 1;
        let attacker = board.side_to_move().index();
        let defender = attacker ^ 1;
        if let Some(five) = board.fives[attacker].first() {
            self.line.push(five);
            return true;
        }
        if left == 0 || board.count(defender, Kind::Five) > 1 || self.nodes >= self.stop_at {
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
        let fives = board.count(attacker, Kind::Five);
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
            Kind::Four
        } else {
            Kind::FourPlus
        };
        let fours = of_board.filter(|&cell| {
            answer.is_none_or(|answer| cell == answer) && board.kind(cell, attacker) >= least
        });
        self.fours.extend(fours.map(|cell| {
            let own = board.shape(cell, attacker);
            let taken = board.shape(cell, attacker ^ 1);
            let near = board
                .moves()
                .iter()
                .rev()
                .nth(1)
                .map_or(0, |&own| 8 - i32::from(own.distance(cell)));
            let kind = 1024 * board.kind(cell, attacker) as i32;
            (
                kind + board.tables.policy(own, taken) + 4 * near.max(0),
                cell,
            )
        }));
    }

    fn take_best(&mut self, first: usize) -> Cell {
        let best = (first..self.fours.len()).max_by_key(|&index| self.fours[index].0);
        self.fours.swap_remove(best.expect("there are more")).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::tests::drawn;

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
