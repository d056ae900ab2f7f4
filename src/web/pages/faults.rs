//! The faults of a run. Equal faults are one entry with a count; entries with output of the bot come first.

use std::path::Path;

use games::Side;
use message::{Lang, ToValue};
use referee::record::{GameId, harmless};
use run::failures;
use run::report::BotLine;
use run::report::grade::reason;
use run::store::Store;

use super::address;
use crate::web::index::Index;

/// The most games whose faults are read.
const READ: usize = 300;
/// The most lines of standard error that are shown.
const LINES: usize = 20;

pub struct FaultGroup {
    pub name: String,
    pub query: String,
    pub word: &'static str,
    pub count: usize,
    /// The line of the standard error that names the cause; without one, the fault.
    pub title: String,
    pub fault: String,
    pub said: String,
    pub game: u64,
}

/// The faults that can be read, and the number of the others.
#[derive(Default)]
pub struct Faults {
    pub groups: Vec<FaultGroup>,
    pub more: u64,
}

/// Returns the games with a fault that [`Faults::read`] reads, and the number of all faults.
pub fn faulty(index: &Index) -> (Vec<u64>, u64) {
    let lines = index.lines.iter();
    let faulty = lines.filter(|line| line.at_fault != [false; 2]);
    let bots = index.standings.bots().iter();
    let all = bots.map(BotLine::fault_count).sum();
    (faulty.take(READ).map(|line| line.id).collect(), all)
}

impl Faults {
    pub fn read(folder: &Path, (games, all): &(Vec<u64>, u64), lang: &Lang) -> Faults {
        let Some(store) = (!games.is_empty())
            .then(|| Store::read(folder).ok())
            .flatten()
        else {
            return Faults::default();
        };
        let mut groups: Vec<FaultGroup> = Vec::new();
        for &game in games {
            let Ok(Some(record)) = store.game(GameId(game)) else {
                continue;
            };
            for side in Side::BOTH {
                let Some(fault) = record.verdict.fault_of(side) else {
                    continue;
                };
                let said = failures::stderr(folder, record.id, side);
                let fault_text = lang.render(&fault.to_message());
                let line = reason(&said).map(|line| harmless(&lang.render(&line)));
                let (name, word) = (harmless(record.player(side)), fault.word());
                let known = groups.iter_mut().find(|group| {
                    let title = line.as_ref().unwrap_or(&group.fault);
                    group.name == name && group.word == word && group.title == *title
                });
                if let Some(group) = known {
                    group.count += 1;
                    continue;
                }
                groups.push(FaultGroup {
                    query: address(record.player(side)),
                    word,
                    count: 1,
                    title: line.unwrap_or_else(|| fault_text.clone()),
                    fault: harmless(&fault_text),
                    said: tail(&said),
                    game,
                    name,
                });
            }
        }
        groups.sort_by_key(|group| (group.said.is_empty(), std::cmp::Reverse(group.count)));
        let shown: usize = groups.iter().map(|group| group.count).sum();
        Faults {
            groups,
            more: all.saturating_sub(shown as u64),
        }
    }
}

fn tail(said: &str) -> String {
    let lines: Vec<&str> = said.trim_end().lines().collect();
    let shown = lines[lines.len().saturating_sub(LINES)..].iter();
    let shown: Vec<String> = shown.map(|line| harmless(line)).collect();
    shown.join("\n")
}
