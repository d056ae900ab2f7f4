//! The events of a run.
//!
//! A [`Watcher`] has a queue of bounded length. The sender never waits: if the queue is full,
//! half-moves, starts and voids are dropped, and of finished games only the numbers wait.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::locked::lock;
use games::{Move, Side};
use referee::TimeLeft;
use referee::record::{GameId, GameRecord, Ply};

/// Events that wait for one watcher before half-moves are dropped.
const ROOM: usize = 4096;
/// Half-moves wake nobody: a watcher looks this often.
const LOOK: Duration = Duration::from_millis(10);

/// Something that happened in a run.
#[derive(Clone, Debug)]
pub enum Event {
    /// A game begins.
    Started {
        /// Its number.
        game: GameId,
        /// The bots, black's first, by their numbers in the tournament.
        bots: [usize; 2],
        /// The moves given at the start.
        opening: Arc<[Move]>,
        /// 1, or more if earlier attempts were void.
        attempt: u32,
    },
    /// A half-move was played; the mover's clock had stopped before this was sent.
    Ply {
        /// Its game.
        game: GameId,
        /// Counted from 0 after the opening.
        number: usize,
        /// The move, and the bot's thought.
        ply: Arc<Ply>,
        /// The time left of both sides, black first.
        left: TimeLeft,
    },
    /// A game has ended and was saved; it is committed at most 50 ms later.
    Finished {
        /// Its record.
        record: Arc<GameRecord>,
    },
    /// The same, for a watcher that was too far behind: only the number was kept. The record of the
    /// run has the game.
    Saved {
        /// Its number.
        game: GameId,
    },
    /// The arena or the machine failed in a game, which may be played again.
    Void {
        /// Its number.
        game: GameId,
        /// What happened.
        why: String,
        /// The side that the arena was waiting for.
        waited_for: Option<Side>,
    },
    /// No event; time has passed.
    Tick,
}

/// All watchers of a run.
#[derive(Debug, Default)]
pub(super) struct Watchers {
    /// How many there are, so that a run without watchers has no cost.
    count: AtomicUsize,
    queues: Mutex<Vec<Weak<Queue>>>,
}

impl Watchers {
    /// Adds a watcher.
    pub fn add(&self) -> Watcher {
        let queue = Arc::new(Queue::default());
        let mut queues = lock(&self.queues);
        queues.push(Arc::downgrade(&queue));
        self.count.store(queues.len(), Ordering::Release);
        Watcher { queue }
    }

    /// Whether there is a watcher.
    pub fn any(&self) -> bool {
        self.count.load(Ordering::Acquire) > 0
    }

    /// Sends an event to all watchers.
    pub fn tell(&self, event: &Event) {
        if !self.any() {
            return;
        }
        let mut queues = lock(&self.queues);
        queues.retain(|queue| {
            let queue = queue.upgrade();
            queue.inspect(|queue| queue.push(event.clone())).is_some()
        });
        self.count.store(queues.len(), Ordering::Release);
    }
}

#[derive(Debug, Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    grown: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    events: VecDeque<Event>,
    /// Numbers of games that ended while the queue was full; later than all events.
    games: VecDeque<GameId>,
}

impl Queue {
    fn push(&self, event: Event) {
        let is_ply = matches!(event, Event::Ply { .. });
        let mut waiting = lock(&self.waiting);
        let is_full = waiting.events.len() >= ROOM || !waiting.games.is_empty();
        match event {
            Event::Finished { record } if is_full => waiting.games.push_back(record.id),
            _ if is_full => return,
            event => waiting.events.push_back(event),
        }
        drop(waiting);
        // To wake a watcher takes a call of the system, as long as half a ply of a quick bot.
        if !is_ply {
            self.grown.notify_one();
        }
    }
}

/// One listener of a run.
#[derive(Debug)]
pub struct Watcher {
    queue: Arc<Queue>,
}

impl Watcher {
    /// The next event; after waiting for `timeout`, [`Event::Tick`]. A half-move is seen at most
    /// 10 ms after it was played.
    pub fn next(&self, timeout: Duration) -> Event {
        let until = Instant::now() + timeout;
        let mut waiting = lock(&self.queue.waiting);
        loop {
            if let Some(event) = waiting.events.pop_front() {
                return event;
            }
            if let Some(game) = waiting.games.pop_front() {
                return Event::Saved { game };
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Event::Tick;
            }
            let woken = self.queue.grown.wait_timeout(waiting, left.min(LOOK));
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game;
    use referee::record::Verdict;

    fn ply(number: usize) -> Event {
        Event::Ply {
            game: GameId(1),
            number,
            ply: Arc::new(Ply {
                played: Move::Pass,
                effort: None,
                thought: referee::record::Thought::default(),
            }),
            left: [None; 2],
        }
    }

    fn finished(id: u64) -> Event {
        let resigned = Verdict::Resigned(Side::Black);
        let record = GameRecord::new(GameId(id), Game::OTHELLO, ["one", "two"], resigned);
        Event::Finished {
            record: Arc::new(record),
        }
    }

    /// The numbers of the games that a watcher hears of, and how many half-moves.
    fn heard(watcher: &Watcher) -> (Vec<u64>, usize) {
        let (mut games, mut plies) = (Vec::new(), 0);
        loop {
            match watcher.next(Duration::ZERO) {
                Event::Finished { record } => games.push(record.id.0),
                Event::Saved { game } => games.push(game.0),
                Event::Ply { .. } => plies += 1,
                Event::Tick => return (games, plies),
                other => panic!("nobody sent {other:?}"),
            }
        }
    }

    #[test]
    fn a_slow_watcher_loses_half_moves_and_no_game() {
        let watchers = Watchers::default();
        assert!(!watchers.any());
        let slow = watchers.add();
        for id in 0..100 {
            (0..60).for_each(|number| watchers.tell(&ply(number)));
            watchers.tell(&finished(id));
        }
        let (games, plies) = heard(&slow);
        assert_eq!(games, (0..100).collect::<Vec<_>>());
        assert!((1..100 * 60).contains(&plies), "{plies}");
        // Once it has caught up, it hears everything again.
        watchers.tell(&ply(0));
        watchers.tell(&finished(100));
        assert_eq!(heard(&slow), (vec![100], 1));
        drop(slow);
        watchers.tell(&ply(0));
        assert!(!watchers.any(), "who is gone is forgotten");
    }
}
