//! The books that come with the program.

use std::collections::BTreeSet;
use std::time::Instant;

use alphabeta::book::Book;
use alphabeta::{Options, bot};
use games::gomoku::Rule;
use games::{Board, Game, Move, Rules, canonical_hash, parse_transcript};
use protocol::{Question, Start};

fn gomoku() -> [Game; 3] {
    Rule::ALL.map(|rule| Game::gomoku(15, rule))
}

#[test]
fn the_book_is_played_from_only_when_it_is_asked_for() {
    let openings = [(Game::OTHELLO, "f5"), (Game::OTHELLO, "")];
    for (game, text) in openings
        .into_iter()
        .chain(gomoku().map(|game| (game, "h8")))
    {
        for (book, nodes) in [(Some(true), Some(0)), (Some(false), None), (None, None)] {
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
            let mut said = None;
            let question = Question::untimed(board, &moves, Instant::now());
            bot.choose(&question, &mut |info| {
                said = info.nodes.filter(|&nodes| nodes == 0);
            });
            assert_eq!(said, nodes, "{game} {text}: {book:?}");
        }
    }
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
