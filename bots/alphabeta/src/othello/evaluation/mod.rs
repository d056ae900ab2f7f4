//! The static evaluation, in 1/128 disc for the side to move.
//!
//! Reading order: [`patterns`], which are small sets of squares; [`Features`], the fillings of these sets, updated
//! with each move; [`Weights`], the value of each filling in each phase of the game.

#![expect(
    clippy::inline_always,
    reason = "code inlined into `Kernel::vectorize` uses its CPU instructions"
)]

pub mod patterns;

use std::fmt;
use std::sync::{Arc, LazyLock};

use bytemuck::Zeroable;
use games::othello::{Position, legal_moves, squares};
use memchr::memchr_iter;

use self::patterns::{CENTRES, COUNT, OFFSETS, PLACES, SHAPES, WEIGHTS};
use super::DISC;
use crate::data_file::{BadFile, FileKind};
use crate::search::{Score, ask_for_huge_pages};

/// The number of places (see [`patterns`]), rounded up to whole vector registers.
const LANES: usize = 64;

/// The filling of each place from the view of the side to move; see [`patterns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Features([i16; LANES]);

static DISC_ON: [Features; 64] = {
    let mut all = [Features([0; LANES]); 64];
    let mut place = 0;
    while place < COUNT {
        let squares = PLACES[place].squares();
        let mut digit = 0;
        let mut worth = 1i32;
        while digit < squares.len() {
            all[squares[digit] as usize].0[place] = worth as i16;
            worth *= 3;
            digit += 1;
        }
        place += 1;
    }
    all
};

impl Features {
    #[inline(always)]
    pub fn of(position: Position) -> Features {
        let mut features = Features([0; LANES]);
        for square in squares(position.own) {
            features.add(&DISC_ON[square], 1);
        }
        for square in squares(position.opponent) {
            features.add(&DISC_ON[square], -1);
        }
        features
    }

    /// Returns the features after a disc on `square` with these `flips`, from the view of the other side.
    #[inline(always)]
    #[must_use]
    pub fn play(&self, square: usize, flips: u64) -> Features {
        let mut turned = Features([0; LANES]);
        let mut rest = flips;
        while rest != 0 {
            turned.add(&DISC_ON[rest.trailing_zeros() as usize], 1);
            rest &= rest - 1;
        }
        let placed = &DISC_ON[square].0;
        let mut next = Features([0; LANES]);
        let parts = self.0.iter().zip(placed).zip(&turned.0);
        for (next, ((&old, &placed), &turned)) in next.0.iter_mut().zip(parts) {
            // A partial sum may overflow; the total is in range again.
            let sum = old.wrapping_add(placed);
            *next = sum.wrapping_add(turned.wrapping_mul(2)).wrapping_neg();
        }
        next
    }

    #[inline]
    #[must_use]
    pub fn pass(&self) -> Features {
        Features(self.0.map(|filling| -filling))
    }

    #[inline(always)]
    pub fn fillings(&self) -> &[i16; COUNT] {
        self.0.first_chunk().expect("there are more lanes")
    }

    #[inline(always)]
    fn add(&mut self, other: &Features, times: i16) {
        for lane in 0..LANES {
            self.0[lane] += times * other.0[lane];
        }
    }
}

/// Phases of the game, four plies each.
pub const PHASES: usize = 15;

/// The numbers of moves that the evaluation distinguishes: 0 to 31. Larger numbers count as 31.
pub const MOVES: usize = 32;

pub const fn phase(discs: u32) -> usize {
    let phase = discs.saturating_sub(4) as usize / 4;
    if phase < PHASES { phase } else { PHASES - 1 }
}

/// The weights of one phase, in units of 1/128 disc.
#[derive(Clone, Debug, PartialEq, Eq, Zeroable)]
pub struct PhaseWeights {
    /// Weights by shape and filling, in the order of [`OFFSETS`].
    pub patterns: [i16; WEIGHTS],
    /// Two tables, indexed by the number of own moves and by the number of the opponent's moves.
    pub mobility: [[i16; MOVES]; 2],
}

#[derive(Clone, PartialEq, Eq)]
pub struct Weights {
    pub phases: Vec<PhaseWeights>,
    /// The value of being to move, by number of discs. Odd and even numbers differ: the last move is an advantage.
    pub tempo: [i16; 65],
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weights").finish_non_exhaustive()
    }
}

impl Weights {
    pub fn zero() -> Weights {
        let phases = bytemuck::zeroed_vec(PHASES);
        ask_for_huge_pages(&phases);
        Weights {
            phases,
            tempo: [0; 65],
        }
    }

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

// --- The file format ---
//
// ```text
// "ABOW" 2                  magic and version
// tempo                     65 numbers
// phases                    15 times: mobility 2 × 32 numbers; a byte for every filling of every
//                           pattern; a number for every byte that is −128
// checksum                  FNV-1a of all bytes before it, 64 bits, little endian
// ```
//
// A number is a multiple of 1/32 disc in 16 bits, little endian. A byte is a weight of up to ±4 discs in the same unit.
// −128 stands for a larger weight; these weights follow as numbers, in the same order. Reading is nearly as fast as a
// memory copy.

const KIND: FileKind = FileKind {
    magic: b"ABOW\x02",
    name: "a file of weights for Othello, version 2: see docs/othello-training.md",
};

/// Units of 1/128 disc in one unit of the file.
pub const STEP: i16 = 4;

const LARGE: i8 = i8::MIN;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadWeights {
    #[error(transparent)]
    File(#[from] BadFile),
    #[error("malformed: wrong number of weights, or a weight out of range")]
    Numbers,
}

impl Weights {
    pub fn encode(&self) -> Vec<u8> {
        let mut content = Vec::new();
        write(&mut content, &self.tempo);
        for PhaseWeights { patterns, mobility } in &self.phases {
            write(&mut content, mobility.as_flattened());
            let mut large = Vec::new();
            for &weight in patterns {
                let byte = i8::try_from(rounded(weight)).unwrap_or(LARGE);
                content.push(byte as u8);
                if byte == LARGE {
                    large.push(weight);
                }
            }
            write(&mut content, &large);
        }
        KIND.seal(&content)
    }

    pub fn decode(bytes: &[u8]) -> Result<Weights, BadWeights> {
        read(KIND.open(bytes)?)
    }

    /// Returns the built-in weights. Only a test verifies their checksum.
    pub fn trained() -> Arc<Weights> {
        static TRAINED: LazyLock<Arc<Weights>> = LazyLock::new(|| {
            let numbers = KIND.content(include_bytes!("weights.abow"));
            let weights = numbers.map_err(BadWeights::from).and_then(read);
            Arc::new(weights.expect("a test reads the weights that come with the program"))
        });
        Arc::clone(&TRAINED)
    }
}

fn rounded(weight: i16) -> i16 {
    weight.saturating_add(STEP / 2).div_euclid(STEP)
}

fn write(content: &mut Vec<u8>, weights: &[i16]) {
    content.extend(
        weights
            .iter()
            .flat_map(|&weight| rounded(weight).to_le_bytes()),
    );
}

fn read(numbers: &[u8]) -> Result<Weights, BadWeights> {
    let mut reader = WeightsReader(numbers);
    let mut weights = Weights::zero();
    weights.tempo = reader.numbers()?;
    for phase in &mut weights.phases {
        reader.read_phase(phase)?;
    }
    if !reader.0.is_empty() {
        return Err(BadWeights::Numbers);
    }
    Ok(weights)
}

struct WeightsReader<'a>(&'a [u8]);

impl<'a> WeightsReader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], BadWeights> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(BadWeights::Numbers)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn number(&mut self) -> Result<i16, BadWeights> {
        let (&bytes, rest) = self.0.split_first_chunk().ok_or(BadWeights::Numbers)?;
        self.0 = rest;
        let number = i16::from_le_bytes(bytes);
        number.checked_mul(STEP).ok_or(BadWeights::Numbers)
    }

    fn numbers<const N: usize>(&mut self) -> Result<[i16; N], BadWeights> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Ok(numbers)
    }

    fn read_phase(&mut self, phase: &mut PhaseWeights) -> Result<(), BadWeights> {
        phase.mobility = [self.numbers()?, self.numbers()?];
        let bytes = self.bytes(WEIGHTS)?;
        for (weight, &byte) in phase.patterns.iter_mut().zip(bytes) {
            *weight = i16::from(byte as i8) * STEP;
        }
        for index in memchr_iter(LARGE as u8, bytes) {
            phase.patterns[index] = self.number()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::othello::reached::reachable;

    use super::*;

    proptest! {
        #[test]
        fn features_after_a_move_are_those_of_the_position_after_it(position in reachable()) {
            let features = Features::of(position);
            prop_assert_eq!(features.pass(), Features::of(position.pass()));
            for square in squares(position.legal_moves()) {
                let next = features.play(square, position.flips(square));
                prop_assert_eq!(next, Features::of(position.play(square)));
            }
        }
    }

    #[test]
    fn an_own_disc_counts_plus_one_in_the_lowest_digit() {
        let position = Position {
            own: 1,
            opponent: 2,
        };
        // The first place is the 3×3 corner at a1; b1 is its second square.
        assert_eq!(Features::of(position).fillings()[0], 1 - 3);
    }

    #[test]
    fn weights_survive_a_round_trip() {
        let weights = (*Weights::trained()).clone();
        let bytes = weights.encode();
        assert_eq!(bytes, include_bytes!("weights.abow"));
        assert_eq!(Weights::decode(&bytes), Ok(weights));
    }

    #[test]
    fn damage_is_noticed() {
        let bytes = Weights::zero().encode();
        let other = Err(BadFile::Magic(KIND.name).into());
        assert_eq!(Weights::decode(b"ABO"), other);
        assert_eq!(Weights::decode(b"something else entirely"), other);
        for place in [5, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            let error = Weights::decode(&damaged).expect_err("one bit is wrong");
            let is_detected = matches!(error, BadWeights::File(BadFile::Checksum { .. }));
            assert!(is_detected, "{place}");
        }
        let content = KIND.open(&bytes).expect("it is ours");
        let short = KIND.seal(&content[..content.len() - 1]);
        assert_eq!(Weights::decode(&short), Err(BadWeights::Numbers));
    }
}
