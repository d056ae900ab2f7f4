//! The Swiss system: bots with about equal points meet, without rematches if possible, for about log₂ n rounds.
//!
//! The first round pairs the upper half of the bots with the lower half; later rounds pair neighbours in the table
//! (Monrad). With an odd number of bots, the lowest bot in the table that has had no bye gets a bye, worth a won match.

use super::meeting::{Field, History, Pairings, Places};

/// The step limit of the search for a round without rematches. It usually takes fewer steps than there are bots.
const MOST_STEPS: u32 = 100_000;

pub(super) fn next(field: Field, rounds: usize, history: &History) -> Option<Pairings> {
    if history.len() >= rounds {
        return None;
    }
    let table = Table::new(field, history);
    let mut waiting = table.order();
    if waiting.len() % 2 == 1 {
        let sat_out = |bot: &usize| table.byes[*bot] == 0;
        let last = waiting
            .iter()
            .rposition(sat_out)
            .unwrap_or(waiting.len() - 1);
        waiting.remove(last);
    }
    let bots = if history.is_empty() {
        let (upper, lower) = waiting.split_at(waiting.len() / 2);
        upper.iter().zip(lower).map(|(&a, &b)| [a, b]).collect()
    } else {
        table.neighbours(&waiting)
    };
    Some(Pairings::new(bots, field.rounds))
}

/// Ranks the bots by points, then by Buchholz, then in the order of the file.
pub(super) fn places(field: Field, history: &History) -> Places {
    let table = Table::new(field, history);
    let buchholz: Vec<u64> = (0..field.bots).map(|bot| table.buchholz(bot)).collect();
    let mut order: Vec<usize> = (0..field.bots).collect();
    order.sort_by_key(|&bot| std::cmp::Reverse((table.half_points[bot], buchholz[bot])));
    let points = table.half_points.iter();
    Places {
        order,
        points: Some(points.map(|&sum| sum as f64 / 2.0).collect()),
        buchholz: Some(buchholz.iter().map(|&sum| sum as f64 / 2.0).collect()),
    }
}

struct Table {
    half_points: Vec<u64>,
    byes: Vec<u64>,
    opponents: Vec<Vec<usize>>,
}

impl Table {
    fn new(field: Field, history: &History) -> Table {
        let mut table = Table {
            half_points: vec![0; field.bots],
            byes: vec![history.len() as u64; field.bots],
            opponents: vec![Vec::new(); field.bots],
        };
        for meeting in history.iter().flatten() {
            let [a, b] = meeting.bots;
            let [won_by_a, won_by_b] = meeting.half_points;
            for (bot, opponent, won) in [(a, b, won_by_a), (b, a, won_by_b)] {
                table.half_points[bot] += won;
                table.byes[bot] -= 1;
                table.opponents[bot].push(opponent);
            }
        }
        // A pair has two games, and a win is two half points.
        let won_meeting = 4 * field.rounds;
        for (points, byes) in table.half_points.iter_mut().zip(&table.byes) {
            *points += byes * won_meeting;
        }
        table
    }

    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.half_points.len()).collect();
        order.sort_by_key(|&bot| std::cmp::Reverse(self.half_points[bot]));
        order
    }

    /// Returns the Buchholz score, the sum of the opponents' points, in half points; for a bye, the bot's own points.
    ///
    /// Source: FIDE Handbook, tie-break regulations, unplayed rounds.
    fn buchholz(&self, bot: usize) -> u64 {
        let met = self.opponents[bot].iter();
        let points: u64 = met.map(|&opponent| self.half_points[opponent]).sum();
        points + self.byes[bot] * self.half_points[bot]
    }

    /// Pairs each bot with the nearest bot in the table that it has not met, by backtracking. If this is impossible, or
    /// takes more than [`MOST_STEPS`] steps, pairs bots that are next to each other.
    fn neighbours(&self, waiting: &[usize]) -> Vec<[usize; 2]> {
        let mut pairings = Vec::new();
        let mut steps = 0;
        if !self.pair(&mut waiting.to_vec(), &mut pairings, &mut steps) {
            pairings = waiting
                .chunks_exact(2)
                .map(|two| [two[0], two[1]])
                .collect();
        }
        pairings
    }

    fn pair(
        &self,
        waiting: &mut Vec<usize>,
        pairings: &mut Vec<[usize; 2]>,
        steps: &mut u32,
    ) -> bool {
        let Some(&first) = waiting.first() else {
            return true;
        };
        for place in 1..waiting.len() {
            let second = waiting[place];
            if self.opponents[first].contains(&second) {
                continue;
            }
            *steps += 1;
            if *steps > MOST_STEPS {
                return false;
            }
            waiting.remove(place);
            waiting.remove(0);
            pairings.push([first, second]);
            if self.pair(waiting, pairings, steps) {
                return true;
            }
            pairings.pop();
            waiting.insert(0, first);
            waiting.insert(place, second);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{met, played};
    use super::super::{Format, Meeting};
    use super::*;
    use std::collections::HashSet;

    fn strict(a: usize, b: usize) -> [u64; 2] {
        if a < b { [4, 0] } else { [0, 4] }
    }

    #[test]
    fn eight_bots_by_hand() {
        let field = Field { bots: 8, rounds: 1 };
        let (history, places) = played(Format::Swiss { rounds: 3 }, field, strict);
        assert_eq!(
            met(&history),
            [
                [[0, 4], [1, 5], [2, 6], [3, 7]],
                [[0, 1], [2, 3], [4, 5], [6, 7]],
                // Bots 0 and 2 have two wins; bots 1, 3, 4 and 6 have one win; bots 5 and 7 have none.
                [[0, 2], [1, 3], [4, 6], [5, 7]],
            ]
        );
        // Bot 0 met bots 4, 1 and 2, each of which won two matches of 2 points.
        let buchholz = places.buchholz.expect("a Swiss has it");
        assert!(
            (buchholz[0] - 2.0 * (2.0 + 2.0 + 2.0)).abs() < 1e-9,
            "{buchholz:?}"
        );
        assert_eq!(places.order[0], 0);
    }

    #[test]
    fn there_is_no_rematch_while_it_can_be_avoided() {
        for bots in 4..17 {
            let field = Field { bots, rounds: 1 };
            let rounds = bots.ilog2() as usize + 1;
            let (history, _) = played(Format::Swiss { rounds }, field, strict);
            let mut met = HashSet::new();
            for meeting in history.iter().flatten() {
                let [a, b] = meeting.bots;
                assert!(
                    met.insert([a.min(b), a.max(b)]),
                    "{bots} bots: {a} and {b} again"
                );
            }
        }
    }

    #[test]
    fn more_rounds_than_opponents_need_rematches() {
        let field = Field { bots: 4, rounds: 1 };
        let (history, _) = played(Format::Swiss { rounds: 7 }, field, strict);
        assert!(history.iter().all(|phase| phase.len() == 2));
        assert_eq!(history.len(), 7);
    }

    #[test]
    fn every_bot_has_one_bye_before_any_has_two() {
        let field = Field { bots: 5, rounds: 1 };
        let (history, places) = played(Format::Swiss { rounds: 5 }, field, strict);
        let table = Table::new(field, &history);
        assert_eq!(table.byes, [1; 5]);
        assert_eq!(places.order, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_bye_scores_as_a_won_match() {
        let field = Field { bots: 3, rounds: 2 };
        let meeting = Meeting {
            bots: [0, 1],
            half_points: [8, 0],
            ..Meeting::default()
        };
        let places = places(field, &[vec![meeting]]);
        // Bot 2 has four points, like bot 0, and its bye counts as an opponent with four points.
        assert_eq!(places.order, [2, 0, 1]);
        assert_eq!(places.buchholz, Some(vec![0.0, 4.0, 4.0]));
    }
}
