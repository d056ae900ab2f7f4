//! A sequential test over many machines counts pairs from the first on, without a gap.

use super::{plan, play};
use crate::common::{Desk, says};

#[test]
fn a_test_is_decided_by_the_pairs_before_the_first_missing_one_alone() {
    let desk = Desk::new();
    // minimax-ab is far stronger than random: SPRT accepts H1 after some ten pairs.
    let text = "game = \"othello\"\ngames = 200\nseed = 3\norder = \"shuffled\"\n\
                [sprt]\nelo0 = 0\nelo1 = 200\n\
                [[bot]]\nuse = \"minimax-ab\"\noptions = { depth = 2 }\n[[bot]]\nuse = \"random\"\n";
    desk.write("my.toml", text);
    let alone = desk.succeed(["run", "my.toml", "--out", "alone"]);
    let llr = alone
        .lines()
        .find(|line| line.starts_with("LLR"))
        .expect("a test");
    plan(&desk, "big", "20");
    // Eighty pairs, but not the first twenty.
    (1..5).for_each(|block| drop(play(&desk, "big", block)));
    let output = desk.run(["merge", "big"]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        crate::common::both(&output)
    );
    let said = crate::common::both(&output);
    says(&said, &["160 of 200 games are played", "0 games count"]);
    assert!(!desk.path("big/STOP").exists(), "nothing is decided");
    play(&desk, "big", 0);
    std::fs::remove_file(super::block_file(&desk, "big", 4)).expect("it is there");
    let output = desk.run(["merge", "big"]);
    let said = crate::common::both(&output);
    says(&said, &[llr, "STOP is written"]);
    says(&play(&desk, "big", 4), &["block 4 is not played"]);
    says(
        &desk.succeed(["status", "big"]),
        &["stopped: ", "merged so far: 160 games"],
    );
}
