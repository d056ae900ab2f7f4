//! The `turn` message, written straight into bytes.
//!
//! It is sent for every ply of every game and lists up to 484 squares, so it is not built from
//! strings; a test holds it equal to what serde writes for [`Turn`](crate::Turn).

use games::{Board, Move, Rules, Side, Square};

/// Writes `turn` messages; keeps its buffer from one to the next.
#[derive(Debug, Default)]
pub struct TurnEncoder {
    line: Vec<u8>,
}

impl TurnEncoder {
    /// An encoder with nothing written yet.
    pub fn new() -> TurnEncoder {
        TurnEncoder::default()
    }

    /// The `turn` line with its newline. The question is for the side to move of `board`; times are
    /// in ms as in [`Turn`](crate::Turn).
    pub fn encode(
        &mut self,
        id: u64,
        board: &Board,
        legal: &[Square],
        moves: &[Move],
        left_ms: [u64; 2],
    ) -> &[u8] {
        let line = &mut self.line;
        line.clear();
        line.extend_from_slice(b"{\"type\":\"turn\",\"id\":");
        number(line, id);
        line.extend_from_slice(b",\"you\":\"");
        line.extend_from_slice(board.side_to_move().word().as_bytes());
        line.extend_from_slice(b"\",\"board\":[");
        rows(line, board);
        line.extend_from_slice(b"],\"legal\":[");
        list(line, legal, |line, &square| name(line, square));
        line.extend_from_slice(b"],\"moves\":[");
        list(line, moves, |line, &played| match played {
            Move::Place(square) => name(line, square),
            Move::Pass => line.extend_from_slice(b"pass"),
        });
        line.extend_from_slice(b"],\"left_ms\":");
        number(line, left_ms[0]);
        line.extend_from_slice(b",\"opponent_left_ms\":");
        number(line, left_ms[1]);
        line.extend_from_slice(b"}\n");
        line
    }
}

fn rows(line: &mut Vec<u8>, board: &Board) {
    let size = board.game().size();
    for row in 0..size {
        line.extend_from_slice(if row == 0 { b"\"" } else { b",\"" });
        line.extend(
            (0..size).map(|column| match board.at(Square::new(column, row)) {
                None => b'.',
                Some(Side::Black) => b'X',
                Some(Side::White) => b'O',
            }),
        );
        line.push(b'"');
    }
}

fn list<T>(line: &mut Vec<u8>, items: &[T], write: impl Fn(&mut Vec<u8>, &T)) {
    for (index, item) in items.iter().enumerate() {
        line.extend_from_slice(if index == 0 { b"\"" } else { b",\"" });
        write(line, item);
        line.push(b'"');
    }
}

fn name(line: &mut Vec<u8>, square: Square) {
    line.push(b'a' + square.column());
    let row = square.row() + 1;
    if row >= 10 {
        line.push(b'0' + row / 10);
    }
    line.push(b'0' + row % 10);
}

fn number(line: &mut Vec<u8>, value: u64) {
    if value >= 10 {
        number(line, value / 10);
    }
    line.push(b'0' + (value % 10) as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ToBot, Turn};
    use games::Game;
    use proptest::prelude::*;

    fn text<T: ToString>(items: &[T]) -> Vec<String> {
        items.iter().map(T::to_string).collect()
    }

    proptest! {
        #[test]
        fn the_line_is_what_serde_writes(
            game in prop_oneof![Just("othello"), Just("gomoku")],
            choices in proptest::collection::vec(any::<prop::sample::Index>(), 0..40),
            id in any::<u64>(),
            left_ms in any::<[u64; 2]>(),
        ) {
            let mut board = Game::new(game, None, None).unwrap().start();
            let mut moves = Vec::new();
            for choice in choices {
                let legal = board.legal_moves();
                if legal.is_empty() { break; }
                let played = legal[choice.index(legal.len())];
                board.play(played).unwrap();
                moves.push(played);
            }
            let legal = board.legal_squares();
            let turn = ToBot::Turn(Turn {
                id,
                you: board.side_to_move().into(),
                board: board.rows(),
                legal: text(&legal),
                moves: text(&moves),
                left_ms: left_ms[0],
                opponent_left_ms: left_ms[1],
            });
            let mut encoder = TurnEncoder::new();
            let line = encoder.encode(id, &board, &legal, &moves, left_ms);
            prop_assert_eq!(line.strip_suffix(b"\n").unwrap(), serde_json::to_vec(&turn).unwrap());
        }
    }
}
