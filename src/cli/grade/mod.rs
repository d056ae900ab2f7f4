//! `arena grade`.

mod class;
mod files;
mod hash;
mod marks;
mod play;
mod submission;
mod suite;

use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;

use super::bots::catalogue;
use super::options::{GameCount, GameOptions};
use super::outcome::width;
use super::play::{STOP, create_folder};
use super::run_file::RunFile;
use super::{CliError, print};
use crate::grade::{Card, State};
use crate::report::{Progress, grade as writers, tables};
use crate::store::Store;
use crate::tournament::{Catalogue, Problem, Tournament, Unusable, given, probe};
use class::Class;
use marks::Marks;
use play::Grading;
use referee::bot::Identity;
use submission::Submission;
use suite::Suite;

/// Grade a bot against test players, or a whole folder of bots
///
/// A verdict is that of all games a suite allows; play stops where the games left cannot change it.
/// The folder of the run gets grade.json, results.json (Gradescope), junit.xml, summary.md and all
/// tables; the summary is also added to that of a GitHub job (`$GITHUB_STEP_SUMMARY`).
///
/// Exit codes: 0 passed, 1 below the bar, 2 usage or input, 3 the bot could not be used, 4 the arena
/// or the machine failed: not graded, which is no zero. With --all the worst of all.
#[derive(Debug, Args)]
pub struct Grade {
    /// The bot: a folder, a file, or what `arena match` takes
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    bot: Option<String>,
    /// othello-six, gomoku-six, othello-course, gomoku-course, or a tournament file with [grade]
    #[arg(long, value_name = "NAME|FILE")]
    suite: String,
    /// Grade everything in this folder; what has not changed since the last time is not played again
    #[arg(long, value_name = "FOLDER")]
    all: Option<PathBuf>,
    /// The folder of this run; with --all that of the class, by default results/SUITE
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// The illegal answer in one turn that loses; after those before it the bot is asked again
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    illegal_answers: Option<i64>,
    #[command(flatten)]
    games: GameCount,
    #[command(flatten)]
    options: GameOptions,
    #[command(flatten)]
    marks: Marks,
    /// Print the grade as JSON
    #[arg(long)]
    json: bool,
}

impl Grade {
    /// Runs the command.
    pub fn run(self) -> Result<(), CliError> {
        let mut suite = Suite::find(&self.suite)?;
        self.games.apply(&mut suite.file);
        self.options.apply(&mut suite.file);
        if self.illegal_answers.is_some() {
            suite.file.illegal_answers = given(self.illegal_answers);
        }
        let catalogue = catalogue()?;
        // A problem that it has with a bot of the house is its own.
        let example = Submission::find("random")?;
        let example =
            Grading::new(&suite, &example, &catalogue).map_err(|problem| suite.explain(problem))?;
        self.marks.check()?;
        // Only the first run of a process sets the handler, and there is only one.
        let _ = ctrlc::set_handler(|| STOP.request());
        match (&self.all, &self.bot) {
            (Some(folder), _) => self.class(&suite, &catalogue, &example, folder),
            (None, Some(bot)) => self.single(&suite, &catalogue, bot),
            (None, None) => Err(Problem::new("there is nothing to grade").into()),
        }
    }

    fn single(&self, suite: &Suite, catalogue: &Catalogue, bot: &str) -> Result<(), CliError> {
        let submission = Submission::find(bot)?;
        let student = self.marks.student_or(&submission.name);
        self.marks.check_student(&student)?;
        let grading = Grading::new(suite, &submission, catalogue)
            .map_err(|problem| suite.explain(problem))?
            .hashed(suite, &submission)?;
        let opponents = probe_opponents(&grading.tournament)?;
        let run = create_folder(&grading.tournament, self.out.as_deref())?;
        let games = 2 * grading.tournament.rounds * grading.scale.hurdles.len() as u64;
        say!(
            "{}: at most {games} games of {}, kept in {}",
            grading.tournament.name,
            grading.tournament.game,
            run.display()
        );
        let progress = Progress::new(games, 0);
        let card = grading.grade(suite, &opponents, &run, Some(&progress))?;
        progress.finish();
        if let Some(mark) = card.mark() {
            self.marks.fill(&run, &[(student, mark)], card.possible())?;
        }
        show(&card, &run, self.json)
    }

    fn class(
        &self,
        suite: &Suite,
        catalogue: &Catalogue,
        example: &Grading,
        folder: &Path,
    ) -> Result<(), CliError> {
        let opponents = probe_opponents(&example.tournament)?;
        let default = || Path::new("results").join(&suite.name);
        let out = self.out.clone().unwrap_or_else(default);
        let class = Class {
            suite,
            catalogue,
            opponents: &opponents,
            out: &out,
            blank: example.card.clone(),
            lanes: example.tournament.concurrency,
            pin: example.tournament.pin,
        };
        let entries = class.grade(folder)?;
        let table = writers::csv(&entries).map_err(|error| CliError::System {
            what: "class.csv cannot be written".to_owned(),
            source: error.into(),
        })?;
        std::fs::create_dir_all(&out)?;
        tables::replace(&out.join("class.csv"), &table)?;
        let summary = writers::class_markdown(&suite.name, &entries);
        tables::replace(&out.join("summary.md"), summary.as_bytes())?;
        files::step_summary(&summary)?;
        let marks: Vec<(String, f64)> = entries
            .iter()
            .filter_map(|entry| Some((entry.submission.clone(), entry.card.mark()?)))
            .collect();
        self.marks.fill(&out, &marks, example.card.possible())?;
        let text = if self.json {
            let cards: Vec<&Card> = entries.iter().map(|entry| &entry.card).collect();
            format!(
                "{}\n",
                serde_json::json!({ "suite": suite.name, "grades": cards })
            )
        } else {
            format!(
                "{}\n{}\n",
                writers::table(&entries, width()),
                out.join("class.csv").display()
            )
        };
        print(&text)?;
        if STOP.is_requested() {
            return Err(interrupted("the same command goes on where it stopped"));
        }
        let worst = entries
            .iter()
            .filter_map(|entry| verdict(&entry.card, &entry.run).err());
        let worst = worst.max_by_key(CliError::exit_code);
        worst.map_or(Ok(()), |error| {
            Err(CliError::Grade {
                exit: error.exit_code(),
                what: counts(&entries),
            })
        })
    }
}

/// Goes on with the grading in the folder `run`, which was begun before.
pub fn resume(run: &Path, file: RunFile, json: bool) -> Result<(), CliError> {
    let _ = ctrlc::set_handler(|| STOP.request());
    let grading = of_run(run, file)?;
    let games = 2 * grading.tournament.rounds * grading.scale.hurdles.len() as u64;
    let progress = Progress::new(games, 0);
    let card = grading.resume(run, Some(&progress))?;
    progress.finish();
    show(&card, run, json)
}

/// Makes the files of a grade again from the record of its run.
pub fn rewrite(run: &Path, file: RunFile, store: &Store) -> Result<Card, CliError> {
    let card = of_run(run, file)?.card_again(store)?;
    files::write(run, &card)?;
    Ok(card)
}

fn of_run(run: &Path, file: RunFile) -> Result<Grading, CliError> {
    let Some(card) = files::read(run) else {
        return Err(Problem::new(format!("{} has no grade.json", run.display()))
            .help("begin it again: arena grade")
            .into());
    };
    let tournament = file.tournament.validate(&catalogue()?, &file.folder)?;
    let scale = file.tournament.scale(&tournament.contestants[1..])?;
    Ok(Grading {
        file: file.tournament,
        tournament,
        scale,
        card,
    })
}

/// Prints a grade and says with which status to end.
fn show(card: &Card, run: &Path, json: bool) -> Result<(), CliError> {
    let shown = run.display().to_string();
    files::step_summary(&writers::markdown(card, &shown))?;
    print(&if json {
        format!("{}\n", serde_json::json!(card))
    } else {
        let text = writers::terminal(card, &shown);
        format!("{text}files: {shown}\n")
    })?;
    verdict(card, &shown)
}

/// The status that a grade means.
fn verdict(card: &Card, run: &str) -> Result<(), CliError> {
    let exit = match &card.state {
        State::Graded if card.passed() => return Ok(()),
        // The mark has been printed, and says it.
        State::Graded => return Err(CliError::NotPassed),
        State::Unusable { .. } => 3,
        State::NotGraded { .. } => 4,
        State::Unfinished => return Err(interrupted(&format!("arena resume {run} goes on"))),
    };
    let what = match &card.state {
        State::Unusable { stderr, .. } if !stderr.is_empty() => {
            format!("{}: {}\n{stderr}", card.bot, card.headline())
        }
        _ => format!("{}: {}", card.bot, card.headline()),
    };
    Err(CliError::Grade { exit, what })
}

fn interrupted(mend: &str) -> CliError {
    CliError::Grade {
        exit: 130,
        what: format!("interrupted: {mend}"),
    }
}

/// How a class did that did not pass as a whole.
fn counts(entries: &[writers::Entry]) -> String {
    let count = |is: fn(&Card) -> bool| entries.iter().filter(|entry| is(&entry.card)).count();
    let passed = count(Card::passed);
    let unusable = count(|card| matches!(card.state, State::Unusable { .. }));
    let not_graded = count(|card| card.mark().is_none());
    format!(
        "{passed} of {} passed, {unusable} could not be used, {not_graded} not graded",
        entries.len()
    )
}

/// Starts every opponent once, side by side. That one of them does not start is no student's doing.
fn probe_opponents(tournament: &Tournament) -> Result<Vec<Identity>, CliError> {
    let game = tournament.game;
    thread::scope(|scope| {
        let probes: Vec<_> = tournament.contestants[1..]
            .iter()
            .map(|opponent| scope.spawn(move || probe(opponent, game)))
            .collect();
        probes
            .into_iter()
            .map(|probe| probe.join().expect("a probe does not panic"))
            .collect::<Result<_, Unusable>>()
            .map_err(|error| {
                let source = std::error::Error::source(&error);
                let source = source.map_or_else(String::new, |source| format!(": {source}"));
                CliError::Grade {
                    exit: 4,
                    what: format!("not graded: an opponent could not be started: {error}{source}"),
                }
            })
    })
}
