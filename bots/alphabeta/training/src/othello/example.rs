//! A position and what became of it; and many of them as a file, so that later generations learn
//! from the games of all earlier ones.
//!
//! ```text
//! "ABOE" 1       magic and version
//! examples       20 bytes each: own discs, opponent's discs, opinion, result, flags
//! ```
//!
//! Numbers are little endian. A file grows at its end, so it has no checksum: what is not a whole
//! number of sound examples is refused.

use alphabeta::othello::DISC;
use games::othello::Position;

/// A position and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Seen from the side to move.
    pub position: Position,
    /// How the game ended for the side to move, in discs.
    pub result: i8,
    /// What a search thought, in 1/128 disc; `None` where `result` is that of perfect play.
    pub opinion: Option<i16>,
    /// Not learned from, but kept to measure errors with.
    pub held_back: bool,
}

/// What a file begins with.
pub const MAGIC: &[u8; 5] = b"ABOE\x01";

/// Bytes of an example in a file.
const SIZE: usize = 20;

/// No opinion: scores never reach this.
const SOLVED: i16 = i16::MIN;

/// A file of examples that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadExamples {
    /// Something else.
    #[error("not a file of examples for Othello, version 1")]
    Magic,
    /// Cut off, or damaged.
    #[error("example {0} is cut off or cannot be: remove the file and play its games again")]
    Example(usize),
}

impl Example {
    /// Whether this is the next position of the same game: one disc more, none gone.
    fn follows(&self, earlier: &Example) -> bool {
        let (before, now) = (earlier.position.empties(), self.position.empties());
        now & !before == 0 && (before & !now).is_power_of_two()
    }

    /// Whether, of two positions of a game, this one has the other side to move: what the mover had
    /// is the opponent's now.
    fn is_answer_to(&self, earlier: &Example) -> bool {
        earlier.position.own & !self.position.opponent == 0
    }

    /// Adds this example to a file.
    pub fn write(&self, file: &mut Vec<u8>) {
        file.extend(self.position.own.to_le_bytes());
        file.extend(self.position.opponent.to_le_bytes());
        file.extend(self.opinion.unwrap_or(SOLVED).to_le_bytes());
        file.extend(self.result.to_le_bytes());
        file.push(u8::from(self.held_back));
    }

    fn read(bytes: &[u8; SIZE]) -> Option<Example> {
        let set = |at: usize| -> [u8; 8] { std::array::from_fn(|byte| bytes[at + byte]) };
        let position = Position {
            own: u64::from_le_bytes(set(0)),
            opponent: u64::from_le_bytes(set(8)),
        };
        let opinion = i16::from_le_bytes([bytes[16], bytes[17]]);
        let result = i8::from_le_bytes([bytes[18]]);
        let is_sound =
            position.own & position.opponent == 0 && (-64..=64).contains(&result) && bytes[19] < 2;
        is_sound.then_some(Example {
            position,
            result,
            opinion: (opinion != SOLVED).then_some(opinion),
            held_back: bytes[19] == 1,
        })
    }
}

/// What the evaluation is to say of each example, in 1/128 disc: the examples of a game stand one
/// after the other, as they were played.
///
/// A search's opinion is little more than the evaluation of today, and how the game ended depends on
/// every mistake that followed. Between them lie the opinions of the moves to come, each a deeper look
/// at the position before: a label is 1 − `lambda` of its own opinion and `lambda` of the next label
/// (R. Sutton, "Learning to predict by the methods of temporal differences", 1988). Where play is
/// perfect, it is the result.
pub fn labels(examples: &[Example], lambda: f64) -> Vec<f32> {
    let mut labels = vec![0.0; examples.len()];
    for (index, example) in examples.iter().enumerate().rev() {
        let later = match examples.get(index + 1) {
            Some(next) if next.follows(example) => {
                let sign = if next.is_answer_to(example) {
                    -1.0
                } else {
                    1.0
                };
                sign * f64::from(labels[index + 1])
            }
            _ => f64::from(example.result) * f64::from(DISC),
        };
        let label = match example.opinion {
            Some(opinion) => (1.0 - lambda) * f64::from(opinion) + lambda * later,
            None => f64::from(example.result) * f64::from(DISC),
        };
        labels[index] = label as f32;
    }
    labels
}

/// The examples of a file.
pub fn read_all(file: &[u8]) -> Result<Vec<Example>, BadExamples> {
    let bytes = file.strip_prefix(MAGIC).ok_or(BadExamples::Magic)?;
    let (whole, rest) = bytes.as_chunks::<SIZE>();
    if !rest.is_empty() {
        return Err(BadExamples::Example(whole.len() + 1));
    }
    let read = |(number, bytes)| Example::read(bytes).ok_or(BadExamples::Example(number));
    (1..).zip(whole).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Vec<Example> {
        let solved = Example {
            position: Position::START,
            result: -64,
            opinion: None,
            held_back: true,
        };
        let thought = Example {
            result: 10,
            opinion: Some(-640),
            held_back: false,
            ..solved
        };
        vec![solved, thought]
    }

    fn file() -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        for example in two() {
            example.write(&mut file);
        }
        file
    }

    #[test]
    fn what_is_written_is_read_back_and_damage_is_named() {
        assert_eq!(read_all(&file()), Ok(two()));
        assert_eq!(read_all(b"ABOW\x01"), Err(BadExamples::Magic));
        let file = file();
        assert_eq!(
            read_all(&file[..file.len() - 1]),
            Err(BadExamples::Example(2))
        );
        let mut damaged = file.clone();
        damaged[5] = 0xff;
        damaged[5 + 8] = 0xff;
        assert_eq!(read_all(&damaged), Err(BadExamples::Example(1)));
    }

    /// f5 d6, then a pass that was none, and c3: labels from the end backwards.
    #[test]
    fn labels_look_ahead_and_change_sides_with_the_mover() {
        let first = Position::START;
        let second = first.play(37);
        let third = second.play(43).pass();
        let example = |position, opinion, result| Example {
            position,
            result,
            opinion,
            held_back: false,
        };
        let game = [
            example(first, Some(128), 2),
            example(second, Some(-512), -2),
            example(third, Some(256), -2),
            // Another game.
            example(first, None, 8),
        ];
        for (lambda, expected) in [
            (0.0, [128.0, -512.0, 256.0, 1024.0]),
            (1.0, [256.0, -256.0, -256.0, 1024.0]),
            (0.5, [192.0, -256.0, 0.0, 1024.0]),
        ] {
            assert_eq!(labels(&game, lambda), expected, "{lambda}");
        }
    }
}
