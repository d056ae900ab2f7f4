//! The prepared positions of Gomoku.

use super::board::GomokuBoard;
use super::rule::Rule;
use crate::transcript::play_transcript;
use crate::{Move, Scene, Square, Theme};

pub(super) fn scenes(size: u8) -> [Scene; 4] {
    let middle = Square::new(size / 2, size / 2);
    // One square is below and left of the middle, the other above and right of it. On larger boards, the column of the
    // right square comes after i, so that the report recognises a bot whose columns skip i, as in GTP.
    let [low, high] = [(size / 3, 2 * size / 3), (4 * size / 5, size / 3 - 1)]
        .map(|(column, row)| last_square(size, column, row));
    [
        scene(Theme::Beginning, Vec::new(), 3),
        scene(Theme::Beginning, vec![Move::Place(middle)], 2),
        nearly_full(Theme::OneMove, size, &[low]),
        nearly_full(Theme::OneMove, size, &[high]),
    ]
}

pub(super) fn other_boards() -> [(u8, Rule, Scene); 3] {
    // h8 is a double three.
    let mut board = GomokuBoard::new(15, Rule::Renju);
    let double_three = play_transcript(&mut board, "h6a1h7a15f8o1g8o15").expect("a prepared game");
    let last_rows: Vec<Square> = (19 * 22..22 * 22)
        .map(|index| Square::from_index(index, 22))
        .collect();
    let large = nearly_full(Theme::LongLine, 22, &last_rows);
    [
        (15, Rule::Renju, scene(Theme::Forbidden, double_three, 1)),
        (5, Rule::Freestyle, scene(Theme::SmallBoard, Vec::new(), 2)),
        (22, Rule::Standard, large),
    ]
}

fn scene(theme: Theme, moves: Vec<Move>, questions: u32) -> Scene {
    Scene {
        theme,
        moves,
        questions,
    }
}

/// Returns a square of `row` near `column`, if possible one that is black (see [`is_black`]) and on neither diagonal. If
/// such a square is the only legal move, the report recognises an answer with row and column swapped.
fn last_square(size: u8, column: u8, row: u8) -> Square {
    let squares = (column..size)
        .chain(0..column)
        .map(|column| Square::new(column, row));
    let is_telling = |square: &Square| {
        is_black(*square) && square.column() != row && square.column() + row != size - 1
    };
    squares
        .clone()
        .find(is_telling)
        .unwrap_or(Square::new(column, row))
}

/// Returns whether a square is black in a pattern in which no line has three of a colour in a row.
fn is_black(square: Square) -> bool {
    (square.column() + 2 * square.row()) % 4 < 2
}

/// Returns the scene of a board that is full except for the squares `free` and at most one more.
fn nearly_full(theme: Theme, size: u8, free: &[Square]) -> Scene {
    let cells = u16::from(size) * u16::from(size);
    let taken = (0..cells)
        .map(|index| Square::from_index(index.into(), size))
        .filter(|square| !free.contains(square));
    let (black, white): (Vec<Square>, Vec<Square>) = taken.partition(|&square| is_black(square));
    let pairs = black.iter().zip(&white);
    let mut moves: Vec<Move> = pairs
        .flat_map(|(&black, &white)| [Move::Place(black), Move::Place(white)])
        .collect();
    if let Some(&odd) = black.get(white.len()) {
        moves.push(Move::Place(odd));
    }
    scene(theme, moves, 1)
}
