//! Solutions in a file, so that a command that was stopped continues.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use games::othello::obf::{self, ObfPosition, ScoredMove};

use super::failure::Failure;
use crate::othello::{endgame::Solution, notation};

/// The file, and what stood in it when it was opened.
pub struct Saved {
    path: PathBuf,
    file: File,
    known: Vec<ObfPosition>,
}

impl Saved {
    /// Opens the file or makes it. What follows its last whole line was being written when the program
    /// was stopped, and is cut off.
    pub fn open(path: &Path) -> Result<Saved, Failure> {
        let bad =
            |why: &dyn std::fmt::Display| Failure::input(format!("{}: {why}", path.display()));
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let mut file = options.open(path).map_err(|error| bad(&error))?;
        let mut text = String::new();
        file.read_to_string(&mut text)
            .map_err(|error| bad(&error))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let known = obf::read(&text[..whole]).map_err(|error| bad(&error))?;
        if whole < text.len() {
            file.set_len(whole as u64).map_err(|error| bad(&error))?;
        }
        let path = path.to_owned();
        Ok(Saved { path, file, known })
    }

    /// The solution of a position, if it was known when the file was opened.
    pub fn find(&self, problem: &ObfPosition) -> Option<ObfPosition> {
        let is_same =
            |known: &&ObfPosition| known.board == problem.board && known.best_score().is_some();
        self.known.iter().find(is_same).cloned()
    }

    /// Adds a solution.
    pub fn add(&mut self, problem: &ObfPosition, solution: &Solution) -> Result<(), Failure> {
        let best = solution.line.first().map(|&best| ScoredMove {
            played: notation(best),
            score: Some(solution.score),
        });
        let solved = ObfPosition {
            moves: best.into_iter().collect(),
            ..problem.clone()
        };
        let line = format!("{solved}\n");
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|error| Failure::own(format!("{}: {error}", self.path.display())))
    }
}
