//! `arena replay`: shows a game of a run, with hints where to look next, or a game from another program's file.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;
use games::formats::wthor::{self, WthorFiles};
use games::formats::{self, BadGames, GameResult, How, SavedGame, SavedMove};
use games::{Board, Move, Rules, Scoring, Side};
use referee::problem;

use super::options::LanguageOption;
use super::output::for_terminals;
use super::{CliError, print};
use crate::analysis::{self, Settings, analyse};
use crate::terminal::{self, ReplayScreen, Shown, game_ending, score};
use message::{Lang, Message, ToValue as _, message};
use referee::bot::read_named;
use referee::record::{GameId, GameRecord, Outcome, Ply, Verdict, harmless};
use run::store::Store;
use tournament::Problem;

/// Show a game board by board, from a run or from a file of another program
///
/// In a terminal, keys step through the game; elsewhere, and with --moves or --text, it is text. Files
/// may be GGF, SGF, PSQ, WTHOR, or transcripts with one game per line.
#[derive(Debug, Args)]
pub struct Replay {
    /// RUN/GAME such as results/quick/17, only the number of a game of the latest run, or a file
    game: PathBuf,
    /// The number of a game in a file with several games, counted from 1
    #[arg(long = "game", short = 'g', value_name = "N")]
    number: Option<usize>,
    /// Show only the moves, not the boards
    #[arg(long)]
    moves: bool,
    /// Print the game also in a terminal
    #[arg(long)]
    text: bool,
    #[command(flatten)]
    language: LanguageOption,
}

impl Replay {
    pub fn run(self) -> Result<(), CliError> {
        let (lang, boards) = (self.language.speak()?, !self.moves);
        let chosen = Chosen::find(&self.game, self.number)?;
        if boards && !self.text && terminal::is_terminal() {
            let mut screen = match chosen {
                Chosen::OfRun { record, run } => screen(&record, &run, lang),
                Chosen::OfFile { game, number } => saved_screen(&self.game, &game, number, lang),
            };
            return Ok(terminal::show(&mut screen, lang)?);
        }
        print(&for_terminals(&match chosen {
            Chosen::OfRun { record, run } => recorded_text(&record, &run, boards, lang),
            Chosen::OfFile { game, number } => saved_text(&self.game, &game, number, boards, lang),
        }))
    }
}

pub(super) enum Chosen {
    OfRun {
        record: Box<GameRecord>,
        run: PathBuf,
    },
    /// A game in another program's file, and its number in that file, from 1.
    OfFile { game: Box<SavedGame>, number: usize },
}

impl Chosen {
    /// Finds RUN/GAME, a game's number in the latest run, or a file. `number` chooses a game of the file.
    pub fn find(written: &Path, number: Option<usize>) -> Result<Chosen, CliError> {
        if written.is_file() {
            let (game, number) = pick(written, number)?;
            let game = Box::new(game);
            return Ok(Chosen::OfFile { game, number });
        }
        let (run, id) = run_and_game(written)?;
        if number.is_some() {
            return Err(problem!("{} is not a file of games", written.display())
                .help("a game of a run needs no --game: results/quick/17")
                .into());
        }
        let record = Box::new(game_of(&Store::read(&run)?, &run, id)?);
        Ok(Chosen::OfRun { record, run })
    }
}

pub(super) fn game_of(store: &Store, run: &Path, id: GameId) -> Result<GameRecord, CliError> {
    Ok(store.game(id)?.ok_or_else(|| {
        problem!("{} has no game {}", run.display(), id.0)
            .help("games.csv lists the games that were played")
    })?)
}

/// Parses the name of a game: `results/quick/17` is game 17 of that run, `17` is game 17 of the latest run.
pub(super) fn run_and_game(written: &Path) -> Result<(PathBuf, GameId), Problem> {
    let number = written
        .file_name()
        .and_then(|name| name.to_str())
        .and_then(|name| name.parse().ok());
    let Some(number) = number else {
        return Err(problem!("{} is not a game of a run", written.display())
            .help("write the run and the game's number: results/quick/17"));
    };
    let run = match written.parent() {
        Some(run) if run != Path::new("") => run.to_owned(),
        _ => latest_run().ok_or_else(|| {
            Problem::new("there is no run in results/")
                .help("name the run: arena replay results/quick/17")
        })?,
    };
    Ok((run, GameId(number)))
}

fn latest_run() -> Option<PathBuf> {
    let runs = std::fs::read_dir("results")
        .ok()?
        .flatten()
        .map(|entry| entry.path());
    let written = |run: &PathBuf| {
        run.join("arena.db")
            .metadata()
            .and_then(|data| data.modified())
            .ok()
    };
    runs.filter_map(|run| Some((written(&run)?, run)))
        .max()
        .map(|(_, run)| run)
}

/// Returns the moves from `start` as text. With `boards`, a board follows each move, otherwise only the last move;
/// opening moves share one board. `players`: black's name first.
fn draw(start: &Board, players: [&str; 2], moves: &[Shown], boards: bool, lang: &Lang) -> String {
    let mut board = start.clone();
    let played: Vec<Move> = moves.iter().map(|shown| shown.played).collect();
    let movers = games::retrace(start, &played).movers;
    let mut text = String::new();
    for (ply, shown) in moves.iter().enumerate() {
        let Shown {
            played,
            note,
            is_given,
        } = shown;
        let player = players[movers[ply].index()];
        text += &format!("{:3}. {player}: {played}{note}\n", ply + 1);
        let put = if *is_given { Board::give } else { Board::play };
        if put(&mut board, *played).is_err() {
            let why = lang.fixed("(this move cannot be played: the record is damaged)");
            text += &format!("   {why}\n");
            break;
        }
        let starts_here = *is_given && moves.get(ply + 1).is_none_or(|next| !next.is_given);
        if boards && !is_given || starts_here {
            text += &format!("{}\n\n", marked(&board, *played, lang));
        }
    }
    if !boards {
        text += &format!("{}\n", lang.render(&board.to_message()));
    }
    text
}

fn marked(board: &Board, played: Move, lang: &Lang) -> String {
    let text = lang.render(&board.to_message());
    let Move::Place(square) = played else {
        return text;
    };
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = &mut lines[usize::from(square.row()) + 1];
    // Row numbers take two characters, each column a space and a symbol.
    let at = 2 + 2 * usize::from(square.column());
    line.replace_range(at..=at, "(");
    if line.len() > at + 2 {
        line.replace_range(at + 2..at + 3, ")");
    } else {
        line.push(')');
    }
    lines.join("\n")
}

fn recorded_text(record: &GameRecord, run: &Path, boards: bool, lang: &Lang) -> String {
    let players = Side::BOTH.map(|side| record.player(side));
    format!(
        "{}\n{}{}\n{}",
        lang.render(&title(record)),
        draw(
            &record.game.start(),
            players,
            &recorded_moves(record, lang),
            boards,
            lang
        ),
        lang.render(&ending(record)),
        where_to_look(record, run, lang)
    )
}

pub(super) fn screen(record: &GameRecord, run: &Path, lang: &Lang) -> ReplayScreen {
    let players = Side::BOTH.map(|side| record.player(side));
    let mut ending = game_ending(record, lang) + "\n";
    for side in Side::BOTH {
        if let Some(fault) = record.verdict.fault_of(side) {
            let (name, why) = (record.player(side), lang.render(&Message::from(fault)));
            ending += &lang.with("said.fault", &[("name", &name), ("why", &why)]);
            ending += "\n";
        }
    }
    ending += &where_to_look(record, run, lang);
    let title = lang.with("game.title", &[("game", &record.id.0)]);
    let title = lang.render(&message!("{title}: {}", record.game));
    let (start, moves) = (record.game.start(), recorded_moves(record, lang));
    ReplayScreen::new(&title, players, &start, moves, &ending)
        .with_turning_point(turning_point(record).map(|(ply, _, _)| ply))
}

fn title(record: &GameRecord) -> Message {
    let [black, white] = Side::BOTH.map(|side| record.player(side));
    let (game, id) = (record.game, record.id.0);
    message!("game {id}: {black} (X) against {white} (O), {game}")
}

fn recorded_moves(record: &GameRecord, lang: &Lang) -> Vec<Shown> {
    let given = record.opening.iter().map(|&played| Shown {
        played,
        note: format!("   ({})", lang.get("ply.opening")),
        is_given: true,
    });
    let plies = record.plies.iter().map(|ply| Shown {
        played: ply.played,
        note: note(ply, lang),
        is_given: false,
    });
    given.chain(plies).collect()
}

const LONGEST_LINE: usize = 10;

fn note(ply: &Ply, lang: &Lang) -> String {
    let part = |key: &str, value: String| format!(", {}", lang.with(key, &[("value", &value)]));
    let (Some(effort), thought) = (ply.effort, &ply.thought) else {
        return match ply.played {
            Move::Pass => format!("   ({})", lang.get("note.forced")),
            // This move belongs to the same answer as the previous move.
            Move::Place(_) | Move::Choose(_) => String::new(),
        };
    };
    let mut note = format!("   {:.1} ms", effort.wall.as_secs_f64() * 1000.0);
    if let Some(depth) = thought.depth {
        note += &part("note.depth", depth.to_string());
    }
    if let Some(value) = thought.score {
        note += &part("note.score", score(value));
    }
    if let Some(nodes) = thought.nodes {
        note += &part("note.nodes", nodes.to_string());
    }
    if !thought.pv.is_empty() {
        note += ", ";
        note += lang.get("note.line");
        for expected in thought.pv.iter().take(LONGEST_LINE) {
            note += &format!(" {expected}");
        }
        if thought.pv.len() > LONGEST_LINE {
            note += " …";
        }
    }
    if !thought.spent.is_empty() {
        note += &part("note.spent", thought.spent.to_string());
    }
    for line in thought.text.lines() {
        note += &format!("\n     | {line}");
    }
    note
}

pub(super) fn ending(record: &GameRecord) -> Message {
    let [black, white] = record.counts;
    let won_by = |winner: Option<Side>, how: &'static str| {
        let how = Message::from(how);
        match winner {
            Some(side) => {
                let name = record.player(side);
                message!("{name} wins ({how}), {black}–{white}")
            }
            None => message!("drawn ({how}), {black}–{white}"),
        }
    };
    match &record.verdict {
        Verdict::Rules { winner, reason } => won_by(*winner, reason.word()),
        Verdict::Adjudicated { winner, ground } => won_by(*winner, ground.word()),
        Verdict::Resigned(side) => message!("{} resigns", record.player(*side)),
        Verdict::Forfeit { by, fault } => {
            let (name, word) = (record.player(*by), Message::from(fault.word()));
            message!("{name} ({by}) is at fault and loses: {word}: {fault}")
        }
        Verdict::BothFailed([black, white]) => message!("both failed: {black}; {white}"),
        Verdict::Void { why } => message!("void: {why}"),
    }
}

fn where_to_look(record: &GameRecord, run: &Path, lang: &Lang) -> String {
    let (game, shown) = (record.id.0.to_string(), run.display());
    let hint = |key: &str, values: &[(&str, &dyn Display)]| {
        let place: [(&str, &dyn Display); _] = [("run", &shown), ("game", &game)];
        lang.with(key, &[&place[..], values].concat()) + "\n"
    };
    let movers = record.retraced().movers;
    let mut hints = String::new();
    if run.join("failures").join(&game).is_dir() {
        hints += &hint("look.messages", &[]);
    }
    for warning in &record.warnings {
        hints += &hint("look.note", &[("note", &lang.render(warning))]);
    }
    if let Verdict::Void { .. } = record.verdict {
        return hints;
    }
    if let Some((ply, what)) = turned(record) {
        let name = record.player(movers[ply]);
        let (ply, what) = (ply + 1, lang.render(&what));
        hints += &hint(
            "look.lost-most",
            &[("name", &name), ("ply", &ply), ("what", &what)],
        );
    } else if let Some((ply, from, to)) = turning_point(record) {
        let name = record.player(movers[ply]);
        let [from, to] = [from, to].map(score);
        let ply = ply + 1;
        hints += &hint(
            "look.fell-most",
            &[("name", &name), ("ply", &ply), ("from", &from), ("to", &to)],
        );
    } else if Side::BOTH
        .into_iter()
        .any(|side| record.verdict.fault_of(side).is_some())
    {
        let ply = last_question(record) + 1;
        let name = record.player(movers[ply - 1]);
        hints += &hint("look.ask-again", &[("name", &name), ("ply", &ply)]);
    }
    if record.plies.iter().any(|ply| ply.effort.is_some()) {
        hints += &hint("look.analyze", &[]);
    }
    hints
}

/// Counts the half-moves before the last turn of the bot at fault, else of the loser, else of the last mover.
pub(super) fn last_question(record: &GameRecord) -> usize {
    let (moves, movers) = (record.moves().len(), record.retraced().movers);
    let at_fault = Side::BOTH.map(|side| record.verdict.fault_of(side).is_some());
    if at_fault[movers[moves].index()] {
        return moves;
    }
    let of_interest = match record.verdict.outcome() {
        Outcome::Win(winner) => Some(!winner),
        Outcome::Draw | Outcome::DoubleForfeit | Outcome::Void => None,
    };
    let asked = (0..record.plies.len()).rev().filter_map(|after| {
        let ply = record.opening.len() + after;
        record.plies[after].effort.map(|_| ply)
    });
    asked
        .into_iter()
        .find(|&ply| of_interest.is_none_or(|side| movers[ply] == side))
        .unwrap_or(moves)
}

/// Returns the loser's worst half-move in a quick analysis, and its cost in words; `None` if there is no loser, if the
/// loser had a fault, or if no half-move was a turning point.
fn turned(record: &GameRecord) -> Option<(usize, Message)> {
    let Outcome::Win(winner) = record.verdict.outcome() else {
        return None;
    };
    if record.verdict.fault_of(!winner).is_some() {
        return None;
    }
    let analysis = analyse(&record.into(), &Settings::QUICK, &mut |_, _| ()).ok()?;
    let points = analysis.turning_points();
    let worst = points.into_iter().find(|point| point.side != winner)?;
    let counts = record.retraced().counts;
    let mut counted = (0..).zip(counts).filter(|(_, counts)| *counts);
    let (ply, _) = counted.nth(worst.ply - 1)?;
    Some((ply, analysis::text::sentence(record.game, worst)))
}

/// Returns the half-move at which the loser's own score fell most, with the scores before and after it.
fn turning_point(record: &GameRecord) -> Option<(usize, f64, f64)> {
    let Outcome::Win(winner) = record.verdict.outcome() else {
        return None;
    };
    let movers = record.retraced().movers;
    let scores: Vec<(usize, f64)> = (record.opening.len()..)
        .zip(&record.plies)
        .filter(|(ply, _)| movers[*ply] == !winner)
        .filter_map(|(ply, played)| Some((ply, played.thought.score?)))
        .collect();
    let falls = scores
        .windows(2)
        .map(|pair| (pair[1].0, pair[0].1, pair[1].1));
    falls
        .filter(|(_, from, to)| to < from)
        .max_by(|a, b| (a.1 - a.2).total_cmp(&(b.1 - b.2)))
}

/// Reads game `number` (from 1) of the file, or its only game. Also returns the game's number.
fn pick(path: &Path, number: Option<usize>) -> Result<(SavedGame, usize), Problem> {
    let mut games = read(path)?;
    let shown = path.display();
    let count = games.len();
    let number = match (number, count) {
        (_, 0) => return Err(problem!("{shown} has no game")),
        (None, 1) => 1,
        (None, _) => {
            return Err(problem!("{shown} has {count} games")
                .help(message!("choose one: --game 1 to --game {count}")));
        }
        (Some(number), _) => number,
    };
    if number == 0 || number > count {
        return Err(problem!("{shown} has no game {number}")
            .help(message!("its games are numbered from 1 to {count}")));
    }
    Ok((games.swap_remove(number - 1), number))
}

fn saved_text(path: &Path, game: &SavedGame, number: usize, boards: bool, lang: &Lang) -> String {
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
    let file = host::join_words([shown.to_string().as_str()]);
    let title = message!(
        "game {number} of {shown}: {black} (X) against {white} (O), {}",
        game.start.game()
    );
    let analyze = message!("what each move cost: arena analyze {file} --game {number}");
    format!(
        "{}\n{head}{}{}\n{}\n",
        lang.render(&title),
        draw(&game.start, [black, white], &moves, boards, lang),
        lang.render(&saved_ending(game)),
        lang.render(&analyze)
    )
}

fn saved_screen(path: &Path, game: &SavedGame, number: usize, lang: &Lang) -> ReplayScreen {
    let (shown, played) = (path.display(), game.start.game());
    let title = lang.render(&message!("game {number} of {shown}: {played}"));
    let moves = game
        .moves
        .iter()
        .map(|saved| of_move(saved, lang))
        .collect();
    ReplayScreen::new(
        &title,
        players(game),
        &game.start,
        moves,
        &lang.render(&saved_ending(game)),
    )
}

/// Reads the games of a file, in any format with whole games. Escapes control characters.
pub(super) fn read(path: &Path) -> Result<Vec<SavedGame>, Problem> {
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
    let bytes = read_named(path).map_err(|error| problem!("cannot read {shown}: {error}"))?;
    let wrong = |error: Message| problem!("{shown}, {error}");
    let is_base = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("wtb"));
    if is_base {
        // The players' names are in separate files, which may be missing.
        let beside = |ending| read_named(&path.with_extension(ending)).unwrap_or_default();
        let files = WthorFiles {
            games: bytes,
            players: beside("jou"),
            tournaments: beside("trn"),
        };
        return wthor::read(&files).map_err(|bad| wrong(BadGames::from(bad).into()));
    }
    if let Some(games) = formats::read(&bytes) {
        return games.map_err(|bad| wrong(bad.into()));
    }
    let text = formats::text::decode(&bytes).map_err(|why| {
        wrong(message!("the file is neither a WTHOR file nor text: {why}"))
            .help("docs/formats.md lists the formats")
    })?;
    formats::transcripts(&text).map_err(wrong)
}

/// Returns the players' names, or their colours if the file has no names.
pub(super) fn players(game: &SavedGame) -> [&str; 2] {
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

pub(super) fn saved_ending(game: &SavedGame) -> Message {
    let board = game.board();
    let [black, white] = board.counts();
    let scored = |ended: Message| match board.game().scoring() {
        Scoring::Discs => message!("{ended}, {black}–{white}"),
        Scoring::Win => ended,
    };
    let by_rules = board.ending().map(|ending| GameResult {
        winner: ending.winner,
        margin: None,
        how: How::Played,
    });
    let Some(GameResult { winner, how, .. }) = game.result.or(by_rules) else {
        return scored("not played to the end".into());
    };
    let how = match how {
        How::Played => None,
        How::Resigned => Some("resigned"),
        How::OutOfTime => Some("out of time"),
        How::Forfeit => Some("forfeit"),
        How::Agreed => Some("agreed"),
        How::Void => return "the game does not count".into(),
    };
    let name = winner.map(|side| players(game)[side.index()]);
    scored(match (name, how.map(Message::from)) {
        (Some(name), Some(how)) => message!("{name} wins ({how})"),
        (Some(name), None) => message!("{name} wins"),
        (None, Some(reason)) => message!("drawn ({reason})"),
        (None, None) => "drawn".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Game, parse_transcript};
    use referee::record::{Effort, Fault, Thought};

    /// Returns an Othello game with black's scores, and an even number of moves after two opening moves.
    fn record(scores: &[f64], verdict: Verdict) -> GameRecord {
        let (moves, _) = parse_transcript(Game::OTHELLO, "f5d6c3d3c4f4c5b3").expect("legal");
        let plies = moves[2..].iter().enumerate().map(|(index, &played)| Ply {
            played,
            effort: Some(Effort::default()),
            thought: Thought {
                score: scores.get(index / 2).copied().filter(|_| index % 2 == 0),
                ..Thought::default()
            },
        });
        GameRecord {
            opening: moves[..2].to_vec(),
            plies: plies.collect(),
            ..GameRecord::new(GameId(4), Game::OTHELLO, ["mine", "other"], verdict)
        }
    }

    fn lost_by(side: Side) -> Verdict {
        Verdict::Rules {
            winner: Some(!side),
            reason: games::Reason::DISCS,
        }
    }

    #[test]
    fn the_last_question_is_that_of_the_bot_to_blame() {
        let fault = Fault::ClosedOutput;
        let by_black = Verdict::Forfeit {
            by: Side::Black,
            fault,
        };
        assert_eq!(
            last_question(&record(&[], by_black)),
            8,
            "the move that never came"
        );
        assert_eq!(last_question(&record(&[], lost_by(Side::White))), 7);
        assert_eq!(last_question(&record(&[], lost_by(Side::Black))), 6);
    }

    #[test]
    fn the_turning_point_is_where_the_loser_saw_it_coming() {
        let lost = record(&[4.0, 3.0, -20.0], lost_by(Side::Black));
        assert_eq!(turning_point(&lost), Some((6, 3.0, -20.0)));
        let text = where_to_look(&lost, Path::new("results/x"), Lang::usual());
        assert!(
            text.contains("half-move 7, from +3 to -20: arena ask results/x/4 --ply 7"),
            "{text}"
        );
        assert_eq!(
            turning_point(&record(&[1.0, 2.0], lost_by(Side::Black))),
            None
        );
    }
}
