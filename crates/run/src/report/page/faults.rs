//! The faults of a run. Equal faults are one entry with a count. Entries with standard error of the bot come first.

use std::path::Path;

use games::Side;
use message::Message;
use referee::record::{Fault, GameRecord, harmless};

use crate::failures;
use crate::report::grade::reason;
use crate::report::{BotLine, Standings};

/// Faults are read in at most this many games.
pub const READ: usize = 300;
/// At most this many lines of standard error are shown.
const LINES: usize = 20;

#[derive(Clone, Debug)]
pub struct FaultGroup {
    pub name: String,
    pub word: &'static str,
    pub count: usize,
    /// The line of standard error that names the cause, if there is any.
    pub line: Option<Message>,
    /// The faults of the group with the smallest and the largest measure, such as a time.
    ends: [Fault; 2],
    pub said: String,
    pub game: u64,
}

impl FaultGroup {
    pub fn fault(&self) -> Message {
        self.ends[0].up_to(&self.ends[1])
    }

    /// Returns the line that names the cause, else the fault.
    pub fn headline(&self) -> Message {
        self.line.clone().unwrap_or_else(|| self.fault())
    }
}

/// The faults of the first [`READ`] games that have any.
#[derive(Debug, Default)]
pub struct Faults {
    groups: Vec<FaultGroup>,
    games: usize,
}

impl Faults {
    pub fn add(&mut self, record: &GameRecord, folder: &Path) {
        let faults = Side::BOTH.map(|side| record.verdict.fault_of(side));
        if faults == [None; 2] || self.games == READ {
            return;
        }
        self.games += 1;
        for (side, fault) in Side::BOTH.into_iter().zip(faults) {
            let Some(fault) = fault else {
                continue;
            };
            let said = failures::stderr(folder, record.id, side);
            let line = reason(&said);
            let (name, word) = (record.player(side), fault.word());
            let known = self.groups.iter_mut().find(|group| {
                let is_same = group.name == name && group.word == word;
                is_same && group.line == line && (line.is_some() || group.ends[0].is_like(fault))
            });
            if let Some(group) = known {
                group.count += 1;
                let [least, most] = &mut group.ends;
                if fault.measure() < least.measure() {
                    *least = fault.clone();
                } else if fault.measure() > most.measure() {
                    *most = fault.clone();
                }
                continue;
            }
            self.groups.push(FaultGroup {
                name: name.to_owned(),
                word,
                count: 1,
                line,
                ends: [fault.clone(), fault.clone()],
                said: tail(&said),
                game: record.id.0,
            });
        }
    }

    pub fn shown(&self, standings: &Standings) -> ShownFaults {
        let mut groups = self.groups.clone();
        groups.sort_by_key(|group| (group.said.is_empty(), std::cmp::Reverse(group.count)));
        let all: u64 = standings.bots().iter().map(BotLine::fault_count).sum();
        let shown: usize = groups.iter().map(|group| group.count).sum();
        ShownFaults {
            groups,
            more: all.saturating_sub(shown as u64),
        }
    }
}

#[derive(Default)]
pub struct ShownFaults {
    pub groups: Vec<FaultGroup>,
    pub more: u64,
}

/// Returns the last lines of standard error, escaped.
pub fn tail(said: &str) -> String {
    let lines: Vec<&str> = said.trim_end().lines().collect();
    let shown = lines[lines.len().saturating_sub(LINES)..].iter();
    let shown: Vec<String> = shown.map(|line| harmless(line)).collect();
    shown.join("\n")
}
