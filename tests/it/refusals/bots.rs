//! Bots that are not there, cannot be started or cannot be built.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use insta::assert_snapshot;

use super::{refused, refused_words, without_list};
use crate::common::Desk;

#[test]
fn bots_that_do_not_exist() {
    assert_snapshot!(refused_words(&["match", "randon", "greedy"]), @r#"
    exit 2
      × unknown bot "randon"
      help: did you mean "random"?
    "#);
    assert_snapshot!(without_list(&refused_words(&["match", "stockfish", "greedy"])), @r#"
    exit 2
      × unknown bot "stockfish"
      help: there are …
    "#);
    assert_snapshot!(refused_words(&["match", "./my_bot.py", "greedy"]), @r#"
    exit 2
      × there is no file or folder ./my_bot.py
    "#);
    assert_snapshot!(refused_words(&["match", "mobility", "greedy", "--game", "gomoku"]), @r#"
    exit 2
      × mobility does not play gomoku
      help: it plays othello
    "#);
    assert_snapshot!(refused_words(&["match", "minimax:dept=3", "greedy"]), @r#"
    exit 2
      × minimax has no option "dept"
      help: did you mean "depth"?
    "#);
    assert_snapshot!(refused_words(&["match", "minimax:depth=0", "greedy"]), @r#"
    exit 2
      × minimax cannot use depth = 0
      help: depth: Plies to look ahead, 1 to 20
    "#);
    assert_snapshot!(refused_words(&["match", "alphabeta:depth=-3", "greedy"]), @r#"
    exit 2
      × alphabeta cannot use depth = -3
      help: depth: Search this many plies, 1 to 60, whatever the level
    "#);
    assert_snapshot!(refused_words(&["match", "minimax:depth=21", "greedy"]), @r#"
    exit 2
      × minimax: a depth of 21 is out of the range 1 to 20
    "#);
    assert_snapshot!(refused_words(&["match", "a=random", "A=greedy"]), @r#"
    exit 2
      × two bots have the names a and A
      help: give one of them another name: name = "…", or NAME=… on a command line
    "#);
    assert_snapshot!(without_list(&refused_words(&["bot", "randon"])), @r#"
    exit 2
      × there is no reference opponent "randon": there are …
    "#);
}

#[test]
fn files_that_are_no_programs_by_their_kind() {
    let desk = Desk::new();
    desk.write("report.pdf", "no program");
    assert_snapshot!(refused(&desk, &["match", "report.pdf", "greedy"]), @r#"
    exit 2
      × report.pdf is a document, not a bot
      help: use the program itself
    "#);
    // In a tournament file, too, and there with its place.
    desk.write("notebook.ipynb", "{}");
    let bots = "[[bot]]\nuse = \"notebook.ipynb\"\n[[bot]]\nuse = \"greedy\"\n";
    desk.write("t.toml", &format!("game = \"othello\"\n{bots}"));
    let said = refused(&desk, &["run", "t.toml"]);
    assert!(said.contains("notebook.ipynb is a notebook"), "{said}");
    assert!(said.contains("t.toml:3"), "{said}");
}

#[test]
fn programs_that_cannot_be_started() {
    let desk = Desk::new();
    let refused = |words: &[&str]| {
        let words: Vec<&str> = ["match"].iter().chain(words).copied().collect();
        refused(&desk, &words)
    };
    assert_snapshot!(refused(&["mine=nothing-here --fast", "greedy"]), @r#"
    exit 3
    error: bot mine cannot be used: did not start: there is no program nothing-here
      it was started as: nothing-here --fast
      help: arena check BOT shows what is wrong and how to fix it
    "#);
    assert_snapshot!(refused(&["./nothing-here --fast", "greedy"]), @r#"
    exit 3
    error: bot nothing-here cannot be used: did not start: there is no program ./nothing-here
      it was started as: ./nothing-here --fast
      help: arena check BOT shows what is wrong and how to fix it
    "#);

    desk.write("plain", "no program");
    assert_snapshot!(refused(&["./plain", "greedy"]), @r#"
    exit 3
    error: bot plain cannot be used: did not start: ./plain is not executable: try chmod +x ./plain
      it was started as: ./plain
      help: arena check BOT shows what is wrong and how to fix it
    "#);

    for (name, text) in [
        ("lost", "#!/usr/bin/pyton3\n"),
        ("noise", "\u{1}\u{2}\u{3}"),
        ("silent", "#!/bin/sh\nexit 0\n"),
        ("talkative", "#!/bin/sh\necho Hello\n"),
        (
            "broken",
            "#!/bin/sh\necho 'cannot find weights.bin' >&2\nexit 5\n",
        ),
    ] {
        let path = desk.write(name, text);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("executable");
    }
    assert_snapshot!(refused(&["./lost", "greedy"]), @r#"
    exit 3
    error: bot lost cannot be used: did not start: ./lost: the interpreter named in its first line is not there
      it was started as: ./lost
      help: arena check BOT shows what is wrong and how to fix it
    "#);
    // Without ./ it is the same file; in a command it would be looked for in the PATH, as in a shell.
    assert_snapshot!(refused(&["lost", "greedy"]), @r#"
    exit 3
    error: bot lost cannot be used: did not start: ./lost: the interpreter named in its first line is not there
      it was started as: ./lost
      help: arena check BOT shows what is wrong and how to fix it
    "#);
    assert_snapshot!(refused(&["lost --fast", "greedy"]), @r#"
    exit 3
    error: bot lost cannot be used: did not start: there is no program lost in the PATH: ./lost is the one in its folder
      it was started as: lost --fast
      help: arena check BOT shows what is wrong and how to fix it
    "#);
    assert_snapshot!(refused(&["./noise", "greedy"]), @r#"
    exit 3
    error: bot noise cannot be used: did not start: ./noise is not a program for this machine, or a script without a first line such as #!/usr/bin/env python3
      it was started as: ./noise
      help: arena check BOT shows what is wrong and how to fix it
    "#);
    assert_snapshot!(refused(&["./silent", "greedy"]), @r#"
    exit 3
    error: bot silent cannot be used: did not start: ended before it sent ready: exit status 0
      it was started as: ./silent
      help: arena check BOT shows what is wrong and how to fix it
    "#);
    assert_snapshot!(refused(&["./talkative", "greedy"]), @r#"
    exit 3
    error: bot talkative cannot be used: wrote "Hello": not a message (it is not JSON)
      it was started as: ./talkative
      help: arena check BOT shows what is wrong and how to fix it
    "#);
    assert_snapshot!(refused(&["./broken", "greedy"]), @r#"
    exit 3
    error: bot broken cannot be used: did not start: ended before it sent ready: exit status 5
      it was started as: ./broken
      it wrote to its standard error:
        cannot find weights.bin
      help: arena check BOT shows what is wrong and how to fix it
    "#);

    fs::create_dir(desk.path("empty")).expect("a folder");
    assert_snapshot!(refused(&["empty", "greedy"]), @r#"
    exit 2
      × the folder empty has no bot: neither bot.toml nor bot.py, main.py, bot.js, main.js
      help: write a bot.toml with command = ["python3", "my_bot.py"]
    "#);
}

#[test]
fn bots_that_cannot_be_built() {
    let desk = Desk::new();
    fs::create_dir(desk.path("bad")).expect("a folder");
    let refused = |build: &str| {
        let manifest = format!("build = [{build}]\ncommand = [\"./bot\"]\n");
        desk.write("bad/bot.toml", &manifest);
        refused(&desk, &["match", "bad", "greedy"])
    };
    desk.write("bad/bot.sh", "echo bot.c:3: no semicolon\nexit 1\n");
    assert_snapshot!(refused("\"sh\", \"bot.sh\""), @r#"
    exit 3
    building bad: sh bot.sh
    error: bot bad cannot be built: exit status 1
      build command: cd [desk]/bad && sh bot.sh
      output of the build:
        bot.c:3: no semicolon
      help: arena check BOT shows what is wrong and how to fix it
    "#);
    assert_snapshot!(refused("\"no-such-compiler\""), @r#"
    exit 3
    building bad: no-such-compiler
    error: bot bad cannot be built: there is no program no-such-compiler
      build command: cd [desk]/bad && no-such-compiler
      help: arena check BOT shows what is wrong and how to fix it
    "#);
    // It says that it went well, and has made nothing.
    assert_snapshot!(refused("\"true\""), @r#"
    exit 3
    building bad: true
    error: bot bad cannot be used: did not start: there is no program ./bot
      it was started as: ./bot
      help: arena check BOT shows what is wrong and how to fix it
    "#);
}
