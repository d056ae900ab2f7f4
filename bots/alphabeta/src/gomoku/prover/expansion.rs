//! Which moves a proof looks at.
//!
//! The attacker plays fours, open threes, and quiet moves near stones that grow some line; one after
//! which no win by fours threatens is given up in the position that it leads to. Of the defender's
//! moves all are looked at but those that certainly lose:
//!
//! - against a four, all but the cell that completes it;
//! - against an open three, all but the answers that [`SearchBoard::candidates`] lists;
//! - against any other threat, those after which the win by fours goes through move by move as if
//!   nothing had been played. Each is played out on the board to see that.

use super::Prover;
use super::node::{Branch, Node};
use crate::gomoku::LineShape;
use crate::gomoku::board::SearchBoard;
use crate::gomoku::cell::Cell;
use crate::gomoku::shape::Kind;
use crate::gomoku::vcf::{Vcf, VcfLimits};

/// Effort for a win by fours of the attacker's, at every position.
const ATTACK: VcfLimits = VcfLimits {
    fours: Vcf::FOURS,
    nodes: 50,
};

/// Effort for one of the defender's, which makes a move of the attacker's vain.
const COUNTER: VcfLimits = VcfLimits {
    fours: Vcf::FOURS,
    nodes: 100,
};

/// The first proof number of the most promising quiet move; the next two have one more, and so on.
/// That of a threat is 1.
const QUIET: u8 = 8;

impl Prover {
    /// Looks at a position for the first time.
    pub(super) fn expand(&mut self, board: &mut SearchBoard) -> Node {
        self.nodes += 1;
        if board.side_to_move().index() == self.attacker {
            self.expand_attack(board)
        } else {
            self.expand_defence(board)
        }
    }

    fn expand_attack(&mut self, board: &mut SearchBoard) -> Node {
        let (attacker, defender) = (self.attacker, self.attacker ^ 1);
        let fours = self.wins_by_fours(board, ATTACK);
        if !fours.is_empty() {
            return Node::proven(fours);
        }
        let is_pressed = board.is_pressed();
        let cells = if is_pressed {
            board.candidates()
        } else {
            board.near_stones()
        };
        let mut threats = Vec::new();
        let mut quiet = Vec::new();
        for cell in cells.iter() {
            if !board.is_allowed(cell) {
                continue;
            }
            let (own, theirs) = (board.shape(cell, attacker), board.shape(cell, defender));
            let kind = board.kind(cell, attacker);
            let grows = |line| line >= LineShape::ClosedTwo;
            let order = 1024 * kind as i32 + board.tables.policy(own, theirs);
            if kind >= Kind::Three || board.count(defender, Kind::Five) > 0 {
                threats.push((-order, cell));
            } else if is_pressed || own.lines().into_iter().any(grows) {
                quiet.push((-order, cell));
            }
        }
        threats.sort_by_key(|&(order, _)| order);
        quiet.sort_by_key(|&(order, _)| order);
        let threats = threats.into_iter().map(|(_, cell)| Branch::new(cell, 1, 1));
        let quiet = quiet.into_iter().enumerate();
        let quiet = quiet.map(|(rank, (_, cell))| {
            let doubt = QUIET.saturating_add((rank / 2) as u8);
            Branch::new(cell, doubt, 1)
        });
        Node::open(threats.chain(quiet).collect(), Vec::new())
    }

    fn expand_defence(&mut self, board: &mut SearchBoard) -> Node {
        let (attacker, defender) = (self.attacker, self.attacker ^ 1);
        if board.count(defender, Kind::Five) > 0 {
            return Node::given_up();
        }
        board.toggle_side();
        let fours = self.wins_by_fours(board, ATTACK);
        board.toggle_side();
        let is_four = board.count(attacker, Kind::Five) > 0;
        if fours.is_empty() || !is_four && !self.wins_by_fours(board, COUNTER).is_empty() {
            return Node::given_up();
        }
        let answers: Vec<Cell> = if board.is_pressed() {
            board.candidates().iter().collect()
        } else {
            board.cells().filter(|&cell| board.is_empty(cell)).collect()
        };
        let mut moves = Vec::new();
        for cell in answers {
            if board.is_allowed(cell) && !self.goes_through(board, cell, &fours) {
                let is_threat = board.kind(cell, defender) >= Kind::Three;
                moves.push(Branch::new(cell, 1, if is_threat { 1 } else { 2 }));
            }
        }
        if moves.is_empty() {
            return Node::proven(fours);
        }
        Node::open(moves, fours)
    }

    fn wins_by_fours(&mut self, board: &mut SearchBoard, limits: VcfLimits) -> Vec<Cell> {
        let before = self.vcf.nodes;
        let line = self.vcf.solve(board, limits).to_vec();
        self.nodes += self.vcf.nodes - before;
        line
    }

    /// Whether the attacker's win by fours goes through after the defender's `answer`, each four
    /// being met as before or not at all.
    fn goes_through(&mut self, board: &mut SearchBoard, answer: Cell, fours: &[Cell]) -> bool {
        self.nodes += 1;
        let before = board.moves().len();
        board.play(answer);
        let goes_through = self.follow(board, fours);
        while board.moves().len() > before {
            board.undo();
        }
        goes_through
    }

    fn follow(&self, board: &mut SearchBoard, fours: &[Cell]) -> bool {
        let (attacker, defender) = (self.attacker, self.attacker ^ 1);
        for pair in fours.chunks(2) {
            let four = pair[0];
            if !board.is_empty(four) {
                return false;
            }
            if board.kind(four, attacker) == Kind::Five {
                return true;
            }
            if !board.is_allowed(four) {
                return false;
            }
            board.play(four);
            let (Some(forced), 0) = (
                board.fives[attacker].first(),
                board.count(defender, Kind::Five),
            ) else {
                return false;
            };
            if board.count(attacker, Kind::Five) > 1 || !board.is_allowed(forced) {
                return true;
            }
            if pair.get(1) != Some(&forced) {
                return false;
            }
            board.play(forced);
        }
        false
    }
}
