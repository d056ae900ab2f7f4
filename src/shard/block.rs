//! The files of blocks and the file `STOP`, which ends all blocks: paths, sessions, and checks against the plan.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use message::{Message, message};
use serde::{Deserialize, Serialize};

use super::last_merge::LastMerge;
use super::plan::{Plan, read_text};
use referee::problem;
use referee::record::{GameId, GameRecord, harmless};
use run::RunError;
use run::store::{RecordEntry, StoreError, entries};
use tournament::{Agenda, Problem, Tournament};

/// The tolerated relative difference of speeds. Two calibrations of the same machine may differ by this much.
pub(super) const TOLERATED: f64 = 0.10;

/// A start of a shard, recorded in the block's file.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ShardSession {
    pub plan: String,
    pub block: u64,
    pub arena: String,
    pub machine: String,
    pub processor: String,
    pub cores: usize,
    /// The machine's load at the start: runnable tasks, averaged over a minute.
    pub load: f64,
    /// The speed of a fixed search on one core.
    pub nodes_per_s: u64,
    pub time_scale: f64,
    pub started_unix_ms: u64,
}

/// Returns a warning if these machines differ in speed.
pub fn differences<'a>(sessions: impl IntoIterator<Item = &'a ShardSession>) -> Option<Message> {
    // Uses the best calibration of each machine, since other programs may have disturbed its other calibrations.
    let mut machines: BTreeMap<&str, (u64, &str)> = BTreeMap::new();
    for session in sessions {
        let speed = session.nodes_per_s;
        let machine = machines.entry(&session.machine);
        let best = machine.or_insert((speed, &session.processor));
        best.0 = best.0.max(speed);
    }
    let slowest = machines.iter().min_by_key(|(_, (speed, _))| *speed)?;
    let fastest = machines.iter().max_by_key(|(_, (speed, _))| *speed)?;
    let more = fastest.1.0 as f64 / slowest.1.0.max(1) as f64 - 1.0;
    if more <= TOLERATED {
        return None;
    }
    let named = |(name, (speed, processor)): (&&str, &(u64, &str))| {
        format!("{name} ({processor}, {:.2} Mnodes/s)", *speed as f64 / 1e6)
    };
    Some(message!(
        "the machines differ: {} is {:.0} % faster than {}, so bots are weaker on the slower machine with the \
         same limit; plan with --scale-time, or let the bots search a fixed number of nodes",
        named(fastest),
        100.0 * more,
        named(slowest)
    ))
}

const EDITED: &str = "the file was edited, or another tournament was played: move it out of the folder shards, then \
     `arena submit --missing` plays its block once more";
const LONGEST_REASON: u64 = 64 << 10;

pub(super) fn path_of(folder: &Path, block: u64) -> PathBuf {
    folder.join(format!("shards/{block}.jsonl"))
}

pub(super) fn evidence_of(folder: &Path, block: u64) -> PathBuf {
    folder.join(format!("shards/{block}"))
}

/// Returns the files of each block: the block's own file, and copies from elsewhere (`shards/7.other.jsonl`).
pub(super) fn by_block(
    folder: &Path,
    plan: &Plan,
) -> Result<BTreeMap<u64, Vec<PathBuf>>, RunError> {
    let shards = folder.join("shards");
    let unreadable = || RunError::system(message!("cannot list {}", shards.display()));
    let mut found: BTreeMap<u64, Vec<PathBuf>> = BTreeMap::new();
    for entry in fs::read_dir(&shards).map_err(unreadable())? {
        let path = entry.map_err(unreadable())?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(name) = name.strip_suffix(".jsonl") else {
            continue;
        };
        let block = name.split('.').next().unwrap_or(name).parse().ok();
        let Some(block) = block.filter(|&block| block < plan.blocks) else {
            let last = plan.blocks - 1;
            return Err(problem!(
                "{} is not the file of a block: the plan has blocks 0 to {last}",
                path.display()
            )
            .help("move it out of the folder shards")
            .into());
        };
        found.entry(block).or_default().push(path);
    }
    for paths in found.values_mut() {
        paths.sort();
    }
    Ok(found)
}

pub(super) fn check_session(
    path: &Path,
    text: &str,
    plan: &str,
    block: u64,
) -> Result<ShardSession, Problem> {
    let shown = path.display();
    let mut session: ShardSession = serde_json::from_str(text)
        .map_err(|error| problem!("{shown} was written by another arena: {error}"))?;
    let help = "move it out of the folder shards";
    if session.plan != plan {
        return Err(problem!("{shown} belongs to another plan").help(help));
    }
    if session.block != block {
        let own = session.block;
        return Err(problem!("{shown} is the file of block {own}").help(help));
    }
    // Tables and warnings show these names, which another machine wrote.
    for name in [&mut session.machine, &mut session.processor] {
        *name = harmless(name);
    }
    Ok(session)
}

pub(super) fn check_record(
    path: &Path,
    tournament: &Tournament,
    agenda: &Agenda,
    record: &GameRecord,
) -> Result<(), Problem> {
    let checked = agenda.check(tournament, record);
    checked.map_err(|Problem { what, .. }| {
        problem!("{name}: {what}", name = path.display()).help(EDITED)
    })
}

/// Checks that a game is one of the block, and comes after a line that [`check_session`] has accepted. Without such a
/// line, the game may be one of another plan, with other bots or limits.
pub(super) fn check_game(
    path: &Path,
    plan: &Plan,
    block: u64,
    id: GameId,
    has_session: bool,
) -> Result<(), Problem> {
    let (shown, id, pair) = (path.display(), id.0, id.pair());
    if !plan.pairs_of(block)?.contains(&pair) {
        return Err(
            problem!("{shown} has game {id}, which is not one of block {block}")
                .help("move it out of the folder shards"),
        );
    }
    if !has_session {
        return Err(
            problem!("{shown}: game {id} comes before the line that names its plan").help(EDITED),
        );
    }
    Ok(())
}

/// Returns the incomplete blocks, in order. Fails if a file is damaged.
pub fn missing(folder: &Path, plan: &Plan) -> Result<Vec<u64>, RunError> {
    let files = by_block(folder, plan)?;
    let mut blocks = Vec::new();
    for block in 0..plan.blocks {
        let pairs = plan.pairs_of(block)?;
        let mut left: BTreeSet<u64> = (2 * pairs.start..2 * pairs.end).collect();
        for path in files.get(&block).into_iter().flatten() {
            entries(path, |_, entry| -> Result<(), StoreError> {
                if let RecordEntry::Game(game) = entry
                    && !game.is_void()
                {
                    left.remove(&game.id.0);
                }
                Ok(())
            })?;
        }
        if !left.is_empty() {
            blocks.push(block);
        }
    }
    Ok(blocks)
}

fn stop_file(folder: &Path) -> PathBuf {
    folder.join("STOP")
}

/// Stops all shards before their next pair. `why` is a text for people.
pub fn stop(folder: &Path, why: &str) -> io::Result<()> {
    fs::write(stop_file(folder), format!("{why}\n"))
}

/// Returns the reason of a stop; `None` if there is no stop. A file `STOP` that cannot be read also stops the shards.
pub fn stop_reason(folder: &Path) -> Option<Message> {
    let path = stop_file(folder);
    match read_text(&path, LONGEST_REASON) {
        Ok(text) => {
            // If a merge stopped the plan, prefers its verdict, a message that can be translated, to the text.
            let verdict = LastMerge::read(folder).and_then(|last| last.verdict);
            let verdict = verdict.filter(|verdict| *verdict == text.trim());
            Some(verdict.unwrap_or_else(|| Message::quote(text.trim())))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => Some(message!("{} cannot be read: {error}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(machine: &str, nodes_per_s: u64) -> ShardSession {
        ShardSession {
            plan: String::new(),
            block: 0,
            arena: String::new(),
            machine: machine.to_owned(),
            processor: "a processor".to_owned(),
            cores: 1,
            load: 0.0,
            nodes_per_s,
            time_scale: 1.0,
            started_unix_ms: 0,
        }
    }

    #[test]
    fn machines_differ_from_a_tenth_on_and_a_disturbed_calibration_is_not_another_machine() {
        let alike = [session("a", 1_000_000), session("b", 1_090_000)];
        assert_eq!(differences(&alike), None);
        let disturbed = [session("a", 1_000_000), session("a", 500_000)];
        assert_eq!(differences(&disturbed), None);
        let unlike = [session("a", 1_000_000), session("b", 1_250_000)];
        let shown = differences(&unlike).expect("they differ").to_string();
        assert!(
            shown.contains("b (a processor, 1.25 Mnodes/s) is 25 % faster"),
            "{shown}"
        );
        assert_eq!(differences([]), None);
    }

    #[test]
    fn the_name_of_a_machine_stays_on_its_line() {
        let text = serde_json::to_string(&session("a\nverified", 1)).expect("JSON");
        let read = check_session(Path::new("0.jsonl"), &text, "", 0).expect("a session");
        assert_eq!(read.machine, r"a\nverified");
    }
}
