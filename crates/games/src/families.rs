//! The list of all games.

use std::sync::{PoisonError, RwLock};

use crate::game::listed;
use crate::gomoku::Gomoku;
use crate::othello::Othello;
use crate::{Family, Game, UnknownGame};

const BUILT_IN: [&dyn Family; 2] = [&Othello, &Gomoku];

static ADDED: RwLock<Vec<&'static dyn Family>> = RwLock::new(Vec::new());

/// Adds a game to this process. Call this function before any game is looked up by name. Bots are other processes and
/// do not learn the game from this call. Panics if a game already has this name.
pub fn register(family: &'static dyn Family) {
    let name = family.name();
    assert!(!names().contains(&name), "there is a game {name:?} already");
    ADDED
        .write()
        .unwrap_or_else(PoisonError::into_inner)
        .push(family);
}

/// Returns all games, the default first.
pub fn families() -> Vec<&'static dyn Family> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.into_iter().chain(added.iter().copied()).collect()
}

/// Returns the names of all games, as [`Game::new`] takes them; the default first.
pub fn names() -> Vec<&'static str> {
    families().iter().map(|family| family.name()).collect()
}

/// Returns the names of all games in a sentence: `othello or gomoku`.
pub fn names_listed(or: &str) -> String {
    listed(&names(), or)
}

impl Game {
    /// Returns the game `name`. `None` means the default: standard, 8×8 for `othello`; freestyle, 15×15 for `gomoku`.
    pub fn new(name: &str, rules: Option<&str>, size: Option<i64>) -> Result<Game, UnknownGame> {
        let family = families().into_iter().find(|family| family.name() == name);
        let family = family.ok_or_else(|| UnknownGame::named(name))?;
        Game::of_family(family, rules, size)
    }
}

impl UnknownGame {
    /// Returns the error for an unknown `name`.
    pub fn named(name: &str) -> UnknownGame {
        UnknownGame::Name {
            name: name.to_owned(),
            known: names_listed("and"),
        }
    }
}
