//! Damaged, duplicate and forged files of blocks.

use std::fs;
use std::path::Path;
use std::time::Instant;

use games::Rules;
use referee::record::Verdict;
use run::store::{LineFile, RecordEntry, Store, StoreError, entries};
use serde_json::{Map, Value, json};

use super::{alone, block_file, plan, play, quick, tables};
use crate::common::{Workdir, assert_contains, both, games_kept, table};

fn two_blocks() -> Workdir {
    let workdir = Workdir::new();
    quick(&workdir, 16, 3);
    plan(&workdir, "big", "4");
    (0..2).for_each(|block| drop(play(&workdir, "big", block)));
    workdir
}

#[test]
fn a_torn_line_is_cut_off_and_reported() {
    let workdir = two_blocks();
    let path = block_file(&workdir, "big", 1);
    let whole = fs::read(&path).expect("a file");
    let last = whole[..whole.len() - 1]
        .iter()
        .rposition(|&byte| byte == b'\n');
    let last = last.expect("lines") + 1;
    let expected = alone(&workdir);
    for length in (last + 1..whole.len()).step_by(97).chain([whole.len() - 1]) {
        fs::write(&path, &whole[..length]).expect("torn");
        let torn = length - last;
        let output = workdir.run(["merge", "big"]);
        assert!(output.status.success(), "{length}");
        let printed = crate::common::both(&output);
        assert_contains(
            &printed,
            &[
                &format!("its last {torn} bytes"),
                "15 of 16 games are played",
            ],
        );
    }
    // After a crash, some file systems leave blocks of zeros.
    let mut zeros = whole[..last].to_vec();
    zeros.extend([0; 500]);
    fs::write(&path, zeros).expect("torn");
    let printed = play(&workdir, "big", 1);
    assert_contains(
        &printed,
        &["the last 500 bytes of the block's file were an incomplete line"],
    );
    workdir.succeed(["merge", "big"]);
    assert_eq!(tables(&workdir.path("big")), expected);
}

#[test]
fn games_that_are_there_twice_may_not_differ() {
    let workdir = two_blocks();
    workdir.succeed(["merge", "big"]);
    let path = block_file(&workdir, "big", 0);
    let copy = workdir.path("big/shards/0.copy.jsonl");
    let mut records = Vec::new();
    let mut session = String::new();
    entries(&path, |_, entry| -> Result<(), StoreError> {
        match entry {
            RecordEntry::Session(text) => session = text,
            RecordEntry::Game(game) => records.push(game.record().expect("a game")),
        }
        Ok(())
    })
    .expect("a sound file");
    let mut lines = LineFile::open(&copy).expect("a new file");
    lines.begin(&session).expect("written");
    let mut store = Store::from(lines);
    // Both records are possible: in the copy, the bot resigns instead of making the last move.
    let record = &mut records[3];
    record.plies.pop();
    let mut board = record.start();
    for ply in &record.plies {
        board.play(ply.played).expect("it was played");
    }
    record.counts = board.counts();
    record.verdict = Verdict::Resigned(board.side_to_move());
    store.save(&records[3], Instant::now()).expect("written");
    store.commit().expect("written");
    let printed = workdir.exits(2, ["merge", "big"]);
    assert_contains(
        &printed,
        &[
            "game 3 is not the same in",
            "0.copy.jsonl",
            "move one of the files",
        ],
    );
    assert_eq!(
        games_kept(&workdir.path("big")),
        16,
        "the record is what it was"
    );
}

fn line(game: u64, record: &str) -> String {
    let bytes = game.to_le_bytes().into_iter().chain(record.bytes());
    let sum = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{{\"sum\":\"{sum:016x}\",\"game\":{game},\"record\":{record}}}\n")
}

/// `forged-records.csv` has records of game 0 with valid checksums, some of them impossible, with their messages.
#[test]
fn a_record_that_contradicts_itself_or_the_plan_is_refused() {
    let workdir = Workdir::new();
    for (game, more) in [
        (
            "othello",
            "[adjudicate]\ndraw_after = 4\nresign_score = 20\nresign_plies = 2\n",
        ),
        ("gomoku", ""),
    ] {
        let head = format!("game = \"{game}\"\ngames = 2\nopenings = \"none\"\n{more}");
        let bots = "[[bot]]\nuse = \"random\"\nname = \"one\"\n[[bot]]\nuse = \"random\"\nname = \"other\"\n";
        workdir.write("my.toml", &(head + bots));
        plan(&workdir, game, "1");
        play(&workdir, game, 0);
    }
    let texts = ["othello", "gomoku"].map(|game| fs::read_to_string(block_file(&workdir, game, 0)));
    let [othello, gomoku] = texts.map(|text| text.expect("a file"));
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/forged-records.csv");
    // A message breaks its lines at the terminal's width.
    let joined = |text: &str| text.replace([' ', '\n', '│'], "");
    let mut wrong = String::new();
    for row in table(&cases) {
        let game = row["game"].as_str();
        let text = if game == "othello" { &othello } else { &gomoku };
        let (session, played) = text.split_once('\n').expect("lines");
        let (_, record) = played.split_once("\"record\":").expect("a game");
        let record = record
            .lines()
            .next()
            .and_then(|text| text.strip_suffix('}'));
        let mut record: Value = serde_json::from_str(record.expect("a record")).expect("JSON");
        for column in [
            "wall_us", "cpu_us", "depth", "score", "nodes", "time_us", "pv",
        ] {
            record[column] = json!([]);
        }
        let words = |column: &str| row[column].split_whitespace().map(str::to_owned);
        let count = |word: String| word.parse::<u16>().expect("a number");
        record["moves"] = words("moves").collect();
        record["counts"] = words("counts").map(count).collect();
        let other = if row["other"].is_empty() {
            "{}"
        } else {
            &row["other"]
        };
        let other: Map<String, Value> = serde_json::from_str(other).expect("JSON");
        record["verdict"] = serde_json::from_str(&row["verdict"]).expect("JSON");
        record.as_object_mut().expect("a record").extend(other);
        let forged = format!("{session}\n{}", line(0, &record.to_string()));
        fs::write(block_file(&workdir, game, 0), forged).expect("written");
        let output = workdir.run(["merge", game]);
        let printed = joined(&both(&output));
        let is_right = if row["says"].is_empty() {
            output.status.success()
        } else {
            let places = [
                "0.jsonl: game 0 of the record",
                "game 0 in othello/shards/0.jsonl",
                "game 0 in gomoku/shards/0.jsonl",
            ];
            matches!(output.status.code(), Some(2 | 4))
                && places.iter().any(|place| printed.contains(&joined(place)))
                && printed.contains(&joined(&row["says"]))
        };
        if !is_right {
            wrong += &format!("{}: {}\n", row["what"], both(&output));
        }
    }
    assert_eq!(wrong, "");
}
