//! Thinking output of engines in formats that no protocol defines: `depth 11-20 ev 35 n 120K pv h8 i9`, `Depth 9 | Eval
//! -12 | Time 22ms | H8 I9`, `depth=9 NPS=900k`; and moves in any notation: `h8 i9`, `F5D6PA`, `[7,7] [8,8]`.

use std::time::Duration;

use games::{MAX_SIZE, Move};
use protocol::codec::{finite, gomocup};

use crate::record::Thought;

/// Parses a line: each known key is followed by its value. Without `pv`, text after the last `|` may be the moves.
pub fn read(text: &str) -> Thought {
    let between = |c: char| c.is_whitespace() || "|,:;=()[]".contains(c);
    let mut words = text
        .split(between)
        .filter(|word| !word.is_empty())
        .peekable();
    let mut thought = Thought::default();
    while let Some(key) = words.next() {
        let (Some(key), Some(value)) = (Key::of(key), words.peek()) else {
            continue;
        };
        match (key, number(value)) {
            (Key::Depth, Some(depth)) => thought.depth = Some(depth as u32),
            (Key::Score, score @ Some(_)) => thought.score = score,
            (Key::Nodes, Some(nodes)) => thought.nodes = Some(nodes as u64),
            (Key::Time, _) => thought.time = time(value).or(thought.time),
            (Key::Pv, _) => {
                // The value is a slice of the text, so the difference of their addresses is its offset.
                let at = value.as_ptr() as usize - text.as_ptr() as usize;
                thought.pv = moves(&text[at..]);
            }
            _ => {}
        }
    }
    if thought.pv.is_empty()
        && let Some((_, last)) = text.rsplit_once('|')
    {
        thought.pv = whole_line(last).unwrap_or_default();
    }
    thought
}

enum Key {
    Depth,
    Score,
    Nodes,
    Time,
    Pv,
}

impl Key {
    fn of(word: &str) -> Option<Key> {
        Some(match word.to_ascii_lowercase().as_str() {
            "depth" | "dep" => Key::Depth,
            "ev" | "eval" | "score" | "val" => Key::Score,
            "n" | "nd" | "node" | "nodes" => Key::Nodes,
            "tm" | "time" => Key::Time,
            "pv" | "bestline" => Key::Pv,
            _ => return None,
        })
    }
}

/// Parses `95`, `95ms`, `12s`.
fn time(word: &str) -> Option<Duration> {
    let (digits, scale) = match word.strip_suffix("ms") {
        Some(digits) => (digits, 1e-3),
        None => word
            .strip_suffix('s')
            .map_or((word, 1e-3), |digits| (digits, 1.0)),
    };
    Duration::try_from_secs_f64(number(digits)? * scale).ok()
}

/// Parses `-12`, `11-20` (as 11), `1.2M`.
fn number(word: &str) -> Option<f64> {
    let (digits, scale) = match word.chars().last()? {
        'k' | 'K' => (&word[..word.len() - 1], 1e3),
        'm' | 'M' => (&word[..word.len() - 1], 1e6),
        'g' | 'G' => (&word[..word.len() - 1], 1e9),
        _ => (word, 1.0),
    };
    let range = digits.get(1..).and_then(|rest| rest.find('-'));
    let first = range.map_or(digits, |at| &digits[..=at]);
    let is_numeric = first
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
    let value = finite(first).filter(|_| is_numeric)?;
    Some(value * scale).filter(|value| value.is_finite())
}

/// Parses moves up to other text. `h8` counts rows from 1 at the top; two numbers are Gomocup's column and row.
pub fn moves(text: &str) -> Vec<Move> {
    prefix(text).0
}

fn whole_line(text: &str) -> Option<Vec<Move>> {
    let (moves, rest) = prefix(text);
    rest.is_empty().then_some(moves)
}

fn prefix(text: &str) -> (Vec<Move>, &str) {
    let mut rest = text;
    let mut moves = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "[](){}<>,;-".contains(c));
        match first_move(rest).filter(|_| moves.len() < Thought::LONGEST_PV) {
            Some((played, length)) => {
                moves.push(played);
                rest = &rest[length..];
            }
            None => return (moves, rest),
        }
    }
}

fn first_move(text: &str) -> Option<(Move, usize)> {
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
    let square = gomocup::parse_square(&text[..length], MAX_SIZE).ok()?;
    Some((Move::Place(square), length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn moves_as_engines_write_them_in_a_row() {
        for [text, expected, rest, _] in cases::<[String; 4]>("engine-moves") {
            let (found, left) = prefix(&text);
            let found: Vec<String> = found.iter().map(Move::to_string).collect();
            assert_eq!((found.join(" "), left), (expected, &*rest), "{text}");
        }
        assert_eq!(moves(&"h8 ".repeat(100)).len(), Thought::LONGEST_PV);
        assert_eq!(whole_line("h8 i9 x"), None);
    }
}
