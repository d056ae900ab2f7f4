//! Tournament files, and the same on a command line.

use insta::assert_snapshot;

use super::{BOTS, refused_file, refused_words};

#[test]
fn files_that_are_no_tournament() {
    assert_snapshot!(refused_words(&["run", "nowhere.toml"]), @r#"
    exit 2
      × cannot read the tournament nowhere.toml: No such file or directory
      help: example tournaments are in tournaments/
    "#);
    assert_snapshot!(refused_file("game = \"othello\n"), @r#"
    exit 2
      × the text has no closing quote
       ╭─[my.toml:1:15]
     1 │ game = "othello
       ·               ┬
       ·               ╰── here
       ╰────
    "#);
    assert_snapshot!(refused_file(BOTS), @r#"
    exit 2
      × the tournament has no game
      help: write game = "othello" or game = "gomoku"
    "#);
    assert_snapshot!(refused_file("game = \"othello\"\n"), @r#"
    exit 2
      × 0 bots are too few
      help: a tournament needs at least two [[bot]]
    "#);
    assert_snapshot!(refused_file(&format!("game = \"othelo\"\n{BOTS}")), @r#"
    exit 2
      × unknown game "othelo"
       ╭─[my.toml:1:8]
     1 │ game = "othelo"
       ·        ────┬───
       ·            ╰── here
     2 │ [[bot]]
       ╰────
      help: did you mean "othello"?
    "#);
    assert_snapshot!(refused_file(&format!("game = \"othello\"\nmoves_ms = 100\n{BOTS}")), @r#"
    exit 2
      × unknown key "moves_ms"
       ╭─[my.toml:2:1]
     1 │ game = "othello"
     2 │ moves_ms = 100
       · ────┬───
       ·     ╰── here
     3 │ [[bot]]
       ╰────
      help: did you mean "move_ms"?
    "#);
}

#[test]
fn bots_in_files() {
    assert_snapshot!(refused_file(&format!("game = \"othello\"\n{BOTS}[[bot]]\nuse = \"alfabeta\"\n")), @r#"
    exit 2
      × unknown bot "alfabeta"
       ╭─[my.toml:7:7]
     6 │ [[bot]]
     7 │ use = "alfabeta"
       ·       ─────┬────
       ·            ╰── here
       ╰────
      help: did you mean "alphabeta"?
    "#);
    assert_snapshot!(refused_file(&format!("game = \"othello\"\n{BOTS}[[bot]]\nname = \"../x\"\nuse = \"random\"\n")), @r#"
    exit 2
      × "../x" cannot be a bot's name
       ╭─[my.toml:7:8]
     6 │ [[bot]]
     7 │ name = "../x"
       ·        ───┬──
       ·           ╰── here
     8 │ use = "random"
       ╰────
      help: use 1 to 64 letters, digits, dots, dashes and underscores
    "#);
    assert_snapshot!(refused_file(&format!("game = \"othello\"\n{BOTS}[[bot]]\nuse = \"greedy\"\n")), @r#"
    exit 2
      × two bots have the name greedy
       ╭─[my.toml:6:1]
     5 │ use = "greedy"
     6 │ [[bot]]
       · ───┬───
       ·    ╰── here
     7 │ use = "greedy"
       ╰────
      help: give one of them another name: name = "…", or NAME=… on a command line
    "#);
    assert_snapshot!(refused_file(&format!("game = \"othello\"\n{BOTS}[[bot]]\n")), @r#"
    exit 2
      × this bot has neither `use` nor `command`
       ╭─[my.toml:6:1]
     5 │ use = "greedy"
     6 │ [[bot]]
       · ───┬───
       ·    ╰── here
       ╰────
      help: write use = "greedy" or command = ["python3", "my_bot.py"]
    "#);
    assert_snapshot!(refused_file("game = \"othello\"\n[[bot]]\nuse = \"greedy\"\n[[bot]]\nuse = \"alphabeta\"\noptions = { depth = 99 }\n"), @r#"
    exit 2
      × alphabeta: a depth of 99
       ╭─[my.toml:6:11]
     5 │ use = "alphabeta"
     6 │ options = { depth = 99 }
       ·           ───────┬──────
       ·                  ╰── here
       ╰────
      help: choose 1 to 60
    "#);
    assert_snapshot!(refused_file(&format!("game = \"othello\"\nname = \"../up\"\n{BOTS}")), @r#"
    exit 2
      × "../up" cannot be the name of a run
       ╭─[my.toml:2:8]
     1 │ game = "othello"
     2 │ name = "../up"
       ·        ───┬───
       ·           ╰── here
     3 │ [[bot]]
       ╰────
      help: it is also a folder name: use letters, digits, dots, dashes and underscores
    "#);
}

#[test]
fn numbers_out_of_range() {
    assert_snapshot!(refused_file(&format!("game = \"othello\"\nmove_ms = -1\n{BOTS}")), @r#"
    exit 2
      × move_ms = -1 is out of range
       ╭─[my.toml:2:11]
     1 │ game = "othello"
     2 │ move_ms = -1
       ·           ─┬
       ·            ╰── here
     3 │ [[bot]]
       ╰────
      help: choose 0 to 604800000
    "#);
    assert_snapshot!(refused_file(&format!("game = \"othello\"\nmove_ms = \"fast\"\n{BOTS}")), @r#"
    exit 2
      × expected a whole number, not the text "fast"
       ╭─[my.toml:2:11]
     1 │ game = "othello"
     2 │ move_ms = "fast"
       ·           ───┬──
       ·              ╰── here
     3 │ [[bot]]
       ╰────
    "#);
    assert_snapshot!(refused_words(&["match", "random", "greedy", "--move-ms", "-5"]), @r#"
    exit 2
      × move_ms = -5 is out of range
      help: choose 0 to 604800000
    "#);
    assert_snapshot!(refused_words(&["match", "random", "greedy", "--games", "3"]), @r#"
    exit 2
      × 3 games cannot be played in pairs
      help: every opening is played with both colours: write 2 or 4
    "#);
    assert_snapshot!(refused_words(&["match", "random", "greedy", "--games", "0"]), @r#"
    exit 2
      × games = 0 is out of range
      help: choose 2 to 100000000
    "#);
    assert_snapshot!(refused_words(&["match", "random", "greedy", "-j", "0"]), @r#"
    exit 2
      × concurrency = 0 is out of range
      help: choose 1 to 1024
    "#);
    assert_snapshot!(refused_words(&["match", "random", "greedy", "--game", "gomoku", "--size", "4"]), @r#"
    exit 2
      × gomoku is not played on a board of 4: choose 5 to 22
    "#);
    assert_snapshot!(refused_words(&["match", "random", "greedy", "--size", "10"]), @r#"
    exit 2
      × othello is not played on a board of 10: it is played on 8
    "#);
    assert_snapshot!(refused_words(&["match", "random", "greedy", "--game", "gomoku", "--rules", "renjo"]), @r#"
    exit 2
      × gomoku has no rules "renjo": there are freestyle, standard and renju
    "#);
    assert_snapshot!(refused_file(&format!("game = \"gomoku\"\nsize = 23\n{BOTS}")), @r#"
    exit 2
      × gomoku is not played on a board of 23: choose 5 to 22
       ╭─[my.toml:2:8]
     1 │ game = "gomoku"
     2 │ size = 23
       ·        ─┬
       ·         ╰── here
     3 │ [[bot]]
       ╰────
    "#);
    assert_snapshot!(refused_words(&["perft", "othello", "3", "--after", "a1"]), @r#"
    exit 2
      × move 1: a1 is not a legal move for black: it turns over no disc
    "#);
}
