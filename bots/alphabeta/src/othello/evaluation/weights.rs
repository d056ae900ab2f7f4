//! The weights of the evaluation, and the evaluation itself: a sum of looked-up numbers.

#![expect(
    clippy::inline_always,
    reason = "what is inlined into `Kernel::vectorize` is compiled with its instructions"
)]

use std::fmt;

use games::othello::{Position, legal_moves};

use super::Features;
use super::patterns::{CENTRES, OFFSETS, SHAPES, WEIGHTS};
use crate::othello::DISC;
use crate::search::Score;

/// Phases of the game, each with weights of its own: four plies each.
pub const PHASES: usize = 15;

/// Numbers of moves that are told apart; more count as the most.
pub const MOVES: usize = 32;

/// The phase of a position with so many discs (4 to 64).
pub const fn phase(discs: u32) -> usize {
    let phase = discs.saturating_sub(4) as usize / 4;
    if phase < PHASES { phase } else { PHASES - 1 }
}

/// The weights of one phase, in units of 1/128 disc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseWeights {
    /// Of every filling of every shape, as [`OFFSETS`] lays them out.
    pub patterns: Box<[i16; WEIGHTS]>,
    /// Of the number of own moves, then of the opponent's.
    pub mobility: [[i16; MOVES]; 2],
}

/// All weights.
#[derive(Clone, PartialEq, Eq)]
pub struct Weights {
    /// Phase by phase.
    pub phases: Vec<PhaseWeights>,
    /// Of the side to move, by the number of discs: who plays last is worth much, and changes with
    /// every ply.
    pub tempo: [i16; 65],
}

/// Millions of numbers are not worth printing.
impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weights").finish_non_exhaustive()
    }
}

impl Weights {
    /// All zero.
    pub fn zero() -> Weights {
        let phase = PhaseWeights {
            patterns: vec![0; WEIGHTS]
                .try_into()
                .expect("as many as there are weights"),
            mobility: [[0; MOVES]; 2],
        };
        Weights {
            phases: vec![phase; PHASES],
            tempo: [0; 65],
        }
    }

    /// The evaluation of a position whose features are known, in 1/128 disc for the side to move.
    #[inline(always)]
    pub fn evaluate(&self, position: Position, features: &Features) -> Score {
        let discs = 64 - position.empties().count_ones();
        let weights = &self.phases[phase(discs)];
        let mut sum = Score::from(self.tempo[discs as usize]);
        for (&centre, &filling) in CENTRES.iter().zip(features.fillings()) {
            let index = (centre as i32 + i32::from(filling)) as usize;
            sum += Score::from(weights.patterns[index]);
        }
        let Position { own, opponent } = position;
        let moves = [legal_moves(own, opponent), legal_moves(opponent, own)];
        for (moves, weights) in moves.iter().zip(&weights.mobility) {
            sum += Score::from(weights[(moves.count_ones() as usize).min(MOVES - 1)]);
        }
        sum.clamp(-64 * DISC, 64 * DISC)
    }
}

const _: () = assert!(SHAPES.len() + 1 == OFFSETS.len());
