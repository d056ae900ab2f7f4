//! `arena play --terminal`: a person against a bot, in the terminal.

use referee::problem;
use std::path::Path;
use std::time::Instant;

use alphabeta::Options;
use clap::Args;
use games::{Board, Move, Rules, Side};
use protocol::{Question, Start};

use super::CliError;
use super::bot::ALPHABETA;
use super::bots::catalogue;
use super::boxes;
use super::options::{BoardOptions, BoxOption};
use super::play::announce_build;
use crate::terminal::play::{Advice, PlayScreen};
use crate::terminal::{is_terminal, show, text};
use message::Lang;
use run::{self, HumanGame, Run, RunFile, Stop};
use tournament::{BotFile, Boxes, given, people};

/// What a game in the terminal needs to know.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --terminal")]
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

impl InTerminal {
    /// Plays against the bot, and keeps the game in a new folder in `results`.
    pub fn run(
        &self,
        bot: &str,
        boxes: &BoxOption,
        results: &Path,
        lang: &'static Lang,
    ) -> Result<(), CliError> {
        needs_terminal()?;
        let person = usize::from(self.white);
        let seats = [self.white, !self.white].map(|is_bot| !is_bot);
        sit(self.begin(bot, boxes, results, person)?, seats, lang)
    }

    fn begin(
        &self,
        bot: &str,
        boxes: &BoxOption,
        results: &Path,
        person: usize,
    ) -> Result<Run, CliError> {
        let game = self.board.game(&self.game)?;
        let (catalogue, here) = (catalogue()?, Path::new("."));
        let bot = BotFile {
            move_ms: given(Some(self.move_ms)),
            ..BotFile::from_word(bot)?
        };
        let mut seats = [people::person(people::NAMES[0], 0), bot];
        seats.rotate_left(person);
        let mut file = people::game_of(game, seats);
        boxes.apply(&mut file);
        boxes::settle(&mut file, Boxes::Off)?;
        let tournament = file.validate(&catalogue, here)?;
        let are_people = [0, 1].map(|seat| seat == person);
        let identities = run::introduce(&tournament, are_people, announce_build)?;
        let folder = run::free_folder(results, &tournament.name)?;
        let kept = RunFile::new(&tournament, &file, here, &identities);
        let run = Run::begin(tournament, &kept, &folder, Stop::new())?;
        folder.keep();
        Ok(run)
    }
}

/// Refuses to play where nobody sits.
pub(super) fn needs_terminal() -> Result<(), CliError> {
    if is_terminal() {
        return Ok(());
    }
    let problem = problem!("arena play --terminal needs a terminal");
    Err(problem
        .help("arena match plays bots against each other")
        .into())
}

/// Plays the game of this run at the terminal, and keeps it.
pub(super) fn sit(run: Run, people: [bool; 2], lang: &'static Lang) -> Result<(), CliError> {
    let game = HumanGame::begin(run, people, || ())?;
    show(&mut PlayScreen::new(&game, &mut hint), lang)?;
    let state = game.state();
    game.leave()?;
    let folder = game.folder().display().to_string();
    if let Some(record) = &state.over {
        let end = text::ending(record, lang);
        let values = [("end", end.as_str()), ("run", &folder)];
        say!("{}", lang.with("terminal.kept", &values));
    } else {
        say!("{}", lang.with("terminal.interrupted", &[("run", &folder)]));
    }
    Ok(())
}

/// What `alphabeta` would play, after half a second.
fn hint(board: &Board, moves: &[Move]) -> Option<Advice> {
    const THINKS_MS: u64 = 500;
    let options = Options {
        move_ms: Some(THINKS_MS),
        ..Options::default()
    };
    let mut bot = alphabeta::bot(&options).ok()?;
    let side: Side = board.side_to_move();
    bot.start(&Start::untimed(board.game(), side)).ok()?;
    let question = Question::untimed(board.clone(), moves, Instant::now());
    let mut told = None;
    let played = bot.choose(&question, &mut |info| {
        told = info.score.zip(info.depth).or(told);
    });
    let (score, depth) = told?;
    Some(Advice {
        played,
        by: ALPHABETA,
        score,
        depth,
    })
}
