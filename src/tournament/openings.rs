//! Openings: short transcripts from which a pair of games starts.

use std::collections::HashSet;

use games::formats::text::{self, NotText};
use games::formats::{BadGames, SavedGame, offsets};
use games::othello::moves_to;
use games::othello::obf::{self, BadObf};
use games::{Board, Game, Move, Rules, Square, format_transcript, parse_transcript};

/// The moves before the bots are asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

/// A file of openings that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadOpening {
    /// A line that is no opening.
    #[error("line {line}: {why}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// A game that is no opening.
    #[error("game {number}: {why}")]
    Game {
        /// Counted from 1.
        number: usize,
        /// What is wrong.
        why: String,
    },
    /// A position that is no opening.
    #[error("position {number}: {why}")]
    Position {
        /// Counted from 1.
        number: usize,
        /// What is wrong.
        why: String,
    },
    /// Positions that cannot be read.
    #[error(transparent)]
    Obf(#[from] BadObf),
    /// Games that cannot be read.
    #[error(transparent)]
    Games(#[from] BadGames),
    /// Whole games, and nobody said where they are to be cut.
    #[error(
        "it holds whole games: say how many half-moves of each are an opening, opening_plies = 8"
    )]
    Whole,
    /// Positions, and somebody said where games are to be cut.
    #[error(
        "it holds positions, and opening_plies has nothing to cut: the moves that lead to each \
         are found, in any order"
    )]
    Cut,
    /// Neither text nor a base of games.
    #[error("it is neither a WTHOR base nor text: {0}: {mend}", mend = NotText::MEND)]
    Bytes(#[from] NotText),
}

/// Reads the openings of a file: a transcript a line or, for Gomoku, a line of offsets from the
/// centre as Gomocup keeps them (`#` begins a comment, blank lines are passed over); for Othello a
/// position a line, as OBF has them; or games in GGF, SGF, PSQ or WTHOR. `plies` half-moves of each
/// are taken: all of a line where there is no such number. What is alike then counts once.
pub fn read(game: Game, bytes: &[u8], plies: Option<usize>) -> Result<Vec<Opening>, BadOpening> {
    let Some(games) = games::formats::read(bytes) else {
        let text = &text::decode(bytes)?;
        return match (game, plies) {
            (Game::OTHELLO, None) if obf::looks_like(text) => positions(text),
            (Game::OTHELLO, Some(_)) if obf::looks_like(text) => Err(BadOpening::Cut),
            (_, None) => parse(game, text, None),
            (_, Some(_)) => parse(game, text, plies).map(distinct),
        };
    };
    let plies = plies.ok_or(BadOpening::Whole)?;
    let openings = (1..).zip(games?).map(|(number, saved)| {
        beginning(game, &saved, plies).map_err(|why| BadOpening::Game { number, why })
    });
    openings.collect::<Result<_, _>>().map(distinct)
}

/// Many games begin alike: what is left of them counts once, where the first of them stood.
fn distinct(mut openings: Vec<Opening>) -> Vec<Opening> {
    let mut seen = HashSet::new();
    openings.retain(|opening| seen.insert(opening.clone()));
    openings
}

/// Openings that lead to positions of Othello: what is played starts at the beginning, since a bot
/// may keep a board of its own.
fn positions(text: &str) -> Result<Vec<Opening>, BadOpening> {
    let read = |problem: &obf::Problem| {
        let moves = moves_to(&problem.board).map_err(|error| error.to_string())?;
        goes_on(&Board::Othello(problem.board))?;
        Ok(Opening { moves })
    };
    let problems = obf::read(text)?;
    let numbered = (1..).zip(&problems);
    numbered
        .map(|(number, problem)| read(problem).map_err(|why| BadOpening::Position { number, why }))
        .collect()
}

/// The first half-moves of a game, if they can be played in `game`.
fn beginning(game: Game, saved: &SavedGame, plies: usize) -> Result<Opening, String> {
    let played = saved.start.game();
    if (played.name(), played.size()) != (game.name(), game.size()) {
        return Err(format!("it is of {played}, not of {game}"));
    }
    if saved.start != played.start() {
        return Err("it does not begin from the usual start position".to_owned());
    }
    let moves: Vec<Move> = saved.plies().take(plies).collect();
    let mut board = game.start();
    for &played in &moves {
        board.play(played).map_err(|error| error.to_string())?;
    }
    goes_on(&board)?;
    Ok(Opening { moves })
}

/// That the game is not over.
fn goes_on(board: &Board) -> Result<(), String> {
    match board.ending() {
        None => Ok(()),
        Some(ending) => Err(format!(
            "the game is over after it ({})",
            ending.reason.word()
        )),
    }
}

fn parse(game: Game, text: &str, plies: Option<usize>) -> Result<Vec<Opening>, BadOpening> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let written = line.split('#').next().unwrap_or_default().trim();
        if written.is_empty() {
            continue;
        }
        let opening = opening(game, written, plies);
        openings.push(opening.map_err(|why| BadOpening::Line {
            line: index + 1,
            why,
        })?);
    }
    Ok(openings)
}

/// Reads `f5d6c3` or `0,0, 1,0, 1,3`.
fn opening(game: Game, written: &str, plies: Option<usize>) -> Result<Opening, String> {
    let (mut moves, mut board) = if game != Game::OTHELLO && offsets::looks_like(written) {
        offsets::play(game, written)
            .map_err(|error| format!("column {}: {}", error.column, error.fault))?
    } else {
        parse_transcript(game, written).map_err(|error| error.to_string())?
    };
    if let Some(plies) = plies.filter(|&plies| plies < moves.len()) {
        moves.truncate(plies);
        board = game.start();
        for &played in &moves {
            board.play(played).expect("it was played before");
        }
    }
    goes_on(&board)?;
    Ok(Opening { moves })
}

const OTHELLO: &str = include_str!("../../tournaments/openings/othello-balanced.txt");
const GOMOKU: &str = include_str!("../../tournaments/openings/gomoku-balanced.txt");
/// The size of board that the Gomoku openings are written for.
const GOMOKU_SIZE: u8 = 15;

/// The openings of the house, or `plies` half-moves of each. Those for Gomoku are moved to the centre
/// of boards of other sizes; boards that are too small for one go without it.
pub fn built_in(game: Game, plies: Option<usize>) -> Vec<Opening> {
    let read = |game, text| {
        let openings = parse(game, text, plies).expect("a test reads the openings of the house");
        distinct(openings)
    };
    match game {
        Game::OTHELLO => read(game, OTHELLO),
        Game::Gomoku { size, rule } => {
            let written = Game::gomoku(GOMOKU_SIZE, rule);
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
    fn the_house_has_a_thousand_openings_for_each_game_and_none_twice_under_symmetry() {
        for name in Game::NAMES {
            let game = Game::new(name, None, None).expect("a game of the house");
            let openings = built_in(game, None);
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
            assert!(openings.len() >= 1000, "{name}: {}", openings.len());
            assert_eq!(distinct.len(), openings.len(), "{name}");
        }
    }

    #[test]
    fn every_size_and_rule_of_gomoku_has_openings_that_fit() {
        for size in 5..=22 {
            for rules in ["freestyle", "standard", "renju"] {
                let game = Game::new("gomoku", Some(rules), Some(size)).expect("a size there is");
                for opening in built_in(game, None) {
                    let (_, board) = parse_transcript(game, &opening.name()).expect("legal");
                    assert_eq!(board.ending(), None, "{rules} {size} {}", opening.name());
                }
            }
        }
    }

    fn names(game: Game, text: &str, plies: Option<usize>) -> Result<Vec<String>, String> {
        let openings = super::read(game, text.as_bytes(), plies);
        let openings = openings.map_err(|error| error.to_string())?;
        Ok(openings.iter().map(Opening::name).collect())
    }

    #[test]
    fn a_bad_line_is_named() {
        let read = |text| names(Game::OTHELLO, text, None);
        let two = Ok(vec!["f5d6c3".to_owned(), "d3c3".to_owned()]);
        assert_eq!(
            read("# two\rf5d6c3\r\rd3c3\r"),
            two,
            "as old Macs end lines"
        );
        assert_eq!(read("# two\nf5d6c3\n\n d3c3 # perpendicular\n"), two);
        let error = read("f5d6\nf5f6z9\n").expect_err("z9 is no square");
        assert!(error.starts_with("line 2: move 3"), "{error}");
        let error = read("a1").expect_err("a1 is not legal");
        assert!(error.contains("turns over no disc"), "{error}");
    }

    /// The first lines are of Piskvork's own openings.
    #[test]
    fn gomocups_offsets_are_openings() {
        let gomoku = |size| Game::new("gomoku", None, Some(size)).expect("a size there is");
        let text = "0,0, 1,0, 1,3\n0,0, 1,1, 0,3\nh8i8 # ours\n";
        let expected = ["h8i8i11", "h8i9h11", "h8i8"].map(str::to_owned).to_vec();
        assert_eq!(names(gomoku(15), text, None), Ok(expected));
        let error = names(gomoku(15), "0,0, 9,0", None).expect_err("too far");
        assert_eq!(
            error,
            "line 1: column 6: found \"9,0\": the square is off this board"
        );
    }

    #[test]
    fn positions_of_othello_become_the_moves_that_lead_to_them() {
        let othello = |text: &str| names(Game::OTHELLO, text, None);
        let two = "% diagonal, and perpendicular\n\
                   1 ------------------X--------XX------OXX-----O-------------------- O; d3:+0;\n\
                   2 --------------------X------OXO-----XXX-------------------------- O; % f5f4e3\n";
        assert_eq!(
            othello(two),
            Ok(vec!["f5d6c3".to_owned(), "f5f4e3".to_owned()])
        );
        // The order is found, not given: half of it means nothing.
        let error = names(Game::OTHELLO, two, Some(2)).expect_err("nothing to cut");
        assert!(error.starts_with("it holds positions"), "{error}");
        for (text, message) in [
            (
                "------------------X--------XX------OXX--?",
                "line 1, column 41: square 41 holds '?'",
            ),
            (
                "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X",
                "position 1: no game that leads to this position of 44 discs was found",
            ),
        ] {
            let error = othello(text).expect_err(text);
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn games_of_other_programs_are_cut() {
        let gomoku = Game::new("gomoku", None, None).expect("it is there");
        let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,9\n1,1,9\n";
        assert_eq!(names(gomoku, psq, Some(2)), Ok(vec!["h8i7".to_owned()]));
        let sgf = "(;GM[4]SZ[15];B[hh];W[ig];B[aa])(;GM[4]SZ[15];B[hh];W[ig];B[bb])";
        assert_eq!(names(gomoku, sgf, Some(2)), Ok(vec!["h8i7".to_owned()]));
        let ggf = "(;GM[Othello]B[F5]W[D6]B[C3];)";
        assert_eq!(
            names(Game::OTHELLO, ggf, Some(2)),
            Ok(vec!["f5d6".to_owned()])
        );
        for (game, text, plies, message) in [
            (gomoku, sgf, None, "it holds whole games"),
            (
                gomoku,
                ggf,
                Some(2),
                "game 1: it is of othello, not of gomoku 15×15 freestyle",
            ),
            (
                Game::OTHELLO,
                "(;GM[Othello]B[F5]W[F5];)",
                Some(1),
                "line 1, column 21: move 2: f5",
            ),
        ] {
            let error = names(game, text, plies).expect_err(text);
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn lines_that_begin_alike_count_once_when_they_are_cut() {
        let cut = names(Game::OTHELLO, "f5d6c3\nd3c3\nf5d6c5", Some(2));
        assert_eq!(cut, Ok(vec!["f5d6".to_owned(), "d3c3".to_owned()]));
        let house = built_in(Game::OTHELLO, Some(1));
        let mut names: Vec<String> = house.iter().map(Opening::name).collect();
        names.sort();
        assert_eq!(names, ["c4", "d3", "e6", "f5"], "black's four first moves");
    }
}
