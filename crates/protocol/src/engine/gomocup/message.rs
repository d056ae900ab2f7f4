//! The `MESSAGE` lines: what the bot thinks, for people who watch.

use crate::Info;
use crate::notation::gomocup::write;

/// What the bot thinks, in words; squares as the protocol writes them.
pub(super) fn of(info: &Info) -> String {
    let mut words = Vec::new();
    let mut word = |name: &str, value: Option<String>| {
        words.extend(value.map(|value| format!("{name} {value}")));
    };
    word("depth", info.depth.map(|depth| depth.to_string()));
    word("score", info.score.map(|score| score.to_string()));
    word("nodes", info.nodes.map(|nodes| nodes.to_string()));
    word("time", info.time_ms.map(|ms| format!("{ms} ms")));
    let line: Vec<_> = info
        .pv
        .iter()
        .map(|square| square.parse().map_or_else(|_| square.clone(), write))
        .collect();
    word("pv", (!line.is_empty()).then(|| line.join(" ")));
    words.extend(info.text.clone());
    words.join(" ")
}
