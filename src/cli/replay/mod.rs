//! `arena replay`.

mod drawing;
mod recorded;
mod saved;

use referee::problem;
use std::path::{Path, PathBuf};

use clap::Args;
use games::formats::SavedGame;

use super::language::Language;
use super::{CliError, print_said};
use crate::terminal;
use referee::record::{GameId, GameRecord};
use run::store::Store;
use tournament::Problem;

pub(super) use recorded::{ending, last_question, played, screen};
pub(super) use saved::{ending as saved_ending, players};

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
    language: Language,
}

impl Replay {
    pub fn run(self) -> Result<(), CliError> {
        let (lang, boards) = (self.language.speak()?, !self.moves);
        let chosen = Chosen::find(&self.game, self.number)?;
        if boards && !self.text && terminal::is_terminal() {
            let mut screen = match chosen {
                Chosen::OfRun { record, run } => screen(&record, &run, lang),
                Chosen::OfFile { game, number } => saved::screen(&self.game, &game, number, lang),
            };
            return Ok(terminal::show(&mut screen, lang)?);
        }
        print_said(&match chosen {
            Chosen::OfRun { record, run } => recorded::show(&record, &run, boards, lang),
            Chosen::OfFile { game, number } => saved::show(&self.game, &game, number, boards, lang),
        })
    }
}

/// A finished game, from where an argument says.
pub(super) enum Chosen {
    /// From the record of a run.
    OfRun {
        record: Box<GameRecord>,
        run: PathBuf,
    },
    /// From a file of another program, with its number there, counted from 1.
    OfFile { game: Box<SavedGame>, number: usize },
}

impl Chosen {
    /// Finds it: RUN/GAME, the number of a game of the latest run, or a file; `number` is for files with
    /// several games.
    pub fn find(written: &Path, number: Option<usize>) -> Result<Chosen, CliError> {
        if written.is_file() {
            let (game, number) = saved::pick(written, number)?;
            let game = Box::new(game);
            return Ok(Chosen::OfFile { game, number });
        }
        let (run, id) = place(written)?;
        if number.is_some() {
            return Err(problem!("{} is not a file of games", written.display())
                .help("a game of a run needs no --game: results/quick/17")
                .into());
        }
        let record = Box::new(game_of(&Store::read(&run)?, &run, id)?);
        Ok(Chosen::OfRun { record, run })
    }
}

/// Game `id` of the record of `run`.
pub(super) fn game_of(store: &Store, run: &Path, id: GameId) -> Result<GameRecord, CliError> {
    Ok(store.game(id)?.ok_or_else(|| {
        problem!("{} has no game {}", run.display(), id.0)
            .help("games.csv lists the games that were played")
    })?)
}

/// `results/quick/17` is game 17 of that run; `17` is in the run that was written last.
pub(super) fn place(written: &Path) -> Result<(PathBuf, GameId), Problem> {
    let number = written
        .file_name()
        .and_then(|name| name.to_str())
        .and_then(|name| name.parse().ok());
    let Some(number) = number else {
        return Err(problem!("{} is not the name of a game", written.display())
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
