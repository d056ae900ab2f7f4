//! Detects when the machine stands still: a thread wakes every 10 ms (a beat) and measures how late it is. A stall must
//! not count against a bot. A beat that waits for a core is not a stall: bots can cause such a wait.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use crate::system;
use crate::threads::no_thread;

const BEAT: Duration = Duration::from_millis(10);
/// A beat this late or later is a stall; its wait for a core does not count. A busy machine delays a beat by a few ms.
const STALL: Duration = Duration::from_millis(30);
const LONGEST_WAIT: Duration = Duration::from_millis(250);

static HEART: Mutex<Weak<Heart>> = Mutex::new(Weak::new());

#[derive(Debug)]
struct Beats {
    last: Instant,
    waited: Duration,
    stalled: Duration,
}

impl Beats {
    fn beat(&mut self, now: Instant, waited: Duration) {
        let for_a_core = waited.saturating_sub(self.waited);
        let late = now.saturating_duration_since(self.last);
        let late = late.saturating_sub(BEAT).saturating_sub(for_a_core);
        if late >= STALL {
            self.stalled += late;
        }
        (self.last, self.waited) = (now, waited);
    }
}

#[derive(Debug)]
struct Heart {
    beats: Mutex<Beats>,
    beaten: Condvar,
}

impl Heart {
    fn beats(&self) -> MutexGuard<'_, Beats> {
        self.beats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A handle that keeps the heartbeat of this process running. All handles share one thread.
#[derive(Debug)]
pub struct Heartbeat {
    _heart: Arc<Heart>,
}

impl Heartbeat {
    pub fn start() -> std::io::Result<Heartbeat> {
        let mut shared = HEART.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(heart) = shared.upgrade() {
            return Ok(Heartbeat { _heart: heart });
        }
        let heart = Arc::new(Heart {
            beats: Mutex::new(Beats {
                last: Instant::now(),
                waited: Duration::ZERO,
                stalled: Duration::ZERO,
            }),
            beaten: Condvar::new(),
        });
        let weak = Arc::downgrade(&heart);
        *shared = weak.clone();
        thread::Builder::new()
            .name("heartbeat".into())
            .spawn(move || run(&weak))
            .map_err(|error| no_thread(&error))?;
        Ok(Heartbeat { _heart: heart })
    }
}

fn heart() -> Option<Arc<Heart>> {
    let heart = HEART.lock().unwrap_or_else(PoisonError::into_inner);
    heart.upgrade()
}

pub fn stalled() -> Duration {
    heart().map_or(Duration::ZERO, |heart| heart.beats().stalled)
}

/// Returns [`stalled`] after the next beat, so that the result includes a stall that has just ended.
pub fn stalled_by_now() -> Duration {
    let Some(heart) = heart() else {
        return Duration::ZERO;
    };
    let now = Instant::now();
    let waiting = |beats: &mut Beats| beats.last < now;
    let waited = heart
        .beaten
        .wait_timeout_while(heart.beats(), LONGEST_WAIT, waiting);
    waited.unwrap_or_else(PoisonError::into_inner).0.stalled
}

fn run(heart: &Weak<Heart>) {
    while let Some(heart) = heart.upgrade() {
        let waited = system::thread_core_time().waited;
        heart.beats().beat(Instant::now(), waited);
        heart.beaten.notify_all();
        drop(heart);
        thread::sleep(BEAT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stalled(beats_at: &[(u64, u64)]) -> u128 {
        let start = Instant::now();
        let mut beats = Beats {
            last: start,
            waited: Duration::ZERO,
            stalled: Duration::ZERO,
        };
        let ms = Duration::from_millis;
        for &(at, waited) in beats_at {
            beats.beat(start + ms(at), ms(waited));
        }
        beats.stalled.as_millis()
    }

    #[test]
    fn a_late_beat_is_a_stall_unless_other_threads_had_the_core() {
        for (what, beats, expected) in [
            (
                "a busy machine",
                &[(10, 0), (21, 0), (30, 0), (44, 0)][..],
                0,
            ),
            ("ten seconds", &[(10, 0), (10_020, 0), (10_030, 0)], 10_000),
            ("two stalls", &[(50, 0), (60, 0), (110, 0)], 80),
            ("others had the core", &[(10, 0), (200, 180), (210, 180)], 0),
            ("others had it for a while", &[(10, 5), (200, 105)], 80),
        ] {
            assert_eq!(stalled(beats), expected, "{what}");
        }
    }

    #[test]
    fn the_next_beat_comes() {
        let _heartbeat = Heartbeat::start().expect("a thread");
        let before = heart().expect("it is held").beats().last;
        stalled_by_now();
        assert!(heart().expect("it is held").beats().last > before);
    }
}
