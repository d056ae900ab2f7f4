//! Notices when the machine stands still: a thread wakes every 10 ms and measures how late it is.
//!
//! A clock that runs while the machine stands still does not measure a bot.

use std::sync::{Arc, Mutex, Weak};
use std::thread;
use std::time::{Duration, Instant};

use crate::threads::no_thread;

/// The time between two beats.
const BEAT: Duration = Duration::from_millis(10);
/// A beat this late is a stall. Schedulers of a busy machine are late by a few ms, not by this.
const STALL: Duration = Duration::from_millis(30);
/// The number of stored stalls. Only those since the last question are needed.
const REMEMBERED: usize = 64;

/// Pure bookkeeping of beats and stalls.
#[derive(Debug)]
struct Beats {
    last: Instant,
    /// When each stall ended, and how long it was.
    stalls: Vec<(Instant, Duration)>,
}

impl Beats {
    fn beat(&mut self, now: Instant) {
        let late = now
            .saturating_duration_since(self.last)
            .saturating_sub(BEAT);
        if late >= STALL {
            if self.stalls.len() == REMEMBERED {
                self.stalls.remove(0);
            }
            self.stalls.push((now, late));
        }
        self.last = now;
    }

    /// Time lost to stalls that ended after `since`, the one still going on included.
    fn lost_since(&self, since: Instant, now: Instant) -> Duration {
        let current = now
            .saturating_duration_since(self.last)
            .saturating_sub(BEAT);
        let current = if current >= STALL {
            current
        } else {
            Duration::ZERO
        };
        let past = self
            .stalls
            .iter()
            .filter(|(end, _)| *end > since)
            .map(|&(end, length)| length.min(end - since));
        past.sum::<Duration>() + current.min(now.saturating_duration_since(since))
    }
}

/// Knows how long the machine stood still. Clones share one thread, which ends with the last.
#[derive(Clone, Debug)]
pub struct Heartbeat {
    beats: Arc<Mutex<Beats>>,
}

impl Heartbeat {
    /// Starts the thread; fails where the system gives none.
    pub fn start() -> std::io::Result<Heartbeat> {
        let beats = Arc::new(Mutex::new(Beats {
            last: Instant::now(),
            stalls: Vec::new(),
        }));
        let weak = Arc::downgrade(&beats);
        thread::Builder::new()
            .name("heartbeat".into())
            .spawn(move || run(&weak))
            .map_err(|error| no_thread(&error))?;
        Ok(Heartbeat { beats })
    }

    /// Time lost to stalls since `since`.
    pub fn lost_since(&self, since: Instant) -> Duration {
        let beats = self.beats.lock().expect("a heartbeat does not panic");
        beats.lost_since(since, Instant::now())
    }
}

fn run(beats: &Weak<Mutex<Beats>>) {
    while let Some(beats) = beats.upgrade() {
        beats
            .lock()
            .expect("a heartbeat does not panic")
            .beat(Instant::now());
        drop(beats);
        thread::sleep(BEAT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stall_is_counted_while_it_lasts_and_once_it_is_over() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut beats = Beats {
            last: start,
            stalls: Vec::new(),
        };
        for ms in [10, 21, 30, 44] {
            beats.beat(at(ms));
        }
        assert_eq!(
            beats.lost_since(start, at(60)),
            Duration::ZERO,
            "a busy machine is not a stall"
        );
        assert_eq!(
            beats.lost_since(start, at(10_044)),
            Duration::from_millis(9_990)
        );
        beats.beat(at(10_044));
        assert_eq!(
            beats.lost_since(start, at(10_050)),
            Duration::from_millis(9_990)
        );
        assert_eq!(
            beats.lost_since(at(10_045), at(10_050)),
            Duration::ZERO,
            "before the question"
        );
    }
}
