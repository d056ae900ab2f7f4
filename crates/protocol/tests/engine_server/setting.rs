//! Refused settings, with messages that say how to fix them.

use super::{First, setting};
use protocol::engine_server::{EngineProtocol, Setting, speak};
use protocol::{Bot, Info, Question, Start};

struct OthelloAlone;

impl Bot for OthelloAlone {
    fn name(&self) -> &'static str {
        "mobility"
    }

    fn start(&mut self, start: &Start) -> Result<(), String> {
        if start.game == games::Game::OTHELLO {
            return Ok(());
        }
        Err(format!("I do not play {}", start.game.name()))
    }

    fn choose(&mut self, _: &Question, _: &mut dyn FnMut(&Info)) -> games::Move {
        unreachable!("it is never asked")
    }
}

fn refusal(bot: &mut dyn Bot, setting: &Setting) -> String {
    let result = speak(bot, setting, &b""[..], Vec::new());
    result.map_or_else(|bad| bad.to_string(), |()| "fine".to_owned())
}

#[test]
fn each_refusal_says_what_and_why() {
    let with = |protocol, game: Option<&str>, rules: Option<&str>| Setting {
        game: game.map(str::to_owned),
        rules: rules.map(str::to_owned),
        ..setting(protocol)
    };
    let (gomocup, gtp, botzone) = (
        EngineProtocol::Gomocup,
        EngineProtocol::Gtp,
        EngineProtocol::Botzone,
    );
    for (wrong, words) in [
        (with(gomocup, None, None), "fine"),
        (with(gomocup, None, Some("renju")), "fine"),
        (with(gtp, None, Some("renju")), "fine"),
        (
            with(gomocup, Some("othello"), None),
            "the protocol gomocup does not support othello; it supports gomoku",
        ),
        (
            with(gtp, Some("chess"), None),
            "unknown game \"chess\"; valid values: othello and gomoku",
        ),
        (
            with(gtp, Some("gomoku"), Some("pente")),
            "gomoku has no rules \"pente\"; valid values: freestyle, standard, renju and caro",
        ),
        (
            with(gtp, Some("othello"), Some("renju")),
            "othello has no rules \"renju\"; valid values: standard",
        ),
        (
            with(botzone, None, None),
            "botzone does not name the game: add --game othello or --game gomoku",
        ),
        (
            with(EngineProtocol::Arena, Some("othello"), None),
            "--game is only for other protocols: the arena's own protocol sends the game, its rules and the seed",
        ),
    ] {
        assert_eq!(refusal(&mut First::default(), &wrong), words, "{wrong:?}");
    }
    let refused = refusal(&mut OthelloAlone, &with(gomocup, None, None));
    assert_eq!(
        refused,
        "mobility cannot speak gomocup: I do not play gomoku"
    );
    assert_eq!(
        refusal(&mut OthelloAlone, &with(botzone, None, None)),
        "fine"
    );
}

/// Lines arrive in pieces and end with CR, LF or both; a line over the limit is an unknown command.
#[test]
fn lines_end_in_any_way() {
    let long = "x".repeat(protocol::MAX_LINE + 2);
    for (input, printed) in [
        ("START 15\r\nBEGIN\r\nEND\r\nBEGIN\r\n", "OK\n0,0\n"),
        ("START 15\rBEGIN\rEND\rBEGIN\r", "OK\n0,0\n"),
        ("\nSTART 15\n\n\nBEGIN", "OK\n0,0\n"),
        (
            &format!("START 15\n{long}\nBEGIN\n"),
            "OK\nUNKNOWN unknown command \"xx",
        ),
    ] {
        let mut output = Vec::new();
        let pieces = std::io::BufReader::with_capacity(7, input.as_bytes());
        speak(
            &mut First::default(),
            &setting(EngineProtocol::Gomocup),
            pieces,
            &mut output,
        )
        .expect("nothing ends it");
        let output = String::from_utf8(output).expect("text");
        assert!(output.starts_with(printed), "{output:?}");
        assert!(printed.ends_with("xx") || output == printed, "{output:?}");
        assert!(output.ends_with("0,0\n"), "{output:?}");
    }
}
