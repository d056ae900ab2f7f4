//! `arena grade --all`: grades the hand-ins of a class on this machine, or each hand-in as a block of a plan.

use std::fs;
use std::path::Path;

use clap::{Args as _, FromArgMatches as _};
use referee::problem;

use super::super::output::json_text;
use super::plan::{ClassPlan, GRADED, NAME};
use super::{Grade, ReadySuite, interrupted, probe_opponents};
use crate::cli::error::Ending;
use crate::cli::{CliError, print, stop_on_ctrl_c, width};
use crate::grade::{Class, ClassEvent, ClassList, files};
use host::{Lock, TemporaryFolder, join_words};
use message::{Message, message, spoken};
use referee::record::harmless;
use run::report::{ClassProgress, ClassResults, grade as writers, page, tables};
use run::{Concurrency, RunError};
use tournament::mark::{Card, GradeState};

/// The number of processes per worker that must fit within the limit of open files: two bots, and two more to allow for
/// the worker's own open files.
const PROCESSES_PER_WORKER: usize = 4;

struct ClassScope<'a> {
    out: &'a Path,
    only: Option<&'a str>,
    /// If false, collects the grades without playing.
    plays: bool,
}

impl Grade {
    pub(super) fn class(
        &self,
        ready: &ReadySuite,
        folder: &Path,
        out: &Path,
    ) -> Result<(), CliError> {
        let part = ClassScope {
            out,
            only: None,
            plays: true,
        };
        let (entries, similar, is_stopped) = self.entries(ready, folder, &part)?;
        self.tables(ready, out, &entries, similar.as_ref())?;
        let stays =
            |entry: &&writers::ClassEntry| !entry.card.can_play() && entry.card.mark().is_some();
        let runs = entries.iter().filter(stays).map(|entry| &entry.run);
        let grades: Vec<String> = runs.map(|run| format!("{run}/grade.json")).collect();
        if !grades.is_empty() {
            let words = ["rm", "--"]
                .into_iter()
                .chain(grades.iter().map(String::as_str));
            let (count, command) = (grades.len(), harmless(&join_words(words)));
            let all = entries.len();
            let note = message!(
                "note: {count} of {all} hand-ins are unusable; if this machine lacks something that they need, \
                 install it, then try them again with: "
            );
            // Prints the command apart from the message, because a message would shorten it.
            echo!("{}{command}", spoken().render(&note));
        }
        if is_stopped {
            return Err(interrupted("run the same command again to continue"));
        }
        let worst = entries
            .iter()
            .filter_map(|entry| super::ending(&entry.card))
            .max();
        worst.map_or(Ok(()), |how| Err(how.because(counts(&entries))))
    }

    fn block(&self, out: &Path, key: &str) -> Result<Vec<writers::ClassEntry>, CliError> {
        let part = ClassScope {
            out,
            only: Some(key),
            plays: true,
        };
        let folder = self.all.as_deref().unwrap_or(Path::new("."));
        Ok(self.entries(&self.ready()?, folder, &part)?.0)
    }

    fn collect(&self, out: &Path) -> Result<(), CliError> {
        let part = ClassScope {
            out,
            only: None,
            plays: false,
        };
        let folder = self.all.as_deref().unwrap_or(Path::new("."));
        let ready = self.ready()?;
        let (entries, similar, _) = self.entries(&ready, folder, &part)?;
        self.tables(&ready, out, &entries, similar.as_ref())?;
        let is_missing = |entry: &&writers::ClassEntry| entry.card.state == GradeState::Unfinished;
        match entries.iter().filter(is_missing).count() {
            0 => {}
            missing => {
                let all = entries.len();
                say!("note: {missing} of {all} are not graded yet");
            }
        }
        Ok(())
    }

    fn entries(
        &self,
        ready: &ReadySuite,
        folder: &Path,
        part: &ClassScope<'_>,
    ) -> Result<(Vec<writers::ClassEntry>, Option<writers::Similarity>, bool), CliError> {
        let ReadySuite {
            suite,
            catalogue,
            example,
            naming,
        } = ready;
        let opponents = if part.plays {
            probe_opponents(&example.tournament)?
        } else {
            Vec::new()
        };
        std::fs::create_dir_all(part.out)?;
        let _lock = locked(part.out)?;
        let stop = stop_on_ctrl_c()?;
        let wanted = example.tournament.concurrency;
        let concurrency = Concurrency::of(wanted, PROCESSES_PER_WORKER, host::room_for_processes());
        // The first bot stands for the hand-in.
        let hand_in = example.tournament.contestants.iter().take(1);
        let concurrency = concurrency.within(hand_in, host::free_memory_mib());
        if let Some(note) = concurrency.note(wanted) {
            say!("note: hand-ins are graded {note}");
        }
        let class = Class {
            suite,
            catalogue,
            frame: self.frame.as_deref(),
            naming,
            opponents: &opponents,
            out: part.out,
            example,
            workers: concurrency.workers,
            stop: &stop,
            only: part.only,
            plays: part.plays,
            sources: self.sources.as_deref(),
        };
        let (entries, similar) = grade_class(&class, folder)?;
        Ok((entries, similar, stop.is_requested()))
    }

    fn tables(
        &self,
        ready: &ReadySuite,
        out: &Path,
        entries: &[writers::ClassEntry],
        similarity: Option<&writers::Similarity>,
    ) -> Result<(), CliError> {
        let (suite, example) = (&ready.suite, &ready.example);
        let table = writers::csv(entries)
            .map_err(|error| RunError::system("class.csv cannot be written")(error.into()))?;
        tables::replace(&out.join("class.csv"), &table)?;
        if let Some(similarity) = similarity {
            let table = writers::similar_csv(&similarity.pairs)
                .map_err(|error| RunError::system("similar.csv cannot be written")(error.into()))?;
            tables::replace(&out.join("similar.csv"), &table)?;
        }
        let html = page::class(
            &suite.name,
            entries,
            similarity.map_or(&[], |found| &found.pairs),
        )?;
        tables::replace(&out.join("class.html"), html.as_bytes())?;
        let mut summary = writers::class_markdown(&suite.name, entries, spoken());
        if let Some(note) = similarity.and_then(|found| found.left_out.as_ref()) {
            summary += &format!("\n{}\n", spoken().render(note));
        }
        tables::replace(&out.join("summary.md"), summary.as_bytes())?;
        files::step_summary(&summary)?;
        let is_ambiguous = |entry: &&writers::ClassEntry| {
            entry.students.iter().all(|student| student.is_uncertain)
        };
        for entry in entries.iter().filter(is_ambiguous) {
            say!(
                "warning: {} has the name of another hand-in, or may be another student's, so no gradebook gets \
                 its mark",
                entry.submission
            );
        }
        let marks = entries.iter().flat_map(|entry| {
            let mark = entry.card.mark();
            let comment = spoken().render(&writers::headline(&entry.card));
            let students = entry.students.iter();
            students.map(move |student| (student.clone(), mark, comment.clone()))
        });
        let mut marks: Vec<_> = marks.collect();
        marks.sort_by_key(|(student, ..)| !student.is_uncertain);
        self.marks
            .fill(&ready.naming, out, &marks, example.card.possible(), true)?;
        print(&if self.json {
            json_text(&ClassResults {
                suite: &suite.name,
                grades: entries.iter().map(|entry| &entry.card).collect(),
            })
        } else {
            format!(
                "{}\n{}\n",
                writers::table(entries, width(), spoken()),
                out.join("class.csv").display()
            )
        })
    }
}

/// Locks the folder of a class, so that two graders cannot mix their tables.
fn locked(out: &Path) -> Result<Lock, CliError> {
    host::check_own(out)?;
    let path = ClassList::lock(out);
    match Lock::take(host::own_file(&path)?) {
        Ok(lock) => Ok(lock),
        Err(std::fs::TryLockError::WouldBlock) => Err(problem!(
            "another arena writes grades into {}",
            out.display()
        )
        .help("wait until it has finished, or choose another folder with --out")
        .into()),
        Err(std::fs::TryLockError::Error(error)) => Err(error.into()),
    }
}

type Graded = (Vec<writers::ClassEntry>, Option<writers::Similarity>);

fn grade_class(class: &Class<'_>, folder: &Path) -> Result<Graded, CliError> {
    // The bar is created when the number of hand-ins is known.
    let bar = std::sync::OnceLock::new();
    let entries = class.grade(folder, |event| {
        let progress = || bar.get_or_init(|| ClassProgress::new(0));
        match event {
            ClassEvent::Found(count) => {
                say!(
                    "{}: {count} {count|hand-in|hand-ins}, each against {} {1|opponent|opponents}, kept in {}",
                    class.suite.name,
                    class.opponents.len(),
                    class.out.display()
                );
                bar.get_or_init(|| ClassProgress::new(count));
            }
            ClassEvent::Builds(name) => {
                progress().say(&spoken().render(&message!("building {name}")));
            }
            ClassEvent::Notes(note) if bar.get().is_none() => say!("{note}"),
            ClassEvent::Notes(note) => progress().say(&spoken().render(&note)),
            ClassEvent::Warns(warning) if bar.get().is_none() => say!("warning: {warning}"),
            ClassEvent::Warns(warning) => {
                progress().say(&spoken().render(&message!("warning: {warning}")));
            }
            ClassEvent::Begins(name) => progress().begin(name),
            ClassEvent::Graded { entry, done } => {
                let name = &entry.submission;
                let mut headline = writers::headline(&entry.card);
                if entry.is_unchanged {
                    headline = message!("{headline} (unchanged)");
                }
                let of = progress().hand_ins();
                let line = spoken().render(&message!("[{done}/{of}] {name}: {headline}"));
                // Escapes the text of the hand-in in the headline: it must not look like another hand-in's line.
                progress().end(name, &harmless(&line));
            }
            ClassEvent::Marked(entries) => {
                // Ignores a failure: the table is written again at the end, and a failure is reported then.
                if let Ok(table) = writers::csv(entries) {
                    let _ = tables::replace(&class.out.join("class.csv"), &table);
                }
            }
        }
    });
    if let Some(progress) = bar.get() {
        progress.finish();
    }
    Ok(entries?)
}

fn counts(entries: &[writers::ClassEntry]) -> Message {
    let count = |is: fn(&Card) -> bool| entries.iter().filter(|entry| is(&entry.card)).count();
    let passed = count(Card::passed);
    let unusable = count(|card| matches!(card.state, GradeState::Unusable { .. }));
    let not_graded = count(|card| card.mark().is_none());
    message!(
        "{passed} of {} passed, {unusable} could not be used, {not_graded} not graded",
        entries.len()
    )
}

fn command(plan: &ClassPlan, folder: &Path) -> Result<Grade, CliError> {
    let words = plan.enter(folder)?;
    let arguments = Grade::augment_args(clap::Command::new("arena grade").no_binary_name(true));
    let matches = arguments.try_get_matches_from(words);
    let command = matches.and_then(|matches| Grade::from_arg_matches(&matches));
    let command = command.map_err(|error| problem!("{shown} is damaged: {error}", shown = NAME))?;
    Ok(Grade {
        plan: None,
        ..command
    })
}

pub fn grade_block(plan: &ClassPlan, folder: &Path, block: u64) -> Result<(), CliError> {
    let folder = &std::path::absolute(folder)?;
    let Some(key) = plan.hand_ins.get(block as usize) else {
        let last = plan.hand_ins.len() - 1;
        return Err(problem!("there is no block {block}: the plan has blocks 0 to {last}").into());
    };
    let command = command(plan, folder)?;
    let own = tempfile::tempdir().map_err(RunError::system("no folder for a run"))?;
    let [entry] = &command.block(own.path(), key)?[..] else {
        return Err(problem!("the hand-in {key} is not in the class any more").into());
    };
    if entry.card.state == GradeState::Unfinished {
        let what = message!("block {block} ({key}) is not complete; run it again");
        return Err(Ending::TryAgain.because(what));
    }
    let put = put(&Class::run(own.path(), key), &folder.join(GRADED), key);
    put.map_err(RunError::system("the grade cannot be put into the plan"))?;
    let headline = run::report::grade::headline(&entry.card);
    let what = message!("block {block} ({key}): {headline}");
    if let GradeState::NotGraded { .. } = entry.card.state {
        return Err(Ending::ArenaFailed.because(what));
    }
    say!("{what}");
    Ok(())
}

pub fn merge_blocks(plan: &ClassPlan, folder: &Path) -> Result<(), CliError> {
    let graded = std::path::absolute(folder)?.join(GRADED);
    command(plan, folder)?.collect(&graded)
}

/// Copies a finished run into the plan, in place of an earlier run. Readers never see an incomplete copy.
fn put(run: &Path, graded: &Path, key: &str) -> std::io::Result<()> {
    fs::create_dir_all(graded)?;
    // The names are random, because another user of the plan could create a folder with a known name first.
    let [new, old] = [(); 2].map(|()| TemporaryFolder::new(".", Some(graded)));
    let (new, old, place) = (new?, old?, Class::run(graded, key));
    let whole = new.path().join(key);
    copy(run, &whole)?;
    fs::create_dir_all(place.parent().unwrap_or(graded))?;
    if place.exists() {
        fs::rename(&place, old.path().join(key))?;
    }
    fs::rename(whole, &place)
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, inner) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy(&path, &inner)?;
        } else {
            fs::copy(&path, &inner)?;
        }
    }
    Ok(())
}
