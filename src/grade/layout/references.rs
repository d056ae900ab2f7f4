//! Reads the programs of a student, to find out whether they refer to each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::SubmissionEntry;
use super::reuploads::is_program;
use referee::bot::read_own;
use tournament::stem;

/// The most bytes of a student's programs that are read to find out whether they belong together.
const MOST_READ: u64 = 4 << 20;
/// The most files of a student that are read.
const MOST_FILES: usize = 256;

/// Returns each program of a student: its name without the ending, and its text (empty if there is too much to read).
pub(super) fn programs(entries: &[SubmissionEntry]) -> Vec<(String, String)> {
    let mut left = if entries.len() <= MOST_FILES {
        MOST_READ
    } else {
        0
    };
    let files = entries.iter().filter_map(|entry| {
        let file = entry
            .file
            .as_deref()
            .filter(|file| is_program(Some(file)))?;
        let text = read_own(&entry.path, left).unwrap_or_default();
        left -= text.len() as u64;
        Some((
            stem(Path::new(file)),
            String::from_utf8_lossy(&text).into_owned(),
        ))
    });
    files.collect()
}

/// Returns whether the programs fall into groups that do not refer to each other. This may happen if two students have
/// the same name.
pub(super) fn are_apart(entries: &[SubmissionEntry]) -> bool {
    let programs = programs(entries);
    let mut with_stem: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, (stem, _)) in programs.iter().enumerate() {
        with_stem.entry(stem).or_default().push(at);
    }
    let mut connected = vec![Vec::new(); programs.len()];
    for (at, (_, text)) in programs.iter().enumerate() {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let words: BTreeSet<&str> = words.collect();
        for &named in words
            .iter()
            .filter_map(|word| with_stem.get(word))
            .flatten()
        {
            connected[at].push(named);
            connected[named].push(at);
        }
    }
    let mut waiting: Vec<usize> = (0..programs.len().min(1)).collect();
    let mut reached: BTreeSet<usize> = waiting.iter().copied().collect();
    while let Some(at) = waiting.pop() {
        let more = connected[at].iter();
        waiting.extend(more.filter(|&&next| reached.insert(next)));
    }
    reached.len() < programs.len()
}
