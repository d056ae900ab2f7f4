//! Weights as a file: checked, and read as fast as memory is filled.
//!
//! ```text
//! "ABOW" 2                  magic and version
//! tempo                     65 numbers
//! phases                    15 times: mobility 2 × 32 numbers; a byte for every filling of every
//!                           pattern; a number for every byte that is −128
//! checksum                  FNV-1a of all before, 64 bits, little endian
//! ```
//!
//! A number is a multiple of 1/32 disc in 16 bits, little endian. A byte is a weight of up to ±4 discs in the
//! same unit; −128 stands for a greater one, which is among the numbers behind, in the same order.
//!
//! Version 1 left out what follows from a symmetry and joined zeros together. It was half as long (three
//! quarters once compressed), and took four times the time to read.

use std::sync::{Arc, LazyLock};

use crate::sealed::{Kind, Unsealed};

use super::patterns::WEIGHTS;
use super::{MOVES, PHASES, PhaseWeights, Weights};

const KIND: Kind = Kind {
    magic: b"ABOW\x02",
    name: "a file of weights for Othello, version 2: see docs/othello-training.md",
};

/// Units of 1/128 disc in one unit of the file.
pub const STEP: i16 = 4;

/// The byte of a weight that needs two.
const LARGE: i8 = i8::MIN;

/// A file of weights that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadWeights {
    /// Something else, or damaged on the way.
    #[error(transparent)]
    Sealed(#[from] Unsealed),
    /// The checksum holds, but the numbers are too few, too many or too large.
    #[error("malformed: the numbers do not fill the tables")]
    Numbers,
}

impl Weights {
    /// The weights that come with the program. Their checksum is left to a test.
    pub fn trained() -> Arc<Weights> {
        static TRAINED: LazyLock<Arc<Weights>> = LazyLock::new(|| {
            let numbers = KIND.content(include_bytes!("weights.abow"));
            let weights = numbers.map_err(BadWeights::from).and_then(read);
            Arc::new(weights.expect("a test reads the weights that come with the program"))
        });
        Arc::clone(&TRAINED)
    }
}

/// The file with these weights, each rounded to [`STEP`].
pub fn encode(weights: &Weights) -> Vec<u8> {
    let mut content = Vec::new();
    write(&mut content, &weights.tempo);
    for PhaseWeights { patterns, mobility } in &weights.phases {
        write(&mut content, mobility.as_flattened());
        let mut large = Vec::new();
        for &weight in patterns.iter() {
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

/// The weights of a file.
pub fn decode(bytes: &[u8]) -> Result<Weights, BadWeights> {
    read(KIND.open(bytes)?)
}

/// A weight in units of the file.
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
    let mut reader = Reader(numbers);
    let tempo = reader.numbers()?;
    let phases = (0..PHASES)
        .map(|_| reader.phase())
        .collect::<Result<_, _>>()?;
    if !reader.0.is_empty() {
        return Err(BadWeights::Numbers);
    }
    Ok(Weights { phases, tempo })
}

/// What is still to be read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
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

    fn phase(&mut self) -> Result<PhaseWeights, BadWeights> {
        let mobility = [self.numbers::<MOVES>()?, self.numbers()?];
        let bytes = self.bytes(WEIGHTS)?;
        let small = bytes.iter().map(|&byte| i16::from(byte as i8) * STEP);
        let mut patterns: Box<[i16]> = small.collect();
        for weight in &mut patterns {
            if *weight == i16::from(LARGE) * STEP {
                *weight = self.number()?;
            }
        }
        let patterns = patterns.try_into().map_err(|_| BadWeights::Numbers)?;
        Ok(PhaseWeights { patterns, mobility })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let weights = (*Weights::trained()).clone();
        let bytes = encode(&weights);
        assert_eq!(bytes, include_bytes!("weights.abow"));
        assert_eq!(decode(&bytes), Ok(weights));
    }

    #[test]
    fn damage_is_noticed() {
        let bytes = encode(&Weights::zero());
        let other = Err(Unsealed::Magic(KIND.name).into());
        assert_eq!(decode(b"ABO"), other);
        assert_eq!(decode(b"something else entirely"), other);
        for place in [5, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            let error = decode(&damaged).expect_err("one bit is wrong");
            let is_told = matches!(error, BadWeights::Sealed(Unsealed::Checksum { .. }));
            assert!(is_told, "{place}");
        }
        let content = KIND.open(&bytes).expect("it is ours");
        let short = KIND.seal(&content[..content.len() - 1]);
        assert_eq!(decode(&short), Err(BadWeights::Numbers));
    }
}
