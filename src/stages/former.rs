//! Finds the former run of the same stages by the same bot under the same conditions, and what has changed since then.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use run::store::Store;
use run::{RunError, RunFile};
use tournament::TournamentFile;

use super::{Attempt, StageSet, read};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    pub run: PathBuf,
    /// The names of the stages that are passed in this run, but not in the former one; `lost` has the opposite.
    pub gained: Vec<String>,
    pub lost: Vec<String>,
}

impl Changes {
    /// Finds the latest earlier run in the same folder as `run`. Skips folders that are no runs, and damaged runs.
    pub fn since(run: &Path, set: &StageSet, attempts: &[Option<Attempt>]) -> Option<Changes> {
        let own = RunFile::read(run).ok()?;
        let parent = run.parent().filter(|parent| *parent != Path::new(""));
        let entries = fs::read_dir(parent.unwrap_or(Path::new("."))).ok()?;
        let others = entries.flatten().map(|entry| entry.path());
        let others = others.filter(|other| other.file_name() != run.file_name());
        let mut earlier: Vec<(String, PathBuf, Vec<String>)> = others
            .filter_map(|other| {
                let file = RunFile::read(&other).ok()?;
                let is_alike = conditions(&file.tournament) == conditions(&own.tournament);
                let texts = file.stages?.texts;
                (is_alike && file.started <= own.started).then_some((file.started, other, texts))
            })
            .collect();
        earlier.sort_by(|a, b| b.0.cmp(&a.0));
        let bot = &set.contestants[0].name;
        earlier.into_iter().find_map(|(_, run, texts)| {
            let passed = passed(&run, &texts, bot).ok()?;
            let mut changes = Changes {
                run,
                gained: Vec::new(),
                lost: Vec::new(),
            };
            let mut common = 0;
            for (stage, attempt) in set.stages.iter().zip(attempts) {
                if let (Some(was), Some(attempt)) = (passed.get(&stage.to_string()), attempt) {
                    common += 1;
                    match (was, attempt.is_passed()) {
                        (false, true) => changes.gained.push(stage.name.clone()),
                        (true, false) => changes.lost.push(stage.name.clone()),
                        _ => {}
                    }
                }
            }
            (common > 0).then_some(changes)
        })
    }
}

fn conditions(file: &TournamentFile) -> Option<String> {
    let mut file = TournamentFile {
        name: None,
        concurrency: None,
        ..file.clone()
    };
    file.bot.drain(..file.bot.len().min(1));
    toml::to_string(&file).ok()
}

/// Returns whether each stage that `bot` played in the run was passed. The key is the text of the stage.
fn passed(run: &Path, texts: &[String], bot: &str) -> Result<HashMap<String, bool>, RunError> {
    let mut passed = HashMap::new();
    Store::read(run)?.each::<RunError>(|record| {
        let text = texts.get(record.id.pair() as usize);
        if let Some(Ok(stage)) = text.map(|text| read(text, "stage"))
            && record.player(stage.attacker()) == bot
        {
            let attempt = Attempt::of(&record, &stage, run);
            passed.insert(stage.to_string(), attempt.is_passed());
        }
        Ok(())
    })?;
    Ok(passed)
}
