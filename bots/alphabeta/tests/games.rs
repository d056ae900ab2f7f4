//! Whole games of the bot against itself through the interface that the arena uses: `games.csv`. The rules judge every
//! move. A game that is played twice is the same both times. So is a game whose positions the bot gets `backwards`.

use std::time::{Duration, Instant};

use alphabeta::{Options, bot};
use clap::Parser;
use games::{Board, Game, Move, Rules, Side};
use protocol::{Question, Start};

#[derive(Parser)]
#[command(no_binary_name = true)]
struct Line {
    #[command(flatten)]
    options: Options,
}

/// Whether positions come with their moves, or with those of white first and all backwards.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    InOrder,
    Backwards,
}

fn play(options: &Options, start: &Start, left: Option<Duration>, told: Told) -> Vec<Move> {
    let mut bot = bot(options).expect("options that can be meant");
    bot.start(start).expect("a game it plays");
    let mut board = start.game.start();
    let mut moves = Vec::new();
    while board.ending().is_none() {
        let played = if board.must_pass() {
            Move::Pass
        } else {
            let history = match told {
                Told::InOrder => moves.clone(),
                Told::Backwards => backwards(&board, &moves),
            };
            let question = Question {
                left,
                opponent_left: left,
                ..Question::untimed(board.clone(), &history, Instant::now())
            };
            bot.choose(&question, &mut |_| ())
        };
        let is_legal = board.legal_moves().contains(&played);
        assert!(is_legal, "{played} is not legal in\n{board}");
        board.play(played).expect("a legal move");
        moves.push(played);
    }
    moves
}

/// The moves of each side backwards, black's and white's in turn.
fn backwards(board: &Board, moves: &[Move]) -> Vec<Move> {
    let of = |side| {
        let own =
            move |played: &&Move| played.square().and_then(|square| board.at(square)) == Some(side);
        moves.iter().rev().filter(own).copied()
    };
    let mut white = of(Side::White);
    let turns = of(Side::Black).flat_map(|black| [Some(black), white.next()]);
    turns.flatten().collect()
}

fn time(cell: &str) -> Option<Duration> {
    let digits = cell.trim_end_matches(char::is_alphabetic);
    let number = digits.parse().ok()?;
    Some(match &cell[digits.len()..] {
        "us" => Duration::from_micros(number),
        "ms" => Duration::from_millis(number),
        _ => Duration::from_secs(number),
    })
}

/// The games that `gomoku 5..22 renju` names.
fn games(cell: &str) -> Vec<Game> {
    let [name, size, rules] = cell.split(' ').collect::<Vec<_>>()[..] else {
        return vec![Game::new(cell, None, None).expect(cell)];
    };
    let (first, last) = size.split_once("..").unwrap_or((size, size));
    let sizes = first.parse().expect(size)..=last.parse().expect(size);
    let game = |size| Game::new(name, Some(rules), Some(size)).expect(cell);
    sizes.map(game).collect()
}

#[test]
fn games_are_legal_to_the_end_and_the_same_every_time() {
    let rows = include_str!("games.csv").lines().skip(1);
    for row in rows.filter(|row| !row.starts_with('#')) {
        let [game, options, a_move, a_game, left, played] = row.split(',').collect::<Vec<_>>()[..]
        else {
            panic!("six cells: {row}");
        };
        let Line { options } = Line::parse_from(options.split_whitespace());
        for game in games(game) {
            let start = Start {
                move_time: time(a_move),
                game_time: time(a_game),
                memory_mib: Some(64),
                ..Start::untimed(game, Side::Black)
            };
            let play = |told| play(&options, &start, time(left), told);
            let once = play(Told::InOrder);
            match played {
                "once" => {}
                "twice" => assert_eq!(once, play(Told::InOrder), "{row}"),
                "backwards" => assert_eq!(once, play(Told::Backwards), "{row}"),
                _ => panic!("{row}"),
            }
        }
    }
}

#[test]
fn the_bot_reports_each_depth_with_its_best_line() {
    let options = Line::parse_from(["--depth", "4", "--hash-mib", "1"]).options;
    let mut bot = bot(&options).expect("options that can be meant");
    let start = Start::untimed(Game::OTHELLO, Side::Black);
    bot.start(&start).expect("Othello is played");
    let mut reports = Vec::new();
    let question = Question::untimed(Game::OTHELLO.start(), &[], Instant::now());
    let played = bot.choose(&question, &mut |info| reports.push(info.clone()));
    let last = reports.last().expect("a report");
    assert_eq!(last.depth, Some(4));
    assert_eq!(last.pv.first(), Some(&played.to_string()));
    assert!(last.nodes > Some(0) && last.score.is_some());
}
