//! Plays a round on many machines: plans, submits and merges the round like any tournament in blocks.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use host::Walk;
use referee::problem;
use run::{RunError, RunState};
use tournament::{Problem, Tournament, TournamentFile};

use super::database::{League, Round};
use super::play::{ATTEMPTS, LOOK};
use super::rounds::{OpenRound, Playing, Submit};
use crate::shard::{Bots, New, Plan, is_plan, merge, missing, submit};

/// The most blocks of a round. Each block may be played on a different machine.
const BLOCKS: u64 = 16;

impl League {
    /// Plays a round by a scheduler, and returns the round with its merged record; `None` after a stop request. Submits
    /// missing blocks again if the shards stop growing. After [`ATTEMPTS`] submissions, void games stay void.
    pub(super) fn play_elsewhere(
        &self,
        round: &Round,
        tournament: &Tournament,
        file: &TournamentFile,
        playing: Playing<'_>,
        submit_blocks: &Submit<'_>,
    ) -> Result<Option<OpenRound>, RunError> {
        let folder = self.round_folder(round.number);
        if !is_plan(&folder) {
            if folder.join("run.toml").exists() {
                return Err(problem!("round {} was begun on this machine", round.number)
                    .help("end it here: arena league play without --on")
                    .into());
            }
            if folder.exists() {
                host::remove_all(&folder).map_err(RunError::system(
                    "the old folder of a round cannot be deleted",
                ))?;
            }
            let new = New {
                file,
                folder: self.folder(),
                catalogue: playing.catalogue,
                out: Some(&folder),
                block: (round.pairings.len() as u64).div_ceil(BLOCKS),
                bots: Bots::Copied,
                any_build: false,
                scale_time: false,
                nodes_per_s: 0,
            };
            new.write(tournament, |_| ())?;
        }
        if submit::submitted(&folder).is_empty() {
            submit_blocks(&folder)?;
        }
        let (plan, _) = Plan::read(&folder)?;
        let merged = || {
            let run = merge(&folder, playing.catalogue)?.run;
            Ok::<_, RunError>(Some(OpenRound {
                round: round.clone(),
                run,
            }))
        };
        let (mut growth, mut submissions) = (Growth::new(), 1);
        while !missing(&folder, &plan)?.is_empty() {
            if growth.is_over_for(&folder) {
                if submissions >= ATTEMPTS
                    && let Some(open) = merged()?
                    && matches!(open.run.state(), RunState::Void { .. })
                {
                    return Ok(Some(open));
                }
                submit_blocks(&folder)?;
                submissions += 1;
            }
            if playing.stop.is_requested() {
                return Ok(None);
            }
            if let Some(why) = crate::shard::stop_reason(&folder) {
                return Err(Problem::new(why).into());
            }
            thread::sleep(LOOK);
        }
        merged()
    }
}

/// Watches the size of the shards, to detect a killed job. An error does no harm: a block may be submitted twice.
struct Growth {
    bytes: u64,
    since: Instant,
    patience: Duration,
}

impl Growth {
    fn new() -> Growth {
        Growth {
            bytes: 0,
            since: Instant::now(),
            patience: Duration::from_secs(60),
        }
    }

    /// Returns whether the shards have not grown for longer than `patience`. If so, doubles `patience`.
    fn is_over_for(&mut self, plan: &Path) -> bool {
        let entries = Walk::of(&plan.join("shards")).flatten();
        let bytes = entries.map(|(_, data)| data.len()).sum();
        if std::mem::replace(&mut self.bytes, bytes) != bytes {
            self.since = Instant::now();
        }
        let is_over = self.since.elapsed() > self.patience;
        if is_over {
            (self.since, self.patience) = (Instant::now(), 2 * self.patience);
        }
        is_over
    }
}
