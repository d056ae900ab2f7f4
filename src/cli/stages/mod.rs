//! `arena stages`: reads the files of stages, plays stages, and proves stages.

pub mod files;
mod make;
mod person;
mod table;

use message::{message, spoken};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use alphabeta::gomoku::forced_win;
use clap::Args;
use games::{Board, Rules, Square};
use referee::problem;
use toml::Spanned;

use super::bot::ALPHABETA;
use super::bots::catalogue;
use super::error::Ending;
use super::new_run::{announce_build, say_notes};
use super::options::{LanguageOption, SandboxOption};
use super::output::json_text;
use super::sandbox;
use super::{CliError, print, print_said, stop_on_ctrl_c};
use crate::stages::{Attempt, Changes, Stage, StageSet, play, recorded};
use files::{are_stages, read_all};
use message::width::{left, right};
use run::{NewStandIn, Run, RunFile, Stop, build_all, create_folder, probe_all};
use table::{Missed, name_width};
use tournament::{
    BotFile, Catalogue, Problem, SandboxChoice, TimeControl, Tournament, TournamentFile, given,
    people,
};

/// Let a bot play stages: positions that the side to move must win, or must not lose
///
/// The bot plays black and the defender white, unless a file names other moves. One row per stage says whether black
/// made five, in how many moves, and the longest and the mean time of a move. If the shortest win of a stage is known,
/// black must win within twice as many moves (at least ten moves are allowed); otherwise, before the board is full. A
/// defender that resigns or fails has lost. If black fails, shows the first missed forced win. The run is kept in a
/// folder: `arena resume` plays the missing stages, `arena replay` shows a game. Exit code 0: all passed, 1: not all
/// passed, 2: a file cannot be read, 3: a bot cannot be used.
///
/// A later run of the same bot under the same conditions says which stages it now passes. `arena analyze RUN --stages`
/// makes stages from a bot's games; with human as the bot you play them.
///
/// A file contains one stage, in the arena's format (see tournaments/stages/) or in a course's format: 15 lines of 15
/// entries separated by spaces, # empty, 1 black, 0 white; before them there may be comment lines that begin with #.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct Stages {
    /// The bot, as in `arena match`, or human
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
    sandbox: SandboxOption,
    /// Seed of every random choice of the bots, and of --make
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// For each turn of black, show alphabeta's evaluation of every square, and the effect of pruning
    #[arg(long)]
    explain: bool,
    /// The folder of this run; by default results/BOT-stages, or results/BOT-stages-2 and so on
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print the results as JSON; arena schema stages describes them
    #[arg(long, conflicts_with = "explain")]
    json: bool,
    /// Do not play: let alphabeta's solver prove each stage, and show its time and line
    #[arg(long, conflicts_with_all = ["explain", "json"])]
    solve: bool,
    /// Do not play: find stages by self-play and solver, and write them into this new folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["explain", "json", "solve"])]
    make: Option<PathBuf>,
    #[command(flatten)]
    language: LanguageOption,
}

impl Stages {
    pub fn run(mut self) -> Result<(), CliError> {
        self.language.speak()?;
        if let Some(folder) = &self.make {
            return make::make(folder, self.seed);
        }
        if self.solve {
            self.files.splice(0..0, self.not_a_bot()?);
            return solve(&read_all(&self.files)?);
        }
        if let Some(word) = self.bot.as_deref().filter(|word| are_stages(word)) {
            return Err(problem!("{word} contains stages and is not a bot")
                .help(message!(
                    "name the bot first: arena stages alphabeta {word}"
                ))
                .into());
        }
        let stages = read_all(&self.files)?;
        self.play(&stages)
    }

    /// With `--solve`, returns the first argument as a file; `None` if it is `alphabeta`, since `--solve` always uses
    /// alphabeta's solver. Fails for another bot.
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
            let problem = problem!("--solve uses {ALPHABETA}'s solver, and {word} is not a file");
            return Err(problem.help("leave the bot out: arena stages --solve FILES"));
        }
        Ok(Some(PathBuf::from(word)))
    }

    fn play(&self, stages: &[Stage]) -> Result<(), CliError> {
        let mut file = self.file(stages)?;
        self.sandbox.apply(&mut file);
        sandbox::settle(&mut file, SandboxChoice::Off)?;
        let here = Path::new(".");
        let set = StageSet::new(stages.to_vec(), &file, &catalogue()?, here)?;
        let tournament = set.tournament(&file);
        build_all(set.bots(), announce_build)?;
        let identities = probe_all(set.bots(), &tournament)?;
        let folder = create_folder(&tournament.name, self.out.as_deref())?;
        let mut kept = RunFile::new(&tournament, &file, here, &identities);
        kept.stages = Some(set.file());
        let run = Run::begin(tournament, &kept, &folder, stop(set.person.is_some())?)?;
        folder.keep();
        finish(run, &set, defender(&file), self.json, self.explain)
    }

    fn file(&self, stages: &[Stage]) -> Result<TournamentFile, Problem> {
        let mut bots = vec![match self.bot.as_deref().unwrap_or_default() {
            people::DEFENDER if self.defender == people::DEFENDER => {
                let problem = problem!("a person cannot play both sides");
                return Err(problem.help("choose a bot with --defender"));
            }
            people::DEFENDER => people::person(people::DEFENDER, 0),
            word => BotFile::from_word(word)?,
        }];
        if self.defender != people::DEFENDER {
            let mut defender = BotFile::from_word(&self.defender)?;
            if defender.name.is_none() {
                // The defender may be the same bot, so it needs another name.
                defender.name = given(Some("defender".to_owned()));
            }
            bots.push(defender);
        }
        let mut file = TournamentFile {
            game: given(Some(stages[0].game().name().to_owned())),
            seed: given(Some(self.seed)),
            concurrency: given(Some(self.jobs.into())),
            bot: bots
                .into_iter()
                .map(|bot| Spanned::new(0..0, bot))
                .collect(),
            ..TournamentFile::default()
        };
        TimeControl::per_move(self.move_ms).apply(&mut file);
        Ok(file)
    }
}

pub(super) fn tournament_of(file: &RunFile, catalogue: &Catalogue) -> Result<Tournament, CliError> {
    Ok(if file.stages.is_some() {
        StageSet::of_run(file, catalogue)?.tournament(&file.tournament)
    } else {
        file.tournament.validate(catalogue, &file.folder)?
    })
}

pub(super) fn resume(folder: &Path, file: &RunFile, json: bool) -> Result<(), CliError> {
    let set = StageSet::of_run(file, &catalogue()?)?;
    build_all(set.bots(), announce_build)?;
    let stop = stop(set.person.is_some())?;
    let run = Run::resume(set.tournament(&file.tournament), folder, stop)?;
    finish(run, &set, defender(&file.tournament), json, false)
}

pub(super) fn report(folder: &Path, file: &RunFile, json: bool) -> Result<(), CliError> {
    let set = StageSet::of_run(file, &catalogue()?)?;
    let run = Run::read(set.tournament(&file.tournament), folder)?;
    run.tables()?;
    let attempts = recorded(&run, &set)?;
    let mut shown = Shown::begin(&set, &run, defender(&file.tournament), json, false)?;
    shown.more(&attempts);
    shown.end(&attempts, &run)
}

/// Returns the stop request of this process. If a person plays, also starts to read the input; the first Ctrl-C then
/// aborts only the stage, which does not count as lost.
fn stop(has_person: bool) -> Result<Stop, CliError> {
    let stop = stop_on_ctrl_c()?;
    if has_person {
        stop.request_aborts();
        person::listen()?;
    }
    Ok(stop)
}

/// Returns the defender in the notation of the command line: `alphabeta:level=3`.
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

fn finish(
    mut run: Run,
    set: &StageSet,
    defender: String,
    json: bool,
    explain: bool,
) -> Result<(), CliError> {
    say_notes(&run);
    let handoff = person::Handoff::default();
    if let Some(person) = set.person {
        let handoff = handoff.clone();
        run.seat(
            person,
            NewStandIn::new(move |stop| person::new(stop, &handoff)),
        );
    }
    let mut attempts = recorded(&run, set)?;
    let mut shown = Shown::begin(set, &run, defender, json, explain)?;
    play(&mut run, set, &mut attempts, |attempts| {
        shown.more(attempts);
        // The person must see how a stage ended before the next stage begins.
        handoff.open(attempts.iter().flatten().count());
    })?;
    run.tables()?;
    let printed = shown.end(&attempts, &run);
    // Reports the interruption first, because printing fails if the terminal was closed.
    how_it_ended(&attempts, run.folder())?;
    printed
}

struct Shown<'a> {
    set: &'a StageSet,
    defender: String,
    name: usize,
    move_ms: u128,
    json: bool,
    explain: bool,
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
            say!("kept in {}", run.folder().display());
            print(&format!(
                "{}\n",
                table::head(name, set, &defender, move_ms, spoken())
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

    /// Prints new rows as early as possible, in the order of the stages.
    fn more(&mut self, attempts: &[Option<Attempt>]) {
        while let Some(Some(attempt)) = attempts.get(self.rows) {
            let stage = &self.set.stages[self.rows];
            if let Some(person) = self.set.person {
                person::show_end(stage, attempt, person == 0);
            }
            if !self.json && self.result.is_ok() {
                self.result = self.row(stage, attempt);
            }
            self.rows += 1;
        }
    }

    fn row(&self, stage: &Stage, attempt: &Attempt) -> Result<(), CliError> {
        let missed = Missed::first(stage, attempt);
        print(&table::row(
            self.name,
            stage,
            attempt,
            missed.as_ref(),
            spoken(),
        ))?;
        if self.explain {
            print(&table::explain(stage, attempt, spoken()))?;
        }
        Ok(())
    }

    fn end(self, attempts: &[Option<Attempt>], run: &Run) -> Result<(), CliError> {
        self.result?;
        print(&if self.json {
            let names = [&self.set.contestants[0].name, &self.defender].map(String::as_str);
            let (stages, move_ms) = (&self.set.stages, self.move_ms);
            json_text(&table::results(
                stages,
                attempts,
                names,
                move_ms,
                run.folder(),
            ))
        } else {
            let changes = Changes::since(run.folder(), self.set, attempts);
            table::summary(attempts, run.folder(), changes.as_ref(), spoken())
        })
    }
}

fn how_it_ended(attempts: &[Option<Attempt>], folder: &Path) -> Result<(), CliError> {
    let count = |is: fn(&Attempt) -> bool| attempts.iter().flatten().filter(|one| is(one)).count();
    let (played, of) = (attempts.iter().flatten().count(), attempts.len());
    let void = count(Attempt::is_void);
    let run = folder.display();
    if played < of {
        return Err(Ending::Interrupted.because(message!(
            "interrupted: {played} of {of} stages are played; `arena resume {run}` plays the rest"
        )));
    }
    if void > 0 {
        return Err(Ending::ArenaFailed.because(message!(
            "{void} {void|stage is|stages are} void: the arena or the machine failed; `arena resume {run}` plays {void|it|them}"
        )));
    }
    if count(Attempt::is_passed) < of {
        return Err(Ending::NotPassed.printed());
    }
    Ok(())
}

/// The most positions that the solver visits for each stage.
const NODES: u64 = 20_000_000;

/// The number of moves in an output line, to fit 80 columns on the largest board.
const MOVES_A_ROW: usize = 18;

/// Proves the stages and prints their times, as a benchmark of the threat solver. Fails if a stage is not proven.
fn solve(stages: &[Stage]) -> Result<(), CliError> {
    let name = name_width(stages);
    let lang = spoken();
    let [stage, win_in, time] = ["stage", "win in", "time"].map(|it| lang.word("stages-table", it));
    print(&format!(
        "   {}  {}   {}\n",
        left(stage, name),
        left(win_in, 6),
        right(time, 10)
    ))?;
    let (mut proven, mut longest) = (0, Duration::ZERO);
    for stage in stages {
        let began = Instant::now();
        let Board::Gomoku(board) = &stage.board else {
            let problem = problem!(
                "--solve proves stages of Gomoku, and {} is not one",
                stage.name
            );
            return Err(problem.help("arena stages my_bot plays it").into());
        };
        let line = forced_win(board, NODES);
        let time = began.elapsed();
        longest = longest.max(time);
        let sign = if line.is_some() { "✓" } else { "✗" };
        let plies = line.as_ref().map_or("none".into(), |line| {
            message!("{} {0|ply|plies}", line.len())
        });
        let plies = lang.render(&plies);
        proven += usize::from(line.is_some());
        print(&format!(
            " {sign} {}  {} {:>8.1} ms\n",
            left(&stage.name, name),
            right(&plies, 8),
            time.as_secs_f64() * 1000.0,
        ))?;
        let squares: Vec<String> = line
            .unwrap_or_default()
            .iter()
            .map(Square::to_string)
            .collect();
        for row in squares.chunks(MOVES_A_ROW) {
            print(&format!("     {}\n", row.join(" ")))?;
        }
        debug_assert!(stage.board.ending().is_none());
    }
    let of = stages.len();
    print_said(&message!(
        "\n{proven} of {of} stages proven; the longest proof took {:.1} ms",
        longest.as_secs_f64() * 1000.0
    ))?;
    if proven < of {
        return Err(Ending::NotPassed.printed());
    }
    Ok(())
}
