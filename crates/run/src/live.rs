//! The events of a run, and their listeners.
//!
//! Listeners do not delay games: a worker writes half-moves to its [`LiveGame`], and never wakes a thread or waits for
//! it. Each [`Watcher`] regularly reads the new half-moves from the live games and makes events of them. A slow watcher
//! may miss half-moves of games that have ended, but no finished game: a full queue still keeps the games' numbers.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use games::{Move, Side};
use message::Message;
use referee::TimeLeft;
use referee::record::{GameId, GameRecord, Ply};

use super::lock::lock;

#[derive(Clone, Debug)]
pub enum Event {
    Started {
        game: GameId,
        /// The numbers of the bots in the tournament, black's first.
        bots: [usize; 2],
        opening: Arc<[Move]>,
        /// The number of the attempt, from 1; earlier attempts were void.
        attempt: u32,
    },
    Ply {
        game: GameId,
        /// The number of the half-move, from 0 after the opening.
        number: usize,
        ply: Ply,
        /// The time left after the half-move, black's first.
        left: TimeLeft,
        /// The time at which the worker wrote the half-move, shortly after the clock stopped.
        at: Instant,
    },
    /// A game has ended and was saved; it is committed at most 50 ms later.
    Finished {
        record: Arc<GameRecord>,
    },
    /// A game was saved while the watcher's queue was full, so only the game's number was kept.
    Saved {
        game: GameId,
    },
    /// The arena or the machine failed in a game, which may be played again.
    Void {
        game: GameId,
        why: Message,
        waited_for: Option<Side>,
    },
    Tick,
}

/// At most this many events wait for one watcher. Of further events, only the numbers of finished games are kept.
const CAPACITY: usize = 4096;
/// The time between two reads of the live games.
const LOOK: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub(super) struct Watchers {
    queues: Vec<Arc<Queue>>,
    live: Arc<[LiveGame]>,
}

impl Watchers {
    pub fn of(workers: usize) -> Watchers {
        Watchers {
            queues: Vec::new(),
            live: (0..workers).map(|_| LiveGame::default()).collect(),
        }
    }

    pub fn add(&mut self) -> Watcher {
        let queue = Arc::new(Queue::default());
        self.queues.push(Arc::clone(&queue));
        Watcher {
            queue,
            seen: vec![SeenGame::default(); self.live.len()],
            live: Arc::clone(&self.live),
            taken: VecDeque::new(),
            looked: None,
        }
    }

    pub fn any(&self) -> bool {
        Arc::strong_count(&self.live) > 1
    }

    pub fn live(&self, worker: usize) -> &LiveGame {
        &self.live[worker]
    }

    pub fn send(&self, event: &Event) {
        let listens = |queue: &&Arc<Queue>| Arc::strong_count(queue) > 1;
        for queue in self.queues.iter().filter(listens) {
            queue.push(event.clone());
        }
    }
}

/// The game that a worker plays. It has its own cache lines, so that workers do not slow each other down.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct LiveGame(Mutex<Current>);

#[derive(Debug, Default)]
struct Current {
    /// The [`Event::Started`] of the game; `None` between two games.
    started: Option<Event>,
    /// The number of games that the worker has begun.
    count: u64,
    plies: Vec<(Ply, TimeLeft, Instant)>,
}

impl LiveGame {
    pub fn begin(&self, started: Event) {
        let mut current = lock(&self.0);
        current.started = Some(started);
        current.count += 1;
        current.plies.clear();
    }

    pub fn add(&self, ply: &Ply, left: TimeLeft) {
        let at = Instant::now();
        lock(&self.0).plies.push((ply.clone(), left, at));
    }

    pub fn clear(&self) {
        lock(&self.0).started = None;
    }

    fn look(&self, seen: &mut SeenGame, new: &mut VecDeque<Event>) {
        let current = lock(&self.0);
        let Some(started @ Event::Started { game, .. }) = &current.started else {
            return;
        };
        if seen.count != current.count {
            *seen = SeenGame {
                count: current.count,
                plies: 0,
            };
            new.push_back(started.clone());
        }
        let plies = current.plies.iter().enumerate().skip(seen.plies);
        new.extend(plies.map(|(number, (ply, left, at))| Event::Ply {
            game: *game,
            number,
            ply: ply.clone(),
            left: *left,
            at: *at,
        }));
        seen.plies = current.plies.len();
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct SeenGame {
    count: u64,
    plies: usize,
}

#[derive(Debug, Default)]
struct Queue(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    events: VecDeque<Event>,
    /// The numbers of games that ended while the queue was full. They ended after all `events`.
    games: VecDeque<GameId>,
}

impl Queue {
    fn push(&self, event: Event) {
        let mut waiting = lock(&self.0);
        let is_full = waiting.events.len() >= CAPACITY || !waiting.games.is_empty();
        match event {
            Event::Finished { record } if is_full => waiting.games.push_back(record.id),
            _ if is_full => {}
            event => waiting.events.push_back(event),
        }
    }
}

#[derive(Debug)]
pub struct Watcher {
    queue: Arc<Queue>,
    live: Arc<[LiveGame]>,
    seen: Vec<SeenGame>,
    taken: VecDeque<Event>,
    looked: Option<Instant>,
}

impl Watcher {
    /// Returns the next event, at most 10 ms after it happened, or [`Event::Tick`] after `timeout`. Reads new events at
    /// most every 10 ms, because games may end within microseconds.
    pub fn next(&mut self, timeout: Duration) -> Event {
        let until = Instant::now() + timeout;
        loop {
            if let Some(event) = self.taken.pop_front() {
                return event;
            }
            let now = Instant::now();
            let due = self.looked.map_or(now, |looked| looked + LOOK);
            thread::sleep(due.min(until).saturating_duration_since(now));
            self.look();
            if self.taken.is_empty() && Instant::now() >= until {
                return Event::Tick;
            }
        }
    }

    pub fn now(&mut self) -> impl Iterator<Item = Event> {
        self.look();
        self.taken.drain(..)
    }

    fn look(&mut self) {
        self.looked = Some(Instant::now());
        let mut waiting = lock(&self.queue.0);
        self.taken.append(&mut waiting.events);
        let games = std::mem::take(&mut waiting.games);
        drop(waiting);
        self.taken
            .extend(games.into_iter().map(|game| Event::Saved { game }));
        for (game, seen) in self.live.iter().zip(&mut self.seen) {
            game.look(seen, &mut self.taken);
        }
    }
}

#[cfg(test)]
mod tests {
    use games::Game;
    use referee::record::{Thought, Verdict};

    use super::*;

    fn started(game: u64) -> Event {
        Event::Started {
            game: GameId(game),
            bots: [0, 1],
            opening: [].into(),
            attempt: 1,
        }
    }

    fn ply() -> Ply {
        Ply {
            played: Move::Pass,
            effort: None,
            thought: Thought::default(),
        }
    }

    fn finished(id: u64) -> Event {
        let resigned = Verdict::Resigned(Side::Black);
        let record = GameRecord::new(GameId(id), Game::OTHELLO, ["one", "two"], resigned);
        Event::Finished {
            record: Arc::new(record),
        }
    }

    /// Returns a watcher's new events as text: the game's number, then `s` (start), `p3` (half-move 3) or `f` (end).
    fn heard(watcher: &mut Watcher) -> Vec<String> {
        std::iter::from_fn(|| match watcher.next(Duration::ZERO) {
            Event::Started { game, .. } => Some(format!("{}s", game.0)),
            Event::Ply { game, number, .. } => Some(format!("{}p{number}", game.0)),
            Event::Finished { record } => Some(format!("{}f", record.id.0)),
            Event::Saved { game } => Some(format!("{}f", game.0)),
            Event::Tick => None,
            other @ Event::Void { .. } => panic!("unexpected {other:?}"),
        })
        .collect()
    }

    #[test]
    fn a_running_game_is_followed_half_move_by_half_move() {
        let mut watchers = Watchers::of(2);
        assert!(!watchers.any());
        let mut watcher = watchers.add();
        assert!(watchers.any());
        assert!(heard(&mut watcher).is_empty());
        let live = [watchers.live(0), watchers.live(1)];
        live[0].begin(started(7));
        live[0].add(&ply(), [None; 2]);
        assert_eq!(heard(&mut watcher), ["7s", "7p0"]);
        live[1].begin(started(8));
        live[0].add(&ply(), [None; 2]);
        live[0].add(&ply(), [None; 2]);
        assert_eq!(heard(&mut watcher), ["7p1", "7p2", "8s"]);
        // The game ends before the watcher reads its last half-move.
        live[0].add(&ply(), [None; 2]);
        live[0].clear();
        watchers.send(&finished(7));
        assert_eq!(heard(&mut watcher), ["7f"]);
        // A second start with the same number is another attempt at the game.
        live[0].begin(started(7));
        live[0].add(&ply(), [None; 2]);
        assert_eq!(heard(&mut watcher), ["7s", "7p0"]);
        drop(watcher);
        assert!(!watchers.any(), "the watcher was dropped");
    }

    #[test]
    fn a_slow_watcher_misses_no_game() {
        let mut watchers = Watchers::of(1);
        let mut slow = watchers.add();
        let games = 2 * CAPACITY as u64;
        (0..games).for_each(|id| watchers.send(&finished(id)));
        // If the queue is full, events other than finished games are dropped.
        watchers.send(&Event::Void {
            game: GameId(0),
            why: "the machine stood still".into(),
            waited_for: None,
        });
        let expected: Vec<_> = (0..games).map(|id| format!("{id}f")).collect();
        assert_eq!(heard(&mut slow), expected);
        watchers.send(&finished(games));
        assert_eq!(heard(&mut slow), [format!("{games}f")]);
    }
}
