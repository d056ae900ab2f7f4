//! `arena grade`.

mod audit;
pub mod blocks;
mod class;
mod marks;
mod plan;

use std::path::{Path, PathBuf};

use clap::Args;

use self::marks::Marks;
pub use self::plan::ClassPlan;
use super::bots::catalogue;
use super::boxes::{self, Refusal};
use super::error::Ending;
use super::interrupt::stop_on_ctrl_c;
use super::language::Language;
use super::options::{GameCount, GameOptions};
use super::play::announce_build;
use super::{CliError, print, width};
use crate::grade::{Grading, HandIn, Suite, files};
use message::spoken;
use referee::bot::Identity;
use run::report::{Progress, grade as writers};
use run::{RunFile, Stop, build_all, create_folder, probe_all};
use tournament::form::Form;
use tournament::mark::{Card, State};
use tournament::{Boxes, Catalogue, Problem, Tournament, TournamentFile, given};

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
    #[arg(required_unless_present_any = ["all", "audit"], conflicts_with = "all")]
    bot: Option<String>,
    /// othello-six, gomoku-six, othello-course, gomoku-course, or a tournament file with [grade]
    #[arg(long, value_name = "NAME|FILE", required_unless_present = "audit")]
    suite: Option<String>,
    /// Grade every bot in this folder; unchanged bots are not played again
    #[arg(long, value_name = "FOLDER")]
    all: Option<PathBuf>,
    /// Play nothing, but name the marks in the folder of a graded class that do not rest on play alone: a test
    /// player did not start, the arena was interrupted, or games are void
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["bot", "all", "suite", "out"])]
    audit: Option<PathBuf>,
    /// What the files are, if that is not recognised: ai-player, ai-go, lists, best-strategy, reversi-ai,
    /// function, pisqpipe, or a protocol such as botzone
    #[arg(long, value_name = "FORM")]
    frame: Option<String>,
    /// The folder of this run; with --all the folder of the class, by default one in results that is
    /// named as the suite
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// With --all: play nothing, but write a plan into this folder, of which many machines grade a hand-in
    /// each; the hand-ins stay where they are
    #[arg(long, value_name = "FOLDER", requires = "all", conflicts_with = "out")]
    plan: Option<PathBuf>,
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
    #[command(flatten)]
    language: Language,
    /// Print the grade as JSON
    #[arg(long)]
    json: bool,
}

/// What a grading starts from.
struct Ready {
    suite: Suite,
    catalogue: Catalogue,
    /// The grading of a bot that is there, before its first game.
    example: Grading,
}

impl Grade {
    pub fn run(self) -> Result<(), CliError> {
        self.language.speak()?;
        if let Some(folder) = &self.audit {
            return audit::audit(folder);
        }
        let ready = self.ready()?;
        match (&self.all, &self.plan, &self.bot) {
            (Some(folder), Some(plan), _) => ClassPlan::write(plan, &ready.suite.name, folder),
            (Some(folder), None, _) => self.class(&ready, folder),
            (None, _, Some(bot)) => self.single(&ready.suite, &ready.catalogue, bot),
            (None, _, None) => {
                Err(Problem::new("nothing to grade: name a bot, or a folder with --all").into())
            }
        }
    }

    /// The suite as it is meant, checked.
    fn ready(&self) -> Result<Ready, CliError> {
        let mut suite = Suite::find(self.suite.as_deref().unwrap_or_default())?;
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
        Ok(Ready {
            suite,
            catalogue,
            example,
        })
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
        boxes::say_shared_users(grading.tournament.contestants.iter());
        let prepared = grading
            .prepared(suite, &hand_in, &stop)
            .map_err(|error| stopped(error.into()))?;
        if let Some(taken_for) = &prepared.grading.tournament.contestants[0].taken_for {
            say!("{}: {taken_for}", hand_in.name);
        }
        let tournament = &prepared.grading.tournament;
        let run = create_folder(&tournament.name, self.out.as_deref())?.keep();
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
}

/// A level of certainty. What stands behind `--confirm` may also be the bot.
fn level(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| {
        "it is no level such as 0.95: write the bot before --confirm, or --confirm=0.95".to_owned()
    })
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
        let text = writers::terminal(card, &shown, width(), spoken());
        format!("{text}{}\n", spoken().say(&format!("files: {shown}")))
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
