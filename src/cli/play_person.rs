//! `arena play --terminal`: a person against a bot, in the terminal.

use std::path::{Path, PathBuf};
use std::time::Instant;

use alphabeta::Options;
use clap::Args;
use games::{Board, Game, Move, Rules, Side};
use protocol::{Question, Start};
use toml::Spanned;

use super::bot::ALPHABETA;
use super::bots::catalogue;
use super::options::BoardOptions;
use super::play::announce_build;
use super::{CliError, replay};
use crate::run::{self, Run, RunError, RunFile, Stop};
use crate::terminal::play::{PlayScreen, Session};
use crate::terminal::{is_terminal, show};
use crate::tournament::{BotFile, Problem, TournamentFile, given};
use referee::bot::Identity;

/// Play against a bot
///
/// The game is recorded like any other, in results/play-GAME. A bot is written as in `arena match`;
/// alphabeta:level=easy, medium and hard are levels for people.
#[derive(Debug, Args)]
pub struct Play {
    /// The bot
    #[arg(default_value = "alphabeta:level=easy")]
    bot: String,
    /// The folder that the games are kept in
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    results: PathBuf,
    #[command(flatten)]
    terminal: InTerminal,
}

impl Play {
    pub fn run(self) -> Result<(), CliError> {
        if !self.terminal.terminal {
            let problem = problem!("where is the game to be played?");
            return Err(problem.help("arena play BOT --terminal").into());
        }
        self.terminal.run(&self.bot, &self.results)
    }
}

/// What a game in the terminal needs to know.
#[derive(Debug, Args)]
pub struct InTerminal {
    /// Play in the terminal
    #[arg(long)]
    pub terminal: bool,
    /// othello or gomoku
    #[arg(long, default_value = games::names()[0])]
    game: String,
    #[command(flatten)]
    board: BoardOptions,
    /// Play white; black moves first
    #[arg(long)]
    white: bool,
    /// The bot's limit of one move in ms (0: none)
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    move_ms: i64,
}

/// The person's name in tables.
const YOU: &str = "you";
/// What stands in run.toml in the place of a person's command.
const PERSON: &str = "(a person)";

impl InTerminal {
    /// Plays against the bot, and keeps the game in a new folder in `results`.
    pub fn run(&self, bot: &str, results: &Path) -> Result<(), CliError> {
        if !is_terminal() {
            let problem = problem!("arena play --terminal needs a terminal");
            return Err(problem
                .help("arena match plays bots against each other")
                .into());
        }
        let person = usize::from(self.white);
        let run = self.begin(bot, results, person)?;
        let mut session = Session::begin(run, person)?;
        let folder = session.folder().to_owned();
        let mut hint = hint;
        show(&mut PlayScreen::new(
            &mut session,
            &mut hint,
            replay::ending,
        ))?;
        let record = session.record();
        session.leave()?;
        let folder = folder.display();
        if let Some(record) = record {
            say!("{}kept: arena replay {folder}/0", replay::ending(&record));
        } else {
            say!("not finished; kept as an interrupted game in {folder}");
        }
        Ok(())
    }

    fn begin(&self, bot: &str, results: &Path, person: usize) -> Result<Run, CliError> {
        let game = self.board.game(&self.game)?;
        let (catalogue, here) = (catalogue()?, Path::new("."));
        let file = self.file(game, bot, person)?;
        let tournament = file.validate(&catalogue, here)?;
        let opponent = &tournament.contestants[1 - person];
        run::build_all(std::slice::from_ref(opponent), announce_build)?;
        let mut identities = [0, 1].map(|_| Identity {
            name: "a person".to_owned(),
            version: String::new(),
        });
        identities[1 - person] = run::probe(opponent, game).map_err(RunError::from)?;
        let folder = run::create_folder("", Some(&new_folder(results, game)?))?;
        let kept = RunFile::new(&tournament, &file, here, &identities);
        Ok(Run::begin(tournament, &kept, &folder, Stop::new())?)
    }

    /// The match of the two, as in a tournament file.
    fn file(&self, game: Game, bot: &str, person: usize) -> Result<TournamentFile, Problem> {
        let you = BotFile {
            name: given(Some(YOU.to_owned())),
            command: given(Some(vec![PERSON.to_owned()])),
            move_ms: given(Some(0)),
            ..BotFile::default()
        };
        let bot = BotFile {
            move_ms: given(Some(self.move_ms)),
            ..BotFile::from_word(bot)?
        };
        let mut seats = [you, bot];
        seats.rotate_left(person);
        Ok(TournamentFile {
            name: given(Some(format!("play-{}", game.name()))),
            game: given(Some(game.name().to_owned())),
            rules: given(Some(game.rules().to_owned())),
            size: given(Some(i64::from(game.size()))),
            format: given(Some("match".to_owned())),
            games: given(Some(2)),
            openings: given(Some("none".to_owned())),
            pin: given(Some(false)),
            bot: seats.map(|bot| Spanned::new(0..0, bot)).into(),
            ..TournamentFile::default()
        })
    }
}

/// The first free folder for a game among the results.
fn new_folder(results: &Path, game: Game) -> Result<PathBuf, Problem> {
    let name = format!("play-{}", game.name());
    let others = (2..10_000).map(|number| format!("{name}-{number}"));
    let mut folders = std::iter::once(name.clone())
        .chain(others)
        .map(|name| results.join(name));
    folders
        .find(|folder| !folder.exists())
        .ok_or_else(|| problem!("{} has too many games", results.display()))
}

/// What `alphabeta` would play, after half a second.
fn hint(board: &Board, moves: &[Move]) -> Option<(Move, String)> {
    const THINKS_MS: u64 = 500;
    let options = Options {
        move_ms: Some(THINKS_MS),
        ..Options::default()
    };
    let mut bot = alphabeta::bot(&options).ok()?;
    let side: Side = board.side_to_move();
    bot.start(&Start::untimed(board.game(), side)).ok()?;
    let question = Question::untimed(board.clone(), moves, Instant::now());
    let mut told = String::new();
    let played = bot.choose(&question, &mut |info| {
        if let (Some(score), Some(depth)) = (info.score, info.depth) {
            told = format!("{ALPHABETA} says {score:+.1} at depth {depth}");
        }
    });
    Some((played, told))
}
