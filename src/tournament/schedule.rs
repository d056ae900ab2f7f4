//! Which game is played by whom, from which opening, with which seeds: a pure function of the
//! tournament and the game's number, so that any worker on any machine can play any game.

use super::draw::Draw;
use crate::record::GameId;

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Two bots.
    Match,
    /// Everybody against everybody.
    RoundRobin,
    /// The first `seeds` bots against all the others.
    Gauntlet {
        /// How many bots run it.
        seeds: usize,
    },
}

impl Format {
    /// The words used in tournament files.
    pub const NAMES: [&'static str; 3] = ["match", "round-robin", "gauntlet"];

    /// The word used in tournament files.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Match => "match",
            Format::RoundRobin => "round-robin",
            Format::Gauntlet { .. } => "gauntlet",
        }
    }

    /// The pairings of bots by number, in the order in which a round plays them.
    fn pairings(self, bots: usize) -> Vec<[usize; 2]> {
        let seeds = match self {
            Format::Match | Format::RoundRobin => bots,
            Format::Gauntlet { seeds } => seeds,
        };
        let all = (0..bots).flat_map(|a| (a + 1..bots).map(move |b| [a, b]));
        all.filter(|&[a, b]| match self {
            Format::Match | Format::RoundRobin => true,
            Format::Gauntlet { .. } => a < seeds && b >= seeds,
        })
        .collect()
    }
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number.
    pub id: GameId,
    /// Counted from 0; every pairing meets once a round, over the same opening.
    pub round: u64,
    /// The bots by number, black's first.
    pub players: [usize; 2],
    /// Which opening of the tournament's list.
    pub opening: usize,
    /// Each bot's seed, black's first.
    pub seeds: [u64; 2],
}

/// All games of a tournament, made one at a time: a million games take no more memory than ten.
#[derive(Clone, Debug)]
pub struct Schedule {
    seed: u64,
    pairings: Vec<[usize; 2]>,
    /// Pairs of games for each pairing.
    rounds: u64,
    openings: usize,
}

impl Schedule {
    /// `rounds` pairs of games for every pairing of `format` among `bots` bots.
    pub fn new(format: Format, bots: usize, rounds: u64, openings: usize, seed: u64) -> Schedule {
        assert!(openings > 0, "there is always the start position");
        Schedule {
            seed,
            pairings: format.pairings(bots),
            rounds,
            openings,
        }
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.pairs() * 2
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> u64 {
        self.rounds * self.pairings.len() as u64
    }

    /// The pairings of bots by number.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The game numbered `id`.
    ///
    /// # Panics
    /// When there is no such game.
    pub fn fixture(&self, id: GameId) -> Fixture {
        assert!(
            id.pair() < self.pairs(),
            "game {} of {}",
            id.0,
            self.games()
        );
        let round = id.pair() / self.pairings.len() as u64;
        let [first, second] = self.pairings[(id.pair() % self.pairings.len() as u64) as usize];
        let mut draw = Draw::new(self.seed, id.pair());
        // Four draws a pair, two for each of its games.
        // 53 bits, so that a bot whose language has no other numbers than `f64` reads them exactly.
        let mut seed = || draw.bits() >> 11;
        let seeds = [[seed(), seed()], [seed(), seed()]];
        let swapped = id.leg() == 1;
        Fixture {
            id,
            round,
            players: if swapped {
                [second, first]
            } else {
                [first, second]
            },
            opening: (round % self.openings as u64) as usize,
            seeds: seeds[id.leg() as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn fixtures(schedule: &Schedule) -> Vec<Fixture> {
        (0..schedule.games())
            .map(|id| schedule.fixture(GameId(id)))
            .collect()
    }

    #[test]
    fn everybody_meets_everybody_with_both_colours_over_the_same_openings() {
        let schedule = Schedule::new(Format::RoundRobin, 5, 3, 2, 1);
        assert_eq!(schedule.games(), 10 * 3 * 2, "5 bots have 10 pairings");
        let mut meetings: HashMap<[usize; 2], Vec<usize>> = HashMap::new();
        for fixture in fixtures(&schedule) {
            meetings
                .entry(fixture.players)
                .or_default()
                .push(fixture.opening);
        }
        assert_eq!(meetings.len(), 20, "each pairing in both colours");
        for (players, openings) in meetings {
            assert_eq!(openings, [0, 1, 0], "{players:?}");
        }
    }

    #[test]
    fn in_a_gauntlet_only_the_seeds_meet_the_others() {
        let schedule = Schedule::new(Format::Gauntlet { seeds: 2 }, 5, 1, 1, 1);
        assert_eq!(
            schedule.pairings(),
            [[0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4]]
        );
    }

    #[test]
    fn the_games_of_a_pair_differ_in_colours_and_seeds_alone() {
        let schedule = Schedule::new(Format::Match, 2, 4, 4, 9);
        for pair in 0..schedule.pairs() {
            let [one, two] = [0, 1].map(|leg| schedule.fixture(GameId::new(pair, leg)));
            assert_eq!(one.players, [two.players[1], two.players[0]]);
            assert_eq!((one.round, one.opening), (two.round, two.opening));
            assert_ne!(one.seeds, two.seeds);
        }
    }
}
