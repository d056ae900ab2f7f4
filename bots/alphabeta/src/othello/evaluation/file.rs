//! Weights as a file: small, checked, read in about ten milliseconds.
//!
//! ```text
//! "ABOW" 1                  magic and version
//! tempo                     65 numbers
//! phases                    15 times: mobility 2 × 32 numbers, then the patterns' canonical weights
//! checksum                  FNV-1a of all before, 64 bits, little endian
//! ```
//!
//! A number is a multiple of 1/32 disc, zigzag and LEB128: one byte for up to ±2 discs. A zero is
//! followed by how many more zeros follow it, so fillings never seen cost nearly nothing. A weight
//! is canonical if it is the first of those that are the same by a symmetry of their shape.

use std::sync::{Arc, LazyLock};

use crate::sealed::{Kind, Unsealed};

use super::patterns::{WEIGHTS, canonical_weights};
use super::weights::{PhaseWeights, Weights};

const KIND: Kind = Kind {
    magic: b"ABOW\x01",
    name: "a file of weights for Othello, version 1: see docs/othello-training.md",
};

/// Units of 1/128 disc in one unit of the file.
pub const STEP: i16 = 4;

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
    /// The weights that come with the program.
    pub fn trained() -> Arc<Weights> {
        static TRAINED: LazyLock<Arc<Weights>> = LazyLock::new(|| {
            let weights = decode(include_bytes!("weights.abow"));
            Arc::new(weights.expect("a test reads the weights that come with the program"))
        });
        Arc::clone(&TRAINED)
    }
}

/// The file with these weights, each rounded to [`STEP`].
pub fn encode(weights: &Weights) -> Vec<u8> {
    let mut writer = Writer {
        bytes: Vec::new(),
        zeros: 0,
    };
    let canonical = canonical_weights();
    writer.extend(weights.tempo.iter().copied());
    for phase in &weights.phases {
        writer.extend(phase.mobility.iter().flatten().copied());
        let first = |&(index, _): &(usize, &i16)| canonical[index] as usize == index;
        let patterns = phase.patterns.iter().enumerate().filter(first);
        writer.extend(patterns.map(|(_, &weight)| weight));
    }
    KIND.seal(&writer.finish())
}

/// The weights of a file.
pub fn decode(bytes: &[u8]) -> Result<Weights, BadWeights> {
    let numbers = KIND.open(bytes)?;
    let mut reader = Reader {
        bytes: numbers,
        zeros: 0,
    };
    let canonical = canonical_weights();
    let mut weights = Weights::zero();
    reader.fill(&mut weights.tempo)?;
    for PhaseWeights { patterns, mobility } in &mut weights.phases {
        reader.fill(mobility.as_flattened_mut())?;
        for index in 0..WEIGHTS {
            let first = canonical[index] as usize;
            patterns[index] = if first == index {
                reader.next()?
            } else {
                patterns[first]
            };
        }
    }
    if reader.zeros > 0 || !reader.bytes.is_empty() {
        return Err(BadWeights::Numbers);
    }
    Ok(weights)
}

struct Writer {
    bytes: Vec<u8>,
    zeros: u32,
}

impl Writer {
    fn extend(&mut self, weights: impl Iterator<Item = i16>) {
        for weight in weights {
            let number = i32::from(weight + STEP / 2).div_euclid(i32::from(STEP));
            if number == 0 {
                self.zeros += 1;
            } else {
                self.end_zeros();
                self.varint((number << 1 ^ number >> 31) as u32);
            }
        }
    }

    fn end_zeros(&mut self) {
        if self.zeros > 0 {
            self.varint(0);
            self.varint(self.zeros - 1);
            self.zeros = 0;
        }
    }

    fn varint(&mut self, mut value: u32) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn finish(mut self) -> Vec<u8> {
        self.end_zeros();
        self.bytes
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    zeros: u32,
}

impl Reader<'_> {
    fn fill(&mut self, weights: &mut [i16]) -> Result<(), BadWeights> {
        for weight in weights {
            *weight = self.next()?;
        }
        Ok(())
    }

    fn next(&mut self) -> Result<i16, BadWeights> {
        if self.zeros > 0 {
            self.zeros -= 1;
            return Ok(0);
        }
        let number = self.varint()?;
        if number == 0 {
            self.zeros = self.varint()?;
            return Ok(0);
        }
        let number = (number >> 1) as i32 ^ -((number & 1) as i32);
        i16::try_from(number)
            .ok()
            .and_then(|number| number.checked_mul(STEP))
            .ok_or(BadWeights::Numbers)
    }

    fn varint(&mut self) -> Result<u32, BadWeights> {
        let mut value = 0;
        for shift in [0, 7, 14, 21] {
            let (&byte, rest) = self.bytes.split_first().ok_or(BadWeights::Numbers)?;
            self.bytes = rest;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(BadWeights::Numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let weights = (*Weights::trained()).clone();
        let bytes = encode(&weights);
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
