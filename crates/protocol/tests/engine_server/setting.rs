//! Refused settings, with messages that say how to fix them.

use super::{First, engine_protocol, setting};
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
    type Row = (String, String, Option<String>, Option<String>, String);
    for (bot, protocol, game, rules, words) in cases::cases::<Row>("engine-settings") {
        let wanted = Setting {
            game,
            rules,
            ..setting(engine_protocol(&protocol))
        };
        let said = match bot.as_str() {
            "mobility" => refusal(&mut OthelloAlone, &wanted),
            _ => refusal(&mut First::default(), &wanted),
        };
        assert_eq!(said, words, "{wanted:?}");
    }
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
