//! What is remembered of a position.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

use crate::gomoku::cell::Cell;

/// How far a position is from being proven and from being given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
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
pub(super) struct Branch {
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
pub(super) struct Node {
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
pub(super) type Positions = HashMap<u64, Node, KeyIsHash>;

#[derive(Clone, Copy, Default)]
pub(super) struct KeyIsHash(u64);

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
