//! Compares the solvers on small boards with a simple AND/OR search that uses only the rules.

use alphabeta::gomoku::{Prover, SearchBoard, Vct, VctLimits};
use games::gomoku::{GomokuBoard, Rule};
use games::{Rules, Side, Square};

use crate::proof::prove;
use crate::{Positions, drawn};

fn fives(stones: &GomokuBoard, side: Side) -> Vec<Square> {
    let mut empty: Vec<Square> = stones.empty_squares().collect();
    empty.retain(|&square| stones.wins(square, side));
    empty
}

fn has_five(stones: &GomokuBoard, side: Side) -> bool {
    stones
        .empty_squares()
        .any(|square| stones.wins(square, side))
}

fn allowed(stones: &GomokuBoard, side: Side) -> Vec<Square> {
    let has_fouls = stones.rule().forbids(side);
    let may = |&square: &Square| !has_fouls || stones.renju_forbids(square).is_none();
    stones.empty_squares().filter(may).collect()
}

#[derive(Clone, Copy, PartialEq)]
pub enum Moves {
    All,
    /// Fours and open threes. If the opponent has a four, also an answer to it, provided that the attacker then still
    /// has a four or an open three anywhere.
    Threats,
}

pub fn wins_within(stones: &mut GomokuBoard, attacker: Side, plies: u32, moves: Moves) -> bool {
    if has_five(stones, attacker) {
        return true;
    }
    if plies < 3 {
        return false;
    }
    let is_free = !has_five(stones, !attacker);
    allowed(stones, attacker).into_iter().any(|first| {
        stones.set(first, Some(attacker));
        let through = is_free.then_some(first);
        let wins = (moves == Moves::All || is_threat(stones, through, attacker))
            && !has_five(stones, !attacker)
            && allowed(stones, !attacker).into_iter().all(|reply| {
                stones.set(reply, Some(!attacker));
                let wins = wins_within(stones, attacker, plies - 2, moves);
                stones.set(reply, None);
                wins
            });
        stones.set(first, None);
        wins
    })
}

/// Returns whether `side` has a four or an open three. An open three is a three that one more stone turns into several
/// threats of five; no single stone stops all of them. With `first`, only a three through that square counts.
fn is_threat(stones: &mut GomokuBoard, first: Option<Square>, side: Side) -> bool {
    if has_five(stones, side) {
        return true;
    }
    allowed(stones, side).into_iter().any(|second| {
        stones.set(second, Some(side));
        let of_line = |square: &Square| in_line(first.unwrap_or(second), second, *square);
        let mut threatened = fives(stones, side);
        threatened.retain(of_line);
        let empty: Vec<Square> = stones.empty_squares().filter(of_line).collect();
        let stops = |&stop: &Square| {
            stones.set(stop, Some(!side));
            let stopped = threatened
                .iter()
                .all(|&five| five == stop || !stones.wins(five, side));
            stones.set(stop, None);
            stopped
        };
        let is_threat = threatened.len() > 1 && !empty.iter().any(stops);
        stones.set(second, None);
        is_threat
    })
}

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

const PLIES: u32 = 7;
const ALL: u32 = 20;
const WINS: u32 = 24;

fn solved(stones: &GomokuBoard, plies: u32) -> u32 {
    let limits = VctLimits {
        plies,
        nodes: 1_000_000,
    };
    let line = Vct::new().solve(&mut SearchBoard::from_rules(stones), limits);
    line.expect("so few plies are searched to the end").len() as u32
}

/// Returns whether the shortest win of the simple search has `found` plies.
fn agree(stones: &mut GomokuBoard, found: u32) -> bool {
    let attacker = stones.side_to_move();
    let slow = [1, 3, 5, PLIES]
        .into_iter()
        .find(|&plies| wins_within(stones, attacker, plies, Moves::Threats))
        .unwrap_or_default();
    found == slow
}

/// Under renju, the solver skips a move that makes an open four and two open threes at once, because it may be
/// forbidden. No win in this test needs such a move.
#[test]
fn the_solver_finds_the_shortest_win_by_threats() {
    for rule in Rule::ALL {
        let dense = Positions::of(rule, 6..=7).filter(|stones| stones.empties() <= 30);
        let (mut all, mut wins) = (0, 0);
        for mut stones in dense {
            let found = solved(&stones, PLIES);
            if all < ALL || found > 0 {
                assert!(
                    agree(&mut stones, found),
                    "{rule:?}, {found} plies:\n{stones}"
                );
                wins += u32::from(found > 0);
            }
            all += 1;
            if wins == WINS {
                break;
            }
        }
    }
}

/// Black's e5 makes a double three. White's e4 makes a four and stops one three; then white can stop the other.
#[test]
fn a_double_three_does_not_win_against_a_four_that_answers_one_three() {
    let mut stones =
        drawn("........ ........ ........ XOOO.... ..XX.... ....X... ....X... ........");
    let slow =
        |stones: &mut GomokuBoard, plies| wins_within(stones, Side::Black, plies, Moves::Threats);
    assert_eq!(solved(&stones, 11), 0, "\n{stones}");
    assert!(!slow(&mut stones, 7), "\n{stones}");
    // If white's three lacks a stone, e4 makes no four, and the double three wins.
    stones.set("d4".parse().expect("a square"), None);
    assert_eq!(solved(&stones, 11), 5, "\n{stones}");
    assert!(slow(&mut stones, 5) && !slow(&mut stones, 3), "\n{stones}");
}

const NODES: u64 = 1_000_000;

#[test]
fn every_win_with_quiet_moves_is_proven_by_trying_every_answer() {
    for rule in Rule::ALL {
        let (mut wins, mut quiet) = (0, 0);
        for stones in Positions::of(rule, 7..=10).take(200) {
            let mut prover = Prover::new();
            let mut board = SearchBoard::from_rules(&stones);
            let Some(first) = prover.winning_move(&mut board, 20_000).ok().flatten() else {
                continue;
            };
            prove(&stones, stones.empties().into(), &mut |board, _| {
                let found = prover.winning_move(board, NODES);
                found.ok().flatten().into_iter().collect()
            })
            .unwrap_or_else(|why| panic!("{}, {first:?}: {why}", rule.name()));
            wins += 1;
            quiet += u32::from(solved(&stones, PLIES) == 0);
        }
        assert!(wins > 50 && quiet > 10, "{rule:?}: {wins}, {quiet} quiet");
    }
}

/// A win in five plies begins with a threat to win in three plies by fours. The prover tries all such moves.
#[test]
fn every_win_in_five_plies_is_found() {
    for rule in Rule::ALL {
        let mut wins = 0;
        let dense = Positions::of(rule, 7..=8).filter(|stones| stones.empties() <= 40);
        for mut stones in dense.take(400) {
            let attacker = stones.side_to_move();
            let mut wins_in = |plies, moves| wins_within(&mut stones, attacker, plies, moves);
            if wins_in(3, Moves::Threats) || !wins_in(5, Moves::All) {
                continue;
            }
            let found = Prover::new().solve(&mut SearchBoard::from_rules(&stones), NODES);
            assert!(!found.unwrap_or_default().is_empty(), "{rule:?}\n{stones}");
            wins += 1;
        }
        assert!(wins > 10, "{rule:?}: {wins}");
    }
}
