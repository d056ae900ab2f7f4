//! The games that this arena plays now, for any number of pages.
//!
//! One thread takes what is new from the run ([`Watcher`]) and keeps it as it is ([`live`]); what pages
//! are told is made only while one listens, once for all of them. A wall of boards is told of the latest
//! positions every 100 ms, the page of a game of each half-move. They get it through channels of bounded
//! length; a page that is too slow is told everything again, and nobody ever waits for a page.

mod live;
#[cfg(test)]
mod tests;
mod told;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::broadcast;

use self::live::Games;
pub use self::told::{Heard, Told};
use super::locked::lock;
use super::view::GameView;
use run::Watcher;
use tournament::Tournament;

/// Between two looks at the run while a page shows a game of it.
const GAME: Duration = Duration::from_millis(10);
/// Between two looks while somebody looks at the wall: an eye sees no more.
const WALL: Duration = Duration::from_millis(100);
/// Between two looks while nobody does, so that nothing piles up.
const NOBODY: Duration = Duration::from_millis(250);
/// What may wait for a page of the wall.
const ROOM: usize = 16;

/// The running games of a run.
#[derive(Debug)]
pub struct Hub {
    /// The name of the run's folder.
    pub run: String,
    games: Mutex<Games>,
    wall: broadcast::Sender<Told>,
    is_over: AtomicBool,
    listens: Mutex<Option<JoinHandle<()>>>,
}

impl Hub {
    /// Listens to a run in the folder `run`, of which `played` games have ended, until it is over.
    pub fn start(
        run: String,
        tournament: Tournament,
        played: u64,
        watcher: Watcher,
    ) -> Result<Arc<Hub>, std::io::Error> {
        let hub = Arc::new(Hub {
            run,
            games: Mutex::new(Games::of(tournament, played)),
            wall: broadcast::Sender::new(ROOM),
            is_over: AtomicBool::new(false),
            listens: Mutex::default(),
        });
        let listening = Arc::clone(&hub);
        let listens = thread::Builder::new()
            .name("listens to a run".to_owned())
            .spawn(move || listening.listen(watcher))?;
        *lock(&hub.listens) = Some(listens);
        Ok(hub)
    }

    /// The run has ended: pages hear of what is left, and of that.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        let listens = lock(&self.listens).take();
        if let Some(listens) = listens {
            listens.thread().unpark();
            let _ = listens.join();
        }
    }

    /// Whether the run has ended.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// The wall as it is, and what changes on it from then on.
    pub fn wall(&self) -> Heard {
        // While the games are locked, nothing is told.
        let mut games = lock(&self.games);
        let heard = (games.wall(), self.wall.subscribe());
        drop(games);
        self.look_now();
        heard
    }

    /// What happens in a game. Of one that is not running there is nothing but that it has ended.
    pub fn follow(&self, id: u64) -> Heard {
        let heard = lock(&self.games).follow(id);
        self.look_now();
        heard
    }

    /// A running game.
    pub fn game(&self, id: u64) -> Option<GameView> {
        lock(&self.games).view(id)
    }

    /// Somebody is there who has not been: what is known may be a while old.
    fn look_now(&self) {
        if let Some(listens) = &*lock(&self.listens) {
            listens.thread().unpark();
        }
    }

    fn listen(&self, mut watcher: Watcher) {
        let mut wall_told = Instant::now();
        loop {
            let is_over = self.is_over();
            let mut games = lock(&self.games);
            for event in watcher.now() {
                games.hear(event);
            }
            if is_over {
                games.end_run();
            }
            let has_pages = games.tell_pages();
            let has_wall = self.wall.receiver_count() > 0;
            if has_wall && (is_over || wall_told.elapsed() >= WALL) {
                wall_told = Instant::now();
                if let Some(told) = games.news() {
                    let _ = self.wall.send(told);
                }
            }
            drop(games);
            if is_over {
                return;
            }
            thread::park_timeout(match (has_pages, has_wall) {
                (true, _) => GAME,
                (false, true) => WALL.saturating_sub(wall_told.elapsed()),
                (false, false) => NOBODY,
            });
        }
    }
}
