//! Files of blocks that are torn, or there twice.

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
fn games_that_are_there_twice_may_not_differ() {
    let desk = two_blocks();
    desk.succeed(["merge", "big"]);
    let path = block_file(&desk, "big", 0);
    let copy = desk.path("big/shards/0.copy.jsonl");
    // A game of it that ended in another way.
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
