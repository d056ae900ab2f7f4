//! What the engine says, in the protocol's words.

use super::super::dialect::Answer;

/// `search F5-D6-C3 1.50 0 12`.
pub(super) fn search(line: &[String], score: Option<f64>, depth: Option<u32>) -> String {
    let line: Vec<_> = line.iter().map(|played| name(played)).collect();
    let (score, depth) = (score.unwrap_or_default(), depth.unwrap_or_default());
    format!("search {} {score:.2} 0 {depth}", line.join("-"))
}

/// `=== F5/1.50/0.32`; the evaluation is left out where the bot says none.
pub(super) fn go(answer: &Answer) -> String {
    let played = name(&answer.played.to_string());
    let score = answer.thought.as_ref().and_then(|thought| thought.score);
    let score = score.map_or(String::new(), |score| format!("{score:.2}"));
    format!("=== {played}/{score}/{:.2}", answer.used.as_secs_f64())
}

/// `nodestats 35805 0.32`.
pub(super) fn node_stats(answer: &Answer) -> String {
    let nodes = answer.thought.as_ref().and_then(|thought| thought.nodes);
    let (nodes, seconds) = (nodes.unwrap_or_default(), answer.used.as_secs_f64());
    format!("nodestats {nodes} {seconds:.2}")
}

/// Moves have two letters, a pass too.
fn name(played: &str) -> String {
    match played {
        "pass" => "PA".to_owned(),
        square => square.to_ascii_uppercase(),
    }
}
