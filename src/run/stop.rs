//! A stop request: from Ctrl-C, a scheduler, a button on a page.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use referee::bot;

/// Asks runs to stop. Clones are the same request; runs that share one stop together.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Request>);

#[derive(Debug, Default)]
struct Request {
    /// 0: no request, 1: no further game begins, 2: running games are given up.
    level: AtomicU8,
    /// Whether the first request gives games up.
    at_once: AtomicBool,
}

impl Stop {
    /// No request yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// The first call lets running games finish; the second gives them up and kills the bots.
    pub fn request(&self) {
        let before = self.0.level.fetch_max(1, Ordering::SeqCst);
        if before > 0 || self.0.at_once.load(Ordering::SeqCst) {
            self.give_up();
        }
    }

    /// From now on the first request also gives games up: a person who leaves does not want to play on.
    pub fn request_aborts(&self) {
        self.0.at_once.store(true, Ordering::SeqCst);
    }

    /// Gives up the running games at once and kills the bots.
    pub fn give_up(&self) {
        self.0.level.store(2, Ordering::SeqCst);
        bot::kill_all();
    }

    /// Whether no further game may begin.
    pub fn is_requested(&self) -> bool {
        self.0.level.load(Ordering::SeqCst) > 0
    }

    /// Whether running games are given up.
    pub fn is_abort(&self) -> bool {
        self.0.level.load(Ordering::SeqCst) > 1
    }
}
