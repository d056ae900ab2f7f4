//! Makes a game from properties.

use std::time::Duration;

use super::super::replay::Replay;
use super::super::scanner::Scanner;
use super::super::{BadFile, GameResult, How, Mistake, SavedGame, SavedMove, TimeControl};
use super::tree::{NO_GAME, Property, next_game, plain};
use crate::gomoku::Rule;
use crate::{Board, Game, Move, Rules, Side, Square};

/// Reads the first game of a text.
pub fn parse(text: &str) -> Result<SavedGame, BadFile> {
    let mut scanner = Scanner::new(text);
    match next_game(&mut scanner)? {
        Some(properties) => game(&scanner, &properties),
        None => Err(Scanner::new(text).wanted(NO_GAME)),
    }
}

/// Reads all games of a text.
pub fn read(text: &str) -> Result<Vec<SavedGame>, BadFile> {
    let mut scanner = Scanner::new(text);
    let mut games = Vec::new();
    while let Some(properties) = next_game(&mut scanner)? {
        games.push(game(&scanner, &properties)?);
    }
    if games.is_empty() && !text.trim().is_empty() {
        return Err(Scanner::new(text).wanted(NO_GAME));
    }
    Ok(games)
}

fn game<'a>(scanner: &Scanner<'a>, properties: &[Property<'a>]) -> Result<SavedGame, BadFile> {
    let kind = kind(scanner, properties)?;
    let start = start(scanner, properties, kind)?;
    let mut replay = Replay::new(&start);
    let mut game = SavedGame::new(start);
    let mut clock = TimeControl::default();
    for property in properties {
        let Some(&value) = property.values.first() else {
            continue;
        };
        let bad = |fault| scanner.bad(value, fault);
        match property.name {
            "PB" => game.players[0] = plain(value),
            "PW" => game.players[1] = plain(value),
            "EV" => game.event = plain(value),
            "PC" => game.site = plain(value),
            "DT" => game.date = plain(value),
            "C" if !remark(&mut replay.moves, value) && replay.moves.is_empty() => {
                game.comment = plain(value);
            }
            "RE" => game.result = result(value),
            "TM" => {
                clock.main = seconds(value).ok_or_else(|| {
                    bad(found(value, "TM is the time for the whole game in seconds"))
                })?;
                game.clocks = [Some(clock); 2];
            }
            "OT" => {
                // Byo-yomi and other kinds of overtime are dropped.
                clock.increment = value
                    .strip_suffix(" fischer")
                    .and_then(seconds)
                    .unwrap_or_default();
                if game.clocks[0].is_some() {
                    game.clocks = [Some(clock); 2];
                }
            }
            "V" => evaluation(&mut replay, value).map_err(bad)?,
            "B" | "W" => {
                let side = Side::BOTH[usize::from(property.name == "W")];
                let played = played(kind, value, replay.next()).map_err(bad)?;
                replay.play(Some(side), played.into()).map_err(bad)?;
            }
            "AB" | "AW" | "AE" if !replay.moves.is_empty() => {
                let wanted = "stones are set up before the first move only: cut the file there";
                return Err(bad(found(value, wanted)));
            }
            _ => {}
        }
    }
    game.moves = replay.moves;
    Ok(game)
}

fn kind<'a>(scanner: &Scanner<'a>, properties: &[Property<'a>]) -> Result<Game, BadFile> {
    let value = |name| {
        let found = properties.iter().find(|property| property.name == name);
        found.and_then(|property| property.values.first().copied())
    };
    match value("GM").map_or("4", str::trim) {
        "2" => return Ok(Game::OTHELLO),
        "4" => {}
        _ => {
            let value = value("GM").unwrap_or_default();
            let wanted = "expected GM[4], Gomoku, or GM[2], Othello";
            return Err(scanner.bad(value, found(value, wanted)));
        }
    }
    let rule = rule(value("RU").unwrap_or_default());
    let Some(written) = value("SZ") else {
        return Ok(Game::gomoku(15, rule));
    };
    let size = match written.split_once(':') {
        Some((columns, rows)) if columns == rows => columns,
        _ => written,
    };
    let size: i64 = size
        .trim()
        .parse()
        .map_err(|_| scanner.bad(written, found(written, "SZ is the side of a square board")))?;
    Game::new("gomoku", Some(rule.name()), Some(size)).map_err(|error| scanner.bad(written, error))
}

/// Reads rules in words or in Gomocup's numbers; the default is freestyle.
fn rule(text: &str) -> Rule {
    let text = text.trim().to_ascii_lowercase();
    match text.as_str() {
        "1" => Rule::Standard,
        "4" => Rule::Renju,
        "8" => Rule::Caro,
        _ if text.contains("caro") => Rule::Caro,
        _ if text.contains("renju") => Rule::Renju,
        _ if text.contains("standard") || text.contains("exact") => Rule::Standard,
        _ => Rule::Freestyle,
    }
}

fn start<'a>(
    scanner: &Scanner<'a>,
    properties: &[Property<'a>],
    kind: Game,
) -> Result<Board, BadFile> {
    let mut stones = Vec::new();
    let mut to_move = None;
    for property in properties {
        let side = match property.name {
            "AB" => Side::Black,
            "AW" => Side::White,
            "PL" => {
                let value = property.values.first().copied().unwrap_or_default();
                to_move = match value.trim().to_ascii_lowercase().as_str() {
                    "b" | "black" | "1" => Some(Side::Black),
                    "w" | "white" | "2" => Some(Side::White),
                    _ => return Err(scanner.bad(value, found(value, "write PL[B] or PL[W]"))),
                };
                continue;
            }
            "B" | "W" => break,
            _ => continue,
        };
        for value in &property.values {
            let squares = points(kind, value).map_err(|fault| scanner.bad(value, fault))?;
            for square in squares {
                if stones.iter().any(|&(taken, _)| taken == square) {
                    let wanted = "a stone is set up here already";
                    return Err(scanner.bad(value, found(value, wanted)));
                }
                stones.push((square, side));
            }
        }
    }
    if stones.is_empty() && to_move.is_none() {
        return Ok(kind.start());
    }
    let count = |side| stones.iter().filter(|stone| stone.1 == side).count();
    let more_black = count(Side::Black) > count(Side::White);
    let usual = Side::BOTH[usize::from(kind != Game::OTHELLO && more_black)];
    let to_move = to_move.unwrap_or(usual);
    // The four centre discs of Othello may be omitted.
    if stones.is_empty() {
        stones = kind.start().stones();
    }
    Ok(kind.with_stones(&stones, to_move))
}

const POINT: &str = "a point is two letters such as hh, column and row, on the board";

/// Reads the squares of a value: a point, or a rectangle `aa:cc`.
fn points(kind: Game, value: &str) -> Result<Vec<Square>, Mistake> {
    let point = |text: &str| point(kind, text);
    let wanted = if kind == Game::OTHELLO {
        "a square is a letter and a number such as f5"
    } else {
        POINT
    };
    let (first, last) = value.split_once(':').unwrap_or((value, value));
    match (point(first), point(last)) {
        (Some(first), Some(last))
            if first.row() <= last.row() && first.column() <= last.column() =>
        {
            let rows = first.row()..=last.row();
            let squares = rows.flat_map(|row| {
                let columns = first.column()..=last.column();
                columns.map(move |column| Square::new(column, row))
            });
            Ok(squares.collect())
        }
        _ => Err(found(value, wanted)),
    }
}

fn point(kind: Game, text: &str) -> Option<Square> {
    let square = if kind == Game::OTHELLO {
        text.trim().parse().ok()?
    } else {
        let [column, row] = <[u8; 2]>::try_from(text.trim().as_bytes()).ok()?;
        let number = |letter: u8| {
            let number = letter.to_ascii_lowercase().checked_sub(b'a')?;
            (number < crate::MAX_SIZE).then_some(number)
        };
        Square::new(number(column)?, number(row)?)
    };
    square.is_on(kind.size()).then_some(square)
}

fn played(kind: Game, value: &str, number: usize) -> Result<Move, Mistake> {
    match value.trim().to_ascii_lowercase().as_str() {
        "" => Ok(Move::Pass),
        text if kind != Game::OTHELLO => match point(kind, text) {
            Some(square) => Ok(Move::Place(square)),
            None => Err(found(value, POINT)),
        },
        "pa" | "pass" => Ok(Move::Pass),
        text => {
            let square = text.parse();
            let square = square.map_err(|source| Mistake::Square { number, source })?;
            Ok(Move::Place(square))
        }
    }
}

/// Reads the evaluation after a move. In the file, it is for black; in a [`SavedMove`], it is for the mover.
fn evaluation(replay: &mut Replay, value: &str) -> Result<(), Mistake> {
    let for_black: f64 = value
        .trim()
        .parse()
        .map_err(|_| found(value, "V is a number; higher is better for black"))?;
    let mover = !replay.board.side_to_move();
    if let Some(last) = replay.moves.last_mut()
        && for_black.is_finite()
    {
        last.evaluation = Some(for_mover(for_black, mover));
    }
    Ok(())
}

pub(super) fn for_mover(evaluation: f64, mover: Side) -> f64 {
    match mover {
        Side::White if evaluation != 0.0 => -evaluation,
        _ => evaluation,
    }
}

/// Reads the comment `12.5 ms` on a move. Returns false for another comment.
fn remark(moves: &mut [SavedMove], value: &str) -> bool {
    let time = value.trim().strip_suffix("ms");
    let time = time.and_then(|time| time.trim_end().parse::<f64>().ok());
    let time = time.and_then(|time| Duration::try_from_secs_f64(time / 1000.0).ok());
    match (moves.last_mut(), time) {
        (Some(last), Some(time)) => {
            last.time = Some(time);
            true
        }
        _ => false,
    }
}

fn seconds(value: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(value.trim().parse().ok()?).ok()
}

fn result(value: &str) -> Option<GameResult> {
    let value = value.trim();
    let no_winner = |margin, how| GameResult {
        winner: None,
        margin,
        how,
    };
    match value.to_ascii_lowercase().as_str() {
        "0" => return Some(no_winner(Some(0.0), How::Played)),
        "draw" => return Some(no_winner(None, How::Played)),
        "void" => return Some(no_winner(None, How::Void)),
        _ => {}
    }
    let (side, by) = value.split_once('+')?;
    let side = match side {
        "B" | "b" => Side::Black,
        "W" | "w" => Side::White,
        _ => return None,
    };
    let how = match by.to_ascii_lowercase().as_str() {
        "r" | "resign" => How::Resigned,
        "t" | "time" => How::OutOfTime,
        "f" | "forfeit" => How::Forfeit,
        _ => How::Played,
    };
    let margin = by
        .parse()
        .ok()
        .filter(|margin: &f64| margin.is_finite())
        .map(|margin| for_mover(margin, side));
    Some(GameResult {
        winner: Some(side),
        margin,
        how,
    })
}

fn found(value: &str, wanted: &'static str) -> Mistake {
    Mistake::Found {
        found: value.to_owned(),
        wanted,
    }
}
