//! What engines think aloud, in words that no protocol fixes: `depth 11-20 ev 35 n 120K`,
//! `Depth 9 | Eval -12 | Node 1.2M`, `depth=9 NPS=900k`.

use super::{Thoughts, finite};

/// Reads what a line of thoughts tells: a key that is known, followed by its number.
pub fn read(text: &str) -> Thoughts {
    let between = |c: char| c.is_whitespace() || "|,:;=()[]".contains(c);
    let mut words = text
        .split(between)
        .filter(|word| !word.is_empty())
        .peekable();
    let mut thoughts = Thoughts::default();
    while let Some(key) = words.next() {
        let Some(value) = words.peek().and_then(|word| number(word)) else {
            continue;
        };
        match key.to_ascii_lowercase().as_str() {
            "depth" | "dep" => thoughts.depth = Some(value as u32),
            "ev" | "eval" | "score" | "val" => thoughts.score = Some(value),
            "n" | "nd" | "node" | "nodes" => thoughts.nodes = Some(value as u64),
            _ => {}
        }
    }
    thoughts
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

    /// Lines as the engines named wrote them.
    #[test]
    fn what_engines_think_aloud() {
        let told = |depth, score, nodes| Thoughts {
            depth,
            score,
            nodes,
        };
        for (text, expected) in [
            // Rapfi.
            (
                "Speed 512K | Depth 11-20 | Eval 35 | Node 120K | Time 234ms",
                told(Some(11), Some(35.0), Some(120_000)),
            ),
            // PentaZen.
            (
                " dep 7-12 ev -9 nd 183k tm 95 sp 1926",
                told(Some(7), Some(-9.0), Some(183_000)),
            ),
            (
                " dep 9-9 ev +v4 nd 812 tm 3",
                told(Some(9), None, Some(812)),
            ),
            // Rapfi, as UCI engines do.
            (
                "depth 12-19 ev -48 n 1.5M n/ms 812 tm 1850 pv h8",
                told(Some(12), Some(-48.0), Some(1_500_000)),
            ),
            // Wine.
            (" depth=9 NPS=812k", told(Some(9), None, None)),
            (" best: [7,8] val=-35", told(None, Some(-35.0), None)),
            ("thinking about depth and score", Thoughts::default()),
            ("Eval +M5", Thoughts::default()),
            ("", Thoughts::default()),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
