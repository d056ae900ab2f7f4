//! `training book`: an opening book out of our own searches, the lines that lose least, the
//! likeliest first.

mod judge;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use alphabeta::book::Book;
use games::{Game, Move, Rules, canonical_hash};

use self::judge::Judge;
use crate::failure::{Failure, named, writable, write};

/// Make an opening book
///
/// Searches the positions that good play reaches, the likeliest first, and keeps their best moves.
#[derive(clap::Args)]
pub struct Arguments {
    /// Where the book goes; what is done of it is written every 25 positions
    #[arg(long)]
    out: PathBuf,
    /// othello or gomoku
    #[arg(long, default_value = "othello")]
    game: String,
    /// Gomoku: freestyle, standard or renju
    #[arg(long)]
    rules: Option<String>,
    /// Gomoku: side of the board
    #[arg(long)]
    size: Option<i64>,
    /// A book to add to. One that was stopped is continued with the same --nodes or --depth, and comes out
    /// as if it had not been; in Othello its positions are searched again
    #[arg(long)]
    from: Option<PathBuf>,
    /// Positions of this game that it is to know
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Othello: plies searched in each
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(i32).range(2..=40))]
    depth: i32,
    /// Gomoku: positions visited for the best move of each
    #[arg(long, default_value_t = 500_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// MiB that the transposition table may grow to
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..1 << 20))]
    hash_mib: u32,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = Game::new(&arguments.game, arguments.rules.as_deref(), arguments.size)?;
    let from = match &arguments.from {
        None => Book::default(),
        Some(path) => {
            let bytes = fs::read(path).map_err(|error| named(path, &error))?;
            Book::decode(&bytes).map_err(|error| named(path, &error))?
        }
    };
    writable(&arguments.out)?;
    let judge = Judge {
        depth: arguments.depth,
        nodes: arguments.nodes,
        hash_mib: arguments.hash_mib as usize,
    };
    let book = make(
        game,
        arguments.positions,
        from,
        &judge,
        &mut |done, book| {
            if done % 25 == 0 {
                write(&arguments.out, &book.encode())?;
                writeln!(io::stderr(), "{done} positions")?;
            }
            Ok(())
        },
    )?;
    let bytes = book.encode();
    write(&arguments.out, &bytes)?;
    writeln!(
        io::stdout(),
        "{} positions, {} bytes",
        book.len(),
        bytes.len()
    )?;
    Ok(())
}

/// Searches position after position from the start on. What has been lost on the way to a position
/// by moves that were not the best, and its depth, say when its turn comes. `progress` hears how many
/// are done.
fn make(
    game: Game,
    positions: u32,
    mut book: Book,
    judge: &Judge,
    progress: &mut dyn FnMut(u32, &Book) -> Result<(), Failure>,
) -> Result<Book, Failure> {
    let start = game.start();
    let mut queue = BTreeMap::from([((0, canonical_hash(&start)), start)]);
    let mut seen = BTreeSet::new();
    let mut done = 0;
    while done < positions
        && let Some(((lost, key), board)) = queue.pop_first()
    {
        if !seen.insert(key) {
            continue;
        }
        let Some(judged) = judge.judge(&board, book.find(&board)) else {
            continue;
        };
        book.insert(&board, judged.entry);
        done += 1;
        progress(done, &book)?;
        for (square, loss) in judged.moves {
            let mut next = board.clone();
            next.play(Move::Place(square))?;
            let lost = lost + loss + Judge::ply(&board);
            queue.insert((lost, canonical_hash(&next)), next);
        }
    }
    Ok(book)
}

#[cfg(test)]
mod tests {
    use games::gomoku::Rule;

    use super::*;

    #[test]
    fn the_book_is_of_the_size_asked_for_and_always_the_same() {
        let judge = Judge {
            depth: 2,
            nodes: 500,
            hash_mib: 1,
        };
        let make = |game, positions, from| {
            let book = make(game, positions, from, &judge, &mut |_, _| Ok(()));
            book.expect("nothing is written")
        };
        let renju = Game::gomoku(7, Rule::Renju);
        let mut all = Book::default();
        for game in [Game::OTHELLO, renju] {
            let book = make(game, 12, Book::default());
            assert_eq!(book.len(), 12, "{game}");
            assert_eq!(book, make(game, 12, Book::default()), "{game}");
            // Stopped, and continued.
            let half = make(game, 5, Book::default());
            assert_eq!(half.len(), 5, "{game}");
            assert_eq!(book, make(game, 12, half), "{game}");
            assert!(book.find(&game.start()).is_some(), "{game}");
            all = make(game, 12, all);
        }
        // One file for several games.
        assert_eq!(all.len(), 24);
    }
}
