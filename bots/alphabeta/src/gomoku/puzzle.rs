//! Puzzles: positions in which black, to move, wins by force.
//!
//! There are three sources: [`natural`] positions come from games of the engine against itself; [`scattered`]
//! positions have stones at random; a [`chain`] is a scattered position that is changed stone by stone until its
//! shortest win by fours is long. [`Puzzle::of`] measures any position. All results depend only on the seed.

use games::gomoku::{GomokuBoard, Rule};
use games::{Move, Rules, Side, Square};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::shape::ThreatKind;
use super::{Cell, SearchBoard, Vct, VctLimits, self_play, winning_line};
use crate::options::Evaluation;

#[derive(Clone, Debug)]
pub struct Puzzle {
    pub board: GomokuBoard,
    /// The shortest win by fours and open threes; the defender resists as long as possible.
    pub line: Vec<Square>,
    /// Whether fours alone win in the same number of plies.
    pub by_fours: bool,
    /// Whether fours alone win in any number of plies.
    pub has_vcf: bool,
}

const NODES: u64 = 3_000_000;

const fn within(plies: u32) -> VctLimits {
    VctLimits {
        plies,
        nodes: NODES,
    }
}

impl Puzzle {
    /// Returns the puzzle of a position if the shortest win by threats of the side to move takes 3 to `plies` plies.
    pub fn of(board: &GomokuBoard, plies: u32) -> Option<Puzzle> {
        if board.ending().is_some() || board.winner().is_some() {
            return None;
        }
        let mut fast = SearchBoard::from_rules(board);
        let line = Vct::new().solve(&mut fast, within(plies)).ok()?;
        if line.len() < 3 {
            return None;
        }
        let fours = Vct::by_fours().solve(&mut fast, within(Vct::PLIES)).ok()?;
        Some(Puzzle {
            board: board.clone(),
            by_fours: fours.len() == line.len(),
            has_vcf: !fours.is_empty(),
            line: line.into_iter().map(Cell::square).collect(),
        })
    }

    /// Returns the number of first moves that win by threats in as few plies as the shortest win.
    pub fn keys(&self) -> usize {
        let mut board = SearchBoard::from_rules(&self.board);
        let plies = self.line.len() as u32;
        let threats: Vec<Cell> = board.threes[board.side_to_move().index()].iter().collect();
        let mut solver = Vct::new();
        threats
            .into_iter()
            .filter(|&cell| solver.wins_with(&mut board, cell, within(plies)))
            .count()
    }
}

fn is_quiet(board: &SearchBoard) -> bool {
    Side::BOTH.into_iter().all(|side| {
        board.count(side.index(), ThreatKind::Five) == 0
            && board.count(side.index(), ThreatKind::OpenFour) == 0
    })
}

/// The nodes for each move. They are few, so that the players make mistakes.
const NODES_A_MOVE: u64 = 800;
const NODES_A_LOOK: u64 = 60_000;

/// Returns the first position of game `number` with this `seed` in which black is to move and has a known win.
pub fn natural(seed: u64, number: u64) -> Option<GomokuBoard> {
    let record = self_play::play(
        15,
        Rule::Freestyle,
        seed,
        number,
        NODES_A_MOVE,
        Evaluation::Patterns,
    );
    let mut board = GomokuBoard::new(15, Rule::Freestyle);
    for (ply, &played) in record.moves.iter().enumerate() {
        let counts = board.counts();
        let is_black = board.side_to_move() == Side::Black && counts[0] == counts[1];
        let is_worth_a_look = ply >= record.opening && ply >= 8 && is_black;
        if is_worth_a_look && winning_line(&board, NODES_A_LOOK).is_some() {
            return Some(board);
        }
        board.play(played).ok()?;
        debug_assert!(matches!(played, Move::Place(_)));
    }
    None
}

const TRIES: u32 = 5000;

/// Returns board `number` of those with this `seed`. It has up to 110 stones, equally many of each side, and no threat
/// of a five or an open four. Black need not have a win.
pub fn scattered(seed: u64, number: u64) -> GomokuBoard {
    let mut random = ChaChaStream::new(seed, number);
    let pairs = 12 + random.below(44) as u16;
    let mut board = GomokuBoard::new(15, Rule::Freestyle);
    scatter(&mut board, pairs, &mut random, is_quiet);
    board
}

fn scatter(
    board: &mut GomokuBoard,
    pairs: u16,
    random: &mut ChaChaStream,
    is_fit: fn(&SearchBoard) -> bool,
) {
    let mut last = None;
    for _ in 0..TRIES {
        let side = next_side(board);
        if side == Side::Black && games::Rules::counts(board)[0] >= pairs {
            return;
        }
        let square = random.square();
        if board.stone(square).is_none() && fits(board, square, side, is_fit) {
            last = Some(square);
        }
    }
    if next_side(board) == Side::White {
        board.set(last.expect("a stone was set"), None);
    }
}

fn next_side(board: &GomokuBoard) -> Side {
    let [black, white] = games::Rules::counts(board);
    if white < black {
        Side::White
    } else {
        Side::Black
    }
}

/// Places the stone if it makes no five and `is_fit` accepts the position. Returns whether it was placed.
fn fits(
    board: &mut GomokuBoard,
    square: Square,
    side: Side,
    is_fit: fn(&SearchBoard) -> bool,
) -> bool {
    board.set(square, Some(side));
    let fits = !board.wins(square, side) && is_fit(&SearchBoard::from_rules(board));
    if !fits {
        board.set(square, None);
    }
    fits
}

// A step of a chain moves one or two stones. It is kept unless the shortest win by fours becomes shorter. White begins
// with two distant open threes, so black must win by fours: an open three is too slow.

const NODES_A_STEP: u64 = 30_000;
/// The number of cells on which white's two open threes can become an open four.
const PRESSING: u16 = 4;

/// Changes random position `number` of those with this `seed` in at most `steps` steps, until its shortest win by fours
/// has at least `goal` plies. Returns the position and the plies of that win; 0 if there is no win.
pub fn chain(seed: u64, number: u64, steps: u32, goal: usize) -> (GomokuBoard, usize) {
    let mut random = ChaChaStream::new(!seed, number);
    let mut board = GomokuBoard::new(15, Rule::Freestyle);
    for (column, row) in [(2, 1), (3, 1), (4, 1), (10, 13), (11, 13), (12, 13)] {
        board.set(Square::new(column, row), Some(Side::White));
    }
    let pairs = 22 + random.below(20) as u16;
    scatter(&mut board, pairs, &mut random, is_pressing);
    let mut best = length(&board);
    for _ in 0..steps {
        if best >= goal {
            break;
        }
        let mut changed = board.clone();
        for _ in 0..=random.below(2) {
            change(&mut changed, &mut random);
        }
        let found = length(&changed);
        if found >= best {
            (board, best) = (changed, found);
        }
    }
    (board, best)
}

fn is_pressing(board: &SearchBoard) -> bool {
    let [black, white] = [Side::Black.index(), Side::White.index()];
    board.count(black, ThreatKind::Five) == 0
        && board.count(white, ThreatKind::Five) == 0
        && board.count(white, ThreatKind::OpenFour) >= PRESSING
}

fn change(board: &mut GomokuBoard, random: &mut ChaChaStream) {
    let mut from = random.square();
    while board.stone(from).is_none() {
        from = random.square();
    }
    let side = board.stone(from).unwrap_or(Side::Black);
    board.set(from, None);
    for _ in 0..50 {
        let to = random.square();
        if board.stone(to).is_none() && fits(board, to, side, is_pressing) {
            return;
        }
    }
    board.set(from, Some(side));
}

fn length(board: &GomokuBoard) -> usize {
    let mut fast = SearchBoard::from_rules(board);
    let limits = VctLimits {
        plies: Vct::PLIES,
        nodes: NODES_A_STEP,
    };
    let solved = Vct::by_fours().solve(&mut fast, limits);
    solved.map_or(0, |line| line.len())
}

// The functions below use only raw output of ChaCha, so that a seed gives the same results in every library version.

struct ChaChaStream(ChaCha8Rng);

impl ChaChaStream {
    fn new(seed: u64, stream: u64) -> ChaChaStream {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        ChaChaStream(generator)
    }

    /// Returns a number below `bound`. The bias is negligible for a small `bound`.
    fn below(&mut self, bound: u32) -> u32 {
        (((self.0.next_u64() >> 32) * u64::from(bound)) >> 32) as u32
    }

    fn square(&mut self) -> Square {
        Square::new(self.below(15) as u8, self.below(15) as u8)
    }
}
