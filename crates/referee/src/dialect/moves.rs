//! A sequence of moves in any notation of an engine: `h8 i9`, `F5D6PA`, `[7,7] [8,8]`.

use games::Move;
use protocol::notation::gomocup;

use crate::record::Thought;

/// Reads moves up to the first text that is not a move. A letter and a number count rows from 1 at
/// the top, two numbers are Gomocup's column and row.
pub fn read(text: &str) -> Vec<Move> {
    prefix(text).0
}

/// The same; `None` if the text has something that is not a move.
pub fn read_whole(text: &str) -> Option<Vec<Move>> {
    let (moves, rest) = prefix(text);
    rest.is_empty().then_some(moves)
}

fn prefix(text: &str) -> (Vec<Move>, &str) {
    let mut rest = text;
    let mut moves = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "[](){}<>,;-".contains(c));
        match first(rest).filter(|_| moves.len() < Thought::LONGEST_PV) {
            Some((played, length)) => {
                moves.push(played);
                rest = &rest[length..];
            }
            None => return (moves, rest),
        }
    }
}

/// The move that a text begins with, and its length.
fn first(text: &str) -> Option<(Move, usize)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    for pass in ["pass", "pa"] {
        let word = text.get(..pass.len());
        if word.is_some_and(|word| word.eq_ignore_ascii_case(pass)) {
            return Some((Move::Pass, pass.len()));
        }
    }
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let length = 1 + digits(&text[1..]);
        return Some((text[..length].parse().ok()?, length));
    }
    let column = digits(text);
    let row = digits(text[column..].strip_prefix(',')?);
    let length = column + 1 + row;
    let square = gomocup::read(&text[..length]).ok()?;
    Some((Move::Place(square), length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_as_engines_write_them_in_a_row() {
        for (text, expected, rest) in [
            // Rapfi, after `pv` and after `Bestline`.
            ("H8 I9 G10", "h8 i9 g10", ""),
            // Rapfi and Yixin, in Gomocup's own coordinates.
            ("7,7 8,8", "h8 i9", ""),
            ("[7,7] [14,0]", "h8 o1", ""),
            // NBoard.
            ("F5D6PAc3", "f5 d6 pass c3", ""),
            ("f5d16x", "f5 d16", "x"),
            ("h8 sp 100", "h8", "sp 100"),
            ("h8 i23 j1", "h8", "i23 j1"),
            ("h8 22,0", "h8", "22,0"),
            ("7 8", "", "7 8"),
            ("7,", "", "7,"),
            ("h8 é", "h8", "é"),
            ("", "", ""),
        ] {
            let (moves, left) = prefix(text);
            let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
            assert_eq!((moves.join(" ").as_str(), left), (expected, rest), "{text}");
        }
        assert_eq!(read(&"h8 ".repeat(100)).len(), Thought::LONGEST_PV);
        assert_eq!(read_whole("h8 i9 x"), None);
    }
}
