//! The state of a fit, saved so that it can be stopped and continued: the result is that of a fit without the stop.
//!
//! The file has three counts of 64 bits (steps done, steps of the whole fit, numbers of the model), then the numbers of
//! the model, the averages of the gradients and those of their squares: 32 bits each, little endian.

use std::fs;
use std::path::Path;

use crate::gomoku::adam::Adam;
use crate::{BoxError, named, write};

pub struct State {
    pub step: usize,
    pub steps: usize,
    pub adam: Adam,
    pub numbers: Vec<f32>,
}

impl State {
    /// Reads a state; `None` if there is no file.
    pub fn read(path: &Path) -> Result<Option<State>, BoxError> {
        if !path.exists() {
            return Ok(None);
        }
        let bytes = fs::read(path).map_err(|error| named(path, &error))?;
        State::decode(&bytes)
            .map(Some)
            .ok_or_else(|| named(path, &"not the state of a fit"))
    }

    /// Saves the state with the model's `numbers`. A stop while this function writes leaves the state before it.
    pub fn save(&self, path: &Path, numbers: &[f32]) -> Result<(), BoxError> {
        let new = path.with_extension("state.new");
        write(&new, &self.encode(numbers))?;
        fs::rename(&new, path).map_err(|error| named(path, &error))
    }

    fn encode(&self, numbers: &[f32]) -> Vec<u8> {
        let counts = [self.step, self.steps, numbers.len()];
        let mut bytes: Vec<u8> = counts
            .iter()
            .flat_map(|&count| (count as u64).to_le_bytes())
            .collect();
        for numbers in [numbers, &self.adam.means, &self.adam.squares] {
            bytes.extend(numbers.iter().flat_map(|one| one.to_le_bytes()));
        }
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<State> {
        let (counts, bytes) = bytes.split_at_checked(24)?;
        let (counts, _) = counts.as_chunks::<8>();
        let [step, steps, count] = [0, 1, 2].map(|at| u64::from_le_bytes(counts[at]) as usize);
        let (numbers, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() || count == 0 || numbers.len() != count.checked_mul(3)? {
            return None;
        }
        let mut parts = numbers.chunks(count).map(|part| {
            let read = part.iter().map(|&four| f32::from_le_bytes(four));
            read.collect()
        });
        let (numbers, means, squares) = (parts.next()?, parts.next()?, parts.next()?);
        let steps_done = i32::try_from(step).ok()?;
        Some(State {
            step,
            steps,
            adam: Adam {
                means,
                squares,
                steps: steps_done,
            },
            numbers,
        })
    }
}
