//! Thinking output of engines, in formats that no protocol defines: `depth 11-20 ev 35 n 120K pv h8
//! i9`, `Depth 9 | Eval -12 | Time 22ms | H8 I9`, `depth=9 NPS=900k`.

use std::time::Duration;

use super::language::finite;
use super::moves;
use crate::record::Thought;

/// Reads what a line of thoughts tells: a key that is known, followed by its value.
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
                // Words are parts of the text, so the rest of it begins where the word does.
                let at = value.as_ptr() as usize - text.as_ptr() as usize;
                thought.pv = moves::read(&text[at..]);
            }
            _ => {}
        }
    }
    if thought.pv.is_empty()
        && let Some((_, last)) = text.rsplit_once('|')
    {
        thought.pv = moves::read_whole(last).unwrap_or_default();
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

/// `95`, `95ms`, `12s`.
fn time(word: &str) -> Option<Duration> {
    let (digits, scale) = match word.strip_suffix("ms") {
        Some(digits) => (digits, 1e-3),
        None => word
            .strip_suffix('s')
            .map_or((word, 1e-3), |digits| (digits, 1.0)),
    };
    Duration::try_from_secs_f64(number(digits)? * scale).ok()
}

/// `-12`, `11-20` (the first of them), `1.2M`.
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
