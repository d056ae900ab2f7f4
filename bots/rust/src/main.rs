//! A bot for Othello and Gomoku in one file of plain Rust, to copy and to improve.
//!
//! Othello: corners have the highest value and the squares beside them the lowest. A move is better if it leaves the
//! opponent fewer replies. Gomoku: a row of five squares that contains the move counts only if all its stones have
//! one colour; more stones count more. Own stones can become a five; the opponent's stones must be stopped.
//!
//! It looks one move ahead. Among equally good moves it plays the first, so the same position always gets the same
//! answer.
//!
//! The protocol is described in docs/protocol.md. Only the standard library is needed; a small JSON reader is at the
//! end of this file.

use std::io::{self, BufRead, Write};

/// The opening rules of Gomoku that this bot knows. Without this list, the arena gives it no games with opening rules.
const OPENINGS: &str = r#"["swap","swap2","soosyrv-8","taraguchi-10","rif"]"#;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut game = String::new();
    // The loop ends when the arena closes the pipe.
    for line in io::stdin().lock().lines() {
        let line = line?;
        match text(&line, "type") {
            // A new game: forget the last one.
            "hello" => {
                game = text(&line, "game").to_owned();
                writeln!(
                    out,
                    r#"{{"type":"ready","name":"rust","version":"1.0","openings":{OPENINGS}}}"#
                )?;
            }
            "turn" => {
                let (id, best) = (value(&line, "id"), choose(&line, &game));
                writeln!(out, r#"{{"type":"move","id":{id},"move":"{best}"}}"#)?;
            }
            "quit" => break,
            // "over" needs no answer, and messages of other types must be ignored.
            _ => {}
        }
        // Without this the answer might wait in a buffer, and the bot would lose on time. Print
        // nothing else here; use eprintln! for debugging.
        out.flush()?;
    }
    Ok(())
}

/// The rows of a position, `X` black, `O` white, `.` empty.
#[derive(Clone)]
struct Board {
    rows: Vec<Vec<u8>>,
}

/// The colours of the own and the opponent's discs or stones.
#[derive(Clone, Copy)]
struct Colours {
    own: u8,
    other: u8,
}

/// The eight directions: `down` is the step in rows, `right` the step in columns.
const DIRECTIONS: [(i32, i32); 8] = [
    (0, 1),
    (1, 0),
    (1, 1),
    (1, -1),
    (0, -1),
    (-1, 0),
    (-1, -1),
    (-1, 1),
];

impl Board {
    fn size(&self) -> i32 {
        self.rows.len() as i32
    }

    /// Returns the contents of a square; `None` outside the board.
    fn at(&self, row: i32, column: i32) -> Option<u8> {
        let row = self.rows.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }

    fn set(&mut self, row: i32, column: i32, disc: u8) {
        self.rows[row as usize][column as usize] = disc;
    }
}

/// Returns the move to play: one of `legal`, which is never empty.
fn choose<'a>(turn: &'a str, game: &str) -> &'a str {
    let opening = value(turn, "opening");
    if text(opening, "ask") == "choose" {
        // The legal moves are words here. The first keeps the colours, or offers only one fifth move.
        return strings(value(turn, "legal"))[0];
    }
    // In an opening, the next stone may be of the opponent's colour.
    let mover = match text(opening, "stone") {
        "" => text(turn, "you"),
        stone => stone,
    };
    let colours = match mover {
        "black" => Colours {
            own: b'X',
            other: b'O',
        },
        _ => Colours {
            own: b'O',
            other: b'X',
        },
    };
    let rows = strings(value(turn, "board")).into_iter();
    let board = Board {
        rows: rows.map(|row| row.as_bytes().to_vec()).collect(),
    };
    let worth = |name: &str| {
        let (row, column) = square(name);
        match game {
            "othello" => othello_worth(&board, row, column, colours),
            _ => gomoku_worth(&board, row, column, colours),
        }
    };
    // max_by_key takes the last of equally good moves; we want the first.
    let moves = strings(value(turn, "legal")).into_iter();
    let best =
        moves.map(|name| (worth(name), name)).reduce(
            |best, next| {
                if next.0 > best.0 {
                    next
                } else {
                    best
                }
            },
        );
    best.map_or("resign", |(_, name)| name)
}

/// Returns the row and column of a square, both counted from 0: "a1" is (0, 0), "d3" is (2, 3).
fn square(name: &str) -> (i32, i32) {
    let column = i32::from(name.as_bytes()[0] - b'a');
    (name[1..].parse::<i32>().unwrap_or(1) - 1, column)
}

// ---- Othello -----------------------------------------------------------------------------------

/// The value of a square, by its distance from the nearest edges: 100 for a corner, -20 or -50 beside it.
const SQUARES: [[i32; 4]; 4] = [
    [100, -20, 10, 5],
    [-20, -50, -2, -2],
    [10, -2, 1, 1],
    [5, -2, 1, 0],
];
/// The cost of each reply of the opponent.
const ANSWER: i32 = 5;

/// Returns the discs that `own` turns over by playing on an empty square; if there are none, the move is illegal.
fn turned(board: &Board, row: i32, column: i32, colours: Colours) -> Vec<(i32, i32)> {
    let mut discs = Vec::new();
    for (down, right) in DIRECTIONS {
        let step = |length: i32| (row + length * down, column + length * right);
        let mut length = 1;
        while board.at(step(length).0, step(length).1) == Some(colours.other) {
            length += 1;
        }
        // The discs of the opponent in this line are enclosed if the line ends at an own disc.
        if board.at(step(length).0, step(length).1) == Some(colours.own) {
            discs.extend((1..length).map(step));
        }
    }
    discs
}

fn answers(board: &Board, colours: Colours) -> i32 {
    let squares = (0..8).flat_map(|row| (0..8).map(move |column| (row, column)));
    let is_legal = |&(row, column): &(i32, i32)| {
        board.at(row, column) == Some(b'.') && !turned(board, row, column, colours).is_empty()
    };
    squares.filter(is_legal).count() as i32
}

fn othello_worth(board: &Board, row: i32, column: i32, colours: Colours) -> i32 {
    let (down, right) = (row.min(7 - row), column.min(7 - column));
    let mut worth = SQUARES[down as usize][right as usize];
    // A square beside a corner is bad only while the corner is empty.
    let corner = board.at(row / 4 * 7, column / 4 * 7);
    if worth < 0 && down < 2 && right < 2 && corner != Some(b'.') {
        worth = 0;
    }
    let mut after = board.clone();
    for (r, c) in turned(board, row, column, colours) {
        after.set(r, c, colours.own);
    }
    after.set(row, column, colours.own);
    let opponent = Colours {
        own: colours.other,
        other: colours.own,
    };
    worth - ANSWER * answers(&after, opponent)
}

// ---- Gomoku ------------------------------------------------------------------------------------

/// The value of a row of five squares with 0 to 4 stones, if all are the bot's.
const MINE: [i32; 5] = [0, 30, 300, 5000, 1_000_000];
/// The value if all are the opponent's.
const THEIRS: [i32; 5] = [0, 20, 200, 2000, 100_000];

fn gomoku_worth(board: &Board, row: i32, column: i32, colours: Colours) -> i32 {
    let last = board.size() - 1;
    // Among equal moves, the move nearer to the middle is better.
    let mut worth = row.min(last - row) + column.min(last - column);
    // The other four directions are the same lines, backwards.
    for (down, right) in &DIRECTIONS[..4] {
        // The five squares begin 4, 3, 2, 1 or 0 squares before the move.
        for start in -4..=0 {
            let five = (start..start + 5).map(|i| board.at(row + i * down, column + i * right));
            // A row with a square outside the board cannot become a five.
            let Some(five) = five.collect::<Option<Vec<u8>>>() else {
                continue;
            };
            let count = |colour| five.iter().filter(|&&stone| stone == colour).count();
            match (count(colours.own), count(colours.other)) {
                (mine, 0) => worth += MINE[mine],
                (0, theirs) => worth += THEIRS[theirs],
                // Stones of both colours: neither side can make a five here.
                _ => {}
            }
        }
    }
    worth
}

// ---- JSON --------------------------------------------------------------------------------------
//
// This reader can find a field of an object, in any order of fields, and read lists of strings. The strings that this
// bot needs have no escapes such as \u0041, so escapes are not translated. With `cargo add serde_json` (which needs a
// registry) a library replaces all of this.

/// Returns the text of a field that is a string; empty if there is none.
fn text<'a>(object: &'a str, key: &str) -> &'a str {
    value(object, key).trim_matches('"')
}

/// Returns the value of a field as it was written; empty if there is no such field.
fn value<'a>(object: &'a str, key: &str) -> &'a str {
    let mut rest = object.trim_start().strip_prefix('{').unwrap_or("");
    loop {
        let (name, after) = cut(rest);
        let Some(after) = after.trim_start().strip_prefix(':') else {
            return "";
        };
        let (value, after) = cut(after);
        if name.trim_matches('"') == key {
            return value;
        }
        rest = match after.trim_start().strip_prefix(',') {
            Some(next) => next,
            None => return "",
        };
    }
}

fn strings(list: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = list.strip_prefix('[').unwrap_or("");
    loop {
        let (value, after) = cut(rest);
        if !value.starts_with('"') {
            return found;
        }
        found.push(value.trim_matches('"'));
        rest = after.trim_start().strip_prefix(',').unwrap_or("");
    }
}

/// Cuts one value off the front: a string, a number, a word, or a whole list or object.
fn cut(json: &str) -> (&str, &str) {
    let json = json.trim_start();
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    for (at, byte) in json.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b',' | b':' | b']' | b'}' if depth == 0 => return (json[..at].trim_end(), &json[at..]),
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    (json, "")
}
