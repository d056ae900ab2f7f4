//! The faults of a run. Errors of the same kind at the same place are one entry with a count, and so are equal faults.
//! Entries with standard error of the bot come first.

use std::collections::BTreeSet;
use std::path::Path;

use games::Side;
use message::{Message, message};
use referee::record::{Fault, GameRecord, LastError, harmless};

use crate::failures;

/// The faults of at most this many games are read.
pub const READ: usize = 300;
/// At most this many lines of standard error are shown.
const LINES: usize = 20;

#[derive(Clone, Debug)]
pub struct FaultGroup {
    pub name: String,
    pub word: &'static str,
    pub count: usize,
    cause: Option<Cause>,
    /// The different errors of the cause, the shortest first.
    pub errors: BTreeSet<(usize, String)>,
    /// Two faults of the group: the one with the smallest measure, such as a time, and the one with the largest.
    ends: [Fault; 2],
    pub said: String,
    pub game: u64,
}

/// The common part of a group's errors: their kind, such as `KeyError`, and the line of the program, or the whole error
/// if the line is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cause {
    error: String,
    place: Option<String>,
}

impl Cause {
    /// Finds the cause and the error itself in a bot's standard error.
    fn read(said: &str) -> Option<(Cause, String)> {
        let lines: Vec<&str> = said.lines().map(str::trim).collect();
        let Some(LastError { line, error }) = LastError::read(said) else {
            let error = lines.into_iter().rfind(|line| !line.is_empty())?.to_owned();
            let cause = Cause {
                error: error.clone(),
                place: None,
            };
            return Some((cause, error));
        };
        // Python names the place above the error, and Java below it.
        let above = lines[..line].iter().rfind(|line| line.starts_with("File "));
        let below = || lines[line..].iter().find(|line| line.starts_with("at "));
        let place = above.or_else(below).map(|place| (*place).to_owned());
        let kind = error.split(':').next().filter(|_| place.is_some());
        let kind = kind.unwrap_or(&error).to_owned();
        Some((Cause { error: kind, place }, error))
    }
}

impl FaultGroup {
    pub fn fault(&self) -> Message {
        self.ends[0].up_to(&self.ends[1])
    }

    /// Returns the error, or the first and the last of several errors. If no error is known, returns the fault.
    pub fn headline(&self) -> Message {
        match (self.errors.first(), self.errors.last()) {
            (Some((_, first)), Some((_, last))) if first != last => message!("{first} … {last}"),
            (Some((_, error)), _) => Message::quote(error.clone()),
            _ => self.fault(),
        }
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
            let (cause, error) = Cause::read(&said).unzip();
            let error = error.map(|error| (error.len(), error));
            let (name, word) = (record.player(side), fault.word());
            let known = self.groups.iter_mut().find(|group| {
                let is_same = group.name == name && group.word == word;
                let is_like = cause.is_some() || group.ends[0].equals_except_measure(fault);
                is_same && group.cause == cause && is_like
            });
            if let Some(group) = known {
                group.count += 1;
                group.errors.extend(error);
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
                cause,
                errors: error.into_iter().collect(),
                ends: [fault.clone(), fault.clone()],
                said: tail(&said),
                game: record.id.0,
            });
        }
    }

    /// `all` is the number of all faults of the run.
    pub fn shown(&self, all: u64) -> ShownFaults {
        let mut groups = self.groups.clone();
        groups.sort_by_key(|group| (group.said.is_empty(), std::cmp::Reverse(group.count)));
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

/// Shortens absolute paths to their last two parts: on a phone, the number after a path must be seen.
fn with_short_paths(line: &str) -> String {
    let is_edge = |c: char| c.is_whitespace() || "\"'()<>,;=".contains(c);
    let short = |word: &str| {
        let (path, edge) = word.split_at(word.trim_end_matches(is_edge).len());
        let parts: Vec<&str> = path.split(['/', '\\']).collect();
        match parts.as_slice() {
            ["", _, .., folder, file] => format!("…/{folder}/{file}{edge}"),
            [drive, .., folder, file] if drive.ends_with(':') => {
                format!("…\\{folder}\\{file}{edge}")
            }
            _ => word.to_owned(),
        }
    };
    line.split_inclusive(is_edge).map(short).collect()
}

/// Returns the last lines of standard error, escaped and with short paths.
pub fn tail(said: &str) -> String {
    let lines: Vec<&str> = said.trim_end().lines().collect();
    let shown = lines[lines.len().saturating_sub(LINES)..].iter();
    let shown: Vec<String> = shown
        .map(|line| harmless(&with_short_paths(line)))
        .collect();
    shown.join("\n")
}

#[cfg(test)]
mod tests {
    #[test]
    fn paths_are_shown_with_their_last_two_parts() {
        for (line, shown) in cases::cases::<(String, String)>("short-paths") {
            assert_eq!(super::with_short_paths(&line), shown);
        }
    }
}
