//! A book out of our own searches: the lines that lose least, the likeliest first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use games::othello::Position;

use super::{Book, Entry};
use crate::othello::DISC;
use crate::othello::analysis::Analyst;
use crate::search::{Depth, Score};

/// How a book is made.
#[derive(Clone, Copy, Debug)]
pub struct Making {
    /// Positions it is to know.
    pub positions: usize,
    /// Plies searched in each.
    pub depth: Depth,
    /// MiB that the transposition table may grow to.
    pub hash_mib: usize,
}

/// What a ply deeper costs in the order of positions, in 1/128 disc: lines end some time.
const PLY: Score = DISC / 8;

/// Searches position after position from the start on. What has been lost on the way to a position
/// by moves that were not the best, and its depth, say when its turn comes. `progress` hears how many
/// are done.
pub fn make(making: &Making, progress: &mut dyn FnMut(usize)) -> Book {
    let mut analyst = Analyst::new(making.depth, 0, making.hash_mib);
    let mut book = Book::default();
    let mut queue = BinaryHeap::new();
    let start = Position::START;
    queue.push(Reverse((0, start.own, start.opponent)));
    while book.len() < making.positions
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
        let making = Making {
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
