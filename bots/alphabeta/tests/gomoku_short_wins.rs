//! A slow twin of the solver of threats: an AND/OR search that knows nothing but how to look for a
//! five, and renju's fouls; held against it on small boards.

mod positions;

use alphabeta::gomoku::{SearchBoard, Vct, VctLimits};
use games::gomoku::Rule;
use games::{Board as AnyBoard, Game, Rules, Side, Square};
use positions::Positions;

type Stones = games::gomoku::GomokuBoard;

/// Length of the longest win looked for.
const PLIES: u32 = 7;
/// Positions of each rule that are looked at whatever the solver says of them.
const ALL: u32 = 20;
/// Wins of each rule that are looked at.
const WINS: u32 = 24;

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

/// The empty squares that `side` may play.
fn allowed(stones: &Stones, side: Side) -> Vec<Square> {
    let has_fouls = stones.rule() == Rule::Renju && side == Side::Black;
    let may = |&square: &Square| !has_fouls || stones.renju_forbids(square).is_none();
    stones.empty_squares().filter(may).collect()
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
    allowed(stones, attacker).into_iter().any(|first| {
        stones.set(first, Some(attacker));
        let wins = (moves == Moves::All || is_threat(stones, first, attacker))
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

/// Whether the stone on `first` makes a four, or a three: another stone in line with it would then
/// threaten two fives in that line.
fn is_threat(stones: &mut Stones, first: Square, side: Side) -> bool {
    if has_five(stones, side) {
        return true;
    }
    allowed(stones, side).into_iter().any(|second| {
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

/// Plies of the win that the solver finds; 0: none.
fn solved(stones: &Stones, plies: u32) -> u32 {
    let limits = VctLimits {
        plies,
        nodes: 1_000_000,
    };
    let line = Vct::new().solve(&mut SearchBoard::from_rules(stones), limits);
    line.expect("so few plies are searched to the end").len() as u32
}

/// Whether the solver and the slow search agree on the shortest win by threats, and whether it is
/// a win against all that the defender may play.
fn agree(stones: &mut Stones, found: u32) -> bool {
    let attacker = stones.side_to_move();
    let slow = [1, 3, 5, PLIES]
        .into_iter()
        .find(|&plies| wins_within(stones, attacker, plies, Moves::Threats))
        .unwrap_or_default();
    let is_win = !(1..=5).contains(&found) || wins_within(stones, attacker, found, Moves::All);
    is_win && found == slow
}

/// What the solver finds is the shortest win by fours and open threes, and it finds one where there
/// is one.
///
/// Under renju it leaves alone open fours that two open threes may make a foul; none of these
/// positions turns on such a cell.
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

/// Black to move in the position that `rows` draw.
fn drawn(rows: &[&str]) -> Stones {
    let game = Game::new("gomoku", None, Some(rows.len() as i64)).expect("a game");
    match game.position(rows, Side::Black) {
        Ok(AnyBoard::Gomoku(stones)) => stones,
        other => panic!("{other:?}"),
    }
}

/// After e5, a double three, white's e4 makes a four and answers one of the threes; what white does
/// against the other comes in time.
#[test]
fn a_double_three_does_not_win_against_a_four_that_answers_one_three() {
    let mut stones = drawn(&[
        "........", "........", "........", "XOOO....", "..XX....", "....X...", "....X...",
        "........",
    ]);
    let slow = |stones: &mut Stones, plies| wins_within(stones, Side::Black, plies, Moves::Threats);
    assert_eq!(solved(&stones, 11), 0, "\n{stones}");
    assert!(!slow(&mut stones, 7), "\n{stones}");
    // Without one stone of the three e4 makes no four, and the double three wins.
    stones.set("d4".parse().expect("a square"), None);
    assert_eq!(solved(&stones, 11), 5, "\n{stones}");
    assert!(slow(&mut stones, 5) && !slow(&mut stones, 3), "\n{stones}");
}
