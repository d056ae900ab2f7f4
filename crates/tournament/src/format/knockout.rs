//! Knockout: the loser of a match leaves the tournament.
//!
//! In the bracket, the first two bots of the file can meet only in the final. If the number of bots is not a power of
//! two, the first bots of the file have a bye in the first round. After a tie, play-off pairs follow, one at a time. If
//! [`PLAY_OFFS`] of them do not break the tie, the bot that is earlier in the file advances.

use super::meeting::{Field, History, Meeting, Pairings, Places};

/// A meeting has at most this many play-off pairs, because deterministic bots of equal strength could tie forever.
const PLAY_OFFS: usize = 8;

pub(super) fn next(field: Field, history: &History) -> Option<Pairings> {
    Bracket::played(field, history).next
}

/// Ranks the bots by the round in which they lost, then in the order of the file.
pub(super) fn places(field: Field, history: &History) -> Places {
    let bracket = Bracket::played(field, history);
    let mut order: Vec<usize> = (0..field.bots).collect();
    order.sort_by_key(|&bot| std::cmp::Reverse(bracket.out[bot].unwrap_or(usize::MAX)));
    Places {
        order,
        ..Places::default()
    }
}

struct Bracket {
    /// The round in which each bot lost its match; `None` if it has not lost.
    out: Vec<Option<usize>>,
    next: Option<Pairings>,
}

impl Bracket {
    fn played(field: Field, history: &History) -> Bracket {
        let mut out = vec![None; field.bots];
        let mut alive = seeded(field.bots);
        let mut phases = history.iter();
        for round in 0.. {
            if alive.len() == 1 {
                break;
            }
            let meetings: Vec<[usize; 2]> = alive
                .chunks_exact(2)
                .filter_map(|two| Some([two[0]?, two[1]?]))
                .collect();
            let totals = match totals(field, &meetings, &mut phases) {
                Ok(totals) => totals,
                Err(next) => {
                    let next = Some(next);
                    return Bracket { out, next };
                }
            };
            let mut totals = totals.iter();
            alive = alive
                .chunks_exact(2)
                .map(|two| {
                    let (Some(_), Some(_)) = (two[0], two[1]) else {
                        return two[0].or(two[1]);
                    };
                    let meeting = totals.next().expect("a total for each meeting");
                    let (winner, loser) = decided(meeting);
                    out[loser] = Some(round);
                    Some(winner)
                })
                .collect();
        }
        Bracket { out, next: None }
    }
}

/// Returns the result of each match of a round, with play-offs. The error is the matches that must be played first.
fn totals<'a>(
    field: Field,
    meetings: &[[usize; 2]],
    phases: &mut impl Iterator<Item = &'a Vec<Meeting>>,
) -> Result<Vec<Meeting>, Pairings> {
    let Some(played) = phases.next() else {
        return Err(Pairings::new(meetings.to_vec(), field.rounds));
    };
    let mut totals = played.clone();
    for _ in 0..PLAY_OFFS {
        let tied = |meeting: &&mut Meeting| meeting.half_points[0] == meeting.half_points[1];
        let tied: Vec<&mut Meeting> = totals.iter_mut().filter(tied).collect();
        if tied.is_empty() {
            break;
        }
        let Some(played) = phases.next() else {
            let bots = tied.iter().map(|meeting| meeting.bots).collect();
            return Err(Pairings {
                play_off: true,
                ..Pairings::new(bots, 1)
            });
        };
        for (total, play_off) in tied.into_iter().zip(played) {
            for (sum, more) in total.half_points.iter_mut().zip(play_off.half_points) {
                *sum += more;
            }
        }
    }
    Ok(totals)
}

fn decided(meeting: &Meeting) -> (usize, usize) {
    let [a, b] = meeting.bots;
    match meeting.half_points[0].cmp(&meeting.half_points[1]) {
        std::cmp::Ordering::Greater => (a, b),
        std::cmp::Ordering::Less => (b, a),
        std::cmp::Ordering::Equal => (a.min(b), a.max(b)),
    }
}

/// Returns the bots of the first round, in the order of the bracket; `None` is a bye.
fn seeded(bots: usize) -> Vec<Option<usize>> {
    let mut order = vec![0];
    while order.len() < bots {
        // Adds after each bot its opponent. The numbers of two opponents always have the same sum.
        let last = 2 * order.len() - 1;
        order = order.iter().flat_map(|&bot| [bot, last - bot]).collect();
    }
    order
        .into_iter()
        .map(|bot| Some(bot).filter(|&bot| bot < bots))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::tests::{met, played};
    use super::*;

    #[test]
    fn the_bracket_of_eight_is_the_usual_one() {
        let order: Vec<usize> = seeded(8).into_iter().flatten().collect();
        // The usual bracket 1–8, 4–5, 2–7, 3–6, with numbers from 0.
        assert_eq!(order, [0, 7, 3, 4, 1, 6, 2, 5]);
    }

    #[test]
    fn the_first_bots_have_byes_if_the_bracket_is_not_full() {
        let field = Field { bots: 5, rounds: 1 };
        let strict = |a: usize, b: usize| if a < b { [3, 1] } else { [1, 3] };
        let (history, places) = played(Format::Knockout, field, strict);
        assert_eq!(
            met(&history),
            [vec![[3, 4]], vec![[0, 3], [1, 2]], vec![[0, 1]]]
        );
        assert_eq!(places.order, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_tie_is_played_off_until_it_is_broken() {
        let field = Field { bots: 4, rounds: 5 };
        let meeting = |bots, half_points| Meeting {
            bots,
            half_points,
            ..Meeting::default()
        };
        let mut history = vec![vec![meeting([0, 3], [10, 10]), meeting([1, 2], [3, 17])]];
        let play_off = Pairings {
            play_off: true,
            ..Pairings::new(vec![[0, 3]], 1)
        };
        assert_eq!(next(field, &history).as_ref(), Some(&play_off));
        history.push(vec![meeting([0, 3], [2, 2])]);
        assert_eq!(next(field, &history).as_ref(), Some(&play_off));
        history.push(vec![meeting([0, 3], [1, 3])]);
        let last = next(field, &history).expect("the final");
        assert_eq!((last.bots, last.rounds), (vec![[3, 2]], 5));
        assert_eq!(places(field, &history).order, [2, 3, 0, 1]);
    }

    #[test]
    fn after_the_last_play_off_the_earlier_bot_of_the_file_advances() {
        let field = Field { bots: 2, rounds: 1 };
        let (history, places) = played(Format::Knockout, field, |_, _| [2, 2]);
        assert_eq!(history.len(), 1 + PLAY_OFFS);
        assert_eq!(places.order, [0, 1]);
    }
}
