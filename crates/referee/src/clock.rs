//! The clock of one side in one game. Reads no clock of the system; `bot/deadline.rs` enforces the limit of a move.

use std::time::Duration;

use games::{Game, Side};
use protocol::Start;

/// The time limits of one side; zero: no such limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub move_time: Duration,
    pub game_time: Duration,
    /// The time that is added to the player's clock after each of its moves.
    pub increment: Duration,
    /// The number of own moves after which `game_time` is added again; 0: `game_time` is for the whole game.
    pub period_moves: u32,
    /// The tolerance beyond both limits before a flag falls.
    pub margin: Duration,
}

impl Limits {
    pub fn start(self, game: Game, you: Side, memory_mib: Option<u64>, seed: u64) -> Start {
        let some = |time: Duration| (!time.is_zero()).then_some(time);
        Start {
            game,
            you,
            move_time: some(self.move_time),
            game_time: some(self.game_time),
            period_moves: (self.period_moves > 0 && !self.game_time.is_zero())
                .then_some(self.period_moves),
            increment: self.increment,
            memory_mib,
            seed,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Clock {
    limits: Limits,
    left: Duration,
    moves: u32,
}

impl Clock {
    pub const fn new(limits: Limits) -> Clock {
        Clock {
            limits,
            left: limits.game_time,
            moves: 0,
        }
    }

    /// Returns the limit for the next move, the smaller of the two limits; `None`: no limit.
    pub fn allowed(&self) -> Option<Duration> {
        let move_time = Some(self.limits.move_time).filter(|time| !time.is_zero());
        let game_time = (!self.limits.game_time.is_zero()).then_some(self.left);
        match (move_time, game_time) {
            (Some(move_time), Some(game_time)) => Some(move_time.min(game_time)),
            (limit, None) | (None, limit) => limit,
        }
    }

    /// Returns the time left that a question reports, in ms: for the game, or for the move if the game has no limit. At
    /// least 1 if there is a limit, since 0 means no limit.
    pub fn reported_ms(&self) -> u64 {
        let time = if self.limits.game_time.is_zero() {
            self.limits.move_time
        } else {
            self.left
        };
        let none = self.limits.game_time.is_zero() && self.limits.move_time.is_zero();
        if none {
            0
        } else {
            (time.as_millis() as u64).max(1)
        }
    }

    /// Returns the number of moves, including the next one, that the time left is for; `None`: the rest of the game.
    pub fn moves_to_go(&self) -> Option<u32> {
        let period = self.limits.period_moves;
        (period > 0 && !self.limits.game_time.is_zero()).then(|| period - self.moves % period)
    }

    pub fn left(&self) -> Option<Duration> {
        (!self.limits.game_time.is_zero()).then_some(self.left)
    }

    /// Charges an answer that took `used`. An overrun within the margin does not shorten later moves.
    pub fn charge(&mut self, used: Duration) {
        self.left = self.left.saturating_sub(used);
    }

    /// Ends a ply. A ply completes a move of the clock, with its increment, if a player was asked for it. With an opening
    /// rule, a player may place several stones, or offer ten squares, one after the other. Together these are one move,
    /// so it is complete only when the same player no longer `goes_on`.
    pub fn end_ply(&mut self, game: Game, was_asked: bool, goes_on: bool) {
        let is_end = match game.opening() {
            None => was_asked,
            Some(_) => !goes_on,
        };
        if is_end {
            self.end_move();
        }
    }

    fn end_move(&mut self) {
        self.left += self.limits.increment;
        self.moves += 1;
        let period = self.limits.period_moves;
        if period > 0 && self.moves.is_multiple_of(period) {
            self.left += self.limits.game_time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clock(move_ms: u64, game_ms: u64, increment_ms: u64) -> Clock {
        Clock::new(Limits {
            move_time: ms(move_ms),
            game_time: ms(game_ms),
            increment: ms(increment_ms),
            period_moves: 0,
            margin: ms(20),
        })
    }

    #[test]
    fn the_smaller_limit_counts() {
        for (move_ms, game_ms, allowed, left) in
            cases::<(u64, u64, Option<u64>, u64)>("clock-limits")
        {
            let clock = clock(move_ms, game_ms, 0);
            assert_eq!(clock.allowed(), allowed.map(ms), "{move_ms} {game_ms}");
            assert_eq!(clock.reported_ms(), left, "{move_ms} {game_ms}");
        }
    }

    #[test]
    fn a_bot_is_told_of_a_period_only_if_the_clock_has_one() {
        for (game_ms, period_moves, expected) in cases::<(u64, u32, Option<u32>)>("clock-periods") {
            let limits = Limits {
                game_time: ms(game_ms),
                period_moves,
                ..Limits::default()
            };
            let start = limits.start(Game::OTHELLO, Side::Black, None, 1);
            assert_eq!(start.period_moves, expected, "{game_ms} {period_moves}");
            let to_go = Clock::new(limits).moves_to_go();
            assert_eq!(to_go, expected, "{game_ms} {period_moves}");
        }
    }

    fn move_in(clock: &mut Clock, used: Duration) {
        clock.charge(used);
        clock.end_move();
    }

    #[test]
    fn a_period_gives_its_time_once_more() {
        let mut clock = Clock::new(Limits {
            game_time: ms(1000),
            period_moves: 2,
            ..Limits::default()
        });
        assert_eq!(clock.moves_to_go(), Some(2));
        move_in(&mut clock, ms(400));
        assert_eq!(
            (clock.left(), clock.moves_to_go()),
            (Some(ms(600)), Some(1))
        );
        move_in(&mut clock, ms(400));
        assert_eq!(clock.left(), Some(ms(1200)), "the rest is kept");
        assert_eq!(clock.moves_to_go(), Some(2));
        move_in(&mut clock, ms(400));
        assert_eq!(clock.left(), Some(ms(800)));
    }

    #[test]
    fn the_increment_comes_after_the_move_and_the_margin_never_makes_time() {
        let mut clock = clock(0, 1000, 50);
        move_in(&mut clock, ms(300));
        assert_eq!(clock.allowed(), Some(ms(750)));
        move_in(&mut clock, ms(765));
        assert_eq!(
            clock.allowed(),
            Some(ms(50)),
            "15 ms of margin were used, not owed"
        );
        move_in(&mut clock, ms(50));
        move_in(&mut clock, ms(50));
        assert_eq!(clock.reported_ms(), 50);
    }
}
