//! Wins with quiet moves in random positions: what the prover claims holds against every legal answer,
//! and it finds what a slow search of all moves finds.

mod positions;
mod proof;
mod slow;

use alphabeta::gomoku::{Prover, SearchBoard, Vct, VctLimits};
use games::Rules;
use games::gomoku::{GomokuBoard, Rule};
use positions::Positions;
use proof::prove;
use slow::{Moves, wins_within};

/// More than any of these positions needs.
const NODES: u64 = 1_000_000;

/// Whether fours and open threes alone win within so many plies.
fn wins_by_threats(stones: &GomokuBoard, plies: u32) -> bool {
    let limits = VctLimits {
        plies,
        nodes: NODES,
    };
    let line = Vct::new().solve(&mut SearchBoard::from_rules(stones), limits);
    !line
        .expect("so few plies are searched to the end")
        .is_empty()
}

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
            quiet += u32::from(!wins_by_threats(&stones, 7));
        }
        assert!(wins > 50 && quiet > 10, "{rule:?}: {wins}, {quiet} quiet");
    }
}

/// A win in five plies begins with a move that threatens to win in three, which is by fours: the
/// prover tries all such moves.
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
