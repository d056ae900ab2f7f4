//! Games that are played in the page: a person against a bot, or two people.
//!
//! Each is a run of its own, recorded like any other. [`begin`] starts one as a page asks for it,
//! [`Session`] shows it to pages.

mod begin;
mod session;

pub use begin::{Refused, Table, Wanted, begin, go_on};
pub use session::Session;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use games::Board;
use serde::Serialize;

use super::locked::lock;
use referee::problem::Placed;
use run::{Run, RunError};

/// Games that may be in progress at a time.
const MOST: usize = 12;

/// A bot that may be chosen: only such a bot is ever started.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The box that it plays in; `None`: none.
    pub sandbox: Placed<String>,
    /// What is started, as in `arena match`.
    pub word: String,
    /// Its name in a list; a key of [`message`], or a text.
    pub name: String,
    /// The games that it plays.
    pub games: Vec<String>,
}

/// What a square is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Worth {
    /// Which square, row by row from a1 = 0.
    pub square: usize,
    /// For sorting and comparing.
    pub rank: f64,
    /// In the units that the game counts in; `None` for a forced win or loss.
    pub score: Option<f64>,
    /// Half-moves to a forced win; less than 0: to a forced loss.
    pub forced: Option<i32>,
}

/// Judges every square of a position.
pub type Advise = dyn Fn(&Board) -> Vec<Worth> + Send + Sync;

/// The games in progress.
#[derive(Debug, Default)]
pub struct Sessions(Mutex<BTreeMap<String, Arc<Session>>>);

impl Sessions {
    /// The game of this name.
    pub fn get(&self, id: &str) -> Option<Arc<Session>> {
        lock(&self.0).get(id).cloned()
    }

    /// The game that began last, unless it is over.
    pub fn latest(&self) -> Option<Arc<Session>> {
        let all = lock(&self.0);
        let latest = all.values().max_by_key(|one| one.begun);
        latest.filter(|one| !one.is_over()).cloned()
    }

    /// Begins one more; the first one that is over, or else the oldest, makes room.
    fn begin(
        &self,
        wanted: Option<Wanted>,
        run: Run,
        people: [bool; 2],
    ) -> Result<Arc<Session>, RunError> {
        let session = Session::start(wanted, run, people)?;
        let mut all = lock(&self.0);
        let mut leaving = None;
        if all.len() >= MOST {
            let over = all.values().find(|one| one.is_over());
            let oldest = over.or_else(|| all.values().min_by_key(|one| one.begun));
            leaving = oldest.map(|one| one.id.clone());
        }
        let left = leaving.and_then(|id| all.remove(&id));
        all.insert(session.id.clone(), Arc::clone(&session));
        drop(all);
        if let Some(left) = left {
            leave(&left);
        }
        Ok(session)
    }

    /// Ends all: what was played of them is kept.
    pub fn end(&self) {
        let all = std::mem::take(&mut *lock(&self.0));
        for session in all.values() {
            leave(session);
        }
    }
}

/// Ends a game; what was played of it is kept, or there is nobody left who could be told.
pub fn leave(session: &Session) {
    let _ = session.game.leave();
}
