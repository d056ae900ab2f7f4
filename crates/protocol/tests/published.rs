//! The files in `docs/protocol/` agree with the types and the encoders.

#[path = "../examples/publish/golden.rs"]
mod golden;
#[path = "../examples/publish/schema.rs"]
mod schema;

use std::fs;
use std::path::Path;

use protocol::{MAX_LINE, ToArena, ToBot, Turn};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

#[test]
fn the_committed_files_are_up_to_date() {
    for (name, text) in schema::files().into_iter().chain(golden::files()) {
        let committed = document(&format!("protocol/{name}"));
        assert!(
            committed == text,
            "docs/protocol/{name} is out of date: run \
             cargo run -p protocol --features schema --example publish"
        );
    }
}

fn document(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    fs::read_to_string(folder.join(name)).unwrap_or_default()
}

#[test]
fn the_examples_on_the_page_are_messages_and_nothing_is_lost_in_reading_them() {
    let page = document("protocol.md");
    let examples = page.lines().filter_map(|line| {
        let (mark, text) = line.split_once(' ')?;
        match mark {
            ">" => Some((read_back::<ToBot>(text), text)),
            "<" => Some((read_back::<ToArena>(text), text)),
            _ => None,
        }
    });
    let examples: Vec<_> = examples.collect();
    for (read_back, text) in &examples {
        let written: Value = serde_json::from_str(text).expect(text);
        assert_eq!(*read_back, written);
    }
    assert_eq!(examples.len(), 7 + 8, "one of each message, and an opening");
}

fn read_back<T: DeserializeOwned + Serialize>(text: &str) -> Value {
    let message: T = serde_json::from_str(text).expect(text);
    serde_json::to_value(message).expect(text)
}

#[test]
fn the_page_names_every_way_a_game_ends() {
    let page = document("protocol.md");
    for reason in games::families().iter().flat_map(|family| family.reasons()) {
        let word = reason.word();
        assert!(page.contains(&format!("`{word}`")), "{word}");
    }
}

/// Returns the messages of the arena in the transcripts, each with the file's name.
fn sent() -> Vec<(&'static str, Value)> {
    let mut sent = Vec::new();
    for (name, text) in golden::files() {
        for line in text.lines().filter_map(|line| line.strip_prefix("> ")) {
            assert!(line.len() <= MAX_LINE, "{name}: {line}");
            sent.push((name, serde_json::from_str(line).expect(line)));
        }
    }
    sent
}

#[test]
fn every_line_of_the_transcripts_is_a_message_and_nothing_is_lost_in_reading_it() {
    for (name, mut line) in sent() {
        let message: ToBot = serde_json::from_value(line.clone()).expect(name);
        if message == ToBot::Unknown {
            let kind = line["type"].as_str();
            assert!(matches!(kind, Some("weather" | "spectators")), "{line}");
            continue;
        }
        line.as_object_mut().expect(name).remove("later");
        assert_eq!(serde_json::to_value(&message).unwrap(), line, "{name}");
    }
}

fn questions(file: &str) -> Vec<Turn> {
    let sent = sent().into_iter().filter(|(name, _)| *name == file);
    sent.filter_map(|(name, line)| match serde_json::from_value(line) {
        Ok(ToBot::Turn(turn)) => Some(turn),
        Ok(_) => None,
        Err(error) => panic!("{name}: {error}"),
    })
    .collect()
}

#[test]
fn ids_rise_by_one_through_all_games_of_a_process() {
    for (name, _) in golden::files() {
        let ids: Vec<u64> = questions(name).iter().map(|turn| turn.id).collect();
        assert_eq!(ids, (1..).take(ids.len()).collect::<Vec<u64>>(), "{name}");
    }
}

#[test]
fn the_transcripts_hold_a_forced_pass_of_the_opponent() {
    let passed = |turn: &Turn| turn.moves.last().is_some_and(|last| last == "pass");
    assert_eq!(
        questions("golden/othello.txt")
            .iter()
            .filter(|turn| passed(turn))
            .count(),
        3
    );
}

#[test]
fn forbidden_points_are_not_legal() {
    let first = &questions("golden/renju.txt")[0];
    for point in ["f2", "h8", "n12"] {
        assert!(!first.legal.iter().any(|legal| legal == point), "{point}");
    }
    // 30 of the 15 × 15 squares are taken, and 3 are forbidden.
    assert_eq!(first.legal.len(), 225 - 30 - 3);
}
