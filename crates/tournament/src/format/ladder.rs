//! A ladder: the bots are ranked, at first in the order of the file. Neighbours play each other, and the winner gets
//! the higher rank. A tie changes nothing.
//!
//! In one round, the first bot plays the second, the third the fourth, and so on; in the next, the second plays the
//! third, and so on. This is odd–even transposition sort: if all results agree with an order, n rounds sort n bots.
//!
//! Source: D. Knuth, "The Art of Computer Programming", volume 3, §5.3.4, exercise 37.

use super::meeting::{Field, History, Pairings, Places};

pub(super) fn next(field: Field, rounds: usize, history: &History) -> Option<Pairings> {
    if history.len() >= rounds {
        return None;
    }
    let order = order(field, history);
    let neighbours = order[history.len() % 2..].chunks_exact(2);
    let bots = neighbours.map(|two| [two[0], two[1]]).collect();
    Some(Pairings::new(bots, field.rounds))
}

pub(super) fn places(field: Field, history: &History) -> Places {
    Places {
        order: order(field, history),
        ..Places::default()
    }
}

pub(super) fn meetings(bots: usize, round: usize) -> usize {
    (bots - round % 2) / 2
}

fn order(field: Field, history: &History) -> Vec<usize> {
    let mut order: Vec<usize> = (0..field.bots).collect();
    for (round, phase) in history.iter().enumerate() {
        for (two, meeting) in order[round % 2..].chunks_exact_mut(2).zip(phase) {
            if meeting.half_points[1] > meeting.half_points[0] {
                two.swap(0, 1);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::tests::played;
    use super::*;
    use crate::Draw;

    #[test]
    fn as_many_rounds_as_bots_sort_a_field() {
        for bots in 3..20 {
            let mut strength: Vec<usize> = (0..bots).collect();
            Draw::new(bots as u64, 3).shuffle(&mut strength);
            let field = Field { bots, rounds: 1 };
            let (_, places) = played(Format::Ladder { rounds: bots }, field, |a, b| {
                if strength[a] > strength[b] {
                    [3, 1]
                } else {
                    [1, 3]
                }
            });
            let sorted: Vec<usize> = places.order.iter().map(|&bot| strength[bot]).collect();
            assert!(sorted.into_iter().rev().eq(0..bots), "{bots} bots");
        }
    }

    #[test]
    fn a_tie_changes_nothing() {
        let field = Field { bots: 4, rounds: 1 };
        let (_, places) = played(Format::Ladder { rounds: 4 }, field, |_, _| [2, 2]);
        assert_eq!(places.order, [0, 1, 2, 3]);
    }
}
