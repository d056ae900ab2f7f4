//! A class that many machines grade: a hand-in is a block.
//!
//! The plan is the command that was typed, with the folder it was typed in, so that every machine does
//! exactly what one machine would have done. A shard grades its hand-in in a folder of its own, on its own
//! disk, and puts the finished run into the plan; a merge is the same command once more, which finds
//! all grades there and plays nothing.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args as _, FromArgMatches as _};
use serde::{Deserialize, Serialize};

use super::Grade;
use crate::cli::bots::catalogue;
use crate::cli::error::Ending;
use crate::cli::{CliError, print};
use crate::grade::{Class, files};
use crate::mark::State;
use crate::report::tables;
use crate::run::RunError;
use crate::shard::{Maker, seen_from};

/// The version of `class.json`.
const FORMAT: u32 = 1;
const NAME: &str = "class.json";
/// The folder for the runs of hand-ins.
const GRADED: &str = "graded";

/// A class that is cut into its hand-ins.
#[derive(Debug, Deserialize, Serialize)]
pub struct ClassPlan {
    format: u32,
    #[serde(flatten)]
    maker: Maker,
    /// The name of the suite.
    pub name: String,
    /// The folder in which the command was typed, from that of the plan.
    typed_in: String,
    /// The words behind `arena grade`.
    words: Vec<String>,
    /// The names of the runs of all hand-ins, one a block.
    pub hand_ins: Vec<String>,
}

impl ClassPlan {
    /// The plan of a class in this folder; `None`: there is none.
    pub fn read(folder: &Path) -> Result<Option<ClassPlan>, CliError> {
        let path = folder.join(NAME);
        let Ok(text) = fs::read_to_string(&path) else {
            return Ok(None);
        };
        let shown = path.display();
        let plan: ClassPlan = serde_json::from_str(&text).map_err(|error| {
            problem!("{shown} is damaged: {error}").help("copy the plan again, or make it again")
        })?;
        if plan.format != FORMAT {
            let format = plan.format;
            return Err(problem!(
                "{shown} has format {format}, and this arena knows {FORMAT} only"
            )
            .into());
        }
        Ok(Some(plan))
    }

    /// Writes the plan of what was typed into a new folder.
    pub(super) fn write(folder: &Path, name: &str, class: &Path) -> Result<(), CliError> {
        let program = &catalogue()?.program;
        let words = alphabeta::cli::words().skip_while(|word| word != "grade");
        let plan = ClassPlan {
            format: FORMAT,
            maker: Maker::here(program, false)?,
            name: name.to_owned(),
            typed_in: String::new(),
            words: words
                .skip(1)
                .map(|word| word.to_string_lossy().into_owned())
                .collect(),
            hand_ins: Class::keys(class)?,
        };
        let unwritable = || RunError::system(format!("cannot write the plan {}", folder.display()));
        if folder.exists() {
            return Err(crate::run::exists(folder).into());
        }
        fs::create_dir_all(folder.join(GRADED)).map_err(unwritable())?;
        let plan = ClassPlan {
            typed_in: seen_from(folder, Path::new(".")),
            ..plan
        };
        let text =
            serde_json::to_string_pretty(&plan).map_err(|error| unwritable()(error.into()))?;
        tables::replace(&folder.join(NAME), format!("{text}\n").as_bytes())?;
        let (blocks, folder) = (plan.hand_ins.len(), folder.display());
        print(&format!(
            "{blocks} hand-ins, a block each, planned in {folder}\n\
             arena submit {folder} --on slurm|kubernetes|parallel|ssh:HOSTS grades them\n"
        ))
    }

    /// The command, in the folder in which it was typed.
    fn command(&self, folder: &Path) -> Result<Grade, CliError> {
        self.maker.check(&catalogue()?.program)?;
        let typed_in = folder.join(&self.typed_in);
        let gone = format!(
            "{}, where the plan was made, cannot be entered",
            typed_in.display()
        );
        std::env::set_current_dir(typed_in).map_err(RunError::system(gone))?;
        let arguments = Grade::augment_args(clap::Command::new("arena grade").no_binary_name(true));
        let matches = arguments.try_get_matches_from(&self.words);
        let command = matches.and_then(|matches| Grade::from_arg_matches(&matches));
        let command = command.map_err(|error| problem!("{NAME} is damaged: {error}"))?;
        Ok(Grade {
            plan: None,
            ..command
        })
    }

    /// Grades the hand-in of a block.
    pub fn grade(&self, folder: &Path, block: u64) -> Result<(), CliError> {
        let folder = &std::path::absolute(folder)?;
        let Some(key) = self.hand_ins.get(block as usize) else {
            let last = self.hand_ins.len() - 1;
            return Err(
                problem!("there is no block {block}: the plan has blocks 0 to {last}").into(),
            );
        };
        let command = self.command(folder)?;
        let own = tempfile::tempdir().map_err(RunError::system("no folder for a run"))?;
        let [entry] = &command.block(own.path(), key)?[..] else {
            let what = format!("the hand-in {key} is not in the class any more");
            return Err(problem!("{what}").into());
        };
        if entry.card.state == State::Unfinished {
            let what = format!("block {block} ({key}) is not whole; run it again");
            return Err(Ending::TryAgain.because(what));
        }
        let put = put(&own.path().join(key), &folder.join(GRADED), key);
        put.map_err(RunError::system("the grade cannot be put into the plan"))?;
        let headline = crate::report::grade::headline(&entry.card);
        let what = format!("block {block} ({key}): {headline}");
        if let State::NotGraded { .. } = entry.card.state {
            return Err(Ending::ArenaFailed.because(what));
        }
        say!("{what}");
        Ok(())
    }

    /// Makes the tables of all hand-ins that are graded.
    pub fn merge(&self, folder: &Path) -> Result<(), CliError> {
        let graded = std::path::absolute(folder)?.join(GRADED);
        self.command(folder)?.collect(&graded)
    }

    /// The blocks that have no grade yet.
    pub fn missing(&self, folder: &Path) -> Vec<u64> {
        let is_missing = |key: &String| {
            let card = files::read(&folder.join(GRADED).join(key));
            card.is_none_or(|card| {
                matches!(card.state, State::Unfinished | State::NotGraded { .. })
            })
        };
        let blocks = (0..).zip(&self.hand_ins);
        let missing = blocks.filter(|(_, key)| is_missing(key));
        missing.map(|(block, _)| block).collect()
    }

    /// How far it has come.
    pub fn status(&self, folder: &Path) -> String {
        let missing = self.missing(folder);
        let (all, shown) = (self.hand_ins.len(), folder.display());
        let name = &self.name;
        let mut text = format!(
            "{name}: {} of {all} hand-ins are graded\n",
            all - missing.len()
        );
        let names = missing
            .iter()
            .map(|&block| self.hand_ins[block as usize].as_str());
        let names: Vec<&str> = names.collect();
        if names.is_empty() {
            text += &format!("arena merge {shown} makes the tables\n");
        } else {
            text += &format!(
                "not graded yet: {}\narena submit {shown} --on … --missing grades them\n",
                names.join(", ")
            );
        }
        text
    }
}

/// Puts a finished run into the plan, whole or not at all.
fn put(run: &Path, graded: &Path, key: &str) -> std::io::Result<()> {
    let own = format!(".{key}-{}-{}", host::machine_name(), std::process::id());
    let (new, old) = (
        graded.join(format!("{own}.new")),
        graded.join(format!("{own}.old")),
    );
    copy(run, &new)?;
    let place = graded.join(key);
    if place.exists() {
        fs::rename(&place, &old)?;
    }
    fs::rename(&new, &place)?;
    if old.exists() {
        fs::remove_dir_all(&old)?;
    }
    Ok(())
}

fn copy(from: &Path, to: &PathBuf) -> std::io::Result<()> {
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
