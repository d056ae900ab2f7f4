//! Boards as text: the rows of the protocol, and the drawing for terminals and failure messages.

use std::fmt;

use message::{Message, ToValue, Value, message};

use crate::{Board, Ending, Rules, Side, Square, gomoku, othello};

impl Board {
    /// Returns the rows from the top: `X` black, `O` white, `.` empty.
    pub fn rows(&self) -> Vec<String> {
        rows(self)
    }
}

fn rows(board: &impl Rules) -> Vec<String> {
    let size = board.size();
    let symbol = |square| board.at(square).map_or('.', Side::symbol);
    let row = |row: u8| -> String {
        (0..size)
            .map(|column| symbol(Square::new(column, row)))
            .collect()
    };
    (0..size).map(row).collect()
}

fn draw(board: &impl Rules) -> Message {
    let letters: String = (0..board.size())
        .flat_map(|column| [' ', char::from(b'a' + column)])
        .collect();
    let mut drawing = format!("  {letters}");
    for (row, cells) in rows(board).iter().enumerate() {
        let spaced: String = cells.chars().flat_map(|cell| [' ', cell]).collect();
        drawing += &format!("\n{:2}{spaced}", row + 1);
    }
    let state = match board.ending() {
        None => message!("{side} to move", side = board.side_to_move()),
        Some(Ending { winner, reason }) => {
            let reason = Message::from(reason.word());
            match winner {
                None => message!("drawn ({reason})"),
                Some(side) => message!("{side} has won ({reason})"),
            }
        }
    };
    message!("{drawing}\n{state}")
}

macro_rules! drawn {
    ($($board:ty),+) => {$(
        impl fmt::Display for $board {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&draw(self), f)
            }
        }

        impl fmt::Debug for $board {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&draw(self), f)
            }
        }

        impl ToValue for $board {
            fn to_value(&self) -> Value {
                Value::Message(draw(self))
            }
        }
    )+};
}

drawn!(Board, othello::OthelloBoard, gomoku::GomokuBoard);
