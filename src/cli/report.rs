use std::path::{Path, PathBuf};

use clap::Args;

use super::bots::catalogue;
use super::new_run::show;
use super::options::LanguageOption;
use super::{CliError, stages};
use crate::grade::Grading;
use crate::shard;
use run::report::Summary;
use run::{Run, RunError, RunFile};
use tournament::Catalogue;

/// Make the tables of a run again from its record
#[derive(Debug, Args)]
pub struct Report {
    /// The folder of the run, such as results/quick
    run: PathBuf,
    /// Print the results as JSON; arena schema run describes them
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    language: LanguageOption,
}

impl Report {
    pub fn run(self) -> Result<(), CliError> {
        self.language.speak()?;
        let catalogue = catalogue()?;
        host::check_own(&self.run)?;
        let file = RunFile::read(&self.run)?.for_reading(&catalogue);
        if file.stages.is_some() {
            return stages::report(&self.run, &file, self.json);
        }
        let (run, summary) = tables(&self.run, file, &catalogue)?;
        if let Some(note) = shard::remark(&self.run) {
            say!("note: {note}");
        }
        show(&run, &summary, self.json)
    }
}

fn tables(folder: &Path, file: RunFile, catalogue: &Catalogue) -> Result<(Run, Summary), CliError> {
    let tournament = file.tournament.validate(catalogue, &file.folder)?;
    let run = Run::read(tournament, folder)?;
    let summary = match run.tables() {
        Err(RunError::Table(error)) if error.is_read_only() => {
            say!("note: no tables are written: {error}");
            run.summary()?
        }
        summary => {
            if file.tournament.is_suite() {
                Grading::of_run(folder, file, catalogue)?.rewrite(&run)?;
            }
            summary?
        }
    };
    Ok((run, summary))
}

/// Writes the tables of a run again, unless it is a run of stages, which has none.
pub fn rewrite(folder: &Path) -> Result<(), CliError> {
    let catalogue = catalogue()?;
    let file = RunFile::read(folder)?.for_reading(&catalogue);
    if file.stages.is_none() {
        tables(folder, file, &catalogue)?;
    }
    Ok(())
}
