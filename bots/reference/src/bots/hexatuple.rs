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
enum Class {
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
    const fn of(own: u32, blocked: u32) -> Class {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The classes by the rules that the program is known by.
    #[test]
    fn windows_have_the_class_the_rules_give_them() {
        for (window, class) in [
            ("_xxxx_", Class::OpenFour),
            ("xxxx__", Class::Four),
            ("oxxxx_", Class::Four),
            ("_xx_xx", Class::Four),
            ("xxxx_o", Class::Four),
            ("oxxxxo", Class::Nothing),
            ("_xxx__", Class::OpenThree),
            ("__xxx_", Class::OpenThree),
            ("_x_xx_", Class::OpenThree),
            ("oxxx__", Class::ClosedThree),
            ("xxx___", Class::ClosedThree),
            ("_xx_x#", Class::ClosedThree),
            ("#xxx__", Class::ClosedThree),
            ("oxxx_o", Class::Nothing),
            ("_xx___", Class::OpenTwo),
            ("_x__x_", Class::OpenTwo),
            ("x_x___", Class::ClosedTwo),
            ("__x___", Class::Single),
            ("x_____", Class::Nothing),
            ("______", Class::Nothing),
        ] {
            let set = |symbols: &str| {
                let cells = window.chars().enumerate();
                cells
                    .filter(|&(_, cell)| symbols.contains(cell))
                    .fold(0, |set, (bit, _)| set | 1 << bit)
            };
            assert_eq!(Class::of(set("x"), set("o#")), class, "{window}");
        }
    }

    #[test]
    fn a_line_is_the_sum_of_its_windows() {
        for (line, worth) in [
            ("_______________", 0),
            // #_x___ nothing, _x____ single, x_____ nothing, _____# nothing.
            ("_x_____", 1),
            // Of #____x to x____# the four windows that have it among their inner cells.
            ("____x____", 4),
            // #_xxx_ closed three, _xxx__ open three, xxx___ closed three, xx____ closed two.
            ("_xxx_____", 20 + 400 + 20 + 1),
            ("_ooo_____", -50 - 8000 - 50 - 3),
            // #oxxxx nothing, oxxxx_ and xxxx_# four.
            ("oxxxx_", 400 + 400),
        ] {
            assert_eq!(SixCells::line(Line::parse(line)), worth, "{line}");
        }
    }
}
