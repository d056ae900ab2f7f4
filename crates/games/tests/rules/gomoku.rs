use std::collections::BTreeMap;

use games::gomoku::{GomokuBoard, Rule};
use games::{Game, Move, Reason, Rules, Side, Square, perft};

use super::gomoku_twin::Twin;
use super::random::Random;

fn play_and_compare(
    random: &mut Random,
    size: u8,
    rule: Rule,
    plies: usize,
) -> (GomokuBoard, Twin) {
    let mut board = GomokuBoard::new(size, rule);
    let mut twin = Twin::new(size, rule);
    let (left, top) = (random.below(size.into()), random.below(size.into()));
    for _ in 0..plies {
        compare(&board, &twin);
        let empty: Vec<Square> = board.empty_squares().collect();
        if twin.ending.is_some() || empty.is_empty() {
            break;
        }
        let near = |square: &&Square| {
            let away = |at: u8, from: u64| i64::from(at).abs_diff(from as i64);
            away(square.column(), left) < 4 && away(square.row(), top) < 4
        };
        let near: Vec<Square> = empty.iter().filter(near).copied().collect();
        let among = if near.is_empty() || random.below(8) == 0 {
            empty
        } else {
            near
        };
        let square = among[random.below(among.len() as u64) as usize];
        board.play(Move::Place(square)).unwrap();
        twin.play(square);
        let beside = [(size, 0), (0, size)].into_iter().filter(|_| size < 22);
        let beside = beside.map(|(column, row)| Square::new(column, row));
        let refused = beside.chain([square]).map(Move::Place);
        for refused in refused.chain([Move::Pass]) {
            let mut after = board.clone();
            assert!(after.play(refused).is_err() && after == board, "{refused}");
        }
    }
    compare(&board, &twin);
    (board, twin)
}

fn compare(board: &GomokuBoard, twin: &Twin) {
    let drawn = games::Board::Gomoku(board.clone());
    assert_eq!(drawn.rows(), twin.rows);
    assert_eq!(board.side_to_move(), twin.to_move, "{drawn}");
    assert_eq!(board.ending(), twin.ending, "{drawn}");
    assert_eq!(board.legal_squares(), twin.legal(), "{drawn}");
    assert_eq!(
        board.counts().map(usize::from),
        ['X', 'O'].map(|symbol| twin.count(symbol))
    );
    assert_eq!(usize::from(board.empties()), twin.count('.'));
    assert!(!board.must_pass());
}

#[test]
fn random_games_go_as_the_twin_says() {
    let mut random = Random(5);
    let mut endings = BTreeMap::new();
    for size in 5..=22u8 {
        for rule in Rule::ALL {
            for _ in 0..12 {
                let (board, twin) = play_and_compare(&mut random, size, rule, 60);
                let won = Side::BOTH.into_iter().find(|&side| twin.has_won(side));
                assert_eq!(board.winner(), won);
                if let Some(ending) = board.ending() {
                    let how = (rule.name(), ending.winner, ending.reason.word());
                    *endings.entry(how).or_insert(0) += 1;
                }
            }
        }
    }
    println!("{endings:#?}");
    let seen = |reason: Reason| endings.keys().any(|&(_, _, word)| word == reason.word());
    let gomoku = Game::gomoku(15, Rule::Renju);
    for &reason in gomoku.reasons() {
        assert!(seen(reason), "no {reason:?}");
    }
}

#[test]
fn perft_of_the_first_plies_is_a_falling_factorial() {
    for (size, deepest) in [(5u64, 4), (9, 3), (22, 2)] {
        for rule in Rule::ALL {
            let game = Game::gomoku(size as u8, rule);
            let squares = size * size;
            let leaves = |depth: u64| (0..depth).map(|ply| squares - ply).product::<u64>();
            for depth in 0..=deepest {
                assert_eq!(perft(&game.start(), depth as u32), leaves(depth));
            }
        }
    }
}

#[test]
fn perft_of_late_positions_is_that_of_the_twin() {
    let mut random = Random(7);
    for rule in Rule::ALL {
        for size in [5, 6, 7] {
            for depth in [2, 2, 2, 3] {
                let plies = 10 + random.below(12) as usize;
                let (board, twin) = play_and_compare(&mut random, size, rule, plies);
                let board = games::Board::Gomoku(board);
                assert_eq!(perft(&board, depth), twin.perft(depth), "{board}");
            }
        }
    }
}
