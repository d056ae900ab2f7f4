//! What the manager's `INFO` lines say of time and memory.

use std::time::Duration;

use games::{Game, Side};

use crate::Start;

/// Time and memory, as last told.
#[derive(Clone, Debug, Default)]
pub(super) struct Limits {
    /// `timeout_turn`; 0 is "as fast as you can".
    turn: Option<Duration>,
    /// `timeout_match`; 0 is no limit.
    whole: Option<Duration>,
    /// `time_left`, less what was used since it was told.
    left: Option<Duration>,
    /// `max_memory` in bytes; 0 is no limit.
    memory: u64,
}

impl Limits {
    /// The keys of `INFO` that say something of this.
    pub(super) const KEYS: [&str; 4] = ["timeout_turn", "timeout_match", "time_left", "max_memory"];

    /// The time for a move where none is allowed.
    const AS_FAST_AS_YOU_CAN: Duration = Duration::from_millis(1);

    /// Managers say 2147483647 ms, or more, where there is no limit.
    const NO_LIMIT: i64 = i32::MAX as i64;

    /// Takes in `INFO key value`.
    pub(super) fn set(&mut self, key: &str, value: i64) {
        let limit = (value < Limits::NO_LIMIT).then(|| Duration::from_millis(value.max(0) as u64));
        match key {
            "timeout_turn" => self.turn = limit.map(|turn| turn.max(Limits::AS_FAST_AS_YOU_CAN)),
            "timeout_match" => self.whole = limit.filter(|whole| !whole.is_zero()),
            "time_left" => self.left = limit,
            "max_memory" => self.memory = value.max(0) as u64,
            _ => {}
        }
    }

    /// The clock starts again.
    pub(super) fn new_game(&mut self) {
        self.left = None;
    }

    /// The terms of a game.
    pub(super) fn start(&self, game: Game, you: Side) -> Start {
        // Less than a MiB is still a limit.
        let mib = (self.memory > 0).then(|| (self.memory >> 20).max(1));
        Start {
            move_time: self.turn,
            game_time: self.whole,
            memory_mib: mib,
            ..Start::untimed(game, you)
        }
    }

    /// What is left of the game's clock, or of the move's where there is no such clock.
    pub(super) fn left(&self) -> Option<Duration> {
        match self.whole {
            Some(whole) => Some(self.left.unwrap_or(whole)),
            None => self.turn,
        }
    }

    /// A move took so long. Managers that say `time_left` before each move know better.
    pub(super) fn spend(&mut self, used: Duration) {
        if let Some(whole) = self.whole {
            self.left = Some(self.left.unwrap_or(whole).saturating_sub(used));
        }
    }
}
