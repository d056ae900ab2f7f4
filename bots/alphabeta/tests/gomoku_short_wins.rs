//! A slow twin of the solver of threats: an AND/OR search that knows nothing but how to look for a
//! five, held against it on small boards.

use alphabeta::gomoku::{Board, Vct, VctLimits};
use games::gomoku::Rule;
use games::{Side, Square};
use proptest::prelude::*;

type Stones = games::gomoku::Board;

/// Where `side` would make five.
fn fives(stones: &Stones, side: Side) -> Vec<Square> {
    let mut empty: Vec<Square> = stones.empty_squares().collect();
    empty.retain(|&square| stones.wins(square, side));
    empty
}

fn has_five(stones: &Stones, side: Side) -> bool {
    stones
        .empty_squares()
        .any(|square| stones.wins(square, side))
}

/// Which moves the attacker is allowed.
#[derive(Clone, Copy, PartialEq)]
enum Moves {
    All,
    /// Fours and open threes.
    Threats,
}

/// Whether `attacker`, to move, wins in at most `plies` whatever the defender plays.
fn wins_within(stones: &mut Stones, attacker: Side, plies: u32, moves: Moves) -> bool {
    if has_five(stones, attacker) {
        return true;
    }
    if plies < 3 {
        return false;
    }
    let squares: Vec<Square> = stones.empty_squares().collect();
    squares.iter().any(|&first| {
        stones.set(first, Some(attacker));
        let wins = (moves == Moves::All || is_threat(stones, first, attacker))
            && !has_five(stones, !attacker)
            && squares
                .iter()
                .filter(|&&reply| reply != first)
                .all(|&reply| {
                    stones.set(reply, Some(!attacker));
                    let wins = wins_within(stones, attacker, plies - 2, moves);
                    stones.set(reply, None);
                    wins
                });
        stones.set(first, None);
        wins
    })
}

/// Whether the stone on `first` makes a four, or a three: another stone in line with it would then
/// threaten two fives in that line.
fn is_threat(stones: &mut Stones, first: Square, side: Side) -> bool {
    if has_five(stones, side) {
        return true;
    }
    let empty: Vec<Square> = stones.empty_squares().collect();
    empty.into_iter().any(|second| {
        stones.set(second, Some(side));
        let of_line = |five: &Square| in_line(first, second, *five);
        let open_four = fives(stones, side)
            .iter()
            .filter(|five| of_line(five))
            .count()
            >= 2;
        stones.set(second, None);
        open_four
    })
}

/// Whether three squares lie on one row, column or diagonal.
fn in_line(one: Square, two: Square, three: Square) -> bool {
    let step = |from: Square, to: Square| {
        let columns = i32::from(to.column()) - i32::from(from.column());
        let rows = i32::from(to.row()) - i32::from(from.row());
        (columns, rows)
    };
    let ((a, b), (c, d)) = (step(one, two), step(one, three));
    let is_line =
        |columns: i32, rows: i32| columns == 0 || rows == 0 || columns.abs() == rows.abs();
    a * d == b * c && is_line(a, b)
}

/// A position with black to move in which nobody makes five at once.
fn position(size: u8, rule: Rule, places: &[prop::sample::Index]) -> Stones {
    let mut stones = Stones::new(size, rule);
    for (number, place) in places.iter().enumerate() {
        let empty: Vec<Square> = stones.empty_squares().collect();
        let (square, side) = (empty[place.index(empty.len())], Side::BOTH[number % 2]);
        stones.set(square, Some(side));
        let quiet = !Side::BOTH.into_iter().any(|side| has_five(&stones, side));
        if stones.winner().is_some() || !quiet {
            stones.set(square, None);
        }
    }
    stones
}

fn solved(stones: &Stones, plies: u32) -> usize {
    let limits = VctLimits {
        plies,
        nodes: 1_000_000,
    };
    let line = Vct::new().solve(&mut Board::from_rules(stones), limits);
    line.expect("so few plies are searched to the end").len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// What the solver finds is the shortest win by fours and open threes, and a win.
    #[test]
    fn the_solver_finds_the_shortest_win_by_threats(
        standard in any::<bool>(),
        places in prop::collection::vec(any::<prop::sample::Index>(), 10..26),
    ) {
        let rule = if standard { Rule::Standard } else { Rule::Freestyle };
        let mut stones = position(7, rule, &places);
        let found = solved(&stones, 7);
        let slow = [1, 3, 5, 7]
            .into_iter()
            .find(|&plies| wins_within(&mut stones, Side::Black, plies, Moves::Threats));
        prop_assert_eq!(found as u32, slow.unwrap_or_default(), "\n{}", stones);
        if (1..=5).contains(&found) {
            let wins = wins_within(&mut stones, Side::Black, found as u32, Moves::All);
            prop_assert!(wins, "no win in {}\n{}", found, stones);
        }
    }
}
