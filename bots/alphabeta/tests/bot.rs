//! The bot through the interface that the arena uses: whole games against itself, and opening books.
//!
//! `games.csv` lists the games. The rules check every move. A game marked `twice` is played twice, and a game marked
//! `backwards` is played again with the earlier moves of each position in reverse order. Both games must be equal.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use alphabeta::book::{Book, BookEntry};
use alphabeta::{Options, bot};
use clap::Parser;
use games::gomoku::Rule;
use games::{Board, Game, Move, Rules, Side, canonical_hash, parse_transcript};
use protocol::{Question, Start};

#[derive(Parser)]
#[command(no_binary_name = true)]
struct OptionsLine {
    #[command(flatten)]
    options: Options,
}

fn play(options: &Options, start: &Start, left: Option<Duration>, is_reversed: bool) -> Vec<Move> {
    let mut bot = bot(options).expect("valid options");
    bot.start(start).expect("a game it plays");
    let mut board = start.game.start();
    let mut moves = Vec::new();
    while board.ending().is_none() {
        let played = if board.must_pass() {
            Move::Pass
        } else {
            let history = if is_reversed {
                backwards(&board, &moves)
            } else {
                moves.clone()
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

/// Returns the moves of each side in reverse order, black's and white's alternating.
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
        let OptionsLine { options } = OptionsLine::parse_from(options.split_whitespace());
        for game in games(game) {
            let start = Start {
                move_time: time(a_move),
                game_time: time(a_game),
                memory_mib: Some(64),
                ..Start::untimed(game, Side::Black)
            };
            let play = |is_reversed| play(&options, &start, time(left), is_reversed);
            let once = play(false);
            match played {
                "once" => {}
                "twice" => assert_eq!(once, play(false), "{row}"),
                "backwards" => assert_eq!(once, play(true), "{row}"),
                _ => panic!("{row}"),
            }
        }
    }
}

#[test]
fn the_bot_reports_each_depth_with_its_best_line() {
    let options = OptionsLine::parse_from(["--depth", "4", "--hash-mib", "1"]).options;
    let mut bot = bot(&options).expect("valid options");
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

// --- Opening books ---

fn gomoku() -> [Game; 3] {
    [Rule::Freestyle, Rule::Standard, Rule::Renju].map(|rule| Game::gomoku(15, rule))
}

/// Returns the move of a bot with this book after the moves of `text`, and whether it answered without a search.
fn answer(game: Game, text: &str, book: Option<PathBuf>) -> (Move, bool) {
    let options = Options {
        depth: Some(2),
        hash_mib: Some(1),
        book,
        ..Options::default()
    };
    let (moves, board) = parse_transcript(game, text).expect("moves");
    let mut bot = bot(&options).expect("valid options");
    let start = Start::untimed(game, board.side_to_move());
    bot.start(&start).expect("a game it plays");
    let mut is_known = false;
    let question = Question::untimed(board, &moves, Instant::now());
    let answer = bot.choose(&question, &mut |info| is_known = info.nodes == Some(0));
    (answer, is_known)
}

#[test]
fn the_book_is_played_from_only_when_it_is_asked_for() {
    let openings = [(Game::OTHELLO, "f5"), (Game::OTHELLO, "")];
    for (game, text) in openings
        .into_iter()
        .chain(gomoku().map(|game| (game, "h8")))
    {
        for (book, expected) in [(Some("true"), true), (Some("false"), false), (None, false)] {
            let (_, is_known) = answer(game, text, book.map(PathBuf::from));
            assert_eq!(is_known, expected, "{game} {text}: {book:?}");
        }
    }
}

#[test]
fn a_book_from_a_file_replaces_the_built_in_one() {
    let (_, board) = parse_transcript(Game::OTHELLO, "f5").expect("moves");
    let shipped = Book::shipped(Game::OTHELLO)
        .find(&board)
        .expect("it knows f5");
    let legal = board.legal_squares();
    let other = legal
        .into_iter()
        .find(|&square| square != shipped.best)
        .expect("three moves");
    let mut book = Book::default();
    book.insert(
        &board,
        BookEntry {
            best: other,
            score: 0,
        },
    );
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own.abob");
    std::fs::write(&file, book.encode()).expect("written");
    let own = |text| answer(Game::OTHELLO, text, Some(file.clone()));
    assert_eq!(own("f5"), (Move::Place(other), true));
    // The built-in book has an entry for the start position, but this book has none.
    assert!(!own("").1);
}

fn known(game: Game) -> usize {
    let book = Book::shipped(game);
    let mut seen = BTreeSet::new();
    let mut open = vec![game.start()];
    let after = |board: &Board, square| {
        let mut next = board.clone();
        next.play(Move::Place(square)).expect("it is legal");
        next
    };
    while let Some(board) = open.pop() {
        if book.find(&board).is_none() || !seen.insert(canonical_hash(&board)) {
            continue;
        }
        let squares = board.legal_squares();
        open.extend(squares.into_iter().map(|square| after(&board, square)));
    }
    seen.len()
}

/// Fails if the fingerprints of positions have changed, or if a move in a book is illegal (under renju, forbidden).
#[test]
fn all_that_the_books_know_is_reached_and_legal() {
    assert_eq!(known(Game::OTHELLO), Book::shipped(Game::OTHELLO).len());
    let all: Vec<usize> = gomoku().into_iter().map(known).collect();
    let book = Book::shipped(gomoku()[0]);
    assert_eq!(all.iter().sum::<usize>(), book.len(), "{all:?}");
    assert!(all.iter().all(|&known| known >= 250), "{all:?}");
}
