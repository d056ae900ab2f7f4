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

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as the engines named wrote them, and what they tell: depth, score, nodes, ms, moves.
    #[test]
    fn what_engines_think_aloud() {
        for (text, expected) in [
            // Rapfi.
            (
                "Speed 512K | Depth 11-20 | Eval 35 | Node 120K | Time 234ms",
                "11 35 120000 234 ",
            ),
            (
                "Depth 9-14 | Eval 62 | Time 12s | H8 I9 G10",
                "9 62 - 12000 h8 i9 g10",
            ),
            ("Bestline I9 J8", "- - - - i9 j8"),
            // Rapfi, as UCI engines do.
            (
                "depth 12-19 ev -48 n 1.5M n/ms 812 tm 1850 pv H8 J10",
                "12 -48 1500000 1850 h8 j10",
            ),
            ("depth 0-0 ev 0 n 0 n/ms 0 tm 0 pv (NONE)", "0 0 0 0 "),
            // PentaZen.
            (" dep 7-12 ev -9 nd 183k tm 95 sp 1926", "7 -9 183000 95 "),
            (" dep 9-9 ev +v4 nd 812 tm 3", "9 - 812 3 "),
            // Ours.
            (
                "depth 5 score 3.5 nodes 99 time 12 ms pv 7,7 14,0",
                "5 3.5 99 12 h8 o1",
            ),
            // Wine.
            (" depth=9 NPS=812k", "9 - - - "),
            (" best: [7,8] val=-35", "- -35 - - "),
            ("pv [7,7] [8,8] sp 3", "- - - - h8 i9"),
            ("thinking about depth and score", "- - - - "),
            ("Eval +M5", "- - - - "),
            ("pv", "- - - - "),
            ("time -1 tm 1e999 time nan", "- - - - "),
            ("", "- - - - "),
        ] {
            let thought = read(text);
            let told = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
            let pv: Vec<String> = thought.pv.iter().map(ToString::to_string).collect();
            let shown = format!(
                "{} {} {} {} {}",
                told(thought.depth.map(|depth| depth.to_string())),
                told(thought.score.map(|score| score.to_string())),
                told(thought.nodes.map(|nodes| nodes.to_string())),
                told(thought.time.map(|time| time.as_millis().to_string())),
                pv.join(" ")
            );
            assert_eq!(shown, expected, "{text}");
        }
    }
}
