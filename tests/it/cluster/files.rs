//! Files of blocks that are torn, damaged, there twice, or somebody else's.

use std::fs;
use std::time::Instant;

use arena::store::{Entry, Lines, Store, StoreError, entries};

use super::{alone, block_file, plan, play, quick, tables};
use crate::common::{Desk, games_kept, says};

fn two_blocks() -> Desk {
    let desk = Desk::new();
    quick(&desk, 16, 3);
    plan(&desk, "big", "4");
    (0..2).for_each(|block| drop(play(&desk, "big", block)));
    desk
}

#[test]
fn half_a_line_is_cut_off_and_said_wherever_it_was_torn() {
    let desk = two_blocks();
    let path = block_file(&desk, "big", 1);
    let whole = fs::read(&path).expect("a file");
    let last = whole[..whole.len() - 1]
        .iter()
        .rposition(|&byte| byte == b'\n');
    let last = last.expect("lines") + 1;
    let expected = alone(&desk);
    for length in (last + 1..whole.len()).step_by(97).chain([whole.len() - 1]) {
        fs::write(&path, &whole[..length]).expect("torn");
        let torn = length - last;
        let output = desk.run(["merge", "big"]);
        assert!(output.status.success(), "{length}");
        let said = crate::common::both(&output);
        says(
            &said,
            &[
                &format!("the last {torn} bytes"),
                "15 of 16 games are played",
            ],
        );
    }
    // Blocks of zeros are what some file systems leave after a crash.
    let mut zeros = whole[..last].to_vec();
    zeros.extend([0; 500]);
    fs::write(&path, zeros).expect("torn");
    let said = play(&desk, "big", 1);
    says(
        &said,
        &["the last 500 bytes of the block's file were half a line"],
    );
    desk.succeed(["merge", "big"]);
    assert_eq!(tables(&desk.path("big")), expected);
}

#[test]
fn a_damaged_line_is_named_and_nothing_is_merged() {
    let desk = two_blocks();
    desk.succeed(["merge", "big"]);
    let path = block_file(&desk, "big", 0);
    let mut bytes = fs::read(&path).expect("a file");
    let second = bytes
        .iter()
        .position(|&byte| byte == b'\n')
        .expect("a line")
        + 60;
    bytes[second] ^= 1;
    fs::write(&path, bytes).expect("damaged");
    for command in ["merge", "shard"] {
        let mut words = vec![command, "big"];
        words.extend(["--index", "0"].iter().filter(|_| command == "shard"));
        let said = desk.exits(4, words);
        says(&said, &["line 2 of", "0.jsonl is damaged", "--missing"]);
    }
    assert_eq!(
        games_kept(&desk.path("big")),
        16,
        "the record is what it was"
    );
    fs::remove_file(&path).expect("moved away");
    let jobs = desk.succeed(["submit", "big", "--on", "parallel", "--missing", "--print"]);
    says(&jobs, &["<<'END'\n0\nEND\n"]);
    let merged = desk.run(["merge", "big"]);
    says(&crate::common::both(&merged), &["8 of 16 games are played"]);
    assert_eq!(games_kept(&desk.path("big")), 8, "no game without its file");
    play(&desk, "big", 0);
    desk.succeed(["merge", "big"]);
    assert_eq!(tables(&desk.path("big")), alone(&desk));
}

#[test]
fn games_that_are_there_twice_count_once_and_may_not_differ() {
    let desk = two_blocks();
    // The same block, played once more by somebody else.
    let path = block_file(&desk, "big", 0);
    let copy = desk.path("big/shards/0.copy.jsonl");
    fs::rename(&path, &copy).expect("a copy");
    play(&desk, "big", 0);
    assert_ne!(
        fs::read(&path).expect("a file"),
        fs::read(&copy).expect("a file")
    );
    desk.succeed(["merge", "big"]);
    assert_eq!(games_kept(&desk.path("big")), 16);
    assert_eq!(tables(&desk.path("big")), alone(&desk));

    // A game of it that ended in another way.
    fs::remove_file(&copy).expect("it is there");
    let mut records = Vec::new();
    let mut session = String::new();
    entries(&path, |_, entry| -> Result<(), StoreError> {
        match entry {
            Entry::Session(text) => session = text,
            Entry::Game(game) => records.push(game.record().expect("a game")),
        }
        Ok(())
    })
    .expect("a sound file");
    let mut lines = Lines::open(&copy).expect("a new file");
    lines.begin(&session).expect("written");
    let mut store = Store::from(lines);
    records[3].plies.pop();
    store.save(&records[3], Instant::now()).expect("written");
    store.commit().expect("written");
    let said = desk.exits(2, ["merge", "big"]);
    says(
        &said,
        &[
            "game 3 is not the same in",
            "0.copy.jsonl",
            "move one of the files",
        ],
    );
    assert_eq!(
        games_kept(&desk.path("big")),
        16,
        "the record is what it was"
    );
}

#[test]
fn what_belongs_elsewhere_is_refused() {
    let desk = two_blocks();
    fs::copy(
        block_file(&desk, "big", 0),
        desk.path("big/shards/1.x.jsonl"),
    )
    .expect("a copy");
    says(
        &desk.exits(2, ["merge", "big"]),
        &["1.x.jsonl is the file of block 0"],
    );
    fs::remove_file(desk.path("big/shards/1.x.jsonl")).expect("it is there");
    fs::copy(block_file(&desk, "big", 0), block_file(&desk, "big", 7)).expect("a copy");
    says(
        &desk.exits(2, ["merge", "big"]),
        &["not the file of a block", "blocks 0 to 1"],
    );
    fs::remove_file(block_file(&desk, "big", 7)).expect("it is there");

    quick(&desk, 16, 4);
    plan(&desk, "other", "4");
    fs::copy(block_file(&desk, "big", 0), block_file(&desk, "other", 0)).expect("a copy");
    for words in [
        vec!["merge", "other"],
        vec!["shard", "other", "--index", "0"],
    ] {
        says(&desk.exits(2, words), &["0.jsonl belongs to another plan"]);
    }
}
