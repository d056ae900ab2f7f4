//! A lost side holds out as long as it can.

mod shipped;

use std::time::Instant;

use alphabeta::Options;
use alphabeta::gomoku::puzzle::scattered;
use alphabeta::gomoku::{Cell, SearchBoard, Vct, VctLimits};
use games::{Move, Rules, Side, Square};
use protocol::{Question, Start};
use shipped::stages;

type Stones = games::gomoku::GomokuBoard;

/// Of the longest win of a random position.
const PLIES: u32 = 11;

/// The shortest win of the side to move within so many plies, by a solver that remembers nothing: empty where there is
/// none, `None` where that is not known.
fn line(stones: &Stones, plies: u32) -> Option<Vec<Square>> {
    let limits = VctLimits {
        plies,
        nodes: 500_000,
    };
    let line = Vct::new().solve(&mut SearchBoard::from_rules(stones), limits);
    Some(line.ok()?.into_iter().map(Cell::square).collect())
}

fn after(stones: &Stones, square: Square) -> Stones {
    let mut then = stones.clone();
    then.play(Move::Place(square)).expect("legal");
    then
}

/// Plies of the longest win that a move of the side to move leaves, if each is known to leave one.
fn longest(stones: &Stones) -> Option<usize> {
    let mut longest = 0;
    for square in stones.legal_squares() {
        match line(&after(stones, square), PLIES)?.len() {
            0 => return None,
            plies => longest = longest.max(plies),
        }
    }
    Some(longest)
}

/// What the engine plays.
fn answer(stones: &Stones) -> Square {
    let options = Options {
        nodes: Some(200_000),
        hash_mib: Some(1),
        ..Options::default()
    };
    let mut bot = alphabeta::bot(&options).expect("good options");
    bot.start(&Start::untimed(
        games::Game::gomoku(stones.size(), stones.rule()),
        stones.side_to_move(),
    ))
    .expect("a game it plays");
    let board = games::Board::Gomoku(stones.clone());
    let question = Question::untimed(board, &[], Instant::now());
    let played = bot.choose(&question, &mut |_| {});
    played.square().expect("a square")
}

/// The engine's answer leaves the longest win of all answers, if every answer is known to leave one:
/// a solver is asked after each. Returns whether it is known.
fn assert_stubborn(stones: &Stones) -> bool {
    let Some(longest) = longest(stones) else {
        return false;
    };
    let answer = answer(stones);
    let left = line(&after(stones, answer), PLIES).expect("it is known of all");
    assert_eq!(left.len(), longest, "{answer} in\n{stones}");
    true
}

#[test]
fn the_answer_to_a_winning_threat_leaves_the_longest_way() {
    let mut seen = [0; 3];
    for number in 0.. {
        let stones = scattered(9, number);
        let line = line(&stones, PLIES).unwrap_or_default();
        if let 5 | 7 | 9 = line.len() {
            assert!(assert_stubborn(&after(&stones, line[0])), "\n{stones}");
            seen[(line.len() - 5) / 2] += 1;
        }
        if seen.iter().all(|&seen| seen >= 2) {
            break;
        }
    }
}

/// Black plays the shortest win, and white makes it last as long as the file of the stage says.
#[test]
fn the_longer_stages_last_as_long_as_they_can() {
    for stage in stages() {
        if stage.by_fours || stage.plies < 15 {
            continue;
        }
        let mut stones = stage.board;
        let mut plies = 0;
        while stones.ending().is_none() {
            let square = match stones.side_to_move() {
                Side::Black => line(&stones, 31).expect("it is proven")[0],
                Side::White => answer(&stones),
            };
            stones = after(&stones, square);
            plies += 1;
        }
        assert_eq!(plies, stage.plies, "{}\n{stones}", stage.path.display());
    }
}
