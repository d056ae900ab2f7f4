//! Tests whether one part of a sample differs from the rest in its counts or in its values.

use libm::lgamma;

use crate::elo::normal_cdf;

/// The counts of three kinds, such as wins, draws and losses, in one stratum, such as a pairing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The counts of the part.
    pub own: [u64; 3],
    /// The counts of the whole sample, which includes the part.
    pub all: [u64; 3],
}

impl Counts {
    /// Returns the counts that the part would have if it were like the rest.
    pub fn expected(&self) -> [f64; 3] {
        let rest: Vec<u64> = (0..3).map(|kind| self.all[kind] - self.own[kind]).collect();
        let (own, of) = (self.own.iter().sum::<u64>(), rest.iter().sum::<u64>());
        [0, 1, 2].map(|kind| own as f64 * rest[kind] as f64 / of.max(1) as f64)
    }
}

/// Applies Fisher's exact test to the counts of three kinds, summed over strata. Returns the probability of counts that
/// are at most as likely as the part's, if the part's units were drawn at random from each stratum.
///
/// The test is exact even for rare kinds and few units, where χ² would raise false alarms. The time for a stratum grows
/// with the square of its part's units, multiplied by the square of the part's units in all earlier strata.
pub fn fisher(strata: &[Counts]) -> f64 {
    let most = strata.iter().map(|counts| counts.all.iter().sum::<u64>());
    let most = most.max().unwrap_or(0);
    let logs: Vec<f64> = (0..=most).map(|n| lgamma(n as f64 + 1.0)).collect();
    let chosen = |of: u64, n: u64| logs[of as usize] - logs[n as usize] - logs[(of - n) as usize];
    // The probability of each count of the first two kinds. The count of the third kind follows from these.
    let mut grid = Grid::new(0);
    grid.cells[0] = 1.0;
    let mut seen = [0; 2];
    for Counts { own, all } in strata {
        let (n, of) = (own.iter().sum::<u64>(), all.iter().sum::<u64>());
        let mut sum = Grid::new(grid.most + n as usize);
        for first in 0..=n.min(all[0]) {
            let left = n - first;
            for second in left.saturating_sub(all[2])..=left.min(all[1]) {
                let weight =
                    chosen(all[0], first) + chosen(all[1], second) + chosen(all[2], left - second)
                        - chosen(of, n);
                sum.add(&grid, [first as usize, second as usize], weight.exp());
            }
        }
        grid = sum;
        (0..2).for_each(|kind| seen[kind] += own[kind] as usize);
    }
    let limit = grid.cells[grid.place(seen)] * (1.0 + 1e-7);
    let as_rare = grid.cells.iter().filter(|&&chance| chance <= limit);
    as_rare.sum::<f64>().min(1.0)
}

struct Grid {
    most: usize,
    cells: Vec<f64>,
}

impl Grid {
    fn new(most: usize) -> Grid {
        let cells = vec![0.0; (most + 1) * (most + 1)];
        Grid { most, cells }
    }

    const fn place(&self, [first, second]: [usize; 2]) -> usize {
        first * (self.most + 1) + second
    }

    fn add(&mut self, grid: &Grid, by: [usize; 2], weight: f64) {
        for first in 0..=grid.most {
            for second in 0..=grid.most - first {
                let place = self.place([first + by[0], second + by[1]]);
                self.cells[place] += weight * grid.cells[grid.place([first, second])];
            }
        }
    }
}

/// Applies the two-sided rank-sum test of Mann and Whitney (normal approximation, corrected for ties) to each group
/// against all others. Returns each group's probability of a difference at least this large by chance. `values`:
/// (group, value).
pub fn rank_sums(values: &[(usize, f64)], groups: usize) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    let total = sorted.len() as f64;
    let mut sums = vec![(0.0, 0.0); groups];
    let (mut before, mut ties) = (0.0, 0.0);
    for tied in sorted.chunk_by(|(_, one), (_, other)| one.total_cmp(other).is_eq()) {
        let count = tied.len() as f64;
        for &(group, _) in tied {
            sums[group].0 += 1.0;
            sums[group].1 += before + f64::midpoint(count, 1.0);
        }
        before += count;
        ties += count * count * count - count;
    }
    let p_value = |(own, ranks): (f64, f64)| {
        let rest = total - own;
        let mean = own * (total + 1.0) / 2.0;
        let variance = own * rest / 12.0 * (total + 1.0 - ties / (total * (total - 1.0)).max(1.0));
        if variance <= 0.0 {
            return 1.0;
        }
        let away = ((ranks - mean).abs() - 0.5).max(0.0) / variance.sqrt();
        2.0 * normal_cdf(-away)
    };
    sums.into_iter().map(p_value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_two([a, b]: [u64; 2], [c, d]: [u64; 2]) -> f64 {
        fisher(&[Counts {
            own: [a, b, 0],
            all: [a + c, b + d, 0],
        }])
    }

    /// The examples of `fisher.test` in the manual of R: Fisher's tea and milk, and the convictions of twins.
    #[test]
    fn p_values_are_those_of_r() {
        for (own, rest, expected) in [
            ([3, 1], [1, 3], 0.4857142857),
            ([10, 2], [3, 15], 0.0005367241),
        ] {
            let p = of_two(own, rest);
            assert!((p - expected).abs() < 1e-9, "{own:?} {rest:?}: {p}");
        }
    }

    /// Compares with a slow enumeration: all choices of the part's units from those of each stratum are equally likely.
    #[test]
    fn strata_and_three_kinds_are_as_by_counting_every_choice() {
        let strata =
            [([0, 2, 1], [3, 2, 2]), ([0, 0, 2], [2, 1, 3])].map(|(own, all)| Counts { own, all });
        let mut ways = std::collections::BTreeMap::from([([0_u64; 3], 1_u64)]);
        for Counts { own, all } in strata {
            let units: Vec<usize> = (0..3)
                .flat_map(|kind| vec![kind; all[kind] as usize])
                .collect();
            let mut next = std::collections::BTreeMap::new();
            for mask in 0_u32..1 << units.len() {
                if u64::from(mask.count_ones()) != own.iter().sum::<u64>() {
                    continue;
                }
                for (counts, number) in &ways {
                    let mut counts = *counts;
                    let taken = units.iter().enumerate();
                    taken
                        .filter(|(unit, _)| mask >> unit & 1 == 1)
                        .for_each(|(_, &kind)| counts[kind] += 1);
                    *next.entry(counts).or_default() += number;
                }
            }
            ways = next;
        }
        let seen = ways[&[0, 2, 3]];
        let as_rare: u64 = ways.values().filter(|&&number| number <= seen).sum();
        let expected = as_rare as f64 / ways.values().sum::<u64>() as f64;
        let p = fisher(&strata);
        assert!((p - expected).abs() < 1e-12, "{p} {expected}");
    }

    #[test]
    fn rank_sums_are_symmetric_and_near_the_exact_ones() {
        let low = [1.0, 2.0, 3.0, 4.0].map(|value| (0, value));
        let high = [5.0, 6.0, 7.0, 8.0, 9.0].map(|value| (1, value));
        let values = [&low[..], &high[..]].concat();
        let p = rank_sums(&values, 2);
        // The exact value: 2 of the C(9, 4) = 126 choices.
        assert!(
            (p[0] - 2.0 / 126.0).abs() < 0.005 && (p[0] - p[1]).abs() < 1e-12,
            "{p:?}"
        );
        assert_eq!(rank_sums(&[(0, 1.0), (1, 1.0)], 2), [1.0, 1.0]);
        assert_eq!(rank_sums(&[(0, 1.0)], 2), [1.0, 1.0]);
    }

    /// The example of `wilcox.test` in the manual of R: ozone in May and in August (`airquality`), with ties.
    #[test]
    fn a_rank_sum_with_ties_is_that_of_r() {
        let may = [
            41, 36, 12, 18, 28, 23, 19, 8, 7, 16, 11, 14, 18, 14, 34, 6, 30, 11, 1, 11, 4, 32, 23,
            45, 115, 37,
        ];
        let august = [
            39, 9, 16, 78, 35, 66, 122, 89, 110, 44, 28, 65, 22, 59, 23, 31, 44, 21, 9, 45, 168,
            73, 76, 118, 84, 85,
        ];
        let of = |group, values: [u32; 26]| values.map(|value| (group, f64::from(value)));
        let p = rank_sums(&[of(0, may), of(1, august)].concat(), 2);
        for p in p {
            assert!((p - 0.0001208).abs() < 5e-8, "{p}");
        }
    }

    #[test]
    fn a_part_is_expected_to_have_the_shares_of_the_rest() {
        for (own, all, expected) in [
            // The rest is 6, 2, 0.
            ([2, 1, 1], [8, 3, 1], [3.0, 1.0, 0.0]),
            // The rest is 10, 30, 60.
            ([0, 0, 5], [10, 30, 65], [0.5, 1.5, 3.0]),
            ([3, 4, 5], [3, 4, 5], [0.0; 3]),
        ] {
            let found = Counts { own, all }.expected();
            let is_near = |(found, expected): (f64, f64)| (found - expected).abs() < 1e-12;
            assert!(
                found.into_iter().zip(expected).all(is_near),
                "{own:?} {all:?}: {found:?}"
            );
        }
    }
}
