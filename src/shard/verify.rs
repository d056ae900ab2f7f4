//! Plays a random sample of each shard's games again, and compares them with the record move by move.
//!
//! Only bots that always give the same answers can be compared, and no file names these bots. So a game that differs
//! from its record is played once more. If the two new games are equal, including depths, nodes and scores, the
//! difference counts. Otherwise, or if the first new game was void or lost on time, the game proves nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;

use message::{Message, message};
use serde_json::{Value, json};
use tempfile::tempdir;

use super::audit::Audit;
use super::plan::Plan;
use super::play::{Room, fit};
use referee::record::{Fault, GameId, GameRecord, Outcome, Verdict};
use run::{Run, RunError, Stop};
use tournament::{Catalogue, Draw, Tournament};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verified {
    pub same: u64,
    /// The number of games that differ from the record but prove nothing.
    pub unrepeatable: u64,
    /// The number of games that a bot lost on time in the record, but not when they were played again.
    pub in_time: u64,
    pub differences: Vec<Difference>,
    pub shards: usize,
}

/// A game that differs from the record in the same way in both attempts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    shard: u64,
    machine: String,
    game: GameId,
    /// The number of the first differing ply, from 1; opening moves and passes count.
    ply: usize,
    bot: String,
    recorded: String,
    replayed: String,
}

impl Difference {
    pub fn words(&self) -> Message {
        let Difference {
            shard,
            machine,
            ply,
            bot,
            recorded,
            replayed,
            ..
        } = self;
        let game = self.game.0;
        message!(
            "shard {shard} ({machine}): game {game} differs here: at half-move {ply}, {bot} played {recorded} in \
             the record, and plays {replayed} here"
        )
    }

    fn json(&self) -> Value {
        json!({
            "shard": self.shard,
            "machine": self.machine,
            "game": self.game.0,
            "ply": self.ply,
            "bot": self.bot,
            "recorded": self.recorded,
            "replayed": self.replayed,
        })
    }
}

impl Verified {
    pub fn json(&self) -> Value {
        json!({
            "same": self.same,
            "unrepeatable": self.unrepeatable,
            "in_time": self.in_time,
            "differences": self.differences.iter().map(Difference::json).collect::<Vec<_>>(),
        })
    }
}

/// Plays again a share of each shard's games in the merged `run`, but at least one game of each shard. Every call draws
/// a new sample, which no shard can predict. `None` after a stop. Fails if the arena or a bot differs from the plan's.
pub fn verify(
    folder: &Path,
    catalogue: &Catalogue,
    (run, audit): (&Run, &Audit),
    share: f64,
    stop: &Stop,
) -> Result<Option<Verified>, RunError> {
    let (plan, _) = Plan::read(folder)?;
    plan.check_maker_and_files(folder, catalogue)?;
    let mut tournament = Plan::tournament(folder, catalogue)?;
    fit(&mut tournament, Room::here(), None);
    run::probe_all(&tournament.contestants, &tournament)?;
    let mut draw = Draw::new(RandomState::new().build_hasher().finish(), 0);
    let mut sample: BTreeMap<GameId, (u64, String)> = BTreeMap::new();
    for (shard, mut games) in audit.games() {
        draw.shuffle(&mut games);
        games.truncate((games.len() as f64 * share).ceil() as usize);
        let games = games.into_iter();
        sample.extend(games.map(|(id, machine)| (id, (shard, machine.to_owned()))));
    }
    let mut recorded = BTreeMap::new();
    run.each(|record| {
        if sample.contains_key(&record.id) && record.verdict.outcome() != Outcome::Void {
            recorded.insert(record.id, record.clone());
        }
    })?;
    let shards: BTreeSet<u64> = sample.values().map(|(shard, _)| *shard).collect();
    let mut verified = Verified {
        shards: shards.len(),
        ..Verified::default()
    };
    let Some(first) = play(&tournament, recorded.keys().copied().collect(), stop)? else {
        return Ok(None);
    };
    let differs = |id: &GameId| first_difference(&recorded[id], &first[id], false).is_some();
    let again: BTreeSet<GameId> = first.keys().copied().filter(differs).collect();
    verified.same = (first.len() - again.len()) as u64;
    let Some(second) = play(&tournament, again, stop)? else {
        return Ok(None);
    };
    for (id, second) in second {
        let (first, recorded) = (&first[&id], &recorded[&id]);
        if !is_comparable(recorded) {
            verified.in_time += 1;
            continue;
        }
        let is_repeated = is_comparable(first) && first_difference(first, &second, true).is_none();
        let Some(index) = first_difference(recorded, first, false).filter(|_| is_repeated) else {
            verified.unrepeatable += 1;
            continue;
        };
        let ply = recorded.opening.len() + index;
        let (shard, machine) = sample[&id].clone();
        verified.differences.push(Difference {
            shard,
            machine,
            game: id,
            ply: ply + 1,
            bot: recorded.player(recorded.retraced().movers[ply]).to_owned(),
            recorded: answer(recorded, index),
            replayed: answer(first, index),
        });
    }
    Ok(Some(verified))
}

/// Returns whether the end of the game is independent of this machine: no bot was late, and the game is not void.
fn is_comparable(record: &GameRecord) -> bool {
    let is_late = |fault: &Fault| {
        matches!(
            fault,
            Fault::OutOfTime { .. } | Fault::HandshakeTimeout { .. }
        )
    };
    match &record.verdict {
        Verdict::Forfeit { fault, .. } => !is_late(fault),
        Verdict::BothFailed(faults) => !faults.iter().any(is_late),
        verdict => verdict.outcome() != Outcome::Void,
    }
}

/// Returns the index of the first different ply, or of the end if only the results differ. `deeply` also compares
/// depths, nodes and scores.
fn first_difference(one: &GameRecord, other: &GameRecord, deeply: bool) -> Option<usize> {
    let searched = |record: &GameRecord, index: usize| {
        record.plies.get(index).map(|ply| {
            let thought = &ply.thought;
            let report = (thought.depth, thought.nodes, thought.score);
            (ply.played, deeply.then_some(report))
        })
    };
    let plies = one.plies.len().max(other.plies.len());
    let played = (0..plies).find(|&index| searched(one, index) != searched(other, index));
    let has_other_end = one.verdict.reason() != other.verdict.reason()
        || one.verdict.outcome() != other.verdict.outcome();
    played.or(has_other_end.then_some(plies))
}

fn answer(record: &GameRecord, index: usize) -> String {
    let ply = record.plies.get(index);
    ply.map_or_else(
        || record.verdict.reason().to_owned(),
        |ply| ply.played.to_string(),
    )
}

/// Plays these games; `None` after a stop request.
fn play(
    tournament: &Tournament,
    games: BTreeSet<GameId>,
    stop: &Stop,
) -> Result<Option<BTreeMap<GameId, GameRecord>>, RunError> {
    let mut played = BTreeMap::new();
    if games.is_empty() {
        return Ok(Some(played));
    }
    let folder = tempdir().map_err(RunError::system("no folder for a run"))?;
    let wanted = games.len();
    let mut run = Run::resume(tournament.clone(), folder.path(), stop.clone())?;
    run.choose(games)?;
    run.play(|_, _| {})?;
    run.each(|record| drop(played.insert(record.id, record.clone())))?;
    Ok((played.len() == wanted).then_some(played))
}
