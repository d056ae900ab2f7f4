//! The bots and the opening of each game: a pure function of the known phases and the game's number.

use std::collections::HashSet;

use super::format::Pairings;
use referee::record::GameId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    pub id: GameId,
    /// The round, from 0: every pairing plays a pair from one opening. In the format `pairings`, each pair is a round.
    pub round: u64,
    pub players: [usize; 2],
    pub opening: usize,
    /// How often all openings of the list have been played before.
    pub lap: u64,
}

/// The games of a tournament. A game is computed when it is needed, so that a long schedule needs no memory. Pairs and
/// rounds are numbered through all phases, so a phase continues the list of openings.
#[derive(Clone, Debug)]
pub struct Schedule {
    openings: usize,
    /// The indices of the openings in which the first bot is white in the first game of a pair.
    reversed: HashSet<usize>,
    phases: Vec<SchedulePhase>,
}

#[derive(Clone, Debug)]
struct SchedulePhase {
    first_pair: u64,
    first_round: u64,
    pairings: Pairings,
}

impl SchedulePhase {
    fn pairs(&self) -> u64 {
        self.pairings.rounds * self.pairings.bots.len() as u64
    }

    fn rounds(&self) -> u64 {
        self.round_of(self.pairs())
    }

    fn round_of(&self, pair: u64) -> u64 {
        if self.pairings.own_openings {
            pair
        } else {
            pair / self.pairings.bots.len() as u64
        }
    }
}

impl Schedule {
    pub fn new(openings: usize) -> Schedule {
        assert!(openings > 0, "there is always the start position");
        Schedule {
            openings,
            reversed: HashSet::new(),
            phases: Vec::new(),
        }
    }

    #[must_use]
    pub fn reversing(self, openings: impl IntoIterator<Item = usize>) -> Schedule {
        Schedule {
            reversed: openings.into_iter().collect(),
            ..self
        }
    }

    pub fn push(&mut self, pairings: Pairings) {
        let last = self.phases.last();
        let first_round = last.map_or(0, |phase| phase.first_round + phase.rounds());
        self.phases.push(SchedulePhase {
            first_pair: self.pairs(),
            first_round,
            pairings,
        });
    }

    pub fn games(&self) -> u64 {
        self.pairs() * 2
    }

    pub fn pairs(&self) -> u64 {
        self.phases
            .last()
            .map_or(0, |phase| phase.first_pair + phase.pairs())
    }

    pub fn play_offs(&self) -> u64 {
        let play_offs = self.phases.iter().filter(|phase| phase.pairings.play_off);
        play_offs.map(|phase| 2 * phase.pairs()).sum()
    }

    pub fn last_phase(&self) -> (&[[usize; 2]], std::ops::Range<u64>) {
        match self.phases.last() {
            Some(phase) => (
                &phase.pairings.bots,
                2 * phase.first_pair..2 * (phase.first_pair + phase.pairs()),
            ),
            None => (&[], 0..0),
        }
    }

    pub fn fixture(&self, id: GameId) -> Fixture {
        let pair = id.pair();
        assert!(pair < self.pairs(), "game {} of {}", id.0, self.games());
        let after = self
            .phases
            .partition_point(|phase| phase.first_pair <= pair);
        let phase = &self.phases[after - 1];
        let (bots, place) = (&phase.pairings.bots, pair - phase.first_pair);
        let round = phase.first_round + phase.round_of(place);
        let [first, second] = bots[(place % bots.len() as u64) as usize];
        let opening = (round % self.openings as u64) as usize;
        let swapped = (id.leg() == 1) != self.reversed.contains(&opening);
        Fixture {
            id,
            round,
            players: if swapped {
                [second, first]
            } else {
                [first, second]
            },
            opening,
            lap: round / self.openings as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::{Field, Format};
    use super::*;
    use std::collections::HashMap;

    fn schedule(format: Format, bots: usize, rounds: u64, openings: usize) -> Schedule {
        let mut schedule = Schedule::new(openings);
        schedule.push(
            format
                .next(Field { bots, rounds }, &[])
                .expect("a first phase"),
        );
        schedule
    }

    fn fixtures(schedule: &Schedule) -> Vec<Fixture> {
        (0..schedule.games())
            .map(|id| schedule.fixture(GameId(id)))
            .collect()
    }

    #[test]
    fn all_pairings_play_both_colours_over_the_same_openings() {
        let schedule = schedule(Format::RoundRobin, 5, 3, 2);
        assert_eq!(schedule.games(), 10 * 3 * 2, "5 bots have 10 pairings");
        let mut meetings: HashMap<[usize; 2], Vec<(usize, u64)>> = HashMap::new();
        for fixture in fixtures(&schedule) {
            meetings
                .entry(fixture.players)
                .or_default()
                .push((fixture.opening, fixture.lap));
        }
        assert_eq!(meetings.len(), 20, "each pairing in both colours");
        for (players, openings) in meetings {
            assert_eq!(openings, [(0, 0), (1, 0), (0, 1)], "{players:?}");
        }
    }

    #[test]
    fn in_a_gauntlet_only_the_seeds_meet_the_others() {
        let schedule = schedule(Format::Gauntlet { seeds: 2 }, 5, 1, 1);
        assert_eq!(
            schedule.last_phase(),
            (&[[0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4]][..], 0..12)
        );
    }

    #[test]
    fn the_games_of_a_pair_differ_in_colours_alone() {
        let schedule = schedule(Format::Match, 2, 4, 4);
        for pair in 0..schedule.pairs() {
            let [one, two] = [0, 1].map(|leg| schedule.fixture(GameId::new(pair, leg)));
            assert_eq!(one.players, [two.players[1], two.players[0]]);
            assert_eq!((one.round, one.opening), (two.round, two.opening));
        }
    }

    #[test]
    fn a_listed_pairing_has_openings_of_its_own() {
        let mut schedule = Schedule::new(3);
        schedule.push(Pairings {
            own_openings: true,
            ..Pairings::new(vec![[0, 1], [0, 1], [2, 0]], 2)
        });
        let seen: Vec<_> = fixtures(&schedule)
            .iter()
            .map(|fixture| (fixture.players, fixture.opening, fixture.lap))
            .collect();
        let pairs = [
            (0, 1, 0, 0),
            (0, 1, 1, 0),
            (2, 0, 2, 0),
            (0, 1, 0, 1),
            (0, 1, 1, 1),
            (2, 0, 2, 1),
        ];
        let games = pairs.iter().flat_map(|&(one, other, opening, lap)| {
            [([one, other], opening, lap), ([other, one], opening, lap)]
        });
        assert_eq!(seen, games.collect::<Vec<_>>());
    }

    #[test]
    fn phases_follow_each_other_in_numbers_and_openings() {
        let mut schedule = Schedule::new(3);
        for bots in [vec![[0, 1], [2, 3]], vec![[0, 2]]] {
            schedule.push(Pairings::new(bots, 2));
        }
        let seen: Vec<_> = fixtures(&schedule)
            .iter()
            .step_by(2)
            .map(|fixture| (fixture.players, fixture.opening, fixture.lap))
            .collect();
        assert_eq!(
            seen,
            [
                ([0, 1], 0, 0),
                ([2, 3], 0, 0),
                ([0, 1], 1, 0),
                ([2, 3], 1, 0),
                ([0, 2], 2, 0),
                ([0, 2], 0, 1),
            ]
        );
        assert_eq!(schedule.last_phase().1, 8..12);
    }
}
