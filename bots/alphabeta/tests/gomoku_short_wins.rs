//! The solver of threats is held to its slow twin, see `slow`, on small boards.

mod drawn;
mod positions;
mod slow;

use alphabeta::gomoku::{SearchBoard, Vct, VctLimits};
use drawn::drawn;
use games::gomoku::Rule;
use games::{Rules, Side};
use positions::Positions;
use slow::{Moves, wins_within};

type Stones = games::gomoku::GomokuBoard;

/// Length of the longest win looked for.
const PLIES: u32 = 7;
/// Positions of each rule that are looked at whatever the solver says of them.
const ALL: u32 = 20;
/// Wins of each rule that are looked at.
const WINS: u32 = 24;

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

/// After e5, a double three, white's e4 makes a four and answers one of the threes; what white does
/// against the other comes in time.
#[test]
fn a_double_three_does_not_win_against_a_four_that_answers_one_three() {
    let mut stones =
        drawn("........ ........ ........ XOOO.... ..XX.... ....X... ....X... ........");
    let slow = |stones: &mut Stones, plies| wins_within(stones, Side::Black, plies, Moves::Threats);
    assert_eq!(solved(&stones, 11), 0, "\n{stones}");
    assert!(!slow(&mut stones, 7), "\n{stones}");
    // Without one stone of the three e4 makes no four, and the double three wins.
    stones.set("d4".parse().expect("a square"), None);
    assert_eq!(solved(&stones, 11), 5, "\n{stones}");
    assert!(slow(&mut stones, 5) && !slow(&mut stones, 3), "\n{stones}");
}
