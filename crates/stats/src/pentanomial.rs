//! The results of colour-swapped pairs: two games from one opening with sides exchanged.
//!
//! The two games of a pair are not independent: an opening that favours black favours each bot once. Counting pairs
//! removes this correlation from the error. fishtest introduced the method.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use super::{Sample, Score, Wdl};

/// A tally of pairs, seen from the first bot. The letters of a field are the two results of a pair, in any order.
///
/// A win and a loss are worth as much as two draws, so statistics need only five classes. `wl` and `dd` are separate
/// because they characterise the opening: `wl` means that the opening decides the game, `dd` that it is balanced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pentanomial {
    /// Both games lost: 0 points of 2.
    pub ll: u64,
    /// A loss and a draw: ½ point.
    pub ld: u64,
    /// A win and a loss: 1 point.
    pub wl: u64,
    /// Two draws: 1 point.
    pub dd: u64,
    /// A win and a draw: 1½ points.
    pub wd: u64,
    /// Both games won: 2 points.
    pub ww: u64,
}

impl Pentanomial {
    /// Adds one pair; the order of the games does not matter.
    pub fn add(&mut self, one: Wdl, other: Wdl) {
        use Wdl::{Draw, Loss, Win};
        match (one, other) {
            (Loss, Loss) => self.ll += 1,
            (Loss, Draw) | (Draw, Loss) => self.ld += 1,
            (Win, Loss) | (Loss, Win) => self.wl += 1,
            (Draw, Draw) => self.dd += 1,
            (Win, Draw) | (Draw, Win) => self.wd += 1,
            (Win, Win) => self.ww += 1,
        }
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> u64 {
        self.counts().into_iter().sum()
    }

    /// Returns the results of the single games.
    pub fn score(&self) -> Score {
        Score {
            wins: 2 * self.ww + self.wd + self.wl,
            draws: 2 * self.dd + self.wd + self.ld,
            losses: 2 * self.ll + self.ld + self.wl,
        }
    }

    /// Returns the same pairs as seen by the opponent.
    #[must_use]
    pub fn reversed(&self) -> Pentanomial {
        Pentanomial {
            ll: self.ww,
            ld: self.wd,
            wd: self.ld,
            ww: self.ll,
            ..*self
        }
    }
}

impl From<[u64; 6]> for Pentanomial {
    fn from([ll, ld, wl, dd, wd, ww]: [u64; 6]) -> Pentanomial {
        Pentanomial {
            ll,
            ld,
            wl,
            dd,
            wd,
            ww,
        }
    }
}

impl From<Pentanomial> for [u64; 6] {
    fn from(pairs: Pentanomial) -> [u64; 6] {
        [pairs.ll, pairs.ld, pairs.wl, pairs.dd, pairs.wd, pairs.ww]
    }
}

impl Sample<5> for Pentanomial {
    const GAMES_EACH: u32 = 2;

    fn counts(&self) -> [u64; 5] {
        [self.ll, self.ld, self.wl + self.dd, self.wd, self.ww]
    }
}

impl Add for Pentanomial {
    type Output = Pentanomial;

    fn add(self, other: Pentanomial) -> Pentanomial {
        Pentanomial {
            ll: self.ll + other.ll,
            ld: self.ld + other.ld,
            wl: self.wl + other.wl,
            dd: self.dd + other.dd,
            wd: self.wd + other.wd,
            ww: self.ww + other.ww,
        }
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        *self = *self + other;
    }
}

impl Sum for Pentanomial {
    fn sum<I: Iterator<Item = Pentanomial>>(pairs: I) -> Pentanomial {
        pairs.fold(Pentanomial::default(), Add::add)
    }
}

impl FromIterator<(Wdl, Wdl)> for Pentanomial {
    fn from_iter<I: IntoIterator<Item = (Wdl, Wdl)>>(pairs: I) -> Pentanomial {
        let mut counted = Pentanomial::default();
        for (one, other) in pairs {
            Pentanomial::add(&mut counted, one, other);
        }
        counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Wdl; 3] = [Wdl::Loss, Wdl::Draw, Wdl::Win];

    fn every_pair() -> impl Iterator<Item = (Wdl, Wdl)> {
        ALL.into_iter()
            .flat_map(|one| ALL.into_iter().map(move |other| (one, other)))
    }

    #[test]
    fn each_pair_of_outcomes_falls_into_its_class() {
        let pairs: Pentanomial = every_pair().collect();
        assert_eq!(<[u64; 6]>::from(pairs), [1, 2, 2, 1, 2, 1]);
        assert_eq!(pairs.pairs(), 9);
    }

    #[test]
    fn a_pair_is_worth_its_two_games() {
        for (one, other) in every_pair() {
            let pair = Pentanomial::from_iter([(one, other)]);
            assert_eq!(pair.score(), Score::from_iter([one, other]));
            let class = (one.half_points() + other.half_points()) as usize;
            assert_eq!(pair.counts()[class], 1, "{one:?} and {other:?}");
        }
    }

    #[test]
    fn the_opponent_sees_the_reversed_pairs() {
        for (one, other) in every_pair() {
            assert_eq!(
                Pentanomial::from_iter([(one, other)]).reversed(),
                Pentanomial::from_iter([(one.reversed(), other.reversed())]),
            );
        }
    }
}
