//! A `bot.toml` with a mistake in it.

use std::fs;

use insta::assert_snapshot;

use super::{BOTS, refused};
use crate::common::Desk;

#[test]
fn manifests() {
    let desk = Desk::new();
    fs::create_dir(desk.path("bad")).expect("a folder");
    let refused = |manifest: &str, word: &str| {
        desk.write("bad/bot.toml", manifest);
        refused(&desk, &["match", word, "greedy"])
    };
    assert_snapshot!(refused("comand = [\"python3\"]\n", "bad"), @r#"
    exit 2
      × unknown key "comand"
       ╭─[bad/bot.toml:1:1]
     1 │ comand = ["python3"]
       · ───┬──
       ·    ╰── here
       ╰────
      help: did you mean "command"?
    "#);
    assert_snapshot!(refused("name = \"mine\"\n", "bad"), @r#"
    exit 2
      × bad/bot.toml: the manifest has no command
      help: write command = ["python3", "my_bot.py"]
    "#);
    assert_snapshot!(refused("command = [\"./bot\", \"-d{depth}\"]\n", "bad"), @r#"
    exit 2
      × there is no option for {depth}
       ╭─[bad/bot.toml:1:21]
     1 │ command = ["./bot", "-d{depth}"]
       ·                     ─────┬─────
       ·                          ╰── here
       ╰────
      help: add it with its default value: options = { depth = 4 }
    "#);
    assert_snapshot!(refused("command = [\"x\"]\ngames = [\"gomuko\"]\n", "bad"), @r#"
    exit 2
      × unknown game "gomuko"
       ╭─[bad/bot.toml:2:10]
     1 │ command = ["x"]
     2 │ games = ["gomuko"]
       ·          ────┬───
       ·              ╰── here
       ╰────
      help: did you mean "gomoku"?
    "#);
    assert_snapshot!(refused("command = [\"x\"]\ngames = [\"gomoku\"]\n", "bad"), @r#"
    exit 2
      × bad does not play othello
      help: its bot.toml says that it plays gomoku
    "#);
    assert_snapshot!(refused("command = [\"x\"]\noptions = { depth = 4 }\n", "bad:dept=5"), @r#"
    exit 2
      × bad has no option "dept"
      help: did you mean "depth"?
    "#);
    // What stands in another file is shown there.
    desk.write(
        "my.toml",
        &format!("game = \"othello\"\n{BOTS}[[bot]]\nuse = \"bad\"\n"),
    );
    desk.write(
        "bad/bot.toml",
        "command = [\"x\"]\nmemory_mib = \"1 GiB\"\n",
    );
    assert_snapshot!(super::refused(&desk, &["run", "my.toml"]), @r#"
    exit 2
      × expected a whole number, not the text "1 GiB"
       ╭─[bad/bot.toml:2:14]
     1 │ command = ["x"]
     2 │ memory_mib = "1 GiB"
       ·              ───┬───
       ·                 ╰── here
       ╰────
    "#);
}

/// A hand-in's text must not reach a terminal that obeys it.
#[test]
fn what_a_terminal_obeys_is_shown_and_not_sent() {
    let desk = Desk::new();
    fs::create_dir(desk.path("bad")).expect("a folder");
    let manifest = "x = \"\u{1b}]0;owned\u{7}\" # \u{202e}evil\u{2066}\ncomand = [\"\u{9b}2J\"]\n";
    desk.write("bad/bot.toml", manifest);
    for text in [manifest, "x\u{1b}[2J = 1\n", "\u{1b}[2J\n"] {
        desk.write("bad/bot.toml", text);
        let output = desk.run(["match", "bad", "greedy"]);
        assert_eq!(output.status.code(), Some(2));
        let said = crate::common::both(&output);
        let obeyed = said.chars().filter(|c| {
            (c.is_control() && *c != '\n')
                || ('\u{202a}'..='\u{202e}').contains(c)
                || *c == '\u{2066}'
        });
        assert_eq!(obeyed.count(), 0, "{said:?}");
        assert!(said.contains("bad/bot.toml"), "{said}");
    }
}
