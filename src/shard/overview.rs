//! How far a plan has come, without merging it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::Plan;
use super::files::{by_block, check_session, stop_reason};
use super::merge::Last;
use super::session::{Session, differences};
use crate::run::RunError;

/// A shard that has written so lately is taken to be running.
const LATELY: Duration = Duration::from_mins(2);

/// How far a plan has come.
#[derive(Debug, Default)]
pub struct Overview {
    plan: Option<Plan>,
    /// Blocks that are whole, and those that have a file.
    whole: u64,
    begun: u64,
    /// Those of them that were written lately.
    running: u64,
    games: u64,
    void: u64,
    forfeited: u64,
    sessions: Vec<Session>,
    games_of: BTreeMap<String, u64>,
    /// Games per second since the first shard began.
    rate: f64,
    stop: Option<String>,
    last: Option<Last>,
}

impl Overview {
    /// That of the plan in `folder`. Only the beginnings of lines are read, and counted: it takes as long
    /// as reading the files.
    pub fn of(folder: &Path) -> Result<Overview, RunError> {
        let (plan, id) = Plan::read(folder)?;
        let mut overview = Overview {
            stop: stop_reason(folder),
            last: Last::read(folder),
            ..Overview::default()
        };
        let (mut first, mut latest) = (SystemTime::now(), SystemTime::UNIX_EPOCH);
        for (block, paths) in by_block(folder, &plan)? {
            overview.begun += 1;
            let mut of_block = std::collections::BTreeSet::new();
            for path in paths {
                let failed = || RunError::system(format!("cannot read {}", path.display()));
                let text = fs::read(&path).map_err(failed())?;
                let data = fs::metadata(&path).map_err(failed())?;
                if let Ok(written) = data.modified() {
                    latest = latest.max(written);
                    let lately = written.elapsed().is_ok_and(|since| since < LATELY);
                    overview.running += u64::from(lately);
                }
                let mut machine = String::new();
                for line in text.split_inclusive(|&byte| byte == b'\n') {
                    match Line::of(line) {
                        Some(Line::Session(text)) => {
                            let session = check_session(&path, text, &id, block)?;
                            let began = Duration::from_millis(session.started_unix_ms);
                            let began = SystemTime::UNIX_EPOCH.checked_add(began);
                            first = began.map_or(first, |began| first.min(began));
                            machine.clone_from(&session.machine);
                            overview.sessions.push(session);
                        }
                        Some(Line::Game(_, true)) => overview.void += 1,
                        Some(Line::Game(id, false)) => {
                            if of_block.insert(id) {
                                let forfeit = br#""verdict":{"forfeit":"#;
                                let has = memchr::memmem::find(line, forfeit).is_some();
                                overview.forfeited += u64::from(has);
                                *overview.games_of.entry(machine.clone()).or_default() += 1;
                            }
                        }
                        None => {}
                    }
                }
            }
            let pairs = plan.pairs_of(block)?;
            overview.games += of_block.len() as u64;
            overview.whole += u64::from(of_block.len() as u64 == 2 * (pairs.end - pairs.start));
        }
        // Clocks of machines differ: a run that has not begun yet is as long as a second.
        let lasted = latest.duration_since(first).unwrap_or_default();
        overview.rate = overview.games as f64 / lasted.as_secs_f64().max(1.0);
        overview.plan = Some(plan);
        Ok(overview)
    }

    /// Whether every game is there.
    pub fn is_whole(&self) -> bool {
        self.plan
            .as_ref()
            .is_some_and(|plan| plan.blocks == self.whole)
    }

    /// For a terminal. `folder` is the plan's.
    pub fn text(&self, folder: &Path) -> String {
        let Some(plan) = &self.plan else {
            return String::new();
        };
        let (blocks, all) = (plan.blocks, plan.games());
        let begun = self.begun - self.whole;
        let mut text = format!(
            "{}: {} of {blocks} blocks are whole, {begun} begun, {} written to in the last two minutes\n\
             {} of {all} games, {} forfeited, {} void\n",
            plan.name, self.whole, self.running, self.games, self.forfeited, self.void
        );
        if self.games > 0 {
            let left = all.saturating_sub(self.games) as f64 / self.rate;
            let left = Duration::from_secs(left.min(1e9) as u64);
            let _ = writeln!(
                text,
                "{:.1} games/s so far; at that rate {} are left",
                self.rate,
                humantime::format_duration(left)
            );
        }
        for (machine, games) in &self.games_of {
            let of = |session: &&Session| session.machine == *machine;
            let last = self.sessions.iter().filter(of).next_back();
            let (processor, speed, load) = last.map_or(("", 0, 0.0), |session| {
                (
                    session.processor.as_str(),
                    session.nodes_per_s,
                    session.load,
                )
            });
            let _ = writeln!(
                text,
                "{machine}: {games} games; {processor}, {:.2} Mnodes/s, load {load:.1}",
                speed as f64 / 1e6
            );
        }
        if plan.timed
            && let Some(differ) = differences(&self.sessions)
        {
            let _ = writeln!(text, "note: {differ}");
        }
        match &self.last {
            Some(last) if last.verdict.is_empty() => {
                let _ = writeln!(text, "merged so far: {} games", last.games);
            }
            Some(last) => {
                let _ = writeln!(text, "after {} merged games: {}", last.games, last.verdict);
            }
            None => {
                let folder = folder.display();
                let _ = writeln!(text, "not merged yet: arena merge {folder}");
            }
        }
        if let Some(why) = &self.stop {
            let _ = writeln!(text, "stopped: {why}");
        }
        text
    }
}

/// A line as far as it is looked at.
enum Line<'a> {
    Session(&'a str),
    /// Its number, and whether it is void.
    Game(u64, bool),
}

impl Line<'_> {
    /// `None` where it is not whole. Its checksum is the merge's business.
    fn of(line: &[u8]) -> Option<Line<'_>> {
        const SUM: usize = r#"{"sum":"0123456789abcdef","#.len();
        let rest = line.get(SUM..)?.strip_suffix(b"}\n")?;
        if let Some(text) = rest.strip_prefix(b"\"session\":") {
            return Some(Line::Session(std::str::from_utf8(text).ok()?));
        }
        let rest = rest.strip_prefix(b"\"game\":")?;
        let end = memchr::memchr(b',', rest)?;
        let id = std::str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
        let is_void = memchr::memmem::find(rest, br#""verdict":{"void":"#).is_some();
        Some(Line::Game(id, is_void))
    }
}
