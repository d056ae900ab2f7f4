//! How many games a record had after its last commit, so that a loss is noticed.
//!
//! The record itself cannot tell: a write-ahead log that is torn ends where it is torn, like one that
//! was never longer. The mark is a line of text in the lock file, written after each commit and not
//! forced to disk: it may lag behind the record after a crash of the machine, and never runs ahead.

use std::fs::File;
use std::io::{Read, Seek, Write};

/// The mark of an open record, and the lock that keeps others out while it is open.
#[derive(Debug)]
pub(super) struct Mark {
    file: File,
    games: u64,
}

impl Mark {
    /// What the last sitting left; 0 where there was none, or nothing can be read.
    pub fn new(mut lock: File) -> Mark {
        let mut text = String::new();
        let _ = lock.read_to_string(&mut text);
        let games = text.split(' ').next().and_then(|word| word.parse().ok());
        Mark {
            file: lock,
            games: games.unwrap_or(0),
        }
    }

    /// Games, void ones not counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// One more game has been saved.
    pub fn count(&mut self) {
        self.games += 1;
    }

    /// So many there are.
    pub fn set(&mut self, games: u64) {
        self.games = games;
        self.write();
    }

    /// Writes it down. That this fails, as on a full disk, costs no game, only the notice of a loss.
    pub fn write(&mut self) {
        let line = format!("{:<10} games kept\n", self.games);
        let _ = (self.file.rewind()).and_then(|()| self.file.write_all(line.as_bytes()));
    }
}
