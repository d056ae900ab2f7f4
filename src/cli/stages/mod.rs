//! `arena stages`.

mod explain;
mod files;
mod make;
mod missed;
mod person;
mod solve;
mod table;

pub(super) use files::shipped as shipped_stages;

use referee::problem;
use std::path::{Path, PathBuf};

use clap::Args;
use toml::Spanned;

use self::missed::missed;
use super::bot::ALPHABETA;
use super::bots::catalogue;
use super::boxes;
use super::error::Ending;
use super::interrupt::stop_on_ctrl_c;
use super::language::Language;
use super::options::BoxOption;
use super::play::{announce_build, say_notes};
use super::{CliError, print, print_said};
use crate::stages::{Attempt, Stage, StageSet, play, recorded};
use message::spoken;
use run::{NewStandIn, Run, RunFile, Stop, build_all, create_folder, probe_all};
use tournament::{BotFile, Boxes, Problem, TournamentFile, given, people};

/// Let a bot play stages: gomoku positions that black, to move, must win
///
/// The bot plays black, the defender white. One row per stage says whether black made five, in how many
/// moves, and how long they took. A stage with a known shortest win must be won in twice as many moves,
/// or in ten; any other stage before the board is full. A defender that resigns or fails has lost. If
/// black fails, the first missed forced win is shown. The run is kept in a folder: `arena resume` plays
/// the missing stages, `arena replay` shows a game. Exit code 0: all passed, 1: not all passed, 2: a file
/// cannot be read, 3: a bot cannot be used.
///
/// A file contains one stage, in the arena's format (see tournaments/stages/) or in a course's format: 15
/// lines of 15 entries separated by spaces, # empty, 1 black, 0 white; before them there may be comment
/// lines that begin with #.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct Stages {
    /// The bot, as in `arena match`
    #[arg(required_unless_present_any = ["solve", "make"], conflicts_with = "make")]
    bot: Option<String>,
    /// Files of stages, or folders of them [default: tournaments/stages]
    files: Vec<PathBuf>,
    /// White: a bot, with its level as in alphabeta:level=5, or human
    #[arg(long, value_name = "BOT", default_value = "alphabeta")]
    defender: String,
    /// Time limit per move of both sides in ms (0: none); a person has no limit
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
    #[command(flatten)]
    boxes: BoxOption,
    /// Seed of every random choice of the bots, and of --make
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// For each turn of black show alphabeta's evaluation of every square, and the effect of pruning
    #[arg(long)]
    explain: bool,
    /// The folder of this run; by default results/BOT-stages, or results/BOT-stages-2 and so on
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print the results as JSON
    #[arg(long, conflicts_with = "explain")]
    json: bool,
    /// Do not play: let alphabeta's solver prove each stage, and show its time and line
    #[arg(long, conflicts_with_all = ["explain", "json"])]
    solve: bool,
    /// Do not play: find stages by self-play and solver, and write them into this new folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["explain", "json", "solve"])]
    make: Option<PathBuf>,
    #[command(flatten)]
    language: Language,
}

impl Stages {
    pub fn run(mut self) -> Result<(), CliError> {
        self.language.speak()?;
        if let Some(folder) = &self.make {
            return make::make(folder, self.seed);
        }
        if self.solve {
            self.files.splice(0..0, self.not_a_bot()?);
            return solve::solve(&files::read_all(&self.files)?);
        }
        if let Some(word) = self.bot.as_deref().filter(|word| files::are_stages(word)) {
            return Err(problem!("{word} contains stages and is not a bot")
                .help(format!("name the bot first: arena stages alphabeta {word}"))
                .into());
        }
        let stages = files::read_all(&self.files)?;
        self.play(&stages)
    }

    /// The argument in the bot's place for --solve: a file, or the name of the bot whose solver is used
    /// anyway.
    fn not_a_bot(&self) -> Result<Option<PathBuf>, Problem> {
        let Some(word) = &self.bot else {
            return Ok(None);
        };
        let is_file = Path::new(word).exists();
        let name = word.split(':').next().unwrap_or_default();
        if !is_file && name == ALPHABETA {
            return Ok(None);
        }
        if !is_file && BotFile::from_word(word).is_ok() && !word.contains(std::path::is_separator) {
            let what = format!("--solve uses {ALPHABETA}'s solver, and {word} is not a file");
            return Err(Problem::new(what).help("leave the bot out: arena stages --solve FILES"));
        }
        Ok(Some(PathBuf::from(word)))
    }

    fn play(&self, stages: &[Stage]) -> Result<(), CliError> {
        let mut file = self.file()?;
        self.boxes.apply(&mut file);
        boxes::settle(&mut file, Boxes::Off)?;
        let here = Path::new(".");
        let set = StageSet::new(stages.to_vec(), file.bots(&catalogue()?, here)?)?;
        let tournament = set.tournament(&file);
        build_all(set.bots(), announce_build)?;
        let identities = probe_all(set.bots(), tournament.game)?;
        let folder = create_folder(&tournament.name, self.out.as_deref())?;
        let mut kept = RunFile::new(&tournament, &file, here, &identities);
        kept.stages = Some(set.file());
        let run = Run::begin(tournament, &kept, &folder, stop(set.has_person)?)?;
        folder.keep();
        finish(run, &set, defender(&file), self.json, self.explain)
    }

    /// The bot and the defender, if it is a bot, as in a tournament file.
    fn file(&self) -> Result<TournamentFile, Problem> {
        let mut bots = vec![BotFile::from_word(self.bot.as_deref().unwrap_or_default())?];
        if self.defender != people::DEFENDER {
            let mut defender = BotFile::from_word(&self.defender)?;
            if defender.name.is_none() {
                // Both may be the same bot.
                defender.name = given(Some("defender".to_owned()));
            }
            bots.push(defender);
        }
        Ok(TournamentFile {
            game: given(Some("gomoku".to_owned())),
            move_ms: given(Some(self.move_ms)),
            seed: given(Some(self.seed)),
            concurrency: given(Some(self.jobs.into())),
            bot: bots
                .into_iter()
                .map(|bot| Spanned::new(0..0, bot))
                .collect(),
            ..TournamentFile::default()
        })
    }
}

/// Continues stages that were stopped.
pub(super) fn resume(folder: &Path, file: &RunFile, json: bool) -> Result<(), CliError> {
    let set = StageSet::of_run(file, &catalogue()?)?;
    build_all(set.bots(), announce_build)?;
    let stop = stop(set.has_person)?;
    let run = Run::resume(set.tournament(&file.tournament), folder, stop)?;
    finish(run, &set, defender(&file.tournament), json, false)
}

/// Shows played stages, and writes their tables again.
pub(super) fn report(folder: &Path, file: &RunFile, json: bool) -> Result<(), CliError> {
    let set = StageSet::of_run(file, &catalogue()?)?;
    let run = Run::read(set.tournament(&file.tournament), folder)?;
    run.tables()?;
    let attempts = recorded(&run)?;
    let mut shown = Shown::begin(&set, &run, defender(&file.tournament), json, false)?;
    shown.more(&attempts);
    shown.end(&attempts, &run)
}

/// A person who leaves does not want to finish the stage, and has not lost it.
fn stop(has_person: bool) -> Result<Stop, CliError> {
    let stop = stop_on_ctrl_c()?;
    if has_person {
        stop.request_aborts();
        person::listen()?;
    }
    Ok(stop)
}

/// The defender as it was typed: `alphabeta:level=3`.
fn defender(file: &TournamentFile) -> String {
    let Some(bot) = file.bot.get(1).map(Spanned::get_ref) else {
        return people::DEFENDER.to_owned();
    };
    let command = bot.command.as_ref().map(|words| words.get_ref().join(" "));
    let name = bot.uses.as_ref().map(|name| name.get_ref().clone());
    let options = bot.options.iter().flat_map(Spanned::get_ref);
    let options = options.map(|(key, value)| match value.as_str() {
        Some(text) => format!("{key}={text}"),
        None => format!("{key}={value}"),
    });
    let options: Vec<String> = options.collect();
    let colon = if options.is_empty() { "" } else { ":" };
    format!(
        "{}{colon}{}",
        name.or(command).unwrap_or_default(),
        options.join(",")
    )
}

/// Plays the remaining stages, one row per stage.
fn finish(
    mut run: Run,
    set: &StageSet,
    defender: String,
    json: bool,
    explain: bool,
) -> Result<(), CliError> {
    say_notes(&run);
    let turnstile = person::Turnstile::default();
    if set.has_person {
        let turnstile = turnstile.clone();
        run.seat(
            1,
            NewStandIn::new(move |stop| person::new(stop, &turnstile)),
        );
    }
    let mut attempts = recorded(&run)?;
    let mut shown = Shown::begin(set, &run, defender, json, explain)?;
    play(&mut run, &mut attempts, |attempts| {
        shown.more(attempts);
        // A person sees how a stage ended before the next begins.
        turnstile.open(attempts.iter().flatten().count());
    })?;
    run.tables()?;
    let printed = shown.end(&attempts, &run);
    // If the terminal was closed, printing fails, but the run was interrupted.
    how_it_ended(&attempts, run.folder())?;
    printed
}

/// The rows that have been shown.
struct Shown<'a> {
    set: &'a StageSet,
    /// Who defends, as it was typed.
    defender: String,
    /// The width of the column of names.
    name: usize,
    move_ms: u128,
    json: bool,
    explain: bool,
    /// How many.
    rows: usize,
    result: Result<(), CliError>,
}

impl Shown<'_> {
    fn begin<'a>(
        set: &'a StageSet,
        run: &Run,
        defender: String,
        json: bool,
        explain: bool,
    ) -> Result<Shown<'a>, CliError> {
        let name = table::name_width(&set.stages);
        let move_ms = set.contestants[0].limits.move_time.as_millis();
        if !json {
            let bot = &set.contestants[0].name;
            say!("kept in {}", run.folder().display());
            print(&format!(
                "{}\n",
                table::head(name, bot, &defender, move_ms, spoken())
            ))?;
        }
        Ok(Shown {
            set,
            defender,
            name,
            move_ms,
            json,
            explain,
            rows: 0,
            result: Ok(()),
        })
    }

    /// Rows come in the order of the stages, each as early as possible.
    fn more(&mut self, attempts: &[Option<Attempt>]) {
        while let Some(Some(attempt)) = attempts.get(self.rows) {
            let stage = &self.set.stages[self.rows];
            if self.set.has_person {
                person::farewell(stage, attempt);
            }
            if !self.json && self.result.is_ok() {
                self.result = self.row(stage, attempt);
            }
            self.rows += 1;
        }
    }

    fn row(&self, stage: &Stage, attempt: &Attempt) -> Result<(), CliError> {
        let missed = missed(stage, attempt);
        print(&table::row(
            self.name,
            stage,
            attempt,
            missed.as_ref(),
            spoken(),
        ))?;
        if self.explain {
            print_said(&explain::explain(stage, attempt))?;
        }
        Ok(())
    }

    fn end(self, attempts: &[Option<Attempt>], run: &Run) -> Result<(), CliError> {
        self.result?;
        print(&if self.json {
            let names = [&self.set.contestants[0].name, &self.defender].map(String::as_str);
            let (stages, move_ms) = (&self.set.stages, self.move_ms);
            table::json(stages, attempts, names, move_ms, run.folder())
        } else {
            spoken().say_lines(&table::summary(attempts, run.folder()))
        })
    }
}

/// The result of the command, after everything is printed.
fn how_it_ended(attempts: &[Option<Attempt>], folder: &Path) -> Result<(), CliError> {
    let count = |is: fn(&Attempt) -> bool| attempts.iter().flatten().filter(|one| is(one)).count();
    let (played, of) = (attempts.iter().flatten().count(), attempts.len());
    let void = count(Attempt::is_void);
    let run = folder.display();
    if played < of {
        return Err(Ending::Interrupted.because(format!(
            "interrupted: {played} of {of} stages are played; `arena resume {run}` plays the rest"
        )));
    }
    if void > 0 {
        return Err(Ending::ArenaFailed.because(format!(
            "{void} stages are void: the arena or the machine failed; `arena resume {run}` plays them"
        )));
    }
    if count(Attempt::is_passed) < of {
        return Err(Ending::NotPassed.printed());
    }
    Ok(())
}
