//! What the workers of a run share, and the guests that play in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use super::gate::Gate;
use super::locked::lock;
use super::watch::Watchers;
use super::{Lanes, Stop};
use referee::Player;
use referee::record::GameId;
use referee::void::InterruptedGame;
use tournament::{Agenda, Tournament};

/// What the workers of a run share.
#[derive(Debug)]
pub(super) struct Shared {
    pub tournament: Tournament,
    pub agenda: Mutex<Agenda>,
    pub lanes: Lanes,
    pub stop: Stop,
    /// Whether a worker has panicked, so that no further game of this run begins.
    pub has_panicked: AtomicBool,
    pub watchers: Watchers,
    /// Guests that play instead of a bot, by the bot's number.
    pub guests: Vec<Option<NewGuest>>,
    /// Void games of its record.
    pub interrupted: BTreeMap<GameId, InterruptedGame>,
    /// Asked before each pair.
    pub gate: Gate,
    /// What is to be told at the end, such as what bots did after their last games.
    pub warnings: Mutex<BTreeSet<String>>,
}

impl Shared {
    pub fn agenda(&self) -> MutexGuard<'_, Agenda> {
        lock(&self.agenda)
    }

    /// Whether no further game begins.
    pub fn is_stopping(&self) -> bool {
        self.stop.is_requested() || self.has_panicked.load(Ordering::SeqCst)
    }
}

/// Makes the player that plays instead of a bot, one for each game. A guest that waits for a person
/// checks whether the run is given up.
#[derive(Clone)]
pub struct NewGuest(pub(super) Arc<MakesPlayers>);

type MakesPlayers = dyn Fn(&Stop) -> Box<dyn Player> + Send + Sync;

impl NewGuest {
    /// The guest that `make` makes.
    pub fn new(make: impl Fn(&Stop) -> Box<dyn Player> + Send + Sync + 'static) -> NewGuest {
        NewGuest(Arc::new(make))
    }
}

impl fmt::Debug for NewGuest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewGuest")
    }
}
