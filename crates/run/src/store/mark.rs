//! The number of games in a record after its last commit, so that a loss is noticed.
//!
//! The record itself cannot show a loss: a truncated write-ahead log looks like a shorter one. The
//! mark is a line of text in the lock file. It is written after each commit and not forced to disk:
//! after a crash of the machine it may be lower than the record's number, but never higher.

use std::io::{Read, Seek, Write};

use host::Lock;

/// The mark of an open record, and the lock that the store holds while it is open.
#[derive(Debug)]
pub(super) struct Mark {
    lock: Lock,
    games: u64,
}

impl Mark {
    /// The number that the earlier run left; 0 if there was none or it cannot be read.
    pub fn new(lock: Lock) -> Mark {
        let mut text = String::new();
        let _ = (&*lock).read_to_string(&mut text);
        let games = text.split(' ').next().and_then(|word| word.parse().ok());
        Mark {
            lock,
            games: games.unwrap_or(0),
        }
    }

    /// The number of games, without void ones.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// One more game has been saved.
    pub fn count(&mut self) {
        self.games += 1;
    }

    /// Sets the number of games.
    pub fn set(&mut self, games: u64) {
        self.games = games;
        self.write();
    }

    /// Writes the mark. If that fails, as on a full disk, no game is lost; only a loss is not noticed.
    pub fn write(&mut self) {
        let line = format!("{:<10} games kept\n", self.games);
        let mut file = &*self.lock;
        let _ = (file.rewind()).and_then(|()| file.write_all(line.as_bytes()));
    }
}
