//! Proof-number search for wins by quiet moves.
//!
//! The *attacker*, the side that should win, plays moves that threaten a win by fours, including quiet moves, which
//! make neither a four nor an open three. The *defender* plays the few moves that may stop that win (see *Expansion*
//! below), so a proof holds against every legal answer. A search that finds no win proves nothing.
//!
//! The search is depth-first proof-number search (A. Nagai, 2002). The proof number of a position estimates how many
//! more positions must be proven to prove it; the disproof number estimates the same for disproving it. A sum over the
//! children would count transpositions several times, so the search uses the largest number plus one for each other
//! child (T. Ueda et al., 2008).

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

use super::LineShape;
use super::board::SearchBoard;
use super::cell::Cell;
use super::shape::ThreatKind;
use super::threat_search::{Spent, Vcf, VcfLimits, strength};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    pub proof: u32,
    pub disproof: u32,
}

impl Numbers {
    /// Stands for infinity: larger than any sum.
    pub const NEVER: u32 = 1 << 30;
    pub const PROVEN: Numbers = Numbers::of(0, Numbers::NEVER);
    pub const GIVEN_UP: Numbers = Numbers::of(Numbers::NEVER, 0);
    pub const UNREACHED: Numbers = Numbers::of(Numbers::NEVER, Numbers::NEVER);

    pub const fn of(proof: u32, disproof: u32) -> Numbers {
        Numbers { proof, disproof }
    }

    pub const fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

#[derive(Clone, Copy)]
struct ProofMove {
    pub cell: Cell,
    proof: u8,
    disproof: u8,
}

impl ProofMove {
    pub fn new(cell: Cell, proof: u8, disproof: u8) -> ProofMove {
        ProofMove {
            cell,
            proof,
            disproof,
        }
    }

    pub fn first_numbers(self) -> Numbers {
        Numbers::of(self.proof.into(), self.disproof.into())
    }
}

struct ProofNode {
    pub numbers: Numbers,
    pub moves: Box<[ProofMove]>,
    /// A win of the attacker by fours. With the defender to move, it beats every answer that is not in `moves`.
    pub fours: Box<[Cell]>,
}

impl ProofNode {
    pub fn proven(fours: Vec<Cell>) -> ProofNode {
        ProofNode {
            numbers: Numbers::PROVEN,
            moves: Box::default(),
            fours: fours.into(),
        }
    }

    pub fn given_up() -> ProofNode {
        ProofNode {
            numbers: Numbers::GIVEN_UP,
            moves: Box::default(),
            fours: Box::default(),
        }
    }

    pub fn open(moves: Vec<ProofMove>, fours: Vec<Cell>) -> ProofNode {
        ProofNode {
            numbers: Numbers::of(1, 1),
            moves: moves.into(),
            fours: fours.into(),
        }
    }
}

/// Expanded positions by Zobrist key. The key serves as the hash.
type Positions = HashMap<u64, ProofNode, KeyIsHash>;

#[derive(Clone, Copy, Default)]
struct KeyIsHash(u64);

impl Hasher for KeyIsHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        unreachable!("a key is one number, not {bytes:?}");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl BuildHasher for KeyIsHash {
    type Hasher = KeyIsHash;

    fn build_hasher(&self) -> KeyIsHash {
        KeyIsHash(0)
    }
}

pub struct Prover {
    /// The number of positions visited since creation, including those of searches by fours.
    pub nodes: u64,
    stop_at: u64,
    vcf: Vcf,
    attacker: usize,
    positions: Positions,
}

struct SelectedChild {
    numbers: Numbers,
    child: Option<Cell>,
    /// The limits for the child: its search ends when one of its numbers reaches its limit.
    until: Numbers,
}

impl Default for Prover {
    fn default() -> Prover {
        Prover::new()
    }
}

impl Prover {
    /// The most positions in memory, about 200 bytes each. A search ends when its memory is full.
    const REMEMBERED: usize = 1 << 20;
    const FAILURES: usize = 1 << 18;

    pub fn new() -> Prover {
        Prover {
            nodes: 0,
            stop_at: 0,
            vcf: Vcf::remembering(Prover::FAILURES),
            attacker: 0,
            positions: Positions::default(),
        }
    }

    /// Returns a win of the side to move: the moves of both sides up to the winning five. The defender resists as long
    /// as possible in this proof. `Ok` with an empty line if the tree has no win; `Err` if nodes or memory ran out. The
    /// win need not be the shortest. The board is unchanged on return.
    pub fn solve(&mut self, board: &mut SearchBoard, nodes: u64) -> Result<Vec<Cell>, Spent> {
        if self.look(board, nodes)? {
            Ok(self.longest(board))
        } else {
            Ok(Vec::new())
        }
    }

    /// Returns the first move of a proven win. This is fast if an earlier proof contains the position.
    pub fn winning_move(
        &mut self,
        board: &mut SearchBoard,
        nodes: u64,
    ) -> Result<Option<Cell>, Spent> {
        if !self.look(board, nodes)? {
            return Ok(None);
        }
        let node = &self.positions[&board.key()];
        let proven = node.moves.iter().map(|branch| branch.cell).find(|&cell| {
            let after = self.positions.get(&board.key_after(cell));
            after.is_some_and(|after| after.numbers.proof == 0)
        });
        Ok(node.fours.first().copied().or(proven))
    }

    fn look(&mut self, board: &mut SearchBoard, nodes: u64) -> Result<bool, Spent> {
        let attacker = board.side_to_move().index();
        if attacker != self.attacker {
            self.attacker = attacker;
            self.positions.clear();
        }
        self.stop_at = self.nodes + nodes;
        self.search(board, Numbers::UNREACHED);
        match self.positions[&board.key()].numbers {
            Numbers { proof: 0, .. } => Ok(true),
            Numbers { disproof: 0, .. } => Ok(false),
            _ => Err(Spent),
        }
    }

    fn is_spent(&self) -> bool {
        self.nodes >= self.stop_at || self.positions.len() >= Prover::REMEMBERED
    }

    /// Searches until the proof or disproof number of the position reaches its limit, or no nodes are left.
    fn search(&mut self, board: &mut SearchBoard, until: Numbers) {
        let key = board.key();
        if !self.positions.contains_key(&key) {
            let node = self.expand(board);
            self.positions.insert(key, node);
        }
        loop {
            let node = &self.positions[&key];
            if node.numbers.is_settled() {
                return;
            }
            let choice = self.choose(board, node, until);
            let Numbers { proof, disproof } = choice.numbers;
            if let Some(node) = self.positions.get_mut(&key) {
                node.numbers = choice.numbers;
            }
            let Some(child) = choice.child else { return };
            if proof >= until.proof || disproof >= until.disproof || self.is_spent() {
                return;
            }
            board.play(child);
            self.search(board, choice.until);
            board.undo();
        }
    }

    fn choose(&self, board: &SearchBoard, node: &ProofNode, until: Numbers) -> SelectedChild {
        let is_attack = board.side_to_move().index() == self.attacker;
        // Puts the number first that the side to move wants to reduce to 0.
        let seen = |Numbers { proof, disproof }: Numbers| {
            if is_attack {
                [proof, disproof]
            } else {
                [disproof, proof]
            }
        };
        let of = |wanted, unwanted| {
            if is_attack {
                Numbers::of(wanted, unwanted)
            } else {
                Numbers::of(unwanted, wanted)
            }
        };
        let mut best = None;
        let (mut least, mut second) = (Numbers::NEVER, Numbers::NEVER);
        let (mut most, mut visited, mut doubtful) = (0, 0, 0_u32);
        for branch in &node.moves {
            let cell = branch.cell;
            let child = self.positions.get(&board.key_after(cell));
            let numbers = child.map_or_else(|| branch.first_numbers(), |child| child.numbers);
            let [wanted, unwanted] = seen(numbers);
            if unwanted == 0 {
                continue;
            }
            if wanted < least {
                (best, second, least) = (Some(cell), least, wanted);
            } else {
                second = second.min(wanted);
            }
            most = most.max(unwanted);
            if child.is_none() && wanted > 1 {
                doubtful += 1;
            } else {
                visited += 1;
            }
        }
        // Unvisited moves that look weak count only one eighth.
        let others = (visited + doubtful / 8_u32).saturating_sub(1);
        let Some(child) = best else {
            return SelectedChild {
                numbers: of(Numbers::NEVER, 0),
                child: None,
                until,
            };
        };
        if least == 0 {
            return SelectedChild {
                numbers: of(0, Numbers::NEVER),
                child: None,
                until,
            };
        }
        let [limit, limit_of_sum] = seen(until);
        // Goes a little beyond the number of the second best move, so that the search rarely switches to it and back.
        let wanted = limit.min(second.saturating_add(second / 4 + 1));
        let unwanted = limit_of_sum.saturating_sub(others).max(1);
        SelectedChild {
            numbers: of(least, (most + others).min(Numbers::NEVER - 1)),
            child: Some(child),
            until: of(wanted, unwanted),
        }
    }
}

// --- Expansion ---
//
// The attacker plays fours, open threes, and quiet moves near stones that extend a line. If a move threatens no win by
// fours, the position after it counts as disproved. The defender skips moves that certainly lose:
//
// - against a four, all except the cells that stop it;
// - against an open three, all except the answers in [`SearchBoard::candidates`];
// - against any threat, the moves after which the same win by fours still works. To find out, the solver plays this
//   win.

/// Limits of the search for a win by fours of the attacker. This search runs at every position.
const ATTACK: VcfLimits = VcfLimits {
    fours: Vcf::FOURS,
    nodes: 50,
};

/// Limits of the search for a win by fours of the defender. Such a win refutes the attacker's last move.
const COUNTER: VcfLimits = VcfLimits {
    fours: Vcf::FOURS,
    nodes: 100,
};

/// The initial proof number of the two most promising quiet moves. The next two have one more, and so on.
const QUIET: u8 = 8;

impl Prover {
    fn expand(&mut self, board: &mut SearchBoard) -> ProofNode {
        self.nodes += 1;
        if board.side_to_move().index() == self.attacker {
            self.expand_attack(board)
        } else {
            self.expand_defence(board)
        }
    }

    fn expand_attack(&mut self, board: &mut SearchBoard) -> ProofNode {
        let (attacker, defender) = (self.attacker, self.attacker ^ 1);
        let fours = self.wins_by_fours(board, ATTACK);
        if !fours.is_empty() {
            return ProofNode::proven(fours);
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
            let grows = |line| line >= LineShape::ClosedTwo;
            let order = (-strength(board, cell), cell);
            if board.kind(cell, attacker) >= ThreatKind::Three
                || board.count(defender, ThreatKind::Five) > 0
            {
                threats.push(order);
            } else if is_pressed || board.shape(cell, attacker).lines().into_iter().any(grows) {
                quiet.push(order);
            }
        }
        threats.sort_by_key(|&(order, _)| order);
        quiet.sort_by_key(|&(order, _)| order);
        let threats = threats
            .into_iter()
            .map(|(_, cell)| ProofMove::new(cell, 1, 1));
        let quiet = quiet.into_iter().enumerate();
        let quiet = quiet.map(|(rank, (_, cell))| {
            let doubt = QUIET.saturating_add((rank / 2) as u8);
            ProofMove::new(cell, doubt, 1)
        });
        ProofNode::open(threats.chain(quiet).collect(), Vec::new())
    }

    fn expand_defence(&mut self, board: &mut SearchBoard) -> ProofNode {
        let (attacker, defender) = (self.attacker, self.attacker ^ 1);
        if board.count(defender, ThreatKind::Five) > 0 {
            return ProofNode::given_up();
        }
        board.toggle_side();
        let fours = self.wins_by_fours(board, ATTACK);
        board.toggle_side();
        let is_four = board.count(attacker, ThreatKind::Five) > 0;
        if fours.is_empty() || !is_four && !self.wins_by_fours(board, COUNTER).is_empty() {
            return ProofNode::given_up();
        }
        let answers: Vec<Cell> = if board.is_pressed() {
            board.candidates().iter().collect()
        } else {
            board.cells().filter(|&cell| board.is_empty(cell)).collect()
        };
        let mut moves = Vec::new();
        for cell in answers {
            if board.is_allowed(cell) && !self.goes_through(board, cell, &fours) {
                let is_threat = board.kind(cell, defender) >= ThreatKind::Three;
                moves.push(ProofMove::new(cell, 1, if is_threat { 1 } else { 2 }));
            }
        }
        if moves.is_empty() {
            return ProofNode::proven(fours);
        }
        ProofNode::open(moves, fours)
    }

    fn wins_by_fours(&mut self, board: &mut SearchBoard, limits: VcfLimits) -> Vec<Cell> {
        let before = self.vcf.nodes;
        let line = self.vcf.solve(board, limits).to_vec();
        self.nodes += self.vcf.nodes - before;
        line
    }

    /// Returns whether the win by `fours` still works after `answer`. Every legal reply must be the one in `fours`.
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
            if board.kind(four, attacker) == ThreatKind::Five {
                return true;
            }
            if !board.is_allowed(four) {
                return false;
            }
            board.play(four);
            if board.count(attacker, ThreatKind::Five) == 0
                || board.count(defender, ThreatKind::Five) > 0
            {
                return false;
            }
            let answers = board.answers_to_a_four(attacker);
            let mut answers = answers.iter().filter(|&cell| board.is_allowed(cell));
            let Some(forced) = answers.next() else {
                return true;
            };
            if answers.next().is_some() || pair.get(1) != Some(&forced) {
                return false;
            }
            board.play(forced);
        }
        false
    }
}

// In the returned line, the attacker plays the shortest proven win, and the defender the longest defence.

/// For each proven position, the plies of the line from there, and the line's first move.
type Lengths = HashMap<u64, (usize, Option<Cell>)>;

impl Prover {
    fn longest(&self, board: &mut SearchBoard) -> Vec<Cell> {
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
            // Since no answer stops the threat, any empty cell will do.
            let mut empty = board.cells().filter(|&cell| board.is_empty(cell));
            line.extend(empty.find(|cell| !fours.contains(cell)));
        }
        line.extend(fours);
        for _ in 0..played {
            board.undo();
        }
        line
    }

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
