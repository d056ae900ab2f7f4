//! What a book asks of the searches: the best move of a position, and what the others lose.

use alphabeta::Evaluation;
use alphabeta::book::Entry;
use alphabeta::gomoku::evaluation::UNIT;
use alphabeta::gomoku::{Cell, SearchBoard, WIN, Worth, analysis, winning_line};
use alphabeta::othello::{DISC, analysis::Analyst};
use alphabeta::search::Score;
use games::gomoku::GomokuBoard;
use games::othello::Position;
use games::{Board, Move, Rules, Square};

/// A position that was searched.
pub struct Judged {
    /// Its best move.
    pub entry: Entry,
    /// Every move after which play goes on, and what it is worth less than the best, in engine units.
    pub moves: Vec<(Square, Score)>,
}

/// Gomoku: what a move is taken to lose at most. Somebody plays it all the same: a beginner, or an opening.
const MOST_LOST: Score = UNIT * 3 / 4;

/// Searches positions, each without a memory of the others.
pub struct Judge {
    /// Othello: plies.
    pub depth: i32,
    /// Gomoku: positions visited for the best move.
    pub nodes: u64,
    /// MiB that the transposition table may grow to.
    pub hash_mib: usize,
}

impl Judge {
    /// What a ply deeper costs in the order of positions, in engine units: lines end some time.
    pub fn ply(board: &Board) -> Score {
        match board {
            Board::Gomoku(_) => UNIT / 8,
            _ => DISC / 8,
        }
    }

    /// Searches a position; `None` if there is nothing to choose, or no choice helps. Where `known` is what
    /// an earlier search of the same effort found, the best move is not searched again in Gomoku.
    pub fn judge(&self, board: &Board, known: Option<Entry>) -> Option<Judged> {
        match board {
            Board::Othello(board) => self.othello(board.position()),
            Board::Gomoku(board) => self.gomoku(board, known),
            Board::Other(..) => None,
        }
    }

    fn othello(&self, position: Position) -> Option<Judged> {
        let moves = Analyst::new(self.depth, 0, self.hash_mib).moves(position);
        let best = moves.first()?.score;
        let units = |discs: f64| (discs * f64::from(DISC)) as Score;
        let moves = moves.iter().map(|one| {
            let square = Square::from_index(one.played.index(), 8);
            (square, units(best - one.score))
        });
        let moves: Vec<_> = moves.collect();
        let entry = Entry {
            best: moves[0].0,
            score: units(best),
        };
        Some(Judged { entry, moves })
    }

    fn gomoku(&self, board: &GomokuBoard, known: Option<Entry>) -> Option<Judged> {
        if board.ending().is_some() {
            return None;
        }
        // A line that is won needs no more of a book: the solvers play it.
        let won = |entry| {
            let moves = Vec::new();
            Some(Judged { entry, moves })
        };
        if let Some(line) = winning_line(board, self.nodes / 10) {
            return won(Entry {
                best: line[0],
                score: WIN - line.len() as Score,
            });
        }
        let entry = known.or_else(|| self.best(board))?;
        if matches!(Worth::of(entry.score), Worth::Wins(_)) {
            return won(entry);
        }
        // One search in two hundred of the best move's size for each of the others says where to look.
        let nodes = (self.nodes / 200).max(200);
        let analyst = analysis::Analyst::judged_by(Evaluation::Network, nodes, self.hash_mib);
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
        Some(Judged { entry, moves })
    }

    /// The best move, unless the position is lost.
    fn best(&self, board: &GomokuBoard) -> Option<Entry> {
        let judge = Evaluation::Network;
        let analyst = analysis::Analyst::judged_by(judge, self.nodes, self.hash_mib);
        let (worth, line) = analyst.search(board);
        let &best = line.first()?;
        let is_open = !matches!(worth, Worth::Loses(_));
        let score = score(worth);
        is_open.then_some(Entry { best, score })
    }
}

/// The moves that the search looks at, none of them forbidden; of an empty board, all. Their worth is not
/// known yet.
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

/// As engine units.
fn score(worth: Worth) -> Score {
    match worth {
        Worth::Score(score) => score,
        Worth::Wins(plies) => WIN - plies as Score,
        Worth::Loses(plies) => plies as Score - WIN,
    }
}
