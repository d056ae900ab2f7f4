//! `arena grade`: the mark of one bot, its entry in a gradebook, and an audit of marks. [`class`] grades a class.

mod class;
mod plan;

use std::path::{Component, Path, PathBuf};

use clap::Args;
use referee::problem;

use super::bots::catalogue;
use super::error::Ending;
use super::new_run::announce_build;
use super::options::{GameCount, GameOptions, LanguageOption};
use super::output::{json_text, write_file};
use super::sandbox::{self, Refusal};
use super::{CliError, print, print_said, stop_on_ctrl_c, width};
use crate::grade::layout::{Naming, Scheme};
use crate::grade::{Audit, Grading, HandIn, Rehearsal, Snapshot, Suite, error_chain, files};
use host::{LinkRule, join_words};
use message::{Message, message, spoken};
use referee::bot::{DiskShare, Identity, read_named};
use referee::record::harmless;
use run::report::grade::gradebook::{Gradebook, Headings};
use run::report::grade::roster::Roster;
use run::report::grade::student::Student;
use run::report::{Progress, grade as writers};
use run::{RunFile, Stop, build_all, create_folder, probe_all};
use tournament::form::Form;
use tournament::mark::{Card, GradeState, points};
use tournament::{Catalogue, Problem, SandboxChoice, Tournament, TournamentFile, given};

pub use class::{grade_block, merge_blocks};
pub use plan::ClassPlan;

/// Grade a bot against test players, or a whole folder of bots
///
/// A verdict counts all games of the suite; play stops early if the remaining games cannot change it.
/// The folder of the run gets grade.json, results.json (Gradescope), junit.xml, summary.md and all
/// tables. In a GitHub job, the summary is also added to the job (`$GITHUB_STEP_SUMMARY`).
///
/// Exit codes: 0 passed, 1 not passed, 2 usage or input, 3 the bot could not be used, 4 the arena or the machine
/// failed: not graded (this does not mean zero). With --all, the exit code of the worst hand-in.
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
    /// Play nothing, but list the doubtful marks of the graded class in this folder: a test player did not start, the
    /// arena was interrupted, games are void, or the games do not give the mark when they are counted again
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["bot", "all", "suite", "out"])]
    audit: Option<PathBuf>,
    /// The form of the files, if the arena does not recognise it: ai-player, ai-go, lists, best-strategy,
    /// reversi-ai, reversi-bot, function, kaggle, pisqpipe, caltech, nthu, java-class, or a protocol such as botzone
    #[arg(long, value_name = "FORM")]
    frame: Option<String>,
    /// The folder of this run; with --all the folder of the class, by default results/grade-SUITE
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// With --all: play nothing, but write a plan into this folder, so that many machines can grade one
    /// hand-in each; the hand-ins stay where they are
    #[arg(long, value_name = "FOLDER", requires = "all", conflicts_with = "out")]
    plan: Option<PathBuf>,
    /// The number of illegal answers in one turn that loses; before that, the bot is asked again
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    illegal_answers: Option<i64>,
    /// Play until every verdict is certain at this level [default: 0.95]
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
    names: Names,
    /// With --all: copy the sources of all hand-ins into a folder, as JPlag and Dolos read them
    #[arg(long, value_name = "FOLDER", requires = "all")]
    sources: Option<PathBuf>,
    #[command(flatten)]
    marks: Marks,
    #[command(flatten)]
    language: LanguageOption,
    /// Print the grade as JSON; arena schema grade (or class) describes it
    #[arg(long)]
    json: bool,
}

/// The checked suite with the changes from the command line.
struct ReadySuite {
    suite: Suite,
    catalogue: Catalogue,
    example: Grading,
    naming: Naming,
}

impl Grade {
    pub fn run(self) -> Result<(), CliError> {
        self.language.speak()?;
        if let Some(folder) = &self.audit {
            return audit(folder);
        }
        let ready = self.ready()?;
        let default = || Path::new("results").join(&ready.suite.name);
        let out = self.out.clone().unwrap_or_else(default);
        if let Some(class) = &self.all {
            let marks = self.marks.gradebook_out.as_ref();
            let written = [Some(&out), self.plan.as_ref(), self.sources.as_ref(), marks];
            for path in written.into_iter().flatten() {
                refuse_among_hand_ins(path, class)?;
            }
        }
        match (&self.all, &self.plan, &self.bot) {
            (Some(folder), Some(plan), _) => {
                ClassPlan::write(plan, &ready.suite.name, folder, &ready.naming)
            }
            (Some(folder), None, _) => self.class(&ready, folder, &out),
            (None, _, Some(bot)) => self.single(&ready, bot),
            (None, _, None) => {
                Err(Problem::new("nothing to grade: name a bot, or a folder with --all").into())
            }
        }
    }

    fn ready(&self) -> Result<ReadySuite, CliError> {
        let mut suite = Suite::find(self.suite.as_deref().unwrap_or_default())?;
        self.games.apply(&mut suite.file);
        self.options.apply(&mut suite.file);
        sandbox::settle(&mut suite.file, SandboxChoice::Auto).map_err(|refusal| match refusal {
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
        // A built-in bot stands for the hand-in, so any problem belongs to the suite.
        let example = HandIn::find("random", &DiskShare::in_cache(1), &Stop::new())?;
        let example =
            Grading::new(&suite, &example, &catalogue).map_err(|problem| suite.explain(problem))?;
        let naming = self.naming()?;
        Ok(ReadySuite {
            suite,
            catalogue,
            example,
            naming,
        })
    }

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

    /// Reads the lists of students. Each is read only here, so that it does not change during a run.
    fn naming(&self) -> Result<Naming, CliError> {
        let roster = self.names.roster.as_ref().map(|path| {
            let shown = path.display();
            let bytes = read_named(path)
                .map_err(|error| problem!("cannot read the roster {shown}: {error}"))?;
            Roster::read(&bytes).map_err(|error| problem!("{shown}: {error}"))
        });
        Ok(Naming {
            scheme: self.names.names.clone(),
            roster: roster.transpose()?,
            gradebook: self.marks.open()?,
        })
    }

    fn single(&self, ready: &ReadySuite, bot: &str) -> Result<(), CliError> {
        let (suite, catalogue) = (&ready.suite, &ready.catalogue);
        let stop = stop_on_ctrl_c()?;
        let stopped = |error: CliError| {
            if stop.is_requested() {
                interrupted("no game was begun; start it again")
            } else {
                error
            }
        };
        let share = DiskShare::in_cache(1);
        let read = |path: &Path| {
            let snapshot = Snapshot::of(path, LinkRule::Follow, &share, &stop)?;
            let (file, folder) = (&suite.file, &suite.folder);
            Rehearsal::of_hand_in(&snapshot, self.frame.as_deref(), file, folder, &share)
                .run(&stop)?;
            HandIn::at(&snapshot, &share, &stop)
        };
        let found = match Path::new(bot) {
            path if path.exists() => read(path),
            _ => HandIn::find(bot, &share, &stop),
        };
        let mut hand_in = found.map_err(|problem| stopped(problem.into()))?;
        hand_in.put_into(self.frame.as_deref());
        let student = Student::called(&self.marks.student_or(&hand_in.name));
        if let Some(Err(error)) = ready
            .naming
            .gradebook
            .as_ref()
            .map(|book| book.row_of(&student))
        {
            let shown = self.marks.path().display();
            return Err(problem!("{shown}: {error}")
                .help("name the student as in the gradebook: --student ID")
                .into());
        }
        let grading =
            Grading::new(suite, &hand_in, catalogue).map_err(|problem| suite.explain(problem))?;
        let opponents = probe_opponents(&grading.tournament)?;
        sandbox::say_shared_users(grading.tournament.contestants.iter());
        let prepared = grading
            .prepared(suite, &hand_in, &share, &stop)
            .map_err(|error| stopped(error.into()))?;
        if let Some(taken_for) = &prepared.grading.tournament.contestants[0].taken_for {
            say!("{}: {taken_for}", hand_in.name);
        }
        let tournament = &prepared.grading.tournament;
        let run = create_folder(&tournament.name, self.out.as_deref())?.keep();
        let games = prepared.grading.games();
        say!(
            "{name}: at most {games} {games|game|games} of {game}, kept in {folder}",
            name = tournament.name,
            game = tournament.game,
            folder = run.display()
        );
        let progress = Progress::new(games, 0, false);
        let card = prepared.grade(suite, &opponents, &run, &stop, Some(&progress))?;
        progress.finish();
        let comment = spoken().render(&writers::headline(&card));
        let mark = (student, card.mark(), comment);
        self.marks
            .fill(&ready.naming, &run, &[mark], card.possible(), false)?;
        show(&card, &run, self.json)
    }
}

/// Refuses to write into the folder of a class: what a student put there could be taken for earlier results. A class
/// within the results could be taken for them, too.
fn refuse_among_hand_ins(path: &Path, class: &Path) -> Result<(), CliError> {
    // Without `..`, whose folder may not be there yet.
    let plain = |path: &Path| {
        let absolute = std::path::absolute(path)?;
        let mut plain = PathBuf::new();
        for part in absolute.components() {
            match part {
                Component::ParentDir => drop(plain.pop()),
                part => plain.push(part),
            }
        }
        Ok::<PathBuf, std::io::Error>(plain)
    };
    // Links are followed, too, because students may have made some; the last parts of the path may not be there yet.
    let real = |path: &Path| path.ancestors().find_map(|part| part.canonicalize().ok());
    let within = |path: &Path, folder: &Path| {
        let (path, folder) = (plain(path)?, plain(folder)?);
        let is_linked = real(&path)
            .zip(folder.canonicalize().ok())
            .is_some_and(|(path, folder)| path.starts_with(folder));
        Ok::<bool, std::io::Error>(is_linked || path.starts_with(folder))
    };
    if path.as_os_str() != "-" && (within(path, class)? || within(class, &path.join("hand-ins"))?) {
        let (path, class) = (path.display(), class.display());
        return Err(problem!("{path} would lie among the hand-ins of {class}")
            .help("name another place with --out, or type the command in another folder")
            .into());
    }
    Ok(())
}

/// Parses a level of certainty. The word after `--confirm` may be the bot instead, so the error explains this.
fn level(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| {
        "not a number such as 0.95: write the bot before --confirm, or --confirm=0.95".to_owned()
    })
}

pub fn resume(run: &Path, file: RunFile, json: bool) -> Result<(), CliError> {
    let grading = Grading::of_run(run, file, &catalogue()?)?;
    say!(
        "resumed: the grade in {} continues; its games are not played again",
        run.display()
    );
    let progress = Progress::new(grading.games(), 0, false);
    let card = grading.resume(run, &stop_on_ctrl_c()?, Some(&progress))?;
    progress.finish();
    show(&card, run, json)
}

fn show(card: &Card, run: &Path, json: bool) -> Result<(), CliError> {
    let shown = run.display().to_string();
    files::step_summary(&writers::markdown(card, spoken()))?;
    print(&if json {
        json_text(&card.in_parts())
    } else {
        let text = writers::terminal(card, &shown, width(), spoken());
        format!("{text}{}\n", spoken().render(&message!("files: {shown}")))
    })?;
    verdict(card, &shown)
}

fn ending(card: &Card) -> Option<Ending> {
    match &card.state {
        GradeState::Graded if card.passed() => None,
        GradeState::Unusable { .. } | GradeState::NotABot { .. } => Some(Ending::BotProblem),
        // A failure that one bot seems to have caused is not a failure of the class.
        GradeState::Graded
        | GradeState::NotGraded {
            only_its_turns: true,
            ..
        } => Some(Ending::NotPassed),
        GradeState::NotGraded { .. } => Some(Ending::ArenaFailed),
        GradeState::Unfinished => Some(Ending::Interrupted),
    }
}

fn verdict(card: &Card, run: &str) -> Result<(), CliError> {
    let Some(how) = ending(card) else {
        return Ok(());
    };
    Err(match &card.state {
        GradeState::Graded => how.printed(),
        GradeState::Unfinished => interrupted(message!("arena resume {run} continues")),
        GradeState::Unusable { stderr, .. } if !stderr.is_empty() => {
            how.because(message!("{}: {}\n{stderr}", card.bot, card.headline()))
        }
        _ => how.because(message!("{}: {}", card.bot, card.headline())),
    })
}

fn interrupted(fix: impl Into<Message>) -> CliError {
    Ending::Interrupted.because(message!("interrupted: {what}", what = fix.into()))
}

/// Builds and starts every opponent once before grading: if an opponent fails to start, the student is not at fault.
fn probe_opponents(tournament: &Tournament) -> Result<Vec<Identity>, CliError> {
    let opponents = &tournament.contestants[1..];
    build_all(opponents, announce_build)
        .and_then(|()| probe_all(opponents, tournament))
        .map_err(|error| {
            let error = error_chain(&error);
            Ending::ArenaFailed.because(message!(
                "not graded: an opponent could not be started: {error}"
            ))
        })
}

/// How the hand-ins of a class name their students. The names of Moodle, Canvas, Blackboard and Gradescope need no
/// option.
#[derive(Clone, Debug, Args)]
struct Names {
    /// With --all: how the hand-ins are named, such as "{id}_{name}"; other fields are {login}, {email}, {date} (the
    /// last counts), {file} (all files of a student are one hand-in) and {any}; or a platform, such as canvas
    #[arg(long, value_name = "PATTERN", requires = "all", value_parser = Scheme::parse)]
    names: Option<Scheme>,
    /// With --all: a CSV file with a row per student, which links the hand-ins' names to those in the gradebook
    #[arg(long, value_name = "CSV", requires = "all")]
    roster: Option<PathBuf>,
}

/// The gradebook that marks are written into.
#[derive(Clone, Debug, Args)]
struct Marks {
    /// A gradebook exported from Canvas or Moodle; a copy with the marks is written to the run's folder
    #[arg(long, value_name = "CSV", requires = "column")]
    gradebook: Option<PathBuf>,
    /// The heading of its column for the marks, such as "Assignment 3 (123)"
    #[arg(long, value_name = "HEADING", requires = "gradebook")]
    column: Option<String>,
    /// The heading of a column for a comment on each mark, such as "Feedback comments"
    #[arg(long, value_name = "HEADING", requires = "gradebook")]
    comments: Option<String>,
    /// The heading of the column that identifies the students, if the arena does not recognise it
    #[arg(long, value_name = "HEADING", requires = "gradebook")]
    students: Option<String>,
    /// The student: ID, login or e-mail address as in the gradebook [default: the bot's name]
    #[arg(
        long,
        value_name = "ID",
        requires = "gradebook",
        conflicts_with = "all"
    )]
    student: Option<String>,
    /// Write the filled gradebook to this file, or to standard output (-); it may be the gradebook itself
    #[arg(long, value_name = "CSV", requires = "gradebook")]
    gradebook_out: Option<PathBuf>,
}

impl Marks {
    fn student_or(&self, name: &str) -> String {
        self.student.clone().unwrap_or_else(|| name.to_owned())
    }

    fn path(&self) -> &Path {
        self.gradebook.as_deref().unwrap_or(Path::new(""))
    }

    /// Writes a copy of the gradebook with these marks, into `folder` unless the command line names a file. `is_class`:
    /// whether these are the marks of a whole class, not of one student.
    fn fill(
        &self,
        naming: &Naming,
        folder: &Path,
        marks: &[(Student, Option<f64>, String)],
        possible: f64,
        is_class: bool,
    ) -> Result<(), CliError> {
        let Some(mut book) = naming.gradebook.clone() else {
            return Ok(());
        };
        let path = self.path();
        if let Some(roster) = &naming.roster {
            book.link(roster);
        }
        if let Some(theirs) = book
            .points_possible()
            .filter(|theirs| (theirs - possible).abs() > 1e-9)
        {
            say!(
                "warning: {} has {} possible points, the suite has {}: the marks are those of the suite; \
                 change the gradebook or the suite",
                path.display(),
                points(theirs),
                points(possible)
            );
        }
        for (student, mark, comment) in marks {
            let mark = mark.map(points);
            if let Err(error) = book.set(student, mark.as_deref(), comment) {
                let title = student.title();
                let student = harmless(&title);
                say!("warning: the mark of {student} is not in the gradebook: {error}");
            }
        }
        let above = book
            .points_possible()
            .map(|theirs| (points(theirs), book.above(theirs)));
        if let Some((most, above)) = above.filter(|(_, above)| !above.is_empty()) {
            say!("warning: marks above the gradebook's maximum of {most}: {above}");
        }
        let replaced = book.replaced_comments();
        if !replaced.is_empty() {
            say!("warning: earlier comments of the gradebook that are replaced: {replaced}");
        }
        for student in book.unmarked().iter().filter(|_| is_class) {
            let student = harmless(student);
            say!("warning: {student} has no mark: no hand-in with a mark is this student's alone");
        }
        let default = || folder.join(path.file_name().unwrap_or_default());
        let out = self.gradebook_out.clone().unwrap_or_else(default);
        if write_file(&out, &book.filled())? {
            say!("gradebook with marks: {}", out.display());
        }
        Ok(())
    }

    fn open(&self) -> Result<Option<Gradebook>, CliError> {
        let (Some(path), Some(column)) = (&self.gradebook, &self.column) else {
            return Ok(None);
        };
        let shown = path.display();
        let bytes = read_named(path)
            .map_err(|error| problem!("cannot read the gradebook {shown}: {error}"))?;
        let headings = Headings {
            marks: column,
            comments: self.comments.as_deref(),
            students: self.students.as_deref(),
        };
        let book = Gradebook::new(bytes, headings).map_err(|error| problem!("{shown}: {error}"))?;
        Ok(Some(book))
    }
}

/// Prints a line for each doubtful mark, with the command that removes its grade.
fn audit(folder: &Path) -> Result<(), CliError> {
    let Audit { marks, doubts } = Audit::of(folder, &catalogue()?)?;
    for doubt in &doubts {
        let (name, reasons) = (&doubt.name, &doubt.reasons);
        // The next grading of the class plays only hand-ins without a grade.
        let grade = doubt.run.join("grade.json").display().to_string();
        let command = join_words(["rm", "--", &grade]);
        print_said(&message!("{name}: {reasons}; to play it again: {command}"))?;
    }
    match doubts.len() {
        0 => {
            let shown = folder.display();
            print_said(&message!("no mark in {shown} is doubtful"))
        }
        doubts => Err(Ending::NotPassed.because(message!(
            "{doubts} of {marks} marks are doubtful. Type the commands above, then \
             grade the class again: this plays these hand-ins again, and keeps their old games"
        ))),
    }
}
