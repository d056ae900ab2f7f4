//! A game from a file of another program.

use referee::problem;
use std::path::Path;

use games::formats::text;
use games::formats::wthor::{self, Files};
use games::formats::{self, BadGames, GameResult, How, SavedGame, SavedMove};
use games::{Rules, Scoring, Side};

use super::drawing::{Shown, draw};
use crate::terminal::Replay;
use crate::terminal::text::score;
use message::Lang;
use referee::bot::read_named;
use referee::record::harmless;
use tournament::Problem;

/// Game `number` of the file, counted from 1, and its number; without a number, the only game.
pub fn pick(path: &Path, number: Option<usize>) -> Result<(SavedGame, usize), Problem> {
    let mut games = read(path)?;
    let shown = path.display();
    let count = games.len();
    let number = match (number, count) {
        (_, 0) => return Err(problem!("{shown} has no game")),
        (None, 1) => 1,
        (None, _) => {
            return Err(problem!("{shown} has {count} games")
                .help(format!("choose one: --game 1 to --game {count}")));
        }
        (Some(number), _) => number,
    };
    if number == 0 || number > count {
        return Err(problem!("{shown} has no game {number}")
            .help(format!("its games are numbered from 1 to {count}")));
    }
    Ok((games.swap_remove(number - 1), number))
}

/// Game `number` of a file as text.
pub fn show(path: &Path, game: &SavedGame, number: usize, boards: bool, lang: &Lang) -> String {
    let shown = path.display();
    let [black, white] = players(game);
    let moves: Vec<Shown> = game
        .moves
        .iter()
        .map(|saved| of_move(saved, lang))
        .collect();
    let head = [game.event.as_str(), &game.date, &game.comment];
    let head: Vec<&str> = head.into_iter().filter(|text| !text.is_empty()).collect();
    let head = match head.as_slice() {
        [] => String::new(),
        head => format!("{}\n", head.join(", ")),
    };
    let file = shell_word(&shown.to_string());
    format!(
        "game {number} of {shown}: {black} (X) against {white} (O), {}\n{head}{}{}\
         what each move cost: arena analyze {file} --game {number}\n",
        game.start.game(),
        draw(&game.start, [black, white], &moves, boards),
        ending(game)
    )
}

/// Game `number` of a file for a terminal.
pub fn screen(path: &Path, game: &SavedGame, number: usize, lang: &Lang) -> Replay {
    let title = format!("game {number} of {}: {}", path.display(), game.start.game());
    let moves = game
        .moves
        .iter()
        .map(|saved| of_move(saved, lang))
        .collect();
    Replay::new(&title, players(game), &game.start, moves, &ending(game))
}

/// A word as a shell reads it.
fn shell_word(word: &str) -> String {
    host::join_words([word])
}

/// The games of a file, in any format with whole games. Its texts stand on one line each, and no terminal obeys them.
fn read(path: &Path) -> Result<Vec<SavedGame>, Problem> {
    let mut games = written(path)?;
    for game in &mut games {
        let SavedGame {
            players: [black, white],
            event,
            site,
            date,
            comment,
            ..
        } = game;
        for text in [black, white, event, site, date, comment] {
            *text = harmless(text);
        }
    }
    Ok(games)
}

fn written(path: &Path) -> Result<Vec<SavedGame>, Problem> {
    let shown = path.display();
    let cannot = |why: &dyn std::fmt::Display| problem!("cannot read {shown}: {why}");
    let bytes = read_named(path).map_err(|error| cannot(&error))?;
    let wrong = |bad: &dyn std::fmt::Display| problem!("{shown}, {bad}");
    let is_base = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("wtb"));
    if is_base {
        // The names are in separate files beside the games, if these exist.
        let beside = |ending| read_named(&path.with_extension(ending)).unwrap_or_default();
        let files = Files {
            games: bytes,
            players: beside("jou"),
            tournaments: beside("trn"),
        };
        return wthor::read(&files).map_err(|bad| wrong(&BadGames::from(bad)));
    }
    if let Some(games) = formats::read(&bytes) {
        return games.map_err(|bad| wrong(&bad));
    }
    let text = text::decode(&bytes).map_err(|why| {
        wrong(&format!("it is neither a WTHOR file nor text: {why}"))
            .help("docs/formats.md lists the formats")
    })?;
    formats::transcripts(&text).map_err(|bad| wrong(&bad))
}

/// The names of the players; their colours if the file has no names.
pub fn players(game: &SavedGame) -> [&str; 2] {
    let named = |side: Side| match game.players[side.index()].as_str() {
        "" => side.word(),
        name => name,
    };
    Side::BOTH.map(named)
}

fn of_move(saved: &SavedMove, lang: &Lang) -> Shown {
    let mut notes = Vec::new();
    if let Some(time) = saved.time {
        notes.push(format!("{:.1} ms", time.as_secs_f64() * 1000.0));
    }
    if let Some(evaluation) = saved.evaluation {
        let score = score(evaluation);
        notes.push(lang.with("note.score", &[("value", &score)]));
    }
    let note = match notes.as_slice() {
        [] => String::new(),
        notes => format!("   {}", notes.join(", ")),
    };
    Shown {
        played: saved.played,
        note,
        is_given: false,
    }
}

/// How the game ended: from the file, or else from the board.
pub fn ending(game: &SavedGame) -> String {
    let board = game.board();
    let [black, white] = board.counts();
    let score = match board.game().scoring() {
        Scoring::Discs => format!(", {black}–{white}"),
        Scoring::Win => String::new(),
    };
    let by_rules = board.ending().map(|ending| GameResult {
        winner: ending.winner,
        margin: None,
        how: How::Played,
    });
    let Some(GameResult { winner, how, .. }) = game.result.or(by_rules) else {
        return format!("it was not played to the end{score}\n");
    };
    let how = match how {
        How::Played => "",
        How::Resigned => " (resigned)",
        How::OutOfTime => " (out of time)",
        How::Forfeit => " (forfeit)",
        How::Agreed => " (agreed)",
        How::Void => return "the game does not count\n".to_owned(),
    };
    match winner {
        Some(side) => format!("{} wins{how}{score}\n", players(game)[side.index()]),
        None => format!("drawn{how}{score}\n"),
    }
}
