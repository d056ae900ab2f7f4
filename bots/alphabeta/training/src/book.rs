//! `training book`: an opening book out of our own searches, the lines that lose least, the
//! likeliest first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Write};
use std::path::PathBuf;

use alphabeta::othello::DISC;
use alphabeta::othello::analysis::Analyst;
use alphabeta::othello::book::{Book, Entry};
use alphabeta::search::Score;
use games::othello::Position;

use crate::failure::{Failure, writable, write};

/// Make an opening book for Othello
///
/// Searches the positions that good play reaches, the likeliest first, and keeps their best moves.
#[derive(clap::Args)]
pub struct Arguments {
    /// Where the book goes
    #[arg(long)]
    out: PathBuf,
    /// Positions it is to know
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Plies searched in each
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(i32).range(2..=40))]
    depth: i32,
    /// MiB that the transposition table may grow to
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..1 << 20))]
    hash_mib: u32,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    writable(&arguments.out)?;
    let book = make(arguments, &mut |done| {
        if done % 100 == 0 {
            // A progress line that cannot be written does not stop the work.
            let _ = writeln!(io::stderr(), "{done} positions");
        }
    });
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

/// What a ply deeper costs in the order of positions, in 1/128 disc: lines end some time.
const PLY: Score = DISC / 8;

/// Searches position after position from the start on. What has been lost on the way to a position
/// by moves that were not the best, and its depth, say when its turn comes. `progress` hears how many
/// are done.
fn make(making: &Arguments, progress: &mut dyn FnMut(usize)) -> Book {
    let mut analyst = Analyst::new(making.depth, 0, making.hash_mib as usize);
    let mut book = Book::default();
    let mut queue = BinaryHeap::new();
    let start = Position::START;
    queue.push(Reverse((0, start.own, start.opponent)));
    while book.len() < making.positions as usize
        && let Some(Reverse((lost, own, opponent))) = queue.pop()
    {
        let position = Position { own, opponent };
        if book.find(position).is_some() {
            continue;
        }
        let moves = analyst.moves(position);
        let Some(best) = moves.first() else {
            continue;
        };
        let units = |discs: f64| (discs * f64::from(DISC)) as Score;
        let entry = Entry {
            best: best.played,
            score: units(best.score),
        };
        book.insert(position, entry);
        progress(book.len());
        for one in &moves {
            let next = position.play(one.played.index());
            let lost = lost + units(best.score - one.score) + PLY;
            queue.push(Reverse((lost, next.own, next.opponent)));
        }
    }
    book
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_is_of_the_size_asked_for_and_always_the_same() {
        let making = Arguments {
            out: PathBuf::new(),
            positions: 12,
            depth: 2,
            hash_mib: 1,
        };
        let book = make(&making, &mut |_| ());
        assert_eq!(book.len(), 12);
        assert_eq!(book, make(&making, &mut |_| ()));
        assert!(book.find(Position::START).is_some());
    }
}
