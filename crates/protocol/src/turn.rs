//! Writes the `turn` message directly into bytes. The arena sends this message for every ply, so it is not built from
//! strings. A test compares the result with the message that serde writes.

use games::{Board, MAX_SIZE, Move, Opening, Rules, Side, Square};

use crate::OpeningTurn;

/// A writer of `turn` messages that reuses its buffer.
#[derive(Debug, Default)]
pub struct TurnEncoder {
    line: Vec<u8>,
}

impl TurnEncoder {
    /// Creates an encoder with an empty buffer.
    pub fn new() -> TurnEncoder {
        TurnEncoder::default()
    }

    /// Returns the `turn` line, with its newline, for the side to move on `board`. `left_ms` has that side's time
    /// first; times are as in [`Turn`](crate::Turn). `moves` are the moves that count: see [`games::Retraced`].
    pub fn encode(
        &mut self,
        id: u64,
        board: &Board,
        legal: &[Square],
        moves: &[Move],
        left_ms: [u64; 2],
        moves_to_go: Option<u32>,
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
        match board.opening().map(Opening::choices) {
            Some([first, rest @ ..]) => {
                line.extend_from_slice(format!("\"{first}\"").as_bytes());
                let rest = rest.iter().map(|choice| format!(",\"{choice}\""));
                rest.for_each(|choice| line.extend_from_slice(choice.as_bytes()));
            }
            _ => list(line, legal, |&square| of_square(square)),
        }
        line.extend_from_slice(b"],\"moves\":[");
        list(line, moves, |&played| {
            played.square().map_or(PASS, of_square)
        });
        line.extend_from_slice(b"],\"left_ms\":");
        number(line, left_ms[0]);
        line.extend_from_slice(b",\"opponent_left_ms\":");
        number(line, left_ms[1]);
        if let Some(moves) = moves_to_go {
            line.extend_from_slice(b",\"moves_to_go\":");
            number(line, moves.into());
        }
        if let Some(opening) = OpeningTurn::of(board) {
            line.extend_from_slice(b",\"opening\":");
            serde_json::to_writer(&mut *line, &opening).expect("memory takes all");
        }
        line.extend_from_slice(b"}\n");
        line
    }
}

fn rows(line: &mut Vec<u8>, board: &Board) {
    let size = board.size();
    for row in 0..size {
        line.extend_from_slice(if row == 0 { b"\"" } else { b",\"" });
        let (black, white) = (board.row(row, Side::Black), board.row(row, Side::White));
        let mut cells = [0; 24];
        for (eight, cells) in cells.chunks_exact_mut(8).enumerate() {
            let bits = |row: u32| SPREAD[(row >> (8 * eight) & 0xff) as usize];
            // No byte of the sum overflows: each is '.', plus the difference from '.' to X or O if the square is taken.
            let drawn = u64::from_le_bytes([b'.'; 8])
                + bits(black) * u64::from(b'X' - b'.')
                + bits(white) * u64::from(b'O' - b'.');
            cells.copy_from_slice(&drawn.to_le_bytes());
        }
        line.extend_from_slice(&cells[..usize::from(size)]);
        line.push(b'"');
    }
}

/// For each byte, its eight bits as eight bytes of 0 or 1, the lowest bit first.
static SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[bits] |= ((bits >> bit & 1) as u64) << (8 * bit);
            bit += 1;
        }
        bits += 1;
    }
    spread
};

/// The number of bytes copied per item: one store instruction, and enough for the longest item, `"pass",`.
const COPIED: usize = 8;

/// Writes items in quotes with commas between them. `COPIED` bytes are copied for each item, and the next item
/// overwrites the bytes after its end, so that no branch depends on the length.
fn list<T>(line: &mut Vec<u8>, items: &[T], item: impl Fn(&T) -> Item) {
    let mut end = line.len();
    line.resize(end + items.len() * COPIED + 1, 0);
    for written in items.iter().map(item) {
        line[end..end + COPIED].copy_from_slice(&written.bytes);
        end += written.length;
    }
    // Removes the comma after the last item.
    line.truncate(if items.is_empty() { end } else { end - 1 });
}

#[derive(Clone, Copy)]
struct Item {
    bytes: [u8; COPIED],
    length: usize,
}

const PASS: Item = Item {
    bytes: *b"\"pass\",\0",
    length: 7,
};

static SQUARES: [Item; MAX_SIZE as usize * MAX_SIZE as usize] = {
    let mut items = [PASS; MAX_SIZE as usize * MAX_SIZE as usize];
    let mut index = 0;
    while index < items.len() {
        let square = Square::from_index(index, MAX_SIZE);
        let (column, row) = (b'a' + square.column(), square.row() + 1);
        items[index] = if row < 10 {
            Item {
                bytes: [b'"', column, b'0' + row, b'"', b',', 0, 0, 0],
                length: 5,
            }
        } else {
            let (tens, ones) = (b'0' + row / 10, b'0' + row % 10);
            Item {
                bytes: [b'"', column, tens, ones, b'"', b',', 0, 0],
                length: 6,
            }
        };
        index += 1;
    }
    items
};

fn of_square(square: Square) -> Item {
    SQUARES[square.index(MAX_SIZE)]
}

fn number(line: &mut Vec<u8>, value: u64) {
    if value >= 10 {
        number(line, value / 10);
    }
    line.push(b'0' + (value % 10) as u8);
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{ToBot, Turn};
    use games::Game;
    use proptest::prelude::*;

    pub fn played(game: Game, choices: &[prop::sample::Index]) -> (Board, Vec<Move>) {
        let (mut board, mut moves) = (game.start(), Vec::new());
        for choice in choices {
            let legal = board.legal_moves();
            if legal.is_empty() {
                break;
            }
            let played = legal[choice.index(legal.len())];
            board.play(played).expect("it is legal");
            moves.push(played);
        }
        (board, moves)
    }

    fn text<T: ToString>(items: &[T]) -> Vec<String> {
        items.iter().map(T::to_string).collect()
    }

    proptest! {
        #[test]
        fn the_line_is_what_serde_writes(
            (game, opening) in prop_oneof![
                Just(("othello", None)), Just(("gomoku", None)), Just(("gomoku", Some("soosyrv-8"))),
            ],
            choices in proptest::collection::vec(any::<prop::sample::Index>(), 0..40),
            id in any::<u64>(),
            left_ms in any::<[u64; 2]>(),
            to_go in proptest::option::of(any::<u32>()),
        ) {
            let game = Game::new(game, None, None).unwrap().with_opening(opening).unwrap();
            let (board, moves) = played(game, &choices);
            let moves = games::counted(game, &moves);
            let legal = board.legal_squares();
            let turn = ToBot::Turn(Turn {
                id,
                you: board.side_to_move().into(),
                board: board.rows(),
                legal: match board.opening() {
                    Some(_) => text(&board.legal_moves()),
                    None => text(&legal),
                },
                moves: text(&moves),
                left_ms: left_ms[0],
                opponent_left_ms: left_ms[1],
                moves_to_go: to_go,
                opening: OpeningTurn::of(&board),
            });
            let mut encoder = TurnEncoder::new();
            let line = encoder.encode(id, &board, &legal, &moves, left_ms, to_go);
            prop_assert_eq!(line.strip_suffix(b"\n").unwrap(), serde_json::to_vec(&turn).unwrap());
        }
    }
}
