//! Opponents with a fixed search depth: two minimax bots, and three common Gomoku programs.

use std::marker::PhantomData;

use games::{Board, Move, Square};
use protocol::{Info, Question, Start};

use crate::clock::TimeManager;
use crate::gomoku::{GomokuTree, Line, Program, StonePattern, centrality};
use crate::othello::OthelloTree;
use crate::search::{Method, TreeSearch, choose};
use crate::thinker::Thinker;

// --- minimax, minimax-ab ---
//
// The same program without and with alpha-beta pruning.
//
// Othello: the evaluation is the sum of `weights` over the own discs minus the sum over the opponent's discs, plus 50
// points for more moves than the opponent, or minus 50 for fewer. Gomoku: five cells in a row that have stones of only
// one side count 1, 10, 100 or 1000 points for one to four stones; the candidates are the empty squares beside stones.
// Moves are ordered by the table in Othello, and by the gain of points in Gomoku (in the last ply, by distance from the
// centre). The first of equal moves is played.
//
// At equal depth, both play the same move; `nodes` and `time_ms` of their `info` lines show what pruning saves.

#[derive(Debug)]
pub(crate) struct Minimax {
    method: Method,
    depth: Option<u32>,
    clock: TimeManager,
}

impl Minimax {
    pub(crate) fn new(method: Method, depth: Option<u32>) -> Minimax {
        Minimax {
            method,
            depth,
            clock: TimeManager::default(),
        }
    }

    fn default_depth(&self, board: &Board) -> u32 {
        match (board, self.method) {
            (Board::Othello(_), Method::Minimax) => 4,
            (Board::Othello(_), Method::AlphaBeta) => 6,
            (_, Method::Minimax) => 2,
            (_, Method::AlphaBeta) => 4,
        }
    }
}

impl Thinker for Minimax {
    fn start(&mut self, start: &Start) {
        self.clock = TimeManager::new(start);
    }

    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move {
        let search = TreeSearch::new(self.method, self.clock.deadline(question));
        let depth = self.depth.unwrap_or(self.default_depth(&question.board));
        match &question.board {
            Board::Othello(board) => {
                choose(search, &mut OthelloTree::new(board), question, depth, say)
            }
            Board::Gomoku(board) => {
                let mut tree = GomokuTree::<FiveCells>::new(board);
                choose(search, &mut tree, question, depth, say)
            }
            Board::Other(..) => unreachable!("other games are refused at their start"),
        }
    }
}

#[derive(Debug)]
pub(crate) struct FiveCells;

impl FiveCells {
    /// The points of five cells that have stones of one side only, by the number of stones.
    const WORTH: [i32; 6] = [0, 1, 10, 100, 1000, 0];

    /// The points, indexed by the cells: five bits for the bot's stones, then five bits for its opponent's stones.
    const WINDOWS: [i32; 32 * 32] = {
        let mut table = [0; 32 * 32];
        let mut window = 0u32;
        while window < 32 * 32 {
            let own = (window % 32).count_ones() as usize;
            let opponent = (window / 32).count_ones() as usize;
            table[window as usize] = match (own, opponent) {
                (own, 0) => Self::WORTH[own],
                (0, opponent) => -Self::WORTH[opponent],
                _ => 0,
            };
            window += 1;
        }
        table
    };
}

impl Program for FiveCells {
    const FIVE: [i32; 2] = [10_000_000, 10_000_000];

    fn line(line: Line) -> i32 {
        let windows = line.length().saturating_sub(4);
        (1..=windows)
            .map(|begin| {
                let own = line.own >> begin & 31;
                let opponent = line.opponent >> begin & 31;
                Self::WINDOWS[(own | opponent << 5) as usize]
            })
            .sum()
    }

    fn candidates(tree: &mut GomokuTree<FiveCells>, depth: u32) -> Vec<Square> {
        match depth {
            0 | 1 => tree.neighbourhood(1),
            _ => tree.best_first(1),
        }
    }
}

// --- Common Gomoku programs ---
//
// They use alpha-beta with a fixed depth. The evaluation is a sum over lines. They differ in values and candidates.

#[derive(Debug)]
pub(crate) struct GomokuOnly<P> {
    depth: u32,
    clock: TimeManager,
    program: PhantomData<P>,
}

impl<P> GomokuOnly<P> {
    pub(crate) fn new(depth: u32) -> GomokuOnly<P> {
        GomokuOnly {
            depth,
            clock: TimeManager::default(),
            program: PhantomData,
        }
    }
}

impl<P: Program> Thinker for GomokuOnly<P> {
    fn start(&mut self, start: &Start) {
        self.clock = TimeManager::new(start);
    }

    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move {
        let Board::Gomoku(board) = &question.board else {
            unreachable!("other games are refused at their start")
        };
        let search = TreeSearch::new(Method::AlphaBeta, self.clock.deadline(question));
        let mut tree = GomokuTree::<P>::new(board);
        choose(search, &mut tree, question, self.depth, say)
    }
}

// --- three-ply ---
//
// Gomoku only. Alpha-beta of depth 3 over the empty squares beside stones (straight or diagonal). The evaluation is the
// sum over [`UNBROKEN_ROWS`] for the bot, minus the same for its opponent. Of equal moves, plays the most central.
//
// It sees a win in two moves and blocks every unbroken row. It does not count a broken row such as `xx_xx`.

/// The values of unbroken rows. A five, 99 999 999, ends the game: [`Program::FIVE`].
const UNBROKEN_ROWS: [(StonePattern, i32); 7] = [
    // Open four; four.
    (StonePattern::new("_xxxx_"), 100_000),
    (StonePattern::new("_xxxx#"), 10_000),
    (StonePattern::new("#xxxx_"), 10_000),
    // Open three; closed three.
    (StonePattern::new("_xxx_"), 5_000),
    (StonePattern::new("_xxx#"), 500),
    (StonePattern::new("#xxx_"), 500),
    // Open two.
    (StonePattern::new("_xx_"), 50),
];

pub(crate) type ThreePly = GomokuOnly<Rows>;

#[derive(Debug)]
pub(crate) struct Rows;

impl Program for Rows {
    const FIVE: [i32; 2] = [99_999_999, 99_999_999];

    fn line(line: Line) -> i32 {
        rows(line) - rows(line.reversed())
    }

    fn candidates(tree: &mut GomokuTree<Rows>, _depth: u32) -> Vec<Square> {
        tree.neighbourhood(1)
    }
}

fn rows(line: Line) -> i32 {
    // Every shape has two adjacent stones, so a line without two adjacent stones is worth nothing.
    if line.own & line.own >> 1 == 0 {
        return 0;
    }
    let worth = |(shape, worth): &(StonePattern, i32)| worth * shape.count(line);
    UNBROKEN_ROWS.iter().map(worth).sum()
}

// --- pattern15 ---
//
// Gomoku only. Alpha-beta of depth 2 over all empty squares, from the centre outwards. The evaluation has the value of
// each occurrence of [`FIFTEEN_SHAPES`] for the bot, minus lower values for the opponent's shapes. The table of
// `weights` is added for the bot's stones and subtracted for the opponent's. Among equal moves, the first is played.
//
// Many course pages have this program with these shapes. Its gaps are kept: it knows `x_xxx` but not `xxx_x`, and a
// four counts little more than an open three, so double threats beat it. It uses these shapes under every rule.

/// A shape, its value for the bot, and its cost if the opponent has it. The five ends the game: [`Program::FIVE`].
const FIFTEEN_SHAPES: [(StonePattern, i32, i32); 14] = [
    (StonePattern::new("_xx_"), 50, 30),
    (StonePattern::new("_x_x_"), 50, 30),
    (StonePattern::new("xx_x_"), 200, 100),
    // Closed threes.
    (StonePattern::new("_xxx#"), 500, 300),
    (StonePattern::new("#xxx_"), 500, 300),
    // Open threes.
    (StonePattern::new("_xxx_"), 5000, 3000),
    (StonePattern::new("_x_xx_"), 5000, 3000),
    (StonePattern::new("_xx_x_"), 5000, 3000),
    // Fours.
    (StonePattern::new("xx_xx"), 6000, 4000),
    (StonePattern::new("x_xxx"), 6000, 4000),
    (StonePattern::new("xxxx_"), 6000, 4000),
    (StonePattern::new("_xxxx"), 6000, 4000),
    (StonePattern::new("xxx_xx"), 6000, 4000),
    (StonePattern::new("_xxxx_"), 100_000, 80_000),
];

pub(crate) type Pattern15 = GomokuOnly<FifteenShapes>;

#[derive(Debug)]
pub(crate) struct FifteenShapes;

impl Program for FifteenShapes {
    const FIVE: [i32; 2] = [9_999_999, 9_999_999];

    fn line(line: Line) -> i32 {
        let opponents = line.reversed();
        let mut sum = 0;
        // Every shape has at least two stones, but most lines have fewer.
        if line.own.count_ones() >= 2 {
            sum += FIFTEEN_SHAPES
                .iter()
                .map(|(shape, own, _)| own * shape.count(line))
                .sum::<i32>();
        }
        if line.opponent.count_ones() >= 2 {
            sum -= FIFTEEN_SHAPES
                .iter()
                .map(|(shape, _, opponent)| opponent * shape.count(opponents))
                .sum::<i32>();
        }
        sum
    }

    fn square(square: Square, size: u8) -> i32 {
        centrality(square, size)
    }

    fn candidates(tree: &mut GomokuTree<FifteenShapes>, _depth: u32) -> Vec<Square> {
        tree.empty_squares()
    }
}

// --- hexatuple ---
//
// Gomoku only. Alpha-beta of depth 4 over ten moves at each node: among the empty squares within two steps of a stone,
// those with the best evaluation for the mover. The evaluation is the sum of the values of the [`Class`]es of all
// windows of six cells in four directions. The opponent's windows count far more than the bot's, as if the opponent
// always moved next. Windows extend one cell over the edge. Among equal moves, the first is played.
//
// It is the strongest of the common programs, because few candidates allow more depth. But few candidates are also its
// weakness: it does not see a defence that is not among them. It uses the same windows under every rule.

const WIDTH: usize = 10;

/// The class of six cells in a row for one side. It is *open* if both outer cells are empty and the other side has no
/// stone between them. Otherwise, the first or the last five cells decide, whichever have more of the side's stones.
/// Five cells do not count if they contain a stone of the other side or the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Nothing,
    Single,
    ClosedTwo,
    OpenTwo,
    ClosedThree,
    OpenThree,
    Four,
    OpenFour,
}

impl Class {
    /// Returns the value of a window for the bot, and the cost if the opponent has it.
    const fn worth(self) -> [i32; 2] {
        match self {
            Class::OpenFour => [50_000, 100_000],
            Class::Four => [400, 100_000],
            Class::OpenThree => [400, 8_000],
            Class::ClosedThree | Class::OpenTwo => [20, 50],
            Class::ClosedTwo | Class::Single => [1, 3],
            Class::Nothing => [0, 0],
        }
    }

    /// Returns the class of a window. `own` has the side's stones; `blocked` has the other side's stones and the edge.
    pub(super) const fn of(own: u32, blocked: u32) -> Class {
        const OUTER: u32 = 0b100_001;
        const FIRST_FIVE: u32 = 0b011_111;
        const LAST_FIVE: u32 = 0b111_110;
        if blocked == 0 && own & OUTER == 0 {
            return match own.count_ones() {
                4 => Class::OpenFour,
                3 => Class::OpenThree,
                2 => Class::OpenTwo,
                1 => Class::Single,
                _ => Class::Nothing,
            };
        }
        let first = stones_of_five(own, blocked, FIRST_FIVE);
        let last = stones_of_five(own, blocked, LAST_FIVE);
        match if first > last { first } else { last } {
            4 => Class::Four,
            3 => Class::ClosedThree,
            2 => Class::ClosedTwo,
            _ => Class::Nothing,
        }
    }
}

const fn stones_of_five(own: u32, blocked: u32, five: u32) -> u32 {
    if blocked & five == 0 {
        (own & five).count_ones()
    } else {
        0
    }
}

/// The values of each window, indexed by its own stones plus 64 times its blocked cells.
static WORTH: [[i32; 2]; 64 * 64] = {
    let mut table = [[0; 2]; 64 * 64];
    let mut window = 0;
    while window < table.len() {
        table[window] = Class::of(window as u32 % 64, window as u32 / 64).worth();
        window += 1;
    }
    table
};

pub(crate) type Hexatuple = GomokuOnly<SixCells>;

#[derive(Debug)]
pub(crate) struct SixCells;

impl Program for SixCells {
    const FIVE: [i32; 2] = [5_000_000, 10_000_000];

    fn line(line: Line) -> i32 {
        let (own_blocked, opponent_blocked) = (line.blocked(), line.reversed().blocked());
        // The first window begins at the edge before the line, and the last window ends at the edge after it.
        let windows = (line.length() + 2).saturating_sub(5);
        (0..windows)
            .map(|begin| {
                let window = |stones: u32, blocked: u32| {
                    (stones >> begin & 63 | (blocked >> begin & 63) << 6) as usize
                };
                WORTH[window(line.own, own_blocked)][0]
                    - WORTH[window(line.opponent, opponent_blocked)][1]
            })
            .sum()
    }

    fn candidates(tree: &mut GomokuTree<SixCells>, _depth: u32) -> Vec<Square> {
        let mut squares = tree.best_first(2);
        squares.truncate(WIDTH);
        squares
    }
}
