//! Openings: short transcripts from which a pair of games starts.

use games::{Game, Move, Rules, Square, format_transcript, parse_transcript};

/// The moves before the bots are asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// From the start position; legal, and not ending the game.
    pub moves: Vec<Move>,
}

impl Opening {
    /// As a transcript: `f5d6c3`; empty for the start position.
    pub fn name(&self) -> String {
        format_transcript(&self.moves)
    }
}

/// A line of an openings file that is no opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct BadOpening {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong.
    pub why: String,
}

/// Reads one transcript a line; `#` begins a comment, blank lines are passed over.
pub fn parse(game: Game, text: &str) -> Result<Vec<Opening>, BadOpening> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let transcript = line.split('#').next().unwrap_or_default().trim();
        if transcript.is_empty() {
            continue;
        }
        let bad = |why: String| BadOpening {
            line: index + 1,
            why,
        };
        let (moves, board) =
            parse_transcript(game, transcript).map_err(|error| bad(error.to_string()))?;
        if let Some(ending) = board.ending() {
            return Err(bad(format!(
                "the game is over after it ({})",
                ending.reason.word()
            )));
        }
        openings.push(Opening { moves });
    }
    Ok(openings)
}

const OTHELLO: &str = include_str!("../../tournaments/openings/othello-balanced.txt");
const GOMOKU: &str = include_str!("../../tournaments/openings/gomoku-balanced.txt");
/// The size of board that the Gomoku openings are written for.
const GOMOKU_SIZE: u8 = 15;

/// The openings of the house. Those for Gomoku are moved to the centre of boards of other sizes;
/// boards that are too small for one go without it.
pub fn built_in(game: Game) -> Vec<Opening> {
    let read = |game, text| parse(game, text).expect("a test reads the openings of the house");
    match game {
        Game::Othello => read(game, OTHELLO),
        Game::Gomoku { size, rule } => {
            let written = Game::Gomoku {
                size: GOMOKU_SIZE,
                rule,
            };
            let shift = i16::from(size) / 2 - i16::from(GOMOKU_SIZE) / 2;
            let mut openings: Vec<Opening> = read(written, GOMOKU)
                .into_iter()
                .filter_map(|opening| shifted(&opening, shift, size))
                .collect();
            if openings.is_empty() {
                openings.push(Opening { moves: Vec::new() });
            }
            openings
        }
    }
}

fn shifted(opening: &Opening, shift: i16, size: u8) -> Option<Opening> {
    let place = |coordinate: u8| {
        let moved = i16::from(coordinate) + shift;
        u8::try_from(moved).ok().filter(|&moved| moved < size)
    };
    let shift = |played: &Move| {
        let square = played.square()?;
        Some(Move::Place(Square::new(
            place(square.column())?,
            place(square.row())?,
        )))
    };
    Some(Opening {
        moves: opening.moves.iter().map(shift).collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::canonical_hash;
    use std::collections::HashSet;

    #[test]
    fn the_house_has_a_hundred_openings_for_each_game_and_none_twice_under_symmetry() {
        for name in Game::NAMES {
            let game = Game::new(name, None, None).expect("a game of the house");
            let openings = built_in(game);
            let distinct: HashSet<u64> = openings
                .iter()
                .map(|opening| {
                    let mut board = game.start();
                    for &played in &opening.moves {
                        board.play(played).expect("openings are legal");
                    }
                    canonical_hash(&board)
                })
                .collect();
            assert!(openings.len() >= 100, "{name}: {}", openings.len());
            assert_eq!(distinct.len(), openings.len(), "{name}");
        }
    }

    #[test]
    fn every_size_and_rule_of_gomoku_has_openings_that_fit() {
        for size in 5..=22 {
            for rules in ["freestyle", "standard", "renju"] {
                let game = Game::new("gomoku", Some(rules), Some(size)).expect("a size there is");
                for opening in built_in(game) {
                    let (_, board) = parse_transcript(game, &opening.name()).expect("legal");
                    assert_eq!(board.ending(), None, "{rules} {size} {}", opening.name());
                }
            }
        }
    }

    #[test]
    fn a_bad_line_is_named() {
        let read = |text| parse(Game::Othello, text).map(|openings| openings.len());
        assert_eq!(read("# two\nf5d6c3\n\n d3c3 # perpendicular\n"), Ok(2));
        let error = read("f5d6\nf5f6z9\n").expect_err("z9 is no square");
        assert_eq!(
            (error.line, error.why.contains("move 3")),
            (2, true),
            "{error}"
        );
        let error = read("a1").expect_err("a1 is not legal");
        assert!(error.why.contains("turns over no disc"), "{error}");
    }
}
