//! The bot plays legal Gomoku to the end on every size of board, under every rule.

use alphabeta::Options;
use games::gomoku::Rule;
use games::{Game, Rules, Side};
use protocol::{Question, Start};
use std::time::{Duration, Instant};

fn options(nodes: u64) -> Options {
    Options {
        nodes: Some(nodes),
        hash_mib: Some(1),
        ..Options::default()
    }
}

fn start(game: Game) -> Start {
    Start {
        move_time: Some(Duration::from_secs(60)),
        ..Start::untimed(game, Side::Black)
    }
}

fn question(board: &games::Board, moves: &[games::Move]) -> Question {
    Question {
        left: Some(Duration::from_secs(60)),
        ..Question::untimed(board.clone(), moves, Instant::now())
    }
}

/// A game of the bot against itself; every move must be one of the legal squares.
fn play(game: Game, options: &Options) -> Vec<games::Move> {
    let mut bot = alphabeta::bot(options).expect("good options");
    bot.start(&start(game)).expect("a game it plays");
    let mut board = game.start();
    let mut moves = Vec::new();
    while board.ending().is_none() {
        let played = bot.choose(&question(&board, &moves), &mut |_| {});
        let legal = board.legal_moves();
        assert!(legal.contains(&played), "{played} is not legal in\n{board}");
        board.play(played).expect("legal");
        moves.push(played);
    }
    moves
}

#[test]
fn every_size_and_rule_is_played_to_the_end() {
    for size in games::gomoku::MIN_SIZE..=games::gomoku::MAX_SIZE {
        for rule in Rule::ALL {
            play(Game::gomoku(size, rule), &options(60));
        }
    }
}

#[test]
fn a_fixed_number_of_nodes_plays_the_same_game_every_time() {
    let game = Game::gomoku(15, Rule::Renju);
    assert_eq!(play(game, &options(500)), play(game, &options(500)));
}

/// On boards that fill up, so that all that can happen happens.
#[test]
fn a_level_that_errs_plays_to_the_end_and_errs_the_same_way_every_time() {
    for rule in Rule::ALL {
        for level in ["1", "easy", "medium"] {
            let options = Options {
                level: Some(level.to_owned()),
                hash_mib: Some(1),
                ..Options::default()
            };
            let game = Game::gomoku(6, rule);
            let [once, again] = [(); 2].map(|()| play(game, &options));
            assert_eq!(once, again, "{rule:?} {level}");
        }
    }
}
