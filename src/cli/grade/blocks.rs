//! The hand-ins of a planned class, graded one by one, and brought together.

use referee::problem;
use std::fs;
use std::path::Path;

use clap::{Args as _, FromArgMatches as _};

use super::Grade;
use super::plan::{ClassPlan, GRADED, NAME};
use crate::cli::CliError;
use crate::cli::error::Ending;
use crate::grade::Class;
use host::TemporaryFolder;
use run::RunError;
use tournament::mark::State;

/// The command of a plan.
fn command(plan: &ClassPlan, folder: &Path) -> Result<Grade, CliError> {
    let words = plan.enter(folder)?;
    let arguments = Grade::augment_args(clap::Command::new("arena grade").no_binary_name(true));
    let matches = arguments.try_get_matches_from(words);
    let command = matches.and_then(|matches| Grade::from_arg_matches(&matches));
    let command = command.map_err(|error| problem!("{NAME} is damaged: {error}"))?;
    Ok(Grade {
        plan: None,
        ..command
    })
}

/// Grades the hand-in of a block.
pub fn grade(plan: &ClassPlan, folder: &Path, block: u64) -> Result<(), CliError> {
    let folder = &std::path::absolute(folder)?;
    let Some(key) = plan.hand_ins.get(block as usize) else {
        let last = plan.hand_ins.len() - 1;
        return Err(problem!("there is no block {block}: the plan has blocks 0 to {last}").into());
    };
    let command = command(plan, folder)?;
    let own = tempfile::tempdir().map_err(RunError::system("no folder for a run"))?;
    let [entry] = &command.block(own.path(), key)?[..] else {
        let what = format!("the hand-in {key} is not in the class any more");
        return Err(problem!("{what}").into());
    };
    if entry.card.state == State::Unfinished {
        let what = format!("block {block} ({key}) is not whole; run it again");
        return Err(Ending::TryAgain.because(what));
    }
    let put = put(&Class::run(own.path(), key), &folder.join(GRADED), key);
    put.map_err(RunError::system("the grade cannot be put into the plan"))?;
    let headline = run::report::grade::headline(&entry.card);
    let what = format!("block {block} ({key}): {headline}");
    if let State::NotGraded { .. } = entry.card.state {
        return Err(Ending::ArenaFailed.because(what));
    }
    say!("{what}");
    Ok(())
}

/// Makes the tables of all hand-ins that are graded.
pub fn merge(plan: &ClassPlan, folder: &Path) -> Result<(), CliError> {
    let graded = std::path::absolute(folder)?.join(GRADED);
    command(plan, folder)?.collect(&graded)
}

/// Puts a finished run into the plan, whole or not at all.
fn put(run: &Path, graded: &Path, key: &str) -> std::io::Result<()> {
    fs::create_dir_all(graded)?;
    // Random names: another user of the plan could make a folder of a known name first.
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
