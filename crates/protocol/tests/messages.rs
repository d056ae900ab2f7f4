//! Messages survive being written and read, and unknown fields change nothing.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use protocol::{Colour, GameResult, Hello, Info, MoveMessage, Over, Ready, ToArena, ToBot, Turn};
use serde_json::{Value, json};

fn colour() -> impl Strategy<Value = Colour> {
    prop_oneof![Just(Colour::Black), Just(Colour::White)]
}

fn hello() -> impl Strategy<Value = ToBot> {
    let words = (any::<u32>(), any::<String>(), any::<String>(), any::<u8>());
    (words, colour(), any::<[u64; 5]>()).prop_map(|(words, you, numbers)| {
        ToBot::Hello(Hello {
            protocol: words.0,
            game: words.1,
            opening: Some(words.2.clone()),
            rules: words.2,
            size: words.3,
            you,
            move_ms: numbers[0],
            game_ms: numbers[1],
            period_moves: Some(numbers[1] as u32),
            increment_ms: numbers[2],
            memory_mib: numbers[3],
            processes: Some(numbers[3]),
            disk_mib: None,
            cores: Some(numbers[2]),
            seed: numbers[4],
        })
    })
}

fn turn() -> impl Strategy<Value = ToBot> {
    let lists = [(); 3].map(|()| vec(any::<String>(), 0..5));
    (any::<[u64; 3]>(), colour(), lists).prop_map(|(numbers, you, [board, legal, moves])| {
        ToBot::Turn(Turn {
            id: numbers[0],
            you,
            board,
            legal,
            moves,
            left_ms: numbers[1],
            opponent_left_ms: numbers[2],
            moves_to_go: Some(numbers[0] as u32),
            opening: None,
        })
    })
}

fn over() -> impl Strategy<Value = ToBot> {
    let results = [
        GameResult::Win,
        GameResult::Loss,
        GameResult::Draw,
        GameResult::Void,
    ];
    let result = (0..results.len()).prop_map(move |index| results[index]);
    (result, any::<String>(), any::<[u16; 2]>()).prop_map(|(result, reason, counts)| {
        ToBot::Over(Over {
            result,
            reason,
            black: counts[0],
            white: counts[1],
        })
    })
}

fn to_bot() -> impl Strategy<Value = ToBot> {
    prop_oneof![hello(), turn(), over(), Just(ToBot::Quit)]
}

fn info() -> impl Strategy<Value = ToArena> {
    let numbers = (
        option::of(any::<u32>()),
        // Every language reads multiples of 1/8 exactly.
        option::of(any::<i32>().prop_map(|eighths| f64::from(eighths) / 8.0)),
        option::of(any::<u64>()),
        option::of(any::<u64>()),
    );
    let text = (vec(any::<String>(), 0..4), option::of(any::<String>()));
    (numbers, text).prop_map(|((depth, score, nodes, time_ms), (pv, text))| {
        ToArena::Info(Info {
            depth,
            score,
            nodes,
            time_ms,
            pv,
            spent: depth
                .map(|depth| ("x".to_owned(), depth.into()))
                .into_iter()
                .collect(),
            text,
        })
    })
}

fn to_arena() -> impl Strategy<Value = ToArena> {
    let ready = any::<([String; 3], bool)>().prop_map(|([name, version, opening], start_only)| {
        let openings = vec![opening];
        ToArena::Ready(Ready {
            name,
            version,
            openings,
            start_only,
        })
    });
    let played = (option::of(any::<u64>()), any::<String>())
        .prop_map(|(id, played)| ToArena::Move(MoveMessage { id, played }));
    let unable = any::<String>().prop_map(|text| ToArena::Unable { text });
    prop_oneof![ready, played, info(), unable]
}

/// Fields of a later version: names that version 1 does not use.
fn later() -> impl Strategy<Value = Vec<(String, Value)>> {
    let value = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        Just(json!({"type": "turn", "moves": [1, {"id": []}]})),
    ];
    vec(
        ("[a-z]{1,8}".prop_map(|name| format!("x_{name}")), value),
        0..4,
    )
}

fn with(message: &impl serde::Serialize, later: Vec<(String, Value)>) -> String {
    let mut value = serde_json::to_value(message).unwrap();
    value.as_object_mut().unwrap().extend(later);
    value.to_string()
}

proptest! {
    #[test]
    fn what_the_arena_says_is_read_as_it_was_meant(message in to_bot(), later in later()) {
        let line = with(&message, later);
        prop_assert!(!line.contains('\n'), "a message is one line");
        prop_assert_eq!(serde_json::from_str::<ToBot>(&line).unwrap(), message);
    }

    #[test]
    fn what_a_bot_says_is_read_as_it_was_meant(message in to_arena(), later in later()) {
        let line = with(&message, later);
        prop_assert!(!line.contains('\n'), "a message is one line");
        prop_assert_eq!(serde_json::from_str::<ToArena>(&line).unwrap(), message);
    }

    #[test]
    fn a_message_of_unknown_type_is_known_as_such(kind in "[a-z]{1,8}", later in later()) {
        prop_assume!(!["hello", "turn", "over", "quit"].contains(&kind.as_str()));
        let line = with(&json!({ "type": kind }), later);
        prop_assert_eq!(serde_json::from_str::<ToBot>(&line).unwrap(), ToBot::Unknown);
    }
}

/// Reads the examples of `docs/protocol.md` without the fields that may be omitted.
#[test]
fn what_may_be_left_out_may_be_left_out() {
    let read = |line: &str| serde_json::from_str::<ToArena>(line).expect(line);
    let played = |id| {
        ToArena::Move(MoveMessage {
            id,
            played: "d3".to_owned(),
        })
    };
    assert_eq!(
        read(r#"{"type":"ready"}"#),
        ToArena::Ready(Ready::default())
    );
    assert_eq!(read(r#"{"type":"info"}"#), ToArena::Info(Info::default()));
    assert_eq!(read(r#"{"type":"move","move":"d3"}"#), played(None));
    assert_eq!(
        read(r#"{"type":"move","id":7,"move":"d3"}"#),
        played(Some(7))
    );
}
