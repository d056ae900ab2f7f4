//! Openings of Gomocup and Piskvork: a line of offsets from the centre of the board.
//!
//! `0,0, 1,0, 1,3` is a stone in the centre, a second to its right, and a third three rows below the second. The centre
//! is the column and the row with the number size/2, counted from 0, as in Piskvork and c-gomoku-cli: h8 on a board of
//! 15, k11 on a board of 20. One file therefore serves every board that is large enough.
//!
//! ```
//! use games::formats::offsets;
//! use games::{Game, format_transcript};
//!
//! let gomoku = Game::new("gomoku", None, Some(15))?;
//! let moves = offsets::parse(gomoku, "0,0, 1,0, 1,3")?;
//! assert_eq!(format_transcript(&moves), "h8i8i11");
//! assert_eq!(offsets::write(gomoku, &moves)?, "0,0, 1,0, 1,3");
//!
//! let error = offsets::parse(gomoku, "0,0, 9,0").unwrap_err().to_string();
//! assert_eq!(error, "line 1, column 6: found \"9,0\": the square is off this board");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::error::{BadFile, CannotHold, Mistake};
use super::scanner::Scanner;
use crate::{Game, Move, Square};

/// Returns true if a line of an openings file is a list of offsets, not a transcript.
pub fn looks_like(line: &str) -> bool {
    line.trim_start()
        .starts_with(|c: char| c.is_ascii_digit() || c == '-')
}

/// Reads one line. Each move must be legal after the moves before it. The opening rule of `game` is ignored.
pub fn parse(game: Game, line: &str) -> Result<Vec<Move>, BadFile> {
    let mut scanner = Scanner::new(line);
    let mut board = game.family().start(game);
    let mut moves = Vec::new();
    scanner.skip_space();
    while !scanner.rest().is_empty() {
        let start = scanner;
        let column = number(&mut scanner)?;
        scanner.skip_space();
        if !scanner.eat(",") {
            return Err(scanner.wanted("expected a comma: an offset is column,row"));
        }
        let row = number(&mut scanner)?;
        let pair = scanner.since(&start);
        let square = square(game.size(), column, row).ok_or_else(|| {
            let wanted = "the square is off this board";
            let found = pair.to_owned();
            scanner.bad(pair, Mistake::Found { found, wanted })
        })?;
        let played = Move::Place(square);
        let number = moves.len() + 1;
        board
            .play(played)
            .map_err(|source| scanner.bad(pair, Mistake::Illegal { number, source }))?;
        moves.push(played);
        scanner.take_while(|c| c.is_whitespace() || c == ',');
    }
    Ok(moves)
}

fn number(scanner: &mut Scanner) -> Result<i16, BadFile> {
    const WANTED: &str = "write offsets from the centre as in 0,0, 1,0, -1,3";
    scanner.skip_space();
    let start = *scanner;
    scanner.eat("-");
    scanner.take_while(|c| c.is_ascii_digit());
    scanner
        .since(&start)
        .parse()
        .map_err(|_| start.wanted(WANTED))
}

fn square(size: u8, column: i16, row: i16) -> Option<Square> {
    let centre = i16::from(size / 2);
    let place = |offset: i16| u8::try_from(centre.checked_add(offset)?).ok();
    let (column, row) = (place(column)?, place(row)?);
    (column < size && row < size).then(|| Square::new(column, row))
}

/// Writes the moves as a line. Fails for games with passes.
pub fn write(game: Game, moves: &[Move]) -> Result<String, CannotHold> {
    if game.family().has_passes() {
        return Err(CannotHold::Game {
            format: "a list of offsets",
            game,
            instead: "ggf, wthor, sgf or transcript",
        });
    }
    let centre = i16::from(game.size() / 2);
    let pairs = moves.iter().filter_map(|played| played.square());
    let pairs = pairs.map(|square| {
        let offset = |place: u8| i16::from(place) - centre;
        format!("{},{}", offset(square.column()), offset(square.row()))
    });
    Ok(pairs.collect::<Vec<_>>().join(", "))
}
