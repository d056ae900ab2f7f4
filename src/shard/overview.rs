//! Reads the progress of a plan without a merge.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use message::{Message, message};

use super::block::{ShardSession, by_block, check_game, check_session, differences, stop_reason};
use super::last_merge::LastMerge;
use super::plan::Plan;
use referee::record::GameId;
use run::RunError;
use run::store::{each_line, verdict};

/// A shard that has written within this time counts as running.
const LATELY: Duration = Duration::from_secs(120);
const SHOWN: usize = 20;

#[derive(Debug)]
pub struct Overview {
    plan: Plan,
    blocks: Vec<Block>,
    stop: Option<Message>,
    last: Option<LastMerge>,
}

#[derive(Debug, Default)]
struct Block {
    is_whole: bool,
    games: u64,
    void: u64,
    forfeited: u64,
    sessions: Vec<ShardSession>,
    games_of: BTreeMap<String, u64>,
    written: Option<SystemTime>,
}

impl Overview {
    /// Reads the files of the plan, and parses only the beginning and the end of each line to save time.
    pub fn of(folder: &Path) -> Result<Overview, RunError> {
        let (plan, id) = Plan::read(folder)?;
        let files: Vec<(u64, Vec<PathBuf>)> = by_block(folder, &plan)?.into_iter().collect();
        let at_once = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let blocks = host::side_by_side(at_once, &files, |(block, paths)| {
            Block::of(&plan, &id, *block, paths)
        });
        let blocks = blocks.map_err(RunError::system("the files cannot be read"))?;
        Ok(Overview {
            blocks: blocks.into_iter().collect::<Result<_, _>>()?,
            plan,
            stop: stop_reason(folder),
            last: LastMerge::read(folder),
        })
    }

    /// Returns the games per second from the first start of a shard to the last write, over at least one second.
    fn rate(&self) -> f64 {
        let sessions = self.blocks.iter().flat_map(|block| &block.sessions);
        let began = sessions.map(|session| session.started_unix_ms).min();
        let began = Duration::from_millis(began.unwrap_or(0));
        let first = SystemTime::UNIX_EPOCH.checked_add(began);
        let latest = self.blocks.iter().filter_map(|block| block.written).max();
        let lasted = latest
            .zip(first)
            .and_then(|(latest, first)| latest.duration_since(first).ok());
        self.sum(|block| block.games) as f64 / lasted.unwrap_or_default().as_secs_f64().max(1.0)
    }

    fn sum(&self, of: impl Fn(&Block) -> u64) -> u64 {
        self.blocks.iter().map(of).sum()
    }

    pub fn text(&self, folder: &Path) -> Vec<Message> {
        let (plan, games) = (&self.plan, self.sum(|block| block.games));
        let is_running = |block: &Block| {
            let since = block.written.and_then(|written| written.elapsed().ok());
            u64::from(since.is_some_and(|since| since < LATELY))
        };
        let whole = self.sum(|block| u64::from(block.is_whole));
        let mut lines = vec![
            message!(
                "{}: {whole} of {} blocks are complete, {} begun, {} with new games in the last \
                 two minutes",
                plan.name,
                plan.blocks,
                self.blocks.len() as u64 - whole,
                self.sum(is_running)
            ),
            message!(
                "{games} of {} games, {} forfeited, {} void",
                plan.games(),
                self.sum(|block| block.forfeited),
                self.sum(|block| block.void)
            ),
        ];
        if games > 0 {
            let rate = self.rate();
            let left = plan.games().saturating_sub(games) as f64 / rate;
            let left = humantime::format_duration(Duration::from_secs(left.min(1e9) as u64));
            let left = left.to_string();
            lines.push(message!(
                "{rate:.1} games/s so far; at this rate, {left} to go"
            ));
        }
        self.machines(&mut lines);
        match &self.last {
            Some(LastMerge { games, verdict, .. }) => {
                lines.push(message!("merged so far: {games} {games|game|games}"));
                lines.extend(verdict.clone());
            }
            None => lines.push(message!("not merged yet: arena merge {}", folder.display())),
        }
        if let Some(why) = &self.stop {
            lines.push(message!("stopped: {why}"));
        }
        lines
    }

    fn machines(&self, lines: &mut Vec<Message>) {
        let sessions = || self.blocks.iter().flat_map(|block| &block.sessions);
        let mut machines: BTreeMap<&str, (u64, Option<&ShardSession>)> = BTreeMap::new();
        for session in sessions() {
            let machine = machines.entry(&session.machine).or_default();
            machine.1 = Some(session);
        }
        for (name, games) in self.blocks.iter().flat_map(|block| &block.games_of) {
            machines.entry(name).or_default().0 += games;
        }
        let mut machines: Vec<_> = machines.into_iter().collect();
        machines.sort_by_key(|&(_, (games, _))| std::cmp::Reverse(games));
        for (name, (games, session)) in machines.iter().take(SHOWN) {
            lines.push(match session {
                None => message!("{name}: {games} {games|game|games}"),
                Some(session) => {
                    let speed = session.nodes_per_s as f64 / 1e6;
                    let (processor, load) = (&session.processor, session.load);
                    message!(
                        "{name}: {games} {games|game|games}; {processor}, {speed:.2} Mnodes/s, load {load:.1}"
                    )
                }
            });
        }
        if machines.len() > SHOWN {
            let more = machines.len() - SHOWN;
            lines.push(message!("more machines: {more}"));
        }
        if let Some(note) = differences(sessions()).filter(|_| self.plan.favours_fast_machines()) {
            lines.push(message!("note: {note}"));
        }
    }
}

impl Block {
    fn of(plan: &Plan, id: &str, block: u64, paths: &[PathBuf]) -> Result<Block, RunError> {
        let (mut seen, mut found) = (BTreeSet::new(), Block::default());
        for path in paths {
            let failed = RunError::system(message!("cannot read {}", path.display()));
            let written = fs::metadata(path).and_then(|data| data.modified());
            found.written = found.written.max(Some(written.map_err(failed)?));
            each_line(path, |_, _, line| -> Result<(), RunError> {
                match BlockLine::of(line) {
                    Some(BlockLine::Session(text)) => {
                        found.sessions.push(check_session(path, text, id, block)?);
                    }
                    Some(BlockLine::Game(game)) => {
                        let has_session = !found.sessions.is_empty();
                        check_game(path, plan, block, GameId(game), has_session)?;
                        match verdict(line) {
                            Some("void") => found.void += 1,
                            Some(verdict) if seen.insert(game) => {
                                found.forfeited += u64::from(verdict == "forfeit");
                                let machine = found.sessions.last().map(|session| &session.machine);
                                let machine = machine.cloned().unwrap_or_default();
                                *found.games_of.entry(machine).or_default() += 1;
                            }
                            _ => {}
                        }
                    }
                    None => {}
                }
                Ok(())
            })?;
        }
        let pairs = plan.pairs_of(block)?;
        found.games = seen.len() as u64;
        found.is_whole = found.games == 2 * (pairs.end - pairs.start);
        Ok(found)
    }
}

enum BlockLine<'a> {
    Session(&'a str),
    Game(u64),
}

impl BlockLine<'_> {
    /// Parses a line; `None` if it is incomplete. Only a merge verifies the checksum.
    fn of(line: &[u8]) -> Option<BlockLine<'_>> {
        const SUM: usize = r#"{"sum":"0123456789abcdef","#.len();
        let rest = line.get(SUM..)?.strip_suffix(b"}\n")?;
        if let Some(text) = rest.strip_prefix(b"\"session\":") {
            return Some(BlockLine::Session(std::str::from_utf8(text).ok()?));
        }
        let rest = rest.strip_prefix(b"\"game\":")?;
        let end = memchr::memchr(b',', rest)?;
        let id = std::str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
        Some(BlockLine::Game(id))
    }
}
