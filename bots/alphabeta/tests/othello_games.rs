//! Whole games of Othello through the interface that the arena uses.

use std::time::{Duration, Instant};

use alphabeta::{Options, bot};
use games::{Board, Game, Move, Rules, Side};
use protocol::{Question, Start};

fn start(move_time: Option<Duration>) -> Start {
    Start {
        move_time,
        memory_mib: Some(64),
        ..Start::untimed(Game::OTHELLO, Side::Black)
    }
}

fn question(board: &Board, moves: &[Move], left: Option<Duration>) -> Question {
    Question {
        left,
        opponent_left: left,
        ..Question::untimed(board.clone(), moves, Instant::now())
    }
}

/// Options of a small bot.
fn small() -> Options {
    Options {
        hash_mib: Some(1),
        ..Options::default()
    }
}

/// The bot against itself; the rules judge every move.
fn play(options: &Options, move_time: Option<Duration>) -> Vec<Move> {
    play_out(options, &start(move_time), move_time)
}

/// The same under these terms, with so much left of its clock at every move.
fn play_out(options: &Options, start: &Start, left: Option<Duration>) -> Vec<Move> {
    let mut bot = bot(options).expect("options that can be meant");
    bot.start(start).expect("Othello is played");
    let mut board = Game::OTHELLO.start();
    let mut moves = Vec::new();
    while board.ending().is_none() {
        let played = if board.must_pass() {
            Move::Pass
        } else {
            bot.choose(&question(&board, &moves, left), &mut |_| ())
        };
        board.play(played).expect("a legal move");
        moves.push(played);
    }
    moves
}

#[test]
fn a_clock_that_is_all_but_gone_still_gets_a_legal_move() {
    for move_time in [Duration::from_micros(1), Duration::from_millis(1)] {
        play(&Options::default(), Some(move_time));
    }
}

/// A game's clock with 3 ms left, at every move of a game.
#[test]
fn a_game_clock_that_is_all_but_gone_still_gets_a_legal_move() {
    let left = Some(Duration::from_millis(3));
    let game = Start {
        game_time: Some(Duration::from_secs(60)),
        ..start(None)
    };
    play_out(&Options::default(), &game, left);
}

#[test]
fn a_level_makes_the_same_mistakes_with_the_same_seed() {
    let low = Options {
        level: Some("easy".into()),
        ..small()
    };
    assert_eq!(play(&low, None), play(&low, None));
}

#[test]
fn fixed_depth_and_fixed_nodes_play_the_same_game_every_time() {
    let depth = Options {
        depth: Some(3),
        ..small()
    };
    let nodes = Options {
        nodes: Some(2000),
        ..small()
    };
    for options in [depth, nodes] {
        assert_eq!(play(&options, None), play(&options, None), "{options:?}");
    }
}

#[test]
fn what_it_thinks_is_told_in_the_words_of_the_trade() {
    let options = Options {
        depth: Some(4),
        ..small()
    };
    let mut bot = bot(&options).expect("options that can be meant");
    bot.start(&start(None)).expect("Othello is played");
    let mut told = Vec::new();
    let board = Game::OTHELLO.start();
    let played = bot.choose(&question(&board, &[], None), &mut |info| {
        told.push(info.clone());
    });
    let last = told.last().expect("each depth is told");
    assert_eq!(last.depth, Some(4));
    assert_eq!(last.pv.first(), Some(&played.to_string()));
    assert!(last.nodes > Some(0) && last.score.is_some());
}
