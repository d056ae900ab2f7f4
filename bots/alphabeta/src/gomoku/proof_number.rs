//! Wins whose moves may be quiet, by proof-number search.
//!
//! The side that is to win, the *attacker*, may play anything that threatens a win by fours; the
//! other side, the *defender*, anything that stops that win. So the tree has few branches for the
//! defender, while the attacker's moves need not be fours or open threes. No answer is left out (see
//! *Expansion* below), so a proof holds against every legal answer. That there is none within this tree
//! proves nothing.
//!
//! The search is depth-first proof-number search (A. Nagai, 2002). Each position has a proof number,
//! about how many positions are still to be won to prove it, and a disproof number, about how many
//! are to be lost to give it up. Adding the numbers of children would count a position as often as
//! moves lead to it, so the largest is taken, and one for each other child (T. Ueda et al., 2008).

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

use super::LineShape;
use super::board::SearchBoard;
use super::cell::Cell;
use super::shape::ThreatKind;
use super::threat_search::{Spent, Vcf, VcfLimits, strength};

/// How far a position is from being proven and from being given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    /// About how many positions are still to be won for a proof.
    pub proof: u32,
    /// About how many are to be lost until the win is given up.
    pub disproof: u32,
}

impl Numbers {
    /// More than any sum.
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

/// A move that matters, and the numbers of the position that it leads to until that is visited.
#[derive(Clone, Copy)]
struct Branch {
    pub cell: Cell,
    proof: u8,
    disproof: u8,
}

impl Branch {
    pub fn new(cell: Cell, proof: u8, disproof: u8) -> Branch {
        Branch {
            cell,
            proof,
            disproof,
        }
    }

    pub fn first_numbers(self) -> Numbers {
        Numbers::of(self.proof.into(), self.disproof.into())
    }
}

/// A position that was looked at.
struct Node {
    pub numbers: Numbers,
    pub moves: Box<[Branch]>,
    /// A win by fours of the attacker; with the defender to move the one that beats every answer
    /// that is not in `moves`.
    pub fours: Box<[Cell]>,
}

impl Node {
    /// One where the attacker wins by these fours whatever the defender does.
    pub fn proven(fours: Vec<Cell>) -> Node {
        Node {
            numbers: Numbers::PROVEN,
            moves: Box::default(),
            fours: fours.into(),
        }
    }

    /// One in which nothing is tried.
    pub fn given_up() -> Node {
        Node {
            numbers: Numbers::GIVEN_UP,
            moves: Box::default(),
            fours: Box::default(),
        }
    }

    /// One whose moves are to be visited.
    pub fn open(moves: Vec<Branch>, fours: Vec<Cell>) -> Node {
        Node {
            numbers: Numbers::of(1, 1),
            moves: moves.into(),
            fours: fours.into(),
        }
    }
}

/// Positions by their keys, which are random already.
type Positions = HashMap<u64, Node, KeyIsHash>;

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

// --- The search ---

/// The solver, with its own memory.
pub struct Prover {
    /// Positions visited since the solver was made, those of its searches by fours included.
    pub nodes: u64,
    stop_at: u64,
    vcf: Vcf,
    /// The side that is to win, by number.
    attacker: usize,
    positions: Positions,
}

/// The numbers of a position by those of its children, and the child to visit next.
struct Choice {
    numbers: Numbers,
    child: Option<Cell>,
    /// How far to search the child: until one of its numbers reaches these.
    until: Numbers,
}

impl Default for Prover {
    fn default() -> Prover {
        Prover::new()
    }
}

impl Prover {
    /// Positions remembered at most, some 200 bytes each: the search is spent when there are more.
    const REMEMBERED: usize = 1 << 20;
    /// Of the searches by fours.
    const FAILURES: usize = 1 << 18;

    /// Creates a solver that remembers nothing yet.
    pub fn new() -> Prover {
        Prover {
            nodes: 0,
            stop_at: 0,
            vcf: Vcf::remembering(Prover::FAILURES),
            attacker: 0,
            positions: Positions::default(),
        }
    }

    /// Returns a win of the side to move: the line with both sides' moves, the defender holding out as long
    /// as it can against the moves of this proof, the winning five last. `Ok` and empty where there is none
    /// among the moves that are tried; `Err` where the nodes did not suffice to know.
    ///
    /// It need not be the shortest win. The board is as before when this returns.
    pub fn solve(&mut self, board: &mut SearchBoard, nodes: u64) -> Result<Vec<Cell>, Spent> {
        if self.look(board, nodes)? {
            Ok(self.longest(board))
        } else {
            Ok(Vec::new())
        }
    }

    /// Returns the first move of a win as [`Prover::solve`] finds it, without its line: fast where the
    /// position is part of a proof that was found before.
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

    /// Returns whether the side to move wins, as far as this solver sees.
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

    /// Searches until a number of the position reaches its limit, or the nodes are spent.
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

    /// By what is known of the children now.
    fn choose(&self, board: &SearchBoard, node: &Node, until: Numbers) -> Choice {
        let is_attack = board.side_to_move().index() == self.attacker;
        // The number that the side to move wants at 0 comes first.
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
        // Moves that promise little count little before they are visited.
        let others = (visited + doubtful / 8_u32).saturating_sub(1);
        let Some(child) = best else {
            return Choice {
                numbers: of(Numbers::NEVER, 0),
                child: None,
                until,
            };
        };
        if least == 0 {
            return Choice {
                numbers: of(0, Numbers::NEVER),
                child: None,
                until,
            };
        }
        let [limit, limit_of_sum] = seen(until);
        // A little beyond the second best, so that the search does not jump to and fro.
        let wanted = limit.min(second.saturating_add(second / 4 + 1));
        let unwanted = limit_of_sum.saturating_sub(others).max(1);
        Choice {
            numbers: of(least, (most + others).min(Numbers::NEVER - 1)),
            child: Some(child),
            until: of(wanted, unwanted),
        }
    }
}

// --- Expansion ---
//
// The attacker plays fours, open threes, and quiet moves near stones that grow some line; one after
// which no win by fours threatens is given up in the position that it leads to. Of the defender's
// moves all are looked at but those that certainly lose:
//
// - against a four, all but the cell that completes it;
// - against an open three, all but the answers that [`SearchBoard::candidates`] lists;
// - against any other threat, those after which the win by fours goes through move by move as if
//   nothing had been played. Each is played out on the board to see that.

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
    fn expand(&mut self, board: &mut SearchBoard) -> Node {
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
        if board.count(defender, ThreatKind::Five) > 0 {
            return Node::given_up();
        }
        board.toggle_side();
        let fours = self.wins_by_fours(board, ATTACK);
        board.toggle_side();
        let is_four = board.count(attacker, ThreatKind::Five) > 0;
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
                let is_threat = board.kind(cell, defender) >= ThreatKind::Three;
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

    /// Returns whether the attacker's win by fours goes through after the defender's `answer`, each four
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
            if board.kind(four, attacker) == ThreatKind::Five {
                return true;
            }
            if !board.is_allowed(four) {
                return false;
            }
            board.play(four);
            let (Some(forced), 0) = (
                board.fives[attacker].first(),
                board.count(defender, ThreatKind::Five),
            ) else {
                return false;
            };
            if board.count(attacker, ThreatKind::Five) > 1 || !board.is_allowed(forced) {
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

// --- The line of a proof ---
//
// The attacker takes the shortest way that is proven, the defender the longest.

/// Plies of the longest line from each proven position, and the move that begins it.
type Lengths = HashMap<u64, (usize, Option<Cell>)>;

impl Prover {
    /// Returns the line from a proven position.
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

    /// Returns the plies of the line from a proven position.
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
