//! Openings: the first moves of both games of a pair.

use std::collections::HashSet;

use games::formats::SavedGame;
use games::formats::text::{self, NotText};
use games::{Game, Move, Rules, format_transcript};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Opening {
    pub moves: Vec<Move>,
}

impl Opening {
    pub fn name(&self) -> String {
        format_transcript(&self.moves)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum BadOpening {
    #[error("{0}")]
    File(String),
    #[error(
        "it contains positions, and opening_plies cannot shorten these: leave opening_plies out"
    )]
    Cut,
}

const WHOLE: &str = "it contains whole games: write how many half-moves of each are the opening, such as opening_plies = 8";

impl From<String> for BadOpening {
    fn from(what: String) -> BadOpening {
        BadOpening::File(what)
    }
}

/// Reads the openings of a file. The file has one opening per line, as a transcript or in another notation of the game
/// (`#` begins a comment, and blank lines are ignored); or positions in a format of the game; or games in GGF, SGF, PSQ
/// or WTHOR. With `plies`, keeps only this number of half-moves of each opening, and only one of equal openings;
/// without it, keeps all openings unchanged. Fails for games without `plies`, and for positions with `plies`.
pub fn read(game: Game, bytes: &[u8], plies: Option<usize>) -> Result<Vec<Opening>, BadOpening> {
    let Some(games) = games::formats::read(bytes) else {
        let fix = NotText::FIX;
        let text = text::decode(bytes)
            .map_err(|why| format!("the file is neither a WTHOR file nor text: {why}: {fix}"))?;
        return match (game.family().read_positions(&text), plies) {
            (Some(read), None) => positions(game, read),
            (Some(_), Some(_)) => Err(BadOpening::Cut),
            (None, None) => parse(game, &text, None),
            (None, Some(_)) => parse(game, &text, plies).map(distinct),
        };
    };
    let plies = plies.ok_or_else(|| WHOLE.to_owned())?;
    let games = games.map_err(|bad| bad.to_string())?;
    let openings = (1..).zip(games).map(|(number, saved)| {
        beginning(game, &saved, plies).map_err(|why| format!("game {number}: {why}").into())
    });
    openings.collect::<Result<_, _>>().map(distinct)
}

/// Keeps only the first of equal openings, because many games begin with the same moves.
fn distinct(mut openings: Vec<Opening>) -> Vec<Opening> {
    let mut seen = HashSet::new();
    openings.retain(|opening| seen.insert(opening.clone()));
    openings
}

/// Returns openings that lead to the positions. A bot may keep its own board, so it gets moves from the start position.
fn positions(game: Game, read: Result<Vec<Vec<Move>>, String>) -> Result<Vec<Opening>, BadOpening> {
    let numbered = (1..).zip(read?);
    numbered
        .map(|(number, moves)| {
            let opening = opening(game, moves, None);
            opening.map_err(|why| format!("position {number}: {why}").into())
        })
        .collect()
}

fn beginning(game: Game, saved: &SavedGame, plies: usize) -> Result<Opening, String> {
    let played = saved.start.game();
    if (played.name(), played.size()) != (game.name(), game.size()) {
        return Err(format!("it is a game of {played}, not of {game}"));
    }
    if saved.start != played.start() {
        return Err("it does not begin at the usual start position".to_owned());
    }
    opening(game, saved.plies().collect(), Some(plies))
}

fn parse(game: Game, text: &str, plies: Option<usize>) -> Result<Vec<Opening>, BadOpening> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let written = line.split('#').next().unwrap_or_default().trim();
        if written.is_empty() {
            continue;
        }
        let moves = game.family().read_opening(game, written);
        let opening = moves.and_then(|moves| opening(game, moves, plies));
        openings.push(opening.map_err(|why| format!("line {number}: {why}"))?);
    }
    Ok(openings)
}

fn opening(game: Game, mut moves: Vec<Move>, plies: Option<usize>) -> Result<Opening, String> {
    moves.truncate(plies.unwrap_or(usize::MAX));
    let mut board = game.start();
    for &played in &moves {
        board.play(played).map_err(|error| error.to_string())?;
    }
    match board.ending() {
        None => Ok(Opening { moves }),
        Some(ending) => Err(format!(
            "the opening ends the game ({})",
            ending.reason.word()
        )),
    }
}

pub fn built_in(game: Game, plies: Option<usize>) -> Vec<Opening> {
    let cut = |moves| opening(game, moves, plies).expect("a test plays the built-in openings");
    distinct(game.family().openings(game).into_iter().map(cut).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;
    use games::{canonical_hash, parse_transcript};
    use std::collections::HashSet;

    #[test]
    fn each_game_has_a_thousand_built_in_openings_that_differ_under_symmetry() {
        for name in games::names() {
            let game = Game::new(name, None, None).expect("a built-in game");
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
            for rules in ["freestyle", "standard", "renju", "caro"] {
                let game = Game::new("gomoku", Some(rules), Some(size)).expect("a valid size");
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
    fn a_file_is_read_or_refused() {
        type Row = (String, String, Option<usize>, String, String, String);
        for (what, game, plies, text, openings, refusal) in cases::<Row>("openings") {
            let game = Game::new(&game, None, None).expect("a built-in game");
            let (found, refused) = match names(game, &text, plies) {
                Ok(names) => (names.join(" "), String::new()),
                Err(error) => (String::new(), error),
            };
            assert_eq!((found, refused), (openings, refusal), "{what}");
        }
        let as_old_macs_end_lines = names(Game::OTHELLO, "# two\rf5d6c3\r\rd3c3\r", None);
        let two = ["f5d6c3", "d3c3"].map(str::to_owned);
        assert_eq!(as_old_macs_end_lines, Ok(two.to_vec()));
    }

    #[test]
    fn equal_cuts_of_built_in_openings_count_once() {
        let openings = built_in(Game::OTHELLO, Some(1));
        let mut names: Vec<String> = openings.iter().map(Opening::name).collect();
        names.sort();
        assert_eq!(names, ["c4", "d3", "e6", "f5"], "black's four first moves");
    }
}
