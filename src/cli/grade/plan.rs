//! A class that many machines grade: each hand-in is a block.
//!
//! A plan has the command and the folder where it was typed, so that every machine does what a single machine would
//! do. A shard grades a hand-in in a folder of its own and copies the finished run into the plan. A merge runs the
//! same command without playing, and makes tables from the grades that it finds.

use std::fs;
use std::io;
use std::path::Path;

use message::{Message, message};
use referee::problem;
use serde::{Deserialize, Serialize};

use crate::cli::bots::catalogue;
use crate::cli::{CliError, print_said};
use crate::grade::layout::Naming;
use crate::grade::{Class, files};
use crate::shard::{LONGEST_PLAN, Maker, read_text, seen_from};
use run::RunError;
use run::report::tables;
use tournament::mark::GradeState;

const FORMAT: u32 = 1;
pub(super) const NAME: &str = "class.json";
pub(super) const GRADED: &str = "graded";

#[derive(Debug, Deserialize, Serialize)]
pub struct ClassPlan {
    format: u32,
    #[serde(flatten)]
    maker: Maker,
    pub name: String,
    /// The folder where the command was typed, relative to the plan's folder.
    typed_in: String,
    /// The words after `arena grade`.
    words: Vec<String>,
    /// The name of each hand-in's run. The hand-in at index N is block N.
    pub hand_ins: Vec<String>,
}

impl ClassPlan {
    pub fn read(folder: &Path) -> Result<Option<ClassPlan>, CliError> {
        let path = folder.join(NAME);
        let shown = path.display();
        let text = match read_text(&path, LONGEST_PLAN) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(problem!("cannot read {shown}: {error}").into()),
        };
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

    pub(super) fn write(
        folder: &Path,
        name: &str,
        class: &Path,
        naming: &Naming,
    ) -> Result<(), CliError> {
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
            hand_ins: Class::keys(class, naming)?,
        };
        let unwritable =
            || RunError::system(message!("cannot write the plan {}", folder.display()));
        if folder.exists() {
            return Err(run::exists(folder).into());
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
        print_said(&message!(
            "{blocks} hand-ins, a block each, planned in {folder}\n\
             arena submit {folder} --on slurm|kubernetes|parallel|ssh:HOSTS grades them"
        ))
    }

    /// Enters the folder where the command was typed. Returns the command. Fails if another build made the plan.
    pub(super) fn enter(&self, folder: &Path) -> Result<&[String], CliError> {
        self.maker.check(&catalogue()?.program)?;
        let typed_in = folder.join(&self.typed_in);
        let gone = message!(
            "cannot enter {}, where the plan was made",
            typed_in.display()
        );
        std::env::set_current_dir(typed_in).map_err(RunError::system(gone))?;
        Ok(&self.words)
    }

    pub fn missing(&self, folder: &Path) -> Vec<u64> {
        let is_missing = |key: &String| {
            let card = files::read(&Class::run(&folder.join(GRADED), key));
            card.is_none_or(|card| {
                matches!(
                    card.state,
                    GradeState::Unfinished | GradeState::NotGraded { .. }
                )
            })
        };
        let blocks = (0..).zip(&self.hand_ins);
        let missing = blocks.filter(|(_, key)| is_missing(key));
        missing.map(|(block, _)| block).collect()
    }

    pub fn status(&self, folder: &Path) -> Message {
        let missing = self.missing(folder);
        let names = missing.iter();
        let names = names.map(|&block| self.hand_ins[block as usize].as_str());
        let names: Vec<&str> = names.collect();
        let (name, all, shown) = (&self.name, self.hand_ins.len(), folder.display());
        let graded = all - names.len();
        if names.is_empty() {
            return message!(
                "{name}: {graded} of {all} hand-ins are graded\n\
                 arena merge {shown} makes the tables"
            );
        }
        message!(
            "{name}: {graded} of {all} hand-ins are graded\n\
             not graded yet: {names}\n\
             arena submit {shown} --on … --missing grades them"
        )
    }
}
