//! `training book`: builds an opening book by searching positions, likeliest first.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use alphabeta::Evaluation;
use alphabeta::book::{Book, BookEntry};
use alphabeta::gomoku::evaluation::UNIT;
use alphabeta::gomoku::{Cell, SearchBoard, WIN, Worth, analysis, winning_line};
use alphabeta::othello::DISC;
use alphabeta::othello::analysis::Analyst;
use alphabeta::search::Score;
use games::gomoku::GomokuBoard;
use games::othello::Position;
use games::{Board, Game, Move, Rules, Square, canonical_hash};

use crate::{BoxError, named, writable, write};

/// Make an opening book
///
/// Searches the positions that good play reaches, the likeliest first, and keeps their best moves.
#[derive(clap::Args)]
pub struct Arguments {
    /// Write the book to this file; also every 25 positions
    #[arg(long)]
    out: PathBuf,
    /// othello or gomoku
    #[arg(long, default_value = "othello")]
    game: String,
    /// Gomoku: freestyle, standard, renju or caro
    #[arg(long)]
    rules: Option<String>,
    /// Gomoku: side of the board
    #[arg(long)]
    size: Option<i64>,
    /// A book to continue. With the same --nodes or --depth, the result is that of a run without an interruption.
    /// Othello positions are searched again
    #[arg(long)]
    from: Option<PathBuf>,
    /// Number of positions of this game to search
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Othello: plies searched per position
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(i32).range(2..=40))]
    depth: i32,
    /// Gomoku: positions visited for the best move of each
    #[arg(long, default_value_t = 500_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Maximum size of the transposition table, in MiB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..1 << 20))]
    hash_mib: u32,
}

pub fn run(arguments: &Arguments) -> Result<(), BoxError> {
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

/// Searches positions, cheapest first, from the start position. The cost of a position is the loss of the moves that
/// lead to it, plus a cost for each ply. After each search, calls `progress` with the number of searches.
fn make(
    game: Game,
    positions: u32,
    mut book: Book,
    judge: &Judge,
    progress: &mut dyn FnMut(u32, &Book) -> Result<(), BoxError>,
) -> Result<Book, BoxError> {
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

pub struct JudgedPosition {
    pub entry: BookEntry,
    /// The moves that lead to the next positions to search, each with its loss against the best move, in engine units.
    pub moves: Vec<(Square, Score)>,
}

/// Gomoku: the largest loss that counts, because beginners and given openings play bad moves, too.
const MOST_LOST: Score = UNIT * 3 / 4;

/// The limits of the searches for a book. Searches do not use each other's results.
pub struct Judge {
    pub depth: i32,
    pub nodes: u64,
    pub hash_mib: usize,
}

impl Judge {
    /// Returns the cost of a ply when positions are ordered, in engine units. This cost favours short lines.
    pub fn ply(board: &Board) -> Score {
        match board {
            Board::Gomoku(_) => UNIT / 8,
            _ => DISC / 8,
        }
    }

    /// Searches a position. Returns `None` if the game is over, the side to move must pass, or (in Gomoku) every move
    /// loses. In Gomoku, `known`, an earlier result with the same limits, replaces the search for the best move.
    pub fn judge(&self, board: &Board, known: Option<BookEntry>) -> Option<JudgedPosition> {
        match board {
            Board::Othello(board) => self.othello(board.position()),
            Board::Gomoku(board) => self.gomoku(board, known),
            Board::Other(..) => None,
        }
    }

    fn othello(&self, position: Position) -> Option<JudgedPosition> {
        let moves = Analyst::new(self.depth, 0, self.hash_mib).moves(position);
        let best = moves.first()?.score;
        let units = |discs: f64| (discs * f64::from(DISC)) as Score;
        let moves = moves.iter().map(|one| {
            let square = Square::from_index(one.played.index(), 8);
            (square, units(best - one.score))
        });
        let moves: Vec<_> = moves.collect();
        let entry = BookEntry {
            best: moves[0].0,
            score: units(best),
        };
        Some(JudgedPosition { entry, moves })
    }

    fn gomoku(&self, board: &GomokuBoard, known: Option<BookEntry>) -> Option<JudgedPosition> {
        if board.ending().is_some() {
            return None;
        }
        // The book ends at a won position, because the solvers find the win without a book.
        let won = |entry| {
            let moves = Vec::new();
            Some(JudgedPosition { entry, moves })
        };
        if let Some(line) = winning_line(board, self.nodes / 10) {
            return won(BookEntry {
                best: line[0],
                score: WIN - line.len() as Score,
            });
        }
        let entry = known.or_else(|| self.best(board))?;
        if matches!(Worth::of(entry.score), Worth::Wins(_)) {
            return won(entry);
        }
        let nodes = (self.nodes / 200).max(200);
        let analyst = analysis::Analyst::with_evaluation(Evaluation::Network, nodes, self.hash_mib);
        let mut moves = candidates(board);
        moves.retain_mut(|(square, worth)| {
            let mut next = board.clone();
            let is_played = next.play(Move::Place(*square)).is_ok();
            let decided = SearchBoard::from_rules(&next).decided(0);
            *worth = -decided.unwrap_or_else(|| score(analyst.search(&next).0));
            is_played && next.ending().is_none() && *worth > -WIN / 2
        });
        let best = moves.iter().map(|&(_, worth)| worth).max();
        for (square, worth) in &mut moves {
            let loss = best.unwrap_or_default() - *worth;
            let is_best = *square == entry.best;
            *worth = if is_best { 0 } else { loss.min(MOST_LOST) };
        }
        Some(JudgedPosition { entry, moves })
    }

    /// Returns the best move and its score; `None` if the position is lost.
    fn best(&self, board: &GomokuBoard) -> Option<BookEntry> {
        let evaluation = Evaluation::Network;
        let analyst = analysis::Analyst::with_evaluation(evaluation, self.nodes, self.hash_mib);
        let (worth, line) = analyst.search(board);
        let &best = line.first()?;
        let is_open = !matches!(worth, Worth::Loses(_));
        let score = score(worth);
        is_open.then_some(BookEntry { best, score })
    }
}

fn candidates(rules: &GomokuBoard) -> Vec<(Square, Score)> {
    let mut board = SearchBoard::from_rules(rules);
    let cells = board.candidates();
    let allowed = cells.iter().filter(|&cell| board.is_allowed(cell));
    let near: Vec<Square> = allowed.map(Cell::square).collect();
    let is_empty = rules.counts() == [0, 0];
    let moves = if is_empty {
        rules.legal_squares()
    } else {
        near
    };
    moves.into_iter().map(|square| (square, 0)).collect()
}

fn score(worth: Worth) -> Score {
    match worth {
        Worth::Score(score) => score,
        Worth::Wins(plies) => WIN - plies as Score,
        Worth::Loses(plies) => plies as Score - WIN,
    }
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
            // A run that was interrupted and continued makes the same book.
            let half = make(game, 5, Book::default());
            assert_eq!(half.len(), 5, "{game}");
            assert_eq!(book, make(game, 12, half), "{game}");
            assert!(book.find(&game.start()).is_some(), "{game}");
            all = make(game, 12, all);
        }
        // One book can contain several games.
        assert_eq!(all.len(), 24);
    }
}
