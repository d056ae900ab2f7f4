//! A network as a file.
//!
//! ```text
//! "ABGN" 1                  magic and version
//! views                     one for both sides, or black's and white's: a byte
//! each view                 its tables in the order of [`View`], row by row: 16 bits, little endian
//! checksum                  FNV-1a of all before, 64 bits, little endian
//! ```

use super::{BOTH, FEATURES, HIDDEN, View, row_of};
use crate::gomoku::evaluation::THREATS;
use crate::sealed::{Kind, Unsealed};

const KIND: Kind = Kind {
    magic: b"ABGN\x01",
    name: "a network for Gomoku, version 1: see docs/gomoku-training.md",
};

/// A file that is no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadNetwork {
    /// Something else, or damaged on the way.
    #[error(transparent)]
    Sealed(#[from] Unsealed),
    /// The checksum holds, but the numbers are too few or too many.
    #[error("malformed: the numbers do not fill the tables")]
    Numbers,
}

/// The file with these views.
pub fn encode(views: &[View]) -> Vec<u8> {
    let mut bytes = vec![views.len() as u8];
    for view in views {
        let tables = [
            view.own.as_flattened(),
            view.other.as_flattened(),
            &view.bias,
        ];
        let layers = [view.hidden.as_flattened(), view.threats.as_flattened()];
        let ends = [&view.output[..], &view.direct, &[view.begin], &view.moves];
        let all = tables.into_iter().chain(layers).chain(ends);
        bytes.extend(all.flatten().flat_map(|number| number.to_le_bytes()));
    }
    KIND.seal(&bytes)
}

/// The views of a file: one or two.
///
/// # Errors
/// What is wrong with it.
pub fn decode(bytes: &[u8]) -> Result<Vec<View>, BadNetwork> {
    read(KIND.open(bytes)?)
}

/// As [`decode`], for what comes with the program: its checksum is left to a test.
pub(super) fn built_in(bytes: &[u8]) -> Result<Vec<View>, BadNetwork> {
    read(KIND.content(bytes)?)
}

fn read(numbers: &[u8]) -> Result<Vec<View>, BadNetwork> {
    let (&count, numbers) = numbers.split_first().ok_or(BadNetwork::Numbers)?;
    let mut reader = Reader(numbers);
    let views: Option<Vec<View>> = (0..count).map(|_| reader.view()).collect();
    let is_whole = reader.0.is_empty() && (1..=2).contains(&count);
    views.filter(|_| is_whole).ok_or(BadNetwork::Numbers)
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn row<const N: usize>(&mut self) -> Option<[i16; N]> {
        let (row, rest) = self.0.split_at_checked(2 * N)?;
        self.0 = rest;
        let (numbers, _) = row.as_chunks();
        Some(std::array::from_fn(|at| i16::from_le_bytes(numbers[at])))
    }

    fn rows<const N: usize>(&mut self, count: usize) -> Option<Vec<[i16; N]>> {
        (0..count).map(|_| self.row()).collect()
    }

    fn view(&mut self) -> Option<View> {
        let (_, rows) = row_of();
        Some(View {
            own: self.rows::<FEATURES>(rows)?,
            other: self.rows::<FEATURES>(rows)?,
            bias: self.row()?,
            hidden: self.rows::<HIDDEN>(BOTH)?,
            threats: self.rows::<HIDDEN>(THREATS)?,
            output: self.row()?,
            direct: self.row()?,
            begin: self.row::<1>()?[0],
            moves: self.row()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::network::tests::random_views;

    #[test]
    fn a_file_is_read_back_as_it_was_written() {
        for count in 1..=2 {
            let views = random_views(3, count);
            assert!(decode(&encode(&views)) == Ok(views), "{count}");
        }
    }

    #[test]
    fn what_comes_with_the_program_is_a_network() {
        for (rule, views) in [
            (&include_bytes!("../weights/freestyle.abgn")[..], 1),
            (include_bytes!("../weights/standard.abgn"), 1),
            (include_bytes!("../weights/renju.abgn"), 2),
        ] {
            assert_eq!(decode(rule).map(|views| views.len()), Ok(views));
        }
    }

    #[test]
    fn damage_is_told() {
        let file = encode(&random_views(3, 1));
        let content = KIND.open(&file).expect("it is ours");
        let mut flipped = file.clone();
        flipped[1000] ^= 1;
        assert!(matches!(
            decode(&flipped),
            Err(BadNetwork::Sealed(Unsealed::Checksum { .. }))
        ));
        for wrong in [&content[..900], &[content, &[0, 0]].concat(), &[]] {
            assert_eq!(decode(&KIND.seal(wrong)), Err(BadNetwork::Numbers));
        }
        let later = Kind {
            magic: b"ABGN\x02",
            ..KIND
        };
        let other = Unsealed::Magic(KIND.name);
        let text = b"something else, of no use here";
        for nothing in [&[][..], b"ABGN", &later.seal(content), text] {
            assert_eq!(decode(nothing), Err(other.into()));
        }
    }
}
