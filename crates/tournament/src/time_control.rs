//! A time control, from the notation of engine matches (`40/60+0.6`), from options, or from a web page.

use referee::problem;

use super::{BotFile, Placed, Problem, TournamentFile, given};

/// The time limit of a move, in ms, if a tournament sets no time limit.
pub(super) const DEFAULT_MOVE_MS: i64 = 1000;

/// The time of a side. A value that is `None` is not set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The time limit per move in ms; 0 for no limit.
    pub move_ms: Option<i64>,
    /// The limit of the game, or of a period of it, in ms; 0 for no limit.
    pub game_ms: Option<i64>,
    pub increment_ms: Option<i64>,
    pub period_moves: Option<i64>,
}

impl TimeControl {
    pub fn per_move(ms: i64) -> TimeControl {
        TimeControl {
            move_ms: Some(ms),
            ..TimeControl::default()
        }
    }

    /// Parses `[BOT=][MOVES/]TIME[+INCREMENT]` or `[BOT=]st=TIME`. Also returns the bot's name.
    pub fn parse(written: &str) -> Result<(Option<&str>, TimeControl), Problem> {
        let wrong = || {
            problem!("{written:?} is not a time control").help(
                "write [BOT=][MOVES/]TIME[+INCREMENT] in seconds, such as 60+0.6, 40/60 or 5:00, or st=5",
            )
        };
        let (bot, control) = match written.rsplit_once('=') {
            None | Some(("st", _)) => (None, written),
            Some((before, time)) => match before.strip_suffix("=st") {
                Some(bot) => (
                    Some(bot),
                    &written[written.len() - time.len() - "st=".len()..],
                ),
                None => (Some(before), time),
            },
        };
        if let Some(time) = control.strip_prefix("st=") {
            return Ok((bot, TimeControl::per_move(ms(time).ok_or_else(wrong)?)));
        }
        let (period_moves, rest) = match control.split_once('/') {
            None => (None, control),
            Some((moves, rest)) => (Some(moves.parse().map_err(|_| wrong())?), rest),
        };
        let (time, increment) = match rest.split_once('+') {
            None => (rest, None),
            Some((time, increment)) => (time, Some(ms(increment).ok_or_else(wrong)?)),
        };
        let control = TimeControl {
            game_ms: Some(ms(time).ok_or_else(wrong)?),
            increment_ms: increment,
            period_moves,
            move_ms: None,
        };
        Ok((bot, control))
    }

    /// Replaces the time control of the tournament. It applies to all bots that have no time control of their own.
    pub fn apply(self, file: &mut TournamentFile) {
        file.move_ms = given(self.move_ms);
        file.game_ms = given(self.game_ms);
        file.increment_ms = given(self.increment_ms);
        file.period_moves = given(self.period_moves);
    }

    /// Replaces the parts of the tournament's time control that are set in `self`, and keeps the others.
    pub fn amend(self, file: &mut TournamentFile) {
        fn put(value: Option<i64>, place: &mut Placed<i64>) {
            if value.is_some() {
                *place = given(value);
            }
        }
        put(self.move_ms, &mut file.move_ms);
        put(self.game_ms, &mut file.game_ms);
        put(self.increment_ms, &mut file.increment_ms);
        put(self.period_moves, &mut file.period_moves);
    }

    #[must_use]
    pub fn of(self, bot: BotFile) -> BotFile {
        BotFile {
            move_ms: given(self.move_ms),
            game_ms: given(self.game_ms),
            increment_ms: given(self.increment_ms),
            period_moves: given(self.period_moves),
            ..bot
        }
    }
}

/// Parses seconds, or minutes and seconds, and returns ms. Fails above a week.
fn ms(text: &str) -> Option<i64> {
    let (minutes, seconds) = match text.split_once(':') {
        None => (0.0, text),
        Some((minutes, seconds)) => (f64::from(minutes.parse::<u16>().ok()?), seconds),
    };
    let seconds: f64 = seconds
        .parse()
        .ok()
        .filter(|seconds: &f64| *seconds >= 0.0)?;
    let ms = (60.0 * minutes + seconds) * 1000.0;
    (ms <= 604_800_000.0).then_some(ms.round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn clocks_are_those_of_cutechess() {
        type Row = (String, Option<String>, [Option<i64>; 3], Option<i64>);
        for (written, bot, [move_ms, game_ms, increment_ms], period_moves) in
            cases::<Row>("time-controls")
        {
            let (name, control) = TimeControl::parse(&written).expect(&written);
            let expected = TimeControl {
                move_ms,
                game_ms,
                increment_ms,
                period_moves,
            };
            assert_eq!((name, control), (bot.as_deref(), expected), "{written}");
        }
        for wrong in ["", "x", "40/", "/60", "60+", "-1", "st=", "1:2:3", "a=b=c"] {
            TimeControl::parse(wrong).expect_err(wrong);
        }
    }
}
