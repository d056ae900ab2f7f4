//! `hexatuple`: looks every six cells in a row up in a table. Gomoku only.
//!
//! Alpha-beta of depth 4 over the ten best children of a node: of the squares within two steps of a
//! stone, those after which the position is worth most to the mover. A position is worth the sum
//! over all windows of six cells, in four directions, of what their [`Class`] is worth; the
//! opponent's count far more than the bot's own, as if the opponent were always to move next.
//! Windows reach one cell over the edge. Of equal moves the first is played.
//!
//! The strongest of the course programs. What it teaches: choosing what to look at buys depth, and
//! a table that looks at everything within reach of a four is cheap. Its ten children are its
//! weakness: a defence that is not among them does not exist. Windows are those of freestyle Gomoku
//! under every rule.

use games::Square;

use super::gomoku_only::GomokuOnly;
use crate::gomoku::{GomokuTree, Line, Program};

/// Children of a node.
const WIDTH: usize = 10;

/// What six cells in a row hold of one side. *Open* means that both outer cells are empty and all
/// stones are among the four between them; otherwise the stones of the first or of the last five
/// cells count, where these hold nothing of the other side and no edge.
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
    /// What a window is worth to the bot, and what the opponent's costs it. Five and more are left
    /// out: they end the game ([`Program::FIVE`]).
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

    /// The class of a window of six bits each: own stones, and cells that are the other side's or
    /// off the board.
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

/// Stones in five of the six cells; 0 when something stands in the way.
const fn stones_of_five(own: u32, blocked: u32, five: u32) -> u32 {
    if blocked & five == 0 {
        (own & five).count_ones()
    } else {
        0
    }
}

/// Worth of each window, by its own stones and, 64 times that, its blocked cells.
static WORTH: [[i32; 2]; 64 * 64] = {
    let mut table = [[0; 2]; 64 * 64];
    let mut window = 0;
    while window < table.len() {
        table[window] = Class::of(window as u32 % 64, window as u32 / 64).worth();
        window += 1;
    }
    table
};

/// The table of six cells.
pub(crate) type Hexatuple = GomokuOnly<SixCells>;

/// The evaluation.
#[derive(Debug)]
pub(crate) struct SixCells;

impl Program for SixCells {
    const FIVE: [i32; 2] = [5_000_000, 10_000_000];

    fn line(line: Line) -> i32 {
        let (own_blocked, opponent_blocked) = (line.blocked(), line.reversed().blocked());
        // Windows begin at the edge before the line and end at the edge after it.
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
