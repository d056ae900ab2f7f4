//! PSQ, the format of Piskvork and of the archives of Gomocup: one game per file.
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0     board, level of each player (11: an engine), 0 if the first name began, else 1
//! 8,8,0                         column, row, both from 1 at the top left; thinking time in ms
//! 9,7,120
//! Rapfi                         the first name
//! Carbon
//! 0                             0: ended by the rules, 15: out of time, -1: unknown
//! 1,Freestyle                   winner (1: first name, 2: second name, 0: none, -1: unknown), rules
//! ```
//!
//! The lines after the moves may be missing. Without the last line, the rule is freestyle; the board shows the winner.
//!
//! ```
//! use games::formats::psq;
//!
//! let game = psq::parse("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,120\nRapfi\nCarbon\n-1\n")?;
//! let moves: Vec<String> = game.plies().map(|played| played.to_string()).collect();
//! assert_eq!(moves, ["h8", "i7"]);
//! assert_eq!(
//!     psq::write(&game)?,
//!     "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,120\nRapfi\nCarbon\n-1\n-1,Freestyle\n"
//! );
//!
//! let error = psq::parse("Piskvorky 15x15, 11:11, 0\n0,8,0\n").unwrap_err().to_string();
//! assert_eq!(error, "line 2, column 1: found \"0,8,0\": column and row count from 1 to the board's size");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: the reader and writer of Piskvork 8 and of Gomocup's judge.

use std::time::Duration;

use super::replay::Replay;
use super::scanner::Scanner;
use super::{BadFile, CannotHold, GameResult, How, Mistake, SavedGame, SavedMove};
use crate::gomoku::Rule;
use crate::{Game, Move, Rules, Side, Square};

const OUT_OF_TIME: i32 = 15;
const HEADER: &str = "a file begins with the board: Piskvorky 15x15, 11:11, 0";

/// Reads a file.
pub fn parse(text: &str) -> Result<SavedGame, BadFile> {
    let scanner = Scanner::new(text);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().ok_or_else(|| scanner.wanted(HEADER))?;
    let lines: Vec<&str> = lines.collect();
    let moves = lines
        .iter()
        .take_while(|line| numbers(line).is_some_and(|numbers| numbers.len() > 1))
        .count();
    let (moves, trailer) = lines.split_at(moves);
    let header = header(first).ok_or_else(|| scanner.wanted(HEADER))?;
    let trailer = Trailer::read(trailer);
    let game = Game::new("gomoku", Some(trailer.rule.name()), Some(header.size))
        .map_err(|error| scanner.bad(first, error))?;
    let start = game.start();
    let mut replay = Replay::new(&start);
    for line in moves {
        let saved = saved_move(game, line).map_err(|fault| scanner.bad(line, fault))?;
        replay
            .play(None, saved)
            .map_err(|fault| scanner.bad(line, fault))?;
    }
    let mut players = trailer.players.map(str::to_owned);
    if header.second_began {
        players.swap(0, 1);
    }
    Ok(SavedGame {
        result: trailer.result(header.second_began, &replay.board),
        moves: replay.moves,
        players,
        ..SavedGame::new(start)
    })
}

struct Header {
    size: i64,
    second_began: bool,
}

/// Reads `Piskvorky 15x15, 11:11, 0`; the numbers after the size may be missing.
fn header(line: &str) -> Option<Header> {
    let mut parts = line.trim().strip_prefix("Piskvorky ")?.split(',');
    let (width, height) = parts.next()?.trim().split_once('x')?;
    let width: i64 = width.parse().ok()?;
    (height.parse() == Ok(width)).then_some(())?;
    Some(Header {
        size: width,
        second_began: parts.nth(1).is_some_and(|player| player.trim() == "1"),
    })
}

struct Trailer<'a> {
    players: [&'a str; 2],
    code: i32,
    winner: Option<i32>,
    rule: Rule,
}

impl<'a> Trailer<'a> {
    fn read(lines: &[&'a str]) -> Trailer<'a> {
        let rules = |line: &&'a str| {
            let (winner, rule) = line.split_once(',')?;
            Some((winner.trim().parse().ok()?, rule_of(rule)))
        };
        let last = lines.last().and_then(rules);
        let before = &lines[..lines.len() - usize::from(last.is_some())];
        // Any text may be a name, so the names are found by their position.
        let (players, code) = match before {
            [black, white, code, ..] => ([black.trim(), white.trim()], code),
            [black, white] => ([black.trim(), white.trim()], &"-1"),
            [code] => (["", ""], code),
            [] => (["", ""], &"-1"),
        };
        Trailer {
            players,
            code: code.trim().parse().unwrap_or(-1),
            winner: last.map(|(winner, _)| winner),
            rule: last.map_or(Rule::Freestyle, |(_, rule)| rule),
        }
    }

    fn result(&self, second_began: bool, board: &crate::Board) -> Option<GameResult> {
        let first = if second_began {
            Side::White
        } else {
            Side::Black
        };
        let winner = match self.winner {
            Some(0) => None,
            Some(1) => Some(first),
            Some(2) => Some(!first),
            _ => board.ending()?.winner,
        };
        let how = match self.code {
            OUT_OF_TIME => How::OutOfTime,
            _ => How::Played,
        };
        Some(GameResult {
            winner,
            margin: None,
            how,
        })
    }
}

fn numbers(line: &str) -> Option<Vec<i64>> {
    line.split(',')
        .map(|word| word.trim().parse().ok())
        .collect()
}

fn saved_move(game: Game, line: &str) -> Result<SavedMove, Mistake> {
    let numbers = numbers(line).unwrap_or_default();
    let place = |number: Option<&i64>| {
        let place = number?.checked_sub(1).and_then(|n| u8::try_from(n).ok())?;
        (place < game.size()).then_some(place)
    };
    let (Some(column), Some(row)) = (place(numbers.first()), place(numbers.get(1))) else {
        return Err(Mistake::Found {
            found: line.to_owned(),
            wanted: "column and row count from 1 to the board's size",
        });
    };
    let time = numbers.get(2).copied().unwrap_or_default();
    let time = u64::try_from(time).ok().filter(|&time| time > 0);
    Ok(SavedMove {
        played: Move::Place(Square::new(column, row)),
        evaluation: None,
        time: time.map(Duration::from_millis),
    })
}

/// Writes a game; the first name is black's. PSQ cannot hold start positions, events, dates, clocks, evaluations,
/// comments, or endings other than by the rules or the clock. Times are rounded up to whole milliseconds.
pub fn write(game: &SavedGame) -> Result<String, CannotHold> {
    let kind = game.start.game();
    let Some(rule) = Rule::of(kind) else {
        return Err(CannotHold::Game {
            format: "PSQ",
            game: kind,
            instead: "ggf or sgf",
        });
    };
    if game.start != kind.start() {
        return Err(CannotHold::Start {
            format: "PSQ",
            instead: "sgf",
        });
    }
    let size = kind.size();
    let mut text = format!("Piskvorky {size}x{size}, 11:11, 0\n");
    for saved in &game.moves {
        if let Move::Place(square) = saved.played {
            let time = saved.time.unwrap_or_default();
            let time = time.as_nanos().div_ceil(1_000_000);
            text += &format!("{},{},{time}\n", square.column() + 1, square.row() + 1);
        }
    }
    for name in &game.players {
        text += &format!("{}\n", tame(name));
    }
    let (code, winner) = match game.result {
        None => (-1, -1),
        Some(GameResult { winner, how, .. }) => {
            let winner = winner.map_or(0, |side| side.index() as i32 + 1);
            match how {
                How::Played | How::Agreed => (0, winner),
                How::OutOfTime => (OUT_OF_TIME, winner),
                How::Resigned | How::Forfeit => (-1, winner),
                How::Void => (-1, -1),
            }
        }
    };
    let (initial, rest) = rule.name().split_at(1);
    let initial = initial.to_ascii_uppercase();
    Ok(text + &format!("{code}\n{winner},{initial}{rest}\n"))
}

/// Returns the rule from a word that begins with its name, such as `Freestyle` or `Caro_1`; the default is freestyle.
fn rule_of(word: &str) -> Rule {
    let word = word.trim().to_ascii_lowercase();
    let named = Rule::ALL
        .into_iter()
        .find(|rule| word.starts_with(rule.name()));
    named.unwrap_or(Rule::Freestyle)
}

/// Changes a name so that it is one line and cannot be read as a move.
fn tame(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| if c.is_control() || c == ',' { ' ' } else { c })
        .collect();
    match name.trim() {
        "" => "?".to_owned(),
        name => name.to_owned(),
    }
}
