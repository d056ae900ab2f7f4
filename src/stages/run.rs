//! Stages as a run: one game per stage, recorded and resumed like any other run.

use std::path::Path;

use super::{Attempt, Stage, read};
use referee::bot::Launch;
use referee::record::GameRecord;
use run::{Event, Run, RunError, RunFile, StagesFile};
use tournament::{
    Catalogue, Contestant, Format, Opening, Problem, StageRules, Tournament, TournamentFile, people,
};

/// Stages and their players.
#[derive(Clone, Debug)]
pub struct StageSet {
    /// The positions, in the order in which they are played.
    pub stages: Vec<Stage>,
    /// The attacker, black, and the defender.
    pub contestants: [Contestant; 2],
    /// Whether the defender is a person.
    pub has_person: bool,
}

impl StageSet {
    /// The stages of an earlier run.
    pub fn of_run(file: &RunFile, catalogue: &Catalogue) -> Result<StageSet, RunError> {
        let kept = file.stages.as_ref();
        let texts = kept.map(|stages| stages.texts.as_slice());
        let stages = texts.unwrap_or_default().iter();
        let stages = stages
            .map(|text| read(text, "stage"))
            .collect::<Result<Vec<_>, _>>()?;
        let bots = file.tournament.bots(catalogue, &file.folder)?;
        StageSet::new(stages, bots)
    }

    /// The attacker, and the defender if one is given; else a person defends.
    pub fn new(stages: Vec<Stage>, bots: Vec<Contestant>) -> Result<StageSet, RunError> {
        let mut bots = bots.into_iter();
        let Some(attacker) = bots.next() else {
            return Err(Problem::new("there is no bot to play black")
                .help("name a bot: arena stages BOT")
                .into());
        };
        let defender = bots.next();
        Ok(StageSet {
            stages,
            has_person: defender.is_none(),
            // A person has no process and no time limit.
            contestants: [
                attacker,
                defender.unwrap_or_else(|| Contestant::new(people::DEFENDER, Launch::default())),
            ],
        })
    }

    /// The players that are bots.
    pub fn bots(&self) -> &[Contestant] {
        &self.contestants[..if self.has_person { 1 } else { 2 }]
    }

    /// Their part of `run.toml`.
    pub fn file(&self) -> StagesFile {
        StagesFile {
            texts: self.stages.iter().map(ToString::to_string).collect(),
        }
    }

    /// The same as a tournament, `workers` games at a time.
    pub fn tournament(&self, file: &TournamentFile) -> Tournament {
        let number = |value: Option<i64>, default| value.map_or(default, |value| value as usize);
        let workers = number(file.concurrency.as_ref().map(|value| *value.get_ref()), 1);
        let name = file.name.as_ref().map(|name| name.get_ref().clone());
        let name = name.unwrap_or_else(|| format!("{}-stages", self.contestants[0].name));
        let (game, rounds) = (self.stages[0].game(), self.stages.len() as u64);
        Tournament {
            openings: self
                .stages
                .iter()
                .map(|stage| Opening {
                    moves: stage.given(),
                })
                .collect(),
            stages: self
                .stages
                .iter()
                .map(|stage| StageRules {
                    game: stage.game(),
                    // The game ends after black's last move.
                    most_plies: 2 * stage.most_moves() - 1,
                })
                .collect(),
            concurrency: if self.has_person { 1 } else { workers },
            seed: file.seed.as_ref().map_or(1, |seed| *seed.get_ref()),
            ..Tournament::new(
                name,
                game,
                Format::Stages,
                rounds,
                self.contestants.to_vec(),
            )
        }
    }
}

/// The attempts that the record of a run holds, by the stages' numbers.
pub fn recorded(run: &Run) -> Result<Vec<Option<Attempt>>, RunError> {
    let mut attempts = vec![None; run.tournament().openings.len()];
    run.each(|record| keep(&mut attempts, record, run.folder()))?;
    Ok(attempts)
}

/// Plays the remaining stages, and calls `on` with all attempts so far after each.
pub fn play(
    run: &mut Run,
    attempts: &mut [Option<Attempt>],
    mut on: impl FnMut(&[Option<Attempt>]),
) -> Result<(), RunError> {
    on(attempts);
    let folder = run.folder().to_owned();
    run.play(|event, _| {
        if let Event::Finished { record } = event {
            keep(attempts, record, &folder);
            on(attempts);
        }
    })
}

fn keep(attempts: &mut [Option<Attempt>], record: &GameRecord, folder: &Path) {
    if let Some(place) = attempts.get_mut(record.id.pair() as usize) {
        *place = Some(Attempt::of(record, folder));
    }
}
