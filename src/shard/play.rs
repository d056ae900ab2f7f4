//! Plays one block of a plan. A block is a run that is recorded in the block's file.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use message::Message;

use super::block::{
    ShardSession, check_game, check_record, check_session, evidence_of, path_of, stop_reason,
};
use super::plan::Plan;
use run::store::{LineFile, Store};
use run::{Run, RunError, RunState, Status, Stop, probe_planned, unix_ms};
use tournament::{Agenda, Catalogue, Tournament};

#[derive(Debug)]
pub struct Shard {
    folder: PathBuf,
    run: Run,
    stop: Stop,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    Whole,
    /// The plan was stopped, for the reason in the file `STOP`.
    Stopped(Message),
    /// A stop was requested, or games are void, so the block must run again.
    Unfinished,
}

impl Shard {
    /// Checks the plan, the bots and the arena's version (or build), and opens the block's file, which may already have
    /// games. `workers` is the number of concurrent games; the default is the plan's number, limited by the cores.
    pub fn open(
        folder: &Path,
        block: u64,
        workers: Option<usize>,
        catalogue: &Catalogue,
        nodes_per_s: u64,
        stop: Stop,
    ) -> Result<Shard, RunError> {
        let (plan, id) = Plan::read(folder)?;
        let pairs = plan.pairs_of(block)?;
        plan.check_maker_and_files(folder, catalogue)?;
        let mut tournament = Plan::tournament(folder, catalogue)?;
        let room = Room::here();
        fit(&mut tournament, room, workers);
        let time_scale = if plan.scale_time {
            plan.nodes_per_s as f64 / nodes_per_s.max(1) as f64
        } else {
            1.0
        };
        tournament.scale(time_scale)?;
        let path = path_of(folder, block);
        let mut lines = LineFile::open(&path)?;
        let has_session = !lines.sessions().is_empty();
        for session in lines.sessions() {
            check_session(&path, session, &id, block)?;
        }
        for id in lines.games() {
            check_game(&path, &plan, block, id, has_session)?;
        }
        let agenda = Agenda::new(&tournament);
        lines.each(|record| -> Result<(), RunError> {
            Ok(check_record(&path, &tournament, &agenda, &record)?)
        })?;
        probe_planned(&tournament)?;
        let session = ShardSession {
            plan: id,
            block,
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            machine: machine_name(),
            processor: host::processor_name(),
            cores: room.cores,
            load: host::load(),
            nodes_per_s,
            time_scale,
            started_unix_ms: unix_ms(),
        };
        let session = serde_json::to_string(&session).map_err(|error| {
            RunError::system("cannot write the session of the shard")(error.into())
        })?;
        lines.begin(&session)?;
        let evidence = evidence_of(folder, block);
        let mut run = Run::with(tournament, &evidence, Store::from(lines), stop.clone())?;
        run.only(pairs)?;
        let asked = folder.to_owned();
        run.ask_before_pairs(move || stop_reason(&asked).is_none());
        let folder = folder.to_owned();
        Ok(Shard { folder, run, stop })
    }

    pub fn status(&self) -> Status<'_> {
        self.run.status()
    }

    pub fn notes(&self) -> impl Iterator<Item = Message> {
        self.run.notes()
    }

    pub fn warnings(&self) -> Vec<Message> {
        self.run.warnings()
    }

    /// Plays the remaining games. After a stop, aborts games that last longer than `grace`; a later start plays them.
    pub fn play(&mut self, grace: Duration) -> Result<Ended, RunError> {
        let (stop, mut asked) = (self.stop.clone(), None);
        self.run.play(|_, _| {
            if stop.is_requested() && asked.get_or_insert_with(Instant::now).elapsed() > grace {
                stop.give_up();
            }
        })?;
        Ok(match (self.run.state(), stop_reason(&self.folder)) {
            (RunState::Over, _) => Ended::Whole,
            (_, Some(why)) => Ended::Stopped(why),
            (_, None) => Ended::Unfinished,
        })
    }
}

/// Sets the concurrency: `workers` if given, else as much of the tournament's as fits. Pins nothing to shared cores.
pub(super) fn fit(tournament: &mut Tournament, room: Room, workers: Option<usize>) {
    let fitting = (room.cores / tournament.cores_a_game()).max(1);
    tournament.concurrency = workers.unwrap_or_else(|| tournament.concurrency.min(fitting));
    tournament.pin &= room.pinned;
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Room {
    cores: usize,
    /// Whether games can be pinned to these cores. If not, `cores` is a share of the CPU time.
    pinned: bool,
}

impl Room {
    /// Returns this process's share of the machine: the cores that Slurm assigned, within those that the system allows.
    pub fn here() -> Room {
        let allowed = std::thread::available_parallelism().map_or(1, NonZero::get);
        let slurm = std::env::var("SLURM_CPUS_PER_TASK").ok();
        Room {
            cores: cores(allowed, slurm.and_then(|cores| cores.parse().ok())),
            pinned: !host::shares_cores(),
        }
    }
}

fn cores(allowed: usize, slurm: Option<usize>) -> usize {
    let slurm = slurm.filter(|&cores| cores > 0).unwrap_or(allowed);
    slurm.min(allowed).max(1)
}

/// Returns the machine's name from the scheduler (in Kubernetes, the node's name), otherwise from the system.
fn machine_name() -> String {
    let named = ["ARENA_MACHINE", "SLURMD_NODENAME"].map(|name| std::env::var(name).ok());
    let named = named.into_iter().flatten().find(|name| !name.is_empty());
    named.unwrap_or_else(host::machine_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_uses_only_its_share() {
        for (allowed, slurm, expected) in [
            (8, None, 8),
            (8, Some(2), 2),
            (2, Some(8), 2),
            (1, Some(0), 1),
        ] {
            assert_eq!(cores(allowed, slurm), expected, "{allowed} {slurm:?}");
        }
    }
}
