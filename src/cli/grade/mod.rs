//! `arena grade`.

mod marks;

use std::path::{Path, PathBuf};

use clap::Args;

use self::marks::Marks;
use super::bots::catalogue;
use super::boxes::{self, Refusal};
use super::error::Ending;
use super::interrupt::stop_on_ctrl_c;
use super::options::{GameCount, GameOptions};
use super::play::announce_build;
use super::{CliError, print, width};
use crate::grade::{Class, ClassEvent, Grading, HandIn, Suite, files, limits};
use crate::mark::{Card, State};
use crate::report::{ClassProgress, Progress, grade as writers, page, tables};
use crate::run::{Lanes, RunError, RunFile, Stop, build_all, create_folder, probe_all};
use crate::tournament::form::Form;
use crate::tournament::{Boxes, Catalogue, Problem, Tournament, TournamentFile, given};
use referee::bot::Identity;
use referee::record::harmless;

/// Grade a bot against test players, or a whole folder of bots
///
/// A verdict counts all games of the suite; play stops early if the remaining games cannot change it.
/// The folder of the run gets grade.json, results.json (Gradescope), junit.xml, summary.md and all
/// tables. In a GitHub job, the summary is also added to the job (`$GITHUB_STEP_SUMMARY`).
///
/// Exit codes: 0 passed, 1 below the bar, 2 usage or input, 3 the bot could not be used, 4 the arena
/// or the machine failed: not graded (this does not mean zero). With --all the worst of all.
#[derive(Debug, Args)]
pub struct Grade {
    /// The bot: a folder, a file, or any bot of `arena match`
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    bot: Option<String>,
    /// othello-six, gomoku-six, othello-course, gomoku-course, or a tournament file with [grade]
    #[arg(long, value_name = "NAME|FILE")]
    suite: String,
    /// Grade every bot in this folder; unchanged bots are not played again
    #[arg(long, value_name = "FOLDER")]
    all: Option<PathBuf>,
    /// What the files are, if that is not recognised: ai-player, ai-go, lists, best-strategy, reversi-ai,
    /// function, pisqpipe, or a protocol such as botzone
    #[arg(long, value_name = "FORM")]
    frame: Option<String>,
    /// The folder of this run; with --all the folder of the class, by default results/SUITE
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// The number of illegal answers in one turn that loses; before, the bot is asked again
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    illegal_answers: Option<i64>,
    /// Play on until every verdict is certain at this level [default: 0.95]
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, default_missing_value = "0.95", value_parser = level)]
    confirm: Option<f64>,
    /// With --confirm: the most games against an opponent [default: 20 times the suite's]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    confirm_games: Option<i64>,
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

/// A lane of a class plays two bots, and its record has as much open as two more.
const BOTS_OF_A_LANE: usize = 4;

impl Grade {
    pub fn run(self) -> Result<(), CliError> {
        let mut suite = Suite::find(&self.suite)?;
        self.games.apply(&mut suite.file);
        self.options.apply(&mut suite.file);
        boxes::settle(&mut suite.file, Boxes::Auto).map_err(|refusal| match refusal {
            Refusal::Problem(problem) => suite.explain(problem),
            Refusal::Machine(problem) => problem,
        })?;
        self.play_on(&mut suite.file);
        if self.illegal_answers.is_some() {
            suite.file.illegal_answers = given(self.illegal_answers);
        }
        if let Some(frame) = &self.frame {
            Form::check(frame)?;
        }
        let catalogue = catalogue()?;
        // A problem with a built-in bot is a problem of the suite.
        let example = HandIn::find("random", &Stop::new())?;
        let example =
            Grading::new(&suite, &example, &catalogue).map_err(|problem| suite.explain(problem))?;
        self.marks.check()?;
        match (&self.all, &self.bot) {
            (Some(folder), _) => self.class(&suite, &catalogue, &example, folder),
            (None, Some(bot)) => self.single(&suite, &catalogue, bot),
            (None, None) => {
                Err(Problem::new("nothing to grade: name a bot, or a folder with --all").into())
            }
        }
    }

    /// The options of a certain verdict, as the suite's own.
    fn play_on(&self, file: &mut TournamentFile) {
        if self.confirm.is_none() && self.confirm_games.is_none() {
            return;
        }
        let own = file.grade.as_ref().map(|grade| grade.get_ref().clone());
        let mut grade = own.unwrap_or_default();
        if self.confirm.is_some() {
            grade.confirm = given(self.confirm);
        }
        if self.confirm_games.is_some() {
            grade.confirm_games = given(self.confirm_games);
        }
        file.grade = given(Some(grade));
    }

    fn single(&self, suite: &Suite, catalogue: &Catalogue, bot: &str) -> Result<(), CliError> {
        let stop = stop_on_ctrl_c()?;
        let stopped = |error: CliError| {
            if stop.is_requested() {
                interrupted("no game was begun; start it again")
            } else {
                error
            }
        };
        let mut hand_in = HandIn::find(bot, &stop).map_err(|problem| stopped(problem.into()))?;
        hand_in.put_into(self.frame.as_deref());
        let student = self.marks.student_or(&hand_in.name);
        self.marks.check_student(&student)?;
        let grading =
            Grading::new(suite, &hand_in, catalogue).map_err(|problem| suite.explain(problem))?;
        let opponents = probe_opponents(&grading.tournament)?;
        if let Some(path) = &hand_in.path {
            limits::check(path, &stop).map_err(|problem| stopped(problem.into()))?;
        }
        let prepared = grading
            .prepared(suite, &hand_in, &stop)
            .map_err(|error| stopped(error.into()))?;
        if let Some(taken_for) = &prepared.grading.tournament.contestants[0].taken_for {
            say!("{}: {taken_for}", hand_in.name);
        }
        let tournament = &prepared.grading.tournament;
        let run = create_folder(&tournament.name, self.out.as_deref())?;
        let games = prepared.grading.games();
        say!(
            "{}: at most {games} games of {}, kept in {}",
            tournament.name,
            tournament.game,
            run.display()
        );
        let progress = Progress::new(games, 0);
        let card = prepared.grade(suite, &opponents, &run, &stop, Some(&progress))?;
        progress.finish();
        if let Some(mark) = card.mark() {
            self.marks
                .fill(&run, &[(student, mark)], card.possible(), false)?;
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
        std::fs::create_dir_all(&out)?;
        let _lock = locked(&out)?;
        let stop = stop_on_ctrl_c()?;
        let wanted = example.tournament.concurrency;
        let lanes = Lanes::of(wanted, BOTS_OF_A_LANE, host::room_for_processes());
        if let Some(note) = lanes.note(wanted) {
            say!("note: hand-ins are graded {note}");
        }
        let class = Class {
            suite,
            catalogue,
            frame: self.frame.as_deref(),
            opponents: &opponents,
            out: &out,
            example,
            lanes: lanes.count,
            stop: &stop,
        };
        let entries = grade_class(&class, folder)?;
        let table = writers::csv(&entries)
            .map_err(|error| RunError::system("class.csv cannot be written")(error.into()))?;
        tables::replace(&out.join("class.csv"), &table)?;
        let html = page::class(&suite.name, &entries)?;
        tables::replace(&out.join("class.html"), html.as_bytes())?;
        let summary = writers::class_markdown(&suite.name, &entries);
        tables::replace(&out.join("summary.md"), summary.as_bytes())?;
        files::step_summary(&summary)?;
        let marks: Vec<(String, f64)> = entries
            .iter()
            .filter_map(|entry| Some((entry.student.clone()?, entry.card.mark()?)))
            .collect();
        for entry in entries.iter().filter(|entry| entry.student.is_none()) {
            say!(
                "warning: {} has the name of another hand-in, so no gradebook gets its mark: rename one \
                 of them",
                harmless(&entry.submission)
            );
        }
        self.marks
            .fill(&out, &marks, example.card.possible(), true)?;
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
        if stop.is_requested() {
            return Err(interrupted("run the same command again to continue"));
        }
        let worst = entries.iter().filter_map(|entry| ending(&entry.card)).max();
        worst.map_or(Ok(()), |how| Err(how.because(counts(&entries))))
    }
}

/// A level of certainty. What stands behind `--confirm` may also be the bot.
fn level(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| {
        "it is no level such as 0.95: write the bot before --confirm, or --confirm=0.95".to_owned()
    })
}

/// The lock of a class, which ends with the file: two graders would each write half of it.
fn locked(out: &Path) -> Result<std::fs::File, CliError> {
    let path = out.join("class.lock");
    let lock = std::fs::File::create(&path)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(std::fs::TryLockError::WouldBlock) => {
            Err(problem!("another arena is grading into {}", out.display())
                .help("wait until it has finished, or choose another folder with --out")
                .into())
        }
        Err(std::fs::TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Grades a class, with a progress bar.
fn grade_class(class: &Class<'_>, folder: &Path) -> Result<Vec<writers::Entry>, CliError> {
    // The bar is made when the number of hand-ins is known; workers never remove it.
    let bar = std::sync::OnceLock::new();
    let entries = class.grade(folder, |event| {
        let progress = || bar.get_or_init(|| ClassProgress::new(0));
        match event {
            ClassEvent::Found(count) => {
                say!(
                    "{}: {count} hand-ins, each against {} opponents, kept in {}",
                    class.suite.name,
                    class.opponents.len(),
                    class.out.display()
                );
                bar.get_or_init(|| ClassProgress::new(count));
            }
            ClassEvent::Builds(name) => progress().say(&format!("building {name}")),
            ClassEvent::Begins(name) => progress().begin(name),
            ClassEvent::Graded { entry, done } => {
                let name = &entry.submission;
                let headline = writers::headline(&entry.card);
                let unchanged = if entry.is_unchanged {
                    " (unchanged)"
                } else {
                    ""
                };
                let of = progress().hand_ins();
                let line = format!("[{done}/{of}] {name}: {}{unchanged}", harmless(&headline));
                progress().end(name, &line);
            }
        }
    });
    if let Some(progress) = bar.get() {
        progress.finish();
    }
    Ok(entries?)
}

/// Continues the earlier grading in the folder `run`.
pub fn resume(run: &Path, file: RunFile, json: bool) -> Result<(), CliError> {
    let grading = Grading::of_run(run, file, &catalogue()?)?;
    say!(
        "resumed: the grade in {} goes on; its games are not played again",
        run.display()
    );
    let progress = Progress::new(grading.games(), 0);
    let card = grading.resume(run, &stop_on_ctrl_c()?, Some(&progress))?;
    progress.finish();
    show(&card, run, json)
}

/// Prints a grade and returns the exit status.
fn show(card: &Card, run: &Path, json: bool) -> Result<(), CliError> {
    let shown = run.display().to_string();
    files::step_summary(&writers::markdown(card))?;
    print(&if json {
        format!("{}\n", serde_json::json!(card))
    } else {
        let text = writers::terminal(card, &shown, width());
        format!("{text}files: {shown}\n")
    })?;
    verdict(card, &shown)
}

/// The exit status of a grade; `None`: passed.
fn ending(card: &Card) -> Option<Ending> {
    match &card.state {
        State::Graded if card.passed() => None,
        State::Unusable { .. } | State::NotABot { .. } => Some(Ending::BotProblem),
        // One bot's doing, as far as can be seen, does not fail a class.
        State::Graded
        | State::NotGraded {
            only_its_turns: true,
            ..
        } => Some(Ending::NotPassed),
        State::NotGraded { .. } => Some(Ending::ArenaFailed),
        State::Unfinished => Some(Ending::Interrupted),
    }
}

/// The same, with its message.
fn verdict(card: &Card, run: &str) -> Result<(), CliError> {
    let Some(how) = ending(card) else {
        return Ok(());
    };
    Err(match &card.state {
        // The mark has been printed.
        State::Graded => how.printed(),
        State::Unfinished => interrupted(&format!("arena resume {run} continues")),
        State::Unusable { stderr, .. } if !stderr.is_empty() => {
            how.because(format!("{}: {}\n{stderr}", card.bot, card.headline()))
        }
        _ => how.because(format!("{}: {}", card.bot, card.headline())),
    })
}

fn interrupted(fix: &str) -> CliError {
    Ending::Interrupted.because(format!("interrupted: {fix}"))
}

/// The counts of a class in which not all passed.
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

/// Builds and starts every opponent once. If one does not start, it is not the student's fault.
fn probe_opponents(tournament: &Tournament) -> Result<Vec<Identity>, CliError> {
    let opponents = &tournament.contestants[1..];
    build_all(opponents, announce_build)
        .and_then(|()| probe_all(opponents, tournament.game))
        .map_err(|error| {
            let source = std::error::Error::source(&error);
            let source = source.map_or_else(String::new, |source| format!(": {source}"));
            Ending::ArenaFailed.because(format!(
                "not graded: an opponent could not be started: {error}{source}"
            ))
        })
}
