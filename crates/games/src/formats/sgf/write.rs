//! Makes properties from a game.

use super::super::{CannotHold, GameResult, How, SavedGame, SavedMove, TimeControl};
use super::read::for_mover;
use super::tree::protected;
use crate::gomoku::Rule;
use crate::{Game, Move, Rules, Side, Square};

const MOVES_IN_A_LINE: usize = 8;

/// Writes a game as one tree without branches. SGF cannot hold different clocks, a grace time, or the margin of a game
/// that ended by resignation, time or forfeit. If both sides forfeited, the result is `Void`.
pub fn write(game: &SavedGame) -> Result<String, CannotHold> {
    let kind = game.start.game();
    let [number, rules] = if kind == Game::OTHELLO {
        ["2", ""]
    } else if let Some(rule) = Rule::of(kind) {
        ["4", rule.name()]
    } else {
        return Err(CannotHold::Game {
            format: "SGF",
            game: kind,
            instead: "transcript",
        });
    };
    let mut text = format!("(;FF[4]GM[{number}]CA[UTF-8]SZ[{}]", kind.size());
    let mut property = |name: &str, value: &str| {
        text += &format!("{name}[{}]", protected(value));
    };
    if !rules.is_empty() {
        property("RU", rules);
    }
    property("PB", &game.players[0]);
    property("PW", &game.players[1]);
    for (name, value) in [
        ("EV", &game.event),
        ("PC", &game.site),
        ("DT", &game.date),
        ("C", &game.comment),
    ] {
        if !value.is_empty() {
            property(name, value);
        }
    }
    if let [Some(black), Some(white)] = game.clocks
        && black == white
    {
        clock(black, &mut property);
    }
    property("RE", &result(game.result));
    set_up(game, &mut text);
    let mut side = game.start.side_to_move();
    for (index, saved) in game.moves.iter().enumerate() {
        if index % MOVES_IN_A_LINE == 0 {
            text.push('\n');
        }
        text += &node(kind, side, saved);
        side = !side;
    }
    Ok(text + ")\n")
}

fn clock(clock: TimeControl, property: &mut impl FnMut(&str, &str)) {
    property("TM", &clock.main.as_secs_f64().to_string());
    if !clock.increment.is_zero() {
        property("OT", &format!("{} fischer", clock.increment.as_secs_f64()));
    }
}

fn set_up(game: &SavedGame, text: &mut String) {
    let kind = game.start.game();
    if kind != Game::OTHELLO && game.start == kind.start() {
        return;
    }
    let size = kind.size();
    for (side, name) in Side::BOTH.into_iter().zip(["AB", "AW"]) {
        let squares = (0..usize::from(size) * usize::from(size))
            .map(|index| Square::from_index(index, size))
            .filter(|&square| game.start.at(square) == Some(side));
        let points: Vec<String> = squares.map(|square| point(kind, square)).collect();
        if !points.is_empty() {
            *text += &format!("{name}[{}]", points.join("]["));
        }
    }
    *text += ["PL[B]", "PL[W]"][game.start.side_to_move().index()];
}

fn point(kind: Game, square: Square) -> String {
    if kind == Game::OTHELLO {
        return square.to_string();
    }
    let letter = |number: u8| char::from(b'a' + number);
    [square.column(), square.row()].map(letter).iter().collect()
}

fn node(kind: Game, side: Side, saved: &SavedMove) -> String {
    let played = match saved.played {
        Move::Place(square) => point(kind, square),
        Move::Pass | Move::Choose(_) => "PA".to_owned(),
    };
    let mut node = format!(";{}[{played}]", ["B", "W"][side.index()]);
    if let Some(evaluation) = saved.evaluation {
        node += &format!("V[{}]", for_mover(evaluation, side));
    }
    if let Some(time) = saved.time {
        node += &format!("C[{} ms]", time.as_nanos() as f64 / 1e6);
    }
    node
}

fn result(result: Option<GameResult>) -> String {
    let Some(result) = result else {
        return "?".to_owned();
    };
    let by = match (result.how, result.margin) {
        (How::Played | How::Agreed, Some(margin)) => margin.abs().to_string(),
        (How::Played | How::Agreed | How::Void, _) => String::new(),
        (How::Resigned, _) => "R".to_owned(),
        (How::OutOfTime, _) => "T".to_owned(),
        (How::Forfeit, _) => "F".to_owned(),
    };
    match result.winner {
        Some(side) => format!("{}+{by}", ["B", "W"][side.index()]),
        None if matches!(result.how, How::Void | How::Forfeit) => "Void".to_owned(),
        None if result.margin.is_some() => "0".to_owned(),
        None => "Draw".to_owned(),
    }
}
