//! GTP's clocks: a main time, then periods of so much time for so many moves.
//!
//! While there is main time the bot has a game clock; in a period it has an equal share for each
//! move. `time_left` is believed; where the controller does not send it, what the bot used is
//! taken off.

use std::time::Duration;

use games::{Game, Side};

use crate::Start;

/// Both sides' clocks; the default has none.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    main: Duration,
    period: Option<Period>,
    left: [Option<Left>; 2],
}

/// So much time for so many moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Period {
    time: Duration,
    moves: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    Main(Duration),
    Period(Period),
}

impl Clock {
    /// The clocks of `time_settings`; `None` where its arguments are not numbers.
    ///
    /// A period of some time and no moves is GTP's way to say that there is no limit, and so is no
    /// time at all.
    pub(super) fn read(main: &str, period: &str, moves: &str) -> Option<Clock> {
        let (main, time, moves) = (seconds(main)?, seconds(period)?, moves.parse().ok()?);
        let unlimited = moves == 0 && (!time.is_zero() || main.is_zero());
        if unlimited {
            return Some(Clock::default());
        }
        let mut clock = Clock {
            main,
            period: (moves > 0).then_some(Period { time, moves }),
            left: [None; 2],
        };
        clock.new_game();
        Some(clock)
    }

    /// Sets all back to the start.
    pub(super) fn new_game(&mut self) {
        self.left = [self.first(); 2];
    }

    fn first(&self) -> Option<Left> {
        let main = (!self.main.is_zero()).then_some(Left::Main(self.main));
        main.or(self.period.map(Left::Period))
    }

    /// Takes in `time_left`; `None` where its arguments are not numbers.
    pub(super) fn set_left(&mut self, side: Side, time: &str, moves: &str) -> Option<()> {
        let (time, moves) = (seconds(time)?, moves.parse().ok()?);
        if moves == 0 && self.main.is_zero() {
            // A controller may send this without any settings.
            self.main = time;
        }
        self.left[side.index()] = Some(match moves {
            0 => Left::Main(time),
            moves => Left::Period(Period { time, moves }),
        });
        Some(())
    }

    /// The terms at the start of a game.
    pub(super) fn start(&self, game: Game, you: Side) -> Start {
        self.terms(self.first(), game, you)
    }

    /// The terms as they are now for `you`.
    pub(super) fn start_for(&self, game: Game, you: Side) -> Start {
        self.terms(self.left[you.index()], game, you)
    }

    fn terms(&self, left: Option<Left>, game: Game, you: Side) -> Start {
        let (move_time, game_time) = match left {
            None => (None, None),
            Some(Left::Main(_)) => (None, Some(self.main)),
            Some(Left::Period(period)) => (Some(self.share(period)), None),
        };
        Start {
            move_time,
            game_time,
            ..Start::untimed(game, you)
        }
    }

    /// What is left for the game, or in a period for the move.
    pub(super) fn left(&self, side: Side) -> Option<Duration> {
        self.left[side.index()].map(|left| match left {
            Left::Main(left) => left,
            Left::Period(period) => self.share(period),
        })
    }

    /// Time for a move in a period: no more than at its start, so that the terms of the game stay.
    fn share(&self, period: Period) -> Duration {
        let share = period.share();
        self.period.map_or(share, |whole| whole.share().min(share))
    }

    /// `side` used so much for a move.
    pub(super) fn spend(&mut self, side: Side, used: Duration) {
        let Some(left) = &mut self.left[side.index()] else {
            return;
        };
        *left = match *left {
            Left::Main(time) => match (time.checked_sub(used), self.period) {
                (None, Some(period)) => Left::Period(period),
                (left, _) => Left::Main(left.unwrap_or_default()),
            },
            Left::Period(Period { moves: ..=1, .. }) => match self.period {
                Some(period) => Left::Period(period),
                None => *left,
            },
            Left::Period(Period { time, moves }) => Left::Period(Period {
                time: time.saturating_sub(used),
                moves: moves - 1,
            }),
        };
    }
}

impl Period {
    fn share(self) -> Duration {
        self.time / self.moves.max(1)
    }
}

/// Seconds, whole as the specification has them or not; up to 136 years of them, so that sums of such
/// times are still times.
fn seconds(text: &str) -> Option<Duration> {
    let seconds = text
        .parse()
        .ok()
        .filter(|&seconds| seconds <= f64::from(u32::MAX))?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Duration = Duration::from_secs(1);

    #[test]
    fn main_time_comes_first_then_periods_of_equal_shares() {
        let mut clock = Clock::read("10", "6", "3").expect("numbers");
        let terms = |clock: &Clock| {
            let start = clock.start_for(Game::OTHELLO, Side::Black);
            (start.game_time, start.move_time, clock.left(Side::Black))
        };
        assert_eq!(terms(&clock), (Some(10 * S), None, Some(10 * S)));
        clock.spend(Side::Black, 4 * S);
        assert_eq!(terms(&clock), (Some(10 * S), None, Some(6 * S)));
        clock.spend(Side::Black, 7 * S);
        assert_eq!(terms(&clock), (None, Some(2 * S), Some(2 * S)));
        clock.spend(Side::Black, 4 * S);
        assert_eq!(terms(&clock), (None, Some(S), Some(S)), "2 s for two moves");
        clock.set_left(Side::Black, "5", "0").expect("numbers");
        assert_eq!(clock.left(Side::Black), Some(5 * S), "the controller knows");
        assert_eq!(clock.left(Side::White), Some(10 * S));
    }

    #[test]
    fn no_limit_is_said_in_several_ways() {
        for (main, period, moves) in [("0", "1", "0"), ("100", "1", "0"), ("0", "0", "0")] {
            let clock = Clock::read(main, period, moves).expect("numbers");
            assert_eq!(clock.left(Side::White), None, "{main} {period} {moves}");
        }
        assert!(Clock::read("ten", "0", "0").is_none());
        assert!(Clock::read("-1", "0", "0").is_none());
        assert!(Clock::read("1e19", "0", "0").is_none());
    }
}
