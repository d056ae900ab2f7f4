//! Wins whose moves may be quiet, by proof-number search.
//!
//! The side that is to win, the *attacker*, may play anything that threatens a win by fours; the
//! other side, the *defender*, anything that stops that win. So the tree has few branches for the
//! defender, while the attacker's moves need not be fours or open threes. `expansion` says which
//! moves there are, and why no answer is left out: a proof holds against every legal answer. That
//! there is none within this tree proves nothing.
//!
//! The search is depth-first proof-number search (A. Nagai, 2002). Each position has a proof number,
//! about how many positions are still to be won to prove it, and a disproof number, about how many
//! are to be lost to give it up. Adding the numbers of children would count a position as often as
//! moves lead to it, so the largest is taken, and one for each other child (T. Ueda et al., 2008).
//!
//! Reading order: this file, `expansion`, `longest` (the line of a proof).

mod expansion;
mod longest;
mod node;

use super::board::SearchBoard;
use super::cell::Cell;
use super::vcf::Vcf;
use super::vct::Spent;
use node::{Node, Numbers, Positions};

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

    /// A solver that remembers nothing yet.
    pub fn new() -> Prover {
        Prover {
            nodes: 0,
            stop_at: 0,
            vcf: Vcf::remembering(Prover::FAILURES),
            attacker: 0,
            positions: Positions::default(),
        }
    }

    /// A win of the side to move: the line with both sides' moves, the defender holding out as long
    /// as it can against the moves of this proof, the winning five last. `Ok` and empty where there
    /// is none among the moves that are tried; `Err` where the nodes did not suffice to know.
    ///
    /// It need not be the shortest win. The board is as before when this returns.
    pub fn solve(&mut self, board: &mut SearchBoard, nodes: u64) -> Result<Vec<Cell>, Spent> {
        if self.look(board, nodes)? {
            Ok(self.longest(board))
        } else {
            Ok(Vec::new())
        }
    }

    /// The first move of a win as [`Prover::solve`] finds it, without its line: fast where the
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

    /// Whether the side to move wins, as far as this solver sees.
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
