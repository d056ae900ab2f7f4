//! Formats: the pairings of a tournament.
//!
//! A tournament is a sequence of phases. The pairings of a phase are a pure function of the results of the earlier
//! phases. So a phase begins when all earlier phases have ended, and a resumed run has the same result as an
//! uninterrupted run. Match, round robin and gauntlet have one phase; Swiss, knockout and ladder have many.

mod knockout;
mod ladder;
mod meeting;
mod swiss;

use std::cmp::Ordering;

pub use meeting::{Field, History, Meeting, Pairings, Places};

/// The bots of a tuning, by number.
pub const PLUS: usize = 0;
pub const MINUS: usize = 1;
pub const TUNED: usize = 2;
pub const START: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Match,
    RoundRobin,
    /// The first `seeds` bots against all others.
    Gauntlet {
        seeds: usize,
    },
    /// In each round, bots with about equal points play each other. All bots play to the end.
    Swiss {
        rounds: usize,
    },
    Knockout,
    Ladder {
        rounds: usize,
    },
    /// The first bot against bots of known ratings. A [`Yardstick`](crate::Yardstick) determines the pairings.
    Rating,
    /// The pairings that the tournament file lists, each with openings of its own.
    Pairings {
        listed: usize,
    },
    /// One game per endgame stage: the first bot is to move, and the second defends.
    Stages,
    /// In each iteration, the first bot against the second; at the end, the third against the fourth.
    Tuning {
        iterations: u64,
        pairs: u64,
        match_pairs: u64,
    },
}

impl Format {
    /// The values of `format` in tournament files. Stages and tunings have none.
    pub const NAMES: [&'static str; 8] = [
        "match",
        "round-robin",
        "gauntlet",
        "swiss",
        "knockout",
        "ladder",
        "rating",
        "pairings",
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Format::Match => "match",
            Format::RoundRobin => "round-robin",
            Format::Gauntlet { .. } => "gauntlet",
            Format::Swiss { .. } => "swiss",
            Format::Knockout => "knockout",
            Format::Ladder { .. } => "ladder",
            Format::Rating => "rating",
            Format::Pairings { .. } => "pairings",
            Format::Stages => "stages",
            Format::Tuning { .. } => "tuning",
        }
    }

    pub const fn is_adaptive(self) -> bool {
        match self {
            Format::Match
            | Format::RoundRobin
            | Format::Gauntlet { .. }
            | Format::Pairings { .. }
            | Format::Stages => false,
            Format::Swiss { .. }
            | Format::Knockout
            | Format::Ladder { .. }
            | Format::Rating
            | Format::Tuning { .. } => true,
        }
    }

    /// Returns the next phase, which is never empty; `None` if the tournament is over. Always `None` for `Rating` and
    /// `Pairings`, whose pairings depend on more than results.
    pub fn next(self, field: Field, history: &History) -> Option<Pairings> {
        match self {
            Format::Swiss { rounds } => swiss::next(field, rounds, history),
            Format::Knockout => knockout::next(field, history),
            Format::Ladder { rounds } => ladder::next(field, rounds, history),
            Format::Tuning {
                iterations,
                pairs,
                match_pairs,
            } => match iterations.cmp(&(history.len() as u64)) {
                Ordering::Greater => Some(Pairings::new(vec![[PLUS, MINUS]], pairs)),
                Ordering::Equal if match_pairs > 0 => {
                    Some(Pairings::new(vec![[TUNED, START]], match_pairs))
                }
                _ => None,
            },
            Format::Rating | Format::Pairings { .. } => None,
            Format::Match | Format::RoundRobin | Format::Gauntlet { .. } | Format::Stages => {
                let all = || Pairings::new(self.all(field.bots), field.rounds);
                history.is_empty().then(all)
            }
        }
    }

    /// Returns the number of games, without play-offs; for `Rating`, the largest possible number.
    pub fn games(self, field: Field) -> u64 {
        let meetings = match self {
            Format::Swiss { rounds } => rounds * (field.bots / 2),
            Format::Knockout => field.bots - 1,
            Format::Tuning {
                iterations,
                pairs,
                match_pairs,
            } => return 2 * (iterations * pairs + match_pairs),
            Format::Rating => 1,
            Format::Pairings { listed } => listed,
            Format::Ladder { rounds } => (0..rounds)
                .map(|round| ladder::meetings(field.bots, round))
                .sum(),
            Format::Match | Format::RoundRobin | Format::Gauntlet { .. } | Format::Stages => {
                self.all(field.bots).len()
            }
        };
        meetings as u64 * field.rounds * self.legs()
    }

    /// Returns the number of games per pair: two, with swapped colours; for stages only one.
    pub const fn legs(self) -> u64 {
        match self {
            Format::Stages => 1,
            _ => 2,
        }
    }

    /// Returns the ranking that the format defines after the phases of `history`; `None` if points decide.
    pub fn places(self, field: Field, history: &History) -> Option<Places> {
        match self {
            Format::Swiss { .. } => Some(swiss::places(field, history)),
            Format::Knockout => Some(knockout::places(field, history)),
            Format::Ladder { .. } => Some(ladder::places(field, history)),
            Format::Match
            | Format::RoundRobin
            | Format::Gauntlet { .. }
            | Format::Rating
            | Format::Pairings { .. }
            | Format::Stages
            | Format::Tuning { .. } => None,
        }
    }

    fn all(self, bots: usize) -> Vec<[usize; 2]> {
        let all = (0..bots).flat_map(|a| (a + 1..bots).map(move |b| [a, b]));
        all.filter(|&[a, b]| match self {
            Format::Gauntlet { seeds } => a < seeds && b >= seeds,
            _ => true,
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Draw;

    pub(super) fn played(
        format: Format,
        field: Field,
        half_points: impl Fn(usize, usize) -> [u64; 2],
    ) -> (Vec<Vec<Meeting>>, Places) {
        let mut history = Vec::new();
        while let Some(pairings) = format.next(field, &history) {
            assert!(!pairings.bots.is_empty() && history.len() < 1000);
            let meeting = |&[a, b]: &[usize; 2]| Meeting {
                bots: [a, b],
                half_points: half_points(a, b),
                ..Meeting::default()
            };
            history.push(pairings.bots.iter().map(meeting).collect());
        }
        let places = format.places(field, &history).expect("an adaptive format");
        (history, places)
    }

    pub(super) fn met(history: &History) -> Vec<Vec<[usize; 2]>> {
        let bots = |phase: &Vec<Meeting>| phase.iter().map(|meeting| meeting.bots).collect();
        history.iter().map(bots).collect()
    }

    #[test]
    fn no_bot_plays_itself_or_twice_in_a_phase() {
        for bots in 2..24 {
            let field = Field { bots, rounds: 2 };
            for format in [
                Format::Swiss { rounds: 5 },
                Format::Knockout,
                Format::Ladder { rounds: 7 },
            ] {
                if matches!(format, Format::Ladder { .. }) && bots == 2 {
                    continue;
                }
                let draw = std::cell::RefCell::new(Draw::new(bots as u64, 1));
                let (history, places) = played(format, field, |_, _| {
                    let won = draw.borrow_mut().below(9);
                    [won, 8 - won]
                });
                for phase in &history {
                    let mut met: Vec<usize> = phase.iter().flat_map(|m| m.bots).collect();
                    met.sort_unstable();
                    met.dedup();
                    assert_eq!(met.len(), 2 * phase.len(), "{format:?} {bots}");
                    assert!(met.iter().all(|&bot| bot < bots));
                }
                let mut order = places.order.clone();
                order.sort_unstable();
                assert!(order.into_iter().eq(0..bots), "{format:?} {bots}");
            }
        }
    }

    #[test]
    fn the_number_of_games_is_that_of_the_phases() {
        for bots in 3..12 {
            let field = Field { bots, rounds: 3 };
            for format in [
                Format::Swiss {
                    rounds: bots.next_power_of_two().ilog2() as usize,
                },
                Format::Knockout,
                Format::Ladder { rounds: bots },
            ] {
                let strict = |a: usize, b: usize| if a < b { [8, 0] } else { [0, 8] };
                let (history, places) = played(format, field, strict);
                let meetings = history.iter().map(Vec::len).sum::<usize>() as u64;
                assert_eq!(meetings * 6, format.games(field), "{format:?} of {bots}");
                assert_eq!(
                    places.order[0], 0,
                    "the strongest is first: {format:?} of {bots}"
                );
            }
        }
    }
}
