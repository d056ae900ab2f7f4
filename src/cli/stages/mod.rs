//! `arena stages`.

mod explain;
mod files;
mod make;
mod missed;
mod person;
mod solve;
mod table;

use std::path::{Path, PathBuf};

use clap::Args;
use toml::Spanned;

use self::missed::missed;
use self::table::Table;
use super::bots::catalogue;
use super::play::STOP;
use super::{CliError, print};
use crate::stages::{Attempt, Conditions, Stage, run};
use crate::tournament::{BotFile, Contestant, Problem, TournamentFile, given, probe};

/// Let a bot clear stages: gomoku positions that black, to move, must win
///
/// The bot plays black, the defender white, and a row a stage says whether black made five, in how
/// many moves, and how long they took. A stage whose shortest win is known must be won in twice as
/// many moves, or in ten; any other before the board is full. A defender that resigns or fails has
/// lost. Where black fails, a win by force that it let go is shown. Exit code 0: all passed, 1: not all, 2: a file cannot be read, 3: a bot cannot be used.
///
/// A file holds one stage, in the arena's format (see tournaments/stages/) or in a course's: 15
/// lines of 15 entries separated by spaces, # empty, 1 black, 0 white, after remarks on lines that
/// begin with # if there are any.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct Stages {
    /// The bot: as for `arena match`
    #[arg(required_unless_present_any = ["solve", "make"], conflicts_with = "make")]
    bot: Option<String>,
    /// Files of stages, or folders of them [default: tournaments/stages]
    files: Vec<PathBuf>,
    /// Who plays white: a bot, with its level as in alphabeta:level=5, or human
    #[arg(long, value_name = "BOT", default_value = "alphabeta")]
    defender: String,
    /// Limit of a move of either side in ms (0: none); a person has none
    #[arg(
        long,
        value_name = "MS",
        default_value_t = 1000,
        allow_negative_numbers = true
    )]
    move_ms: i64,
    /// Stages played at a time
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// For every random choice of the bots, and of --make
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// For each turn of black show what alphabeta thinks of every square, and what pruning saves
    #[arg(long)]
    explain: bool,
    /// Print the results as JSON
    #[arg(long, conflicts_with = "explain")]
    json: bool,
    /// Play nothing: let alphabeta's solver prove each stage and show its time and line
    #[arg(long, conflicts_with_all = ["explain", "json"])]
    solve: bool,
    /// Play nothing: find stages by self-play and solver and write them into this new folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["explain", "json", "solve"])]
    make: Option<PathBuf>,
}

impl Stages {
    /// Runs the command.
    pub fn run(mut self) -> Result<(), CliError> {
        if let Some(folder) = &self.make {
            return make::make(folder, self.seed);
        }
        if self.solve {
            // There is no bot: all words are files.
            self.files.splice(0..0, self.bot.take().map(PathBuf::from));
            return solve::solve(&files::read_all(&self.files)?);
        }
        if let Some(word) = self.bot.as_deref().filter(|word| files::are_stages(word)) {
            return Err(Problem::new(format!("{word} holds stages and is no bot"))
                .help(format!("name the bot first: arena stages alphabeta {word}"))
                .into());
        }
        let stages = files::read_all(&self.files)?;
        self.play(&stages)
    }

    fn play(&self, stages: &[Stage]) -> Result<(), CliError> {
        let has_person = self.defender == "human";
        let [bot, defender] = &self.contestants()?;
        let playing = [bot, defender];
        for contestant in &playing[..if has_person { 1 } else { 2 }] {
            probe(contestant, stages[0].game())?;
        }
        let _ = ctrlc::set_handler(move || {
            // A person does not want to play the stage to its end, and turning away is not losing it.
            if has_person {
                STOP.give_up();
            } else {
                STOP.request();
            }
        });
        let contestants = [bot.clone(), defender.clone()];
        let conditions = Conditions {
            contestants: &contestants,
            person: has_person.then_some(person::new as _),
            workers: if has_person { 1 } else { self.jobs.into() },
            seed: self.seed,
            stop: &STOP,
        };
        let table = Table::new(stages);
        if !self.json {
            let black = &bot.name;
            let white = &self.defender;
            print(&format!("{}\n", table.head(black, white, self.move_ms)))?;
        }
        let mut attempts: Vec<Option<Attempt>> = vec![None; stages.len()];
        let mut shown = 0;
        let mut result = Ok(());
        // A person sees how a stage ended before the next begins.
        let at_once = if has_person { 1 } else { stages.len() };
        for (lot, together) in stages.chunks(at_once).enumerate() {
            run(together, conditions, |number, attempt| {
                attempts[lot * at_once + number] = Some(attempt);
                // Rows come in the order of the stages, each as soon as it can.
                while let Some(Some(attempt)) = attempts.get(shown) {
                    if has_person {
                        person::farewell(&stages[shown], attempt);
                    }
                    if !self.json && result.is_ok() {
                        result = self.show(&table, &stages[shown], attempt);
                    }
                    shown += 1;
                }
            })?;
        }
        result?;
        if self.json {
            let names = [bot.name.as_str(), &self.defender];
            print(&table::json(stages, &attempts, names, self.move_ms))?;
        } else {
            print(&table::summary(&attempts))?;
        }
        how_it_ended(&attempts)
    }

    fn show(&self, table: &Table, stage: &Stage, attempt: &Attempt) -> Result<(), CliError> {
        print(&table.row(stage, attempt, missed(stage, attempt).as_ref()))?;
        if self.explain {
            print(&explain::explain(stage, attempt))?;
        }
        Ok(())
    }

    /// The bot and the defender; a person's place is held by any bot.
    fn contestants(&self) -> Result<[Contestant; 2], CliError> {
        let word = self.bot.as_deref().unwrap_or_default();
        let bot = BotFile::from_word(word)?;
        let mut defender = BotFile::from_word(match self.defender.as_str() {
            "human" => "random",
            word => word,
        })?;
        // Both may be the same bot.
        defender.name = given(Some("defender".to_owned()));
        let file = TournamentFile {
            game: given(Some("gomoku".to_owned())),
            move_ms: given(Some(self.move_ms)),
            bot: vec![Spanned::new(0..0, bot), Spanned::new(0..0, defender)],
            ..TournamentFile::default()
        };
        let found = file.validate(&catalogue()?, Path::new("."))?.contestants;
        <[Contestant; 2]>::try_from(found).map_err(|_| Problem::new("two bots are wanted").into())
    }
}

/// What became of the command, once all is printed.
fn how_it_ended(attempts: &[Option<Attempt>]) -> Result<(), CliError> {
    let count = |is: fn(&Attempt) -> bool| attempts.iter().flatten().filter(|one| is(one)).count();
    let played = attempts.iter().flatten().count();
    let void = count(Attempt::is_void);
    if played < attempts.len() {
        return Err(CliError::Grade {
            exit: 130,
            what: format!(
                "interrupted: {played} of {} stages are played",
                attempts.len()
            ),
        });
    }
    if void > 0 {
        return Err(CliError::Grade {
            exit: 4,
            what: format!("{void} stages are void: the arena or the machine failed"),
        });
    }
    if count(Attempt::is_passed) < attempts.len() {
        return Err(CliError::NotPassed);
    }
    Ok(())
}
