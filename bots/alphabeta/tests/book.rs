//! Opening books: those that come with the program, and one's own.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use alphabeta::book::{Book, Entry};
use alphabeta::{Options, bot};
use games::gomoku::Rule;
use games::{Board, Game, Move, Rules, canonical_hash, parse_transcript};
use protocol::{Question, Start};

fn gomoku() -> [Game; 3] {
    Rule::ALL.map(|rule| Game::gomoku(15, rule))
}

/// The move of a bot with this book after the moves of `text`, and whether it came without a search.
fn answer(game: Game, text: &str, book: Option<PathBuf>) -> (Move, bool) {
    let options = Options {
        depth: Some(2),
        hash_mib: Some(1),
        book,
        ..Options::default()
    };
    let (moves, board) = parse_transcript(game, text).expect("moves");
    let mut bot = bot(&options).expect("options that can be meant");
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
fn a_book_of_ones_own_is_played_from_in_the_place_of_the_shipped_one() {
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
        Entry {
            best: other,
            score: 0,
        },
    );
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own.abob");
    std::fs::write(&file, book.encode()).expect("written");
    let own = |text| answer(Game::OTHELLO, text, Some(file.clone()));
    assert_eq!(own("f5"), (Move::Place(other), true));
    // The shipped one knows it; this does not.
    assert!(!own("").1);
}

/// How many positions of `game` its book knows that are reached by known ones.
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

/// A fingerprint or a move that were not as they are computed now, or a foul in renju, would leave an entry
/// out.
#[test]
fn all_that_the_books_know_is_reached_and_legal() {
    assert_eq!(known(Game::OTHELLO), Book::shipped(Game::OTHELLO).len());
    let all: Vec<usize> = gomoku().into_iter().map(known).collect();
    let book = Book::shipped(gomoku()[0]);
    assert_eq!(all.iter().sum::<usize>(), book.len(), "{all:?}");
    assert!(all.iter().all(|&known| known >= 250), "{all:?}");
}
