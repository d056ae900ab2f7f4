//! Games that a person has brought in a file: kept in memory until newer ones need their place.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use games::formats::{self, SavedGame};

use super::locked::lock;

/// Games that are kept.
const MOST: usize = 500;
/// Games that are taken from a file.
const OF_A_FILE: usize = 100;

/// The games, the oldest first.
#[derive(Debug, Default)]
pub struct Loaded {
    next: AtomicU64,
    games: Mutex<VecDeque<(u64, Arc<SavedGame>)>>,
}

impl Loaded {
    /// Reads the games of a file, and says the number of the first; the error says what is wrong, and
    /// where.
    pub fn read(&self, text: &str) -> Result<u64, String> {
        let games = match formats::read(text.as_bytes()) {
            Some(games) => games.map_err(|bad| bad.to_string())?,
            None => formats::transcripts(text)?,
        };
        if games.is_empty() {
            return Err("there is no game in it".to_owned());
        }
        let mut kept = lock(&self.games);
        let first = self.next.load(Ordering::SeqCst);
        for game in games.into_iter().take(OF_A_FILE) {
            let id = self.next.fetch_add(1, Ordering::SeqCst);
            kept.push_back((id, Arc::new(game)));
        }
        while kept.len() > MOST {
            kept.pop_front();
        }
        Ok(first)
    }

    /// The game of this number.
    pub fn get(&self, id: u64) -> Option<Arc<SavedGame>> {
        let kept = lock(&self.games);
        let found = kept.iter().find(|(known, _)| *known == id);
        found.map(|(_, game)| Arc::clone(game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_have_several_games_and_a_bad_one_is_said_where() {
        let loaded = Loaded::default();
        assert_eq!(loaded.read("f5d6c3\n# a remark\nf5f6"), Ok(0));
        assert_eq!(loaded.get(1).expect("the second").moves.len(), 2);
        assert!(loaded.get(2).is_none());
        let bad = loaded
            .read("f5d6c3\nf5f5")
            .expect_err("the square is taken");
        assert!(bad.starts_with("line 2"), "{bad}");
        assert!(loaded.read("(;GM[4]SZ[15]").is_err());
        assert!(loaded.read(" \n").is_err());
    }
}
