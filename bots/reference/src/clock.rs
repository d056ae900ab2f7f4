//! Thinking time. No other module of this crate reads a clock. A reference opponent must never lose on time: it stops
//! well before its limit, and never spends all of a game clock.

use std::time::{Duration, Instant};

use protocol::{Question, Start};

/// The reserve for I/O and a busy machine, in addition to a tenth of a limit.
const MARGIN: Duration = Duration::from_millis(4);
const MOVES_TO_GO: u32 = 20;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TimeManager {
    move_time: Option<Duration>,
    whole_game: bool,
    increment: Duration,
}

impl TimeManager {
    pub(crate) fn new(start: &Start) -> TimeManager {
        TimeManager {
            move_time: start.move_time,
            whole_game: start.game_time.is_some(),
            increment: start.increment,
        }
    }

    /// Returns the time for a question, counted from its arrival; `None`: no limit. `to_go` moves must share `left`.
    pub(crate) fn budget(&self, left: Option<Duration>, to_go: Option<u32>) -> Option<Duration> {
        let moves = MOVES_TO_GO.min(to_go.unwrap_or(MOVES_TO_GO)).max(1);
        let share = if self.whole_game {
            left.map(|left| {
                let share = left / moves + self.increment * 3 / 4;
                share.min(safe(left))
            })
        } else {
            left.map(safe)
        };
        [self.move_time.map(safe), share]
            .into_iter()
            .flatten()
            .min()
    }

    pub(crate) fn deadline(&self, question: &Question) -> Deadline {
        Deadline::after(question, self.budget(question.left, question.moves_to_go))
    }
}

fn safe(limit: Duration) -> Duration {
    (limit * 9 / 10).saturating_sub(MARGIN)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    pub(crate) fn after(question: &Question, budget: Option<Duration>) -> Deadline {
        Deadline(budget.map(|budget| question.asked_at + budget))
    }

    pub(crate) fn has_passed(self) -> bool {
        self.0.is_some_and(|moment| Instant::now() >= moment)
    }
}

#[cfg(test)]
impl Deadline {
    pub(crate) const NEVER: Deadline = Deadline(None);
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_tenth_and_four_ms_are_kept_back() {
        let by_the_move = TimeManager {
            move_time: Some(ms(100)),
            ..TimeManager::default()
        };
        let by_the_game = TimeManager {
            whole_game: true,
            increment: ms(100),
            ..TimeManager::default()
        };
        let both = TimeManager {
            move_time: Some(ms(100)),
            ..by_the_game
        };
        for (clock, left, budget) in [
            (TimeManager::default(), None, None),
            (by_the_move, Some(ms(100)), Some(ms(86))),
            (by_the_move, None, Some(ms(86))),
            (by_the_move, Some(ms(3)), Some(ms(0))),
            // A twentieth of the remaining time and three quarters of the increment.
            (by_the_game, Some(ms(2000)), Some(ms(175))),
            (by_the_game, Some(ms(50)), Some(ms(41))),
            (both, Some(ms(2000)), Some(ms(86))),
        ] {
            assert_eq!(clock.budget(left, None), budget, "{clock:?} with {left:?}");
        }
        // A period has few moves, so each gets much of its time: a fifth if five are left, nearly all for the last.
        let of_period = |moves| by_the_game.budget(Some(ms(2000)), Some(moves));
        assert_eq!(of_period(5), Some(ms(475)));
        assert_eq!(of_period(1), Some(ms(1796)));
        assert_eq!(of_period(40), Some(ms(175)));
    }
}
