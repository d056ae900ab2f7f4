//! `arena play`: a person against a bot, in a browser or in the terminal.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use games::{Board, Game, Move, Rules, Side};
use protocol::{Question, Start};
use referee::problem;

use super::CliError;
use super::bot::ALPHABETA;
use super::bots::{catalogue, one_bot};
use super::new_run::announce_build;
use super::options::{BoardOptions, SandboxOption};
use super::output::for_terminals;
use super::sandbox;
use super::serve::{Content, ServeOptions, level_of, offers};
use crate::terminal::play::{Advice, PlayScreen};
use crate::terminal::{game_ending, is_terminal, show};
use crate::web::{EntryPage, Offer};
use message::Lang;
use run::{HumanGame, Run, RunFile, Stop};
use tournament::{BotFile, Problem, SandboxChoice, TimeControl, TournamentFile, people};

/// Play against a bot, or against each other, in a browser or in the terminal
///
/// The page asks for game, board, rules, opponent, colour and time. A game is recorded like any other, in
/// results/play-GAME. The printed address has a key: only a browser that was opened with it can use the page.
#[derive(Debug, Args)]
pub struct Play {
    /// The bot, as in `arena match`; the page offers it in addition to the built-in ones
    bot: Option<String>,
    /// The folder that the games are kept in
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    results: PathBuf,
    #[command(flatten)]
    sandbox: SandboxOption,
    #[command(flatten)]
    place: ServeOptions,
    #[command(flatten)]
    terminal: InTerminal,
}

impl Play {
    pub fn run(self) -> Result<(), CliError> {
        if self.terminal.terminal {
            let easy = level_of("easy");
            let bot = self.bot.as_deref().unwrap_or(&easy);
            let lang = self.place.language.texts()?;
            return self.terminal.run(bot, &self.sandbox, &self.results, lang);
        }
        let catalogue = catalogue()?;
        let mut offers = offers(&catalogue);
        if let Some(word) = self.bot {
            // Refuses a bot that plays none of the games. Each game is checked again when the user chooses it.
            let mut conditions = TournamentFile::default();
            self.sandbox.apply(&mut conditions);
            sandbox::settle(&mut conditions, SandboxChoice::Off)?;
            let mut found = games::families()
                .into_iter()
                .map(|family| -> Result<(), CliError> {
                    let game = Game::new(family.name(), None, None).map_err(Problem::new)?;
                    one_bot(&word, game, Path::new("."), &conditions).map(drop)
                });
            let first = found.next().unwrap_or(Ok(()));
            if first.is_err() && !found.any(|found| found.is_ok()) {
                return first;
            }
            drop(found);
            let known = catalogue.find(word.split(':').next().unwrap_or_default());
            let games: Vec<String> = match known {
                Some(entry) => entry.games.iter().map(|&game| game.to_owned()).collect(),
                None => games::names().into_iter().map(str::to_owned).collect(),
            };
            let offer = Offer {
                name: word.clone(),
                word,
                games,
                sandbox: conditions.sandbox,
            };
            offers.insert(0, offer);
        }
        let content = Content {
            is_anonymous: false,
            results: self.results,
            offers,
            hub: None,
            going_on: None,
        };
        self.place.serve(content, EntryPage::Play)
    }
}

/// The options of a game in the terminal.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --terminal")]
struct InTerminal {
    /// Play in the terminal
    #[arg(long)]
    terminal: bool,
    /// othello or gomoku
    #[arg(long, default_value = games::names()[0])]
    game: String,
    #[command(flatten)]
    board: BoardOptions,
    /// Gomoku: the rule by which you and the bot agree on the first stones and on your colours: swap, swap2,
    /// soosyrv-8, taraguchi-10 or rif
    #[arg(long, value_name = "RULE")]
    opening: Option<String>,
    /// Play white; black moves first
    #[arg(long)]
    white: bool,
    /// The bot's time limit per move in ms (0: none)
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    move_ms: i64,
}

impl InTerminal {
    fn run(
        &self,
        bot: &str,
        sandbox: &SandboxOption,
        results: &Path,
        lang: &'static Lang,
    ) -> Result<(), CliError> {
        needs_terminal()?;
        let person = usize::from(self.white);
        let seats = [self.white, !self.white].map(|is_bot| !is_bot);
        play_in_terminal(self.begin(bot, sandbox, results, person)?, seats, lang)
    }

    fn begin(
        &self,
        bot: &str,
        sandbox: &SandboxOption,
        results: &Path,
        person: usize,
    ) -> Result<Run, CliError> {
        let game = self.board.game(&self.game)?;
        let game = game.with_opening(self.opening.as_deref());
        let game = game.map_err(Problem::new)?;
        let (catalogue, here) = (catalogue()?, Path::new("."));
        let bot = TimeControl::per_move(self.move_ms).of(BotFile::from_word(bot)?);
        let mut seats = [people::person(people::NAMES[0], 0), bot];
        seats.rotate_left(person);
        let mut file = people::game_of(game, seats);
        sandbox.apply(&mut file);
        sandbox::settle(&mut file, SandboxChoice::Off)?;
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

pub(super) fn needs_terminal() -> Result<(), CliError> {
    if is_terminal() {
        return Ok(());
    }
    let problem = problem!("arena play --terminal needs a terminal");
    Err(problem
        .help("arena match plays bots against each other")
        .into())
}

pub(super) fn play_in_terminal(
    run: Run,
    people: [bool; 2],
    lang: &'static Lang,
) -> Result<(), CliError> {
    let game = HumanGame::begin(run, people, || ())?;
    show(&mut PlayScreen::new(&game, &mut hint), lang)?;
    let state = game.state();
    game.leave()?;
    let folder = game.folder().display().to_string();
    if let Some(record) = &state.over {
        let end = game_ending(record, lang);
        let kept = lang.with("terminal.kept", &[("end", &end), ("run", &folder)]);
        echo!("{}", for_terminals(&kept));
    } else {
        let note = lang.with("terminal.interrupted", &[("run", &folder)]);
        echo!("{}", for_terminals(&note));
    }
    Ok(())
}

fn hint(board: &Board, moves: &[Move]) -> Option<Advice> {
    const THINKS_MS: u64 = 500;
    let options = alphabeta::Options {
        move_ms: Some(THINKS_MS),
        ..Default::default()
    };
    let mut bot = alphabeta::bot(&options).ok()?;
    let side: Side = board.side_to_move();
    bot.start(&Start::untimed(board.game(), side)).ok()?;
    let question = Question::untimed(board.clone(), moves, Instant::now());
    let mut last = None;
    let played = bot.choose(&question, &mut |info| {
        last = info.score.zip(info.depth).or(last);
    });
    let (score, depth) = last?;
    Some(Advice {
        played,
        by: ALPHABETA,
        score,
        depth,
    })
}
