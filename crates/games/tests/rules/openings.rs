//! Opening rules: the decisions in their order, the number of openings of renju, and the end of every opening.

use std::collections::BTreeSet;

use games::gomoku::{Choice, OpeningRule};
use games::{Board, Game, Move, Rules, Side, Symmetry, counted, retrace};

use super::random::Random;

fn start(rule: OpeningRule) -> Board {
    let game = Game::new("gomoku", Some("renju"), Some(15)).expect("a game");
    let game = game.with_opening(Some(rule.name())).expect("a rule");
    game.start()
}

/// Each row of `openings.txt` has a rule, moves, and the next decision: the side, the kind, and the legal choices or
/// the number of legal squares. Instead of the decision, a row may have the error that the moves cause.
#[test]
fn decisions_come_in_the_order_of_the_rules() {
    for row in include_str!("openings.txt").lines() {
        if row.is_empty() || row.starts_with('#') {
            continue;
        }
        let cells: Vec<&str> = row.split(" | ").collect();
        let [rule, moves, expected] = cells[..] else {
            panic!("{row}: three cells");
        };
        let rule = OpeningRule::ALL.into_iter().find(|one| one.name() == rule);
        let mut board = start(rule.expect(row));
        let mut found = String::new();
        for played in moves.split(' ').filter(|word| !word.is_empty()) {
            if let Err(error) = board.play(played.parse().expect(row)) {
                found = error.why.to_owned();
            }
        }
        if found.is_empty() {
            found = decision(&board);
        }
        assert_eq!(found, expected, "{row}");
    }
}

fn decision(board: &Board) -> String {
    let side = board.side_to_move();
    let Some(opening) = board.opening() else {
        return format!("{side} moves");
    };
    let legal = board.legal_moves();
    let what = match opening.choices() {
        [] => legal.len().to_string(),
        _ => legal
            .iter()
            .map(Move::to_string)
            .collect::<Vec<_>>()
            .join(" "),
    };
    format!("{side} {} {what}", opening.step().word())
}

/// There are 26 openings of three stones: <https://en.wikipedia.org/wiki/Renju>.
#[test]
fn renju_has_26_openings() {
    for rule in [OpeningRule::Rif, OpeningRule::Soosyrv8] {
        let mut openings = BTreeSet::new();
        let mut first = start(rule);
        first.play("h8".parse().expect("a square")).expect("legal");
        for second in first.legal_moves() {
            let mut two = first.clone();
            two.play(second).expect("legal");
            for third in two.legal_moves() {
                let images = Symmetry::ALL.map(|symmetry| {
                    [second, third].map(|played| symmetry.apply_to_move(played, 15))
                });
                openings.insert(images.into_iter().min());
            }
        }
        assert_eq!(openings.len(), 26, "{rule}");
    }
}

#[test]
fn every_opening_ends_with_white_to_move() {
    let mut random = Random(5);
    for number in 0..200 {
        let rule = OpeningRule::ALL[number % OpeningRule::ALL.len()];
        let mut board = start(rule);
        let (game, mut moves) = (board.game(), Vec::new());
        while board.opening().is_some() {
            let legal = board.legal_moves();
            let played = legal[random.below(legal.len() as u64) as usize];
            board.play(played).expect("legal");
            moves.push(played);
        }
        let [black, white] = board.counts();
        assert_eq!((board.side_to_move(), black), (Side::White, white + 1));
        // The stones alone, without the opening rule, give the same position.
        let stones = counted(game, &moves);
        let plain = game.without_opening().after(&stones).expect("legal");
        assert_eq!(plain, board, "{rule}: {moves:?}");
        // The first player makes the first half-move. An odd number of swaps gives this player white.
        let retraced = retrace(&game.start(), &moves);
        let swaps = moves
            .iter()
            .filter(|&&played| played == Move::Choose(Choice::Swap));
        assert_eq!(retraced.is_swapped, swaps.count() % 2 == 1);
        let first = if retraced.is_swapped {
            Side::White
        } else {
            Side::Black
        };
        assert_eq!(retraced.movers[0], first, "the first player");
        assert_eq!(retraced.movers.last(), Some(&Side::White));
    }
}
