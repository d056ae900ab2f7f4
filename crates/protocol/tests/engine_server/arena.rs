//! Tests the bot loop with good and bad input.

use std::io::{self, BufReader};

use crate::dialogues::rows;
use games::Move;
use protocol::{Bot, Info, MAX_LINE, Question, Start, serve};

/// A bot that plays the first legal move and reports the number of legal moves. It refuses boards other than 8×8.
struct First;

impl Bot for First {
    fn name(&self) -> &'static str {
        "first"
    }

    fn version(&self) -> &'static str {
        "7"
    }

    fn start(&mut self, start: &Start) -> Result<(), String> {
        match start.game.size() {
            8 => Ok(()),
            size => Err(format!("I know no board of {size}")),
        }
    }

    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move {
        let legal = question.legal();
        say(&Info {
            nodes: Some(legal.len() as u64),
            ..Info::default()
        });
        Move::Place(legal[0])
    }
}

fn dialogue(input: &[u8]) -> (io::Result<()>, String) {
    let mut output = Vec::new();
    let result = serve(&mut First, BufReader::with_capacity(7, input), &mut output);
    (result, String::from_utf8(output).unwrap())
}

const HELLO: &str = r#"{"type":"hello","protocol":1,"game":"othello","rules":"standard","size":8,"you":"black","move_ms":0,"game_ms":0,"increment_ms":0,"memory_mib":0,"seed":1}"#;
const TURN: &str = r#"{"type":"turn","id":7,"you":"black","board":["........","........","........","...OX...","...XO...","........","........","........"],"legal":["d3","c4","f5","e6"],"moves":[],"left_ms":0,"opponent_left_ms":0}"#;
const READY: &str = "{\"type\":\"ready\",\"name\":\"first\",\"version\":\"7\"}\n";
const MOVE: &str =
    "{\"type\":\"info\",\"nodes\":4}\n{\"type\":\"move\",\"id\":7,\"move\":\"d3\"}\n";

#[test]
fn two_games_and_goodbye() {
    let over = r#"{"type":"over","result":"win","reason":"discs","black":40,"white":24}"#;
    let game = format!("{HELLO}\n{TURN}\n{over}\n");
    let (result, printed) =
        dialogue(format!("{game}{game}{{\"type\":\"quit\"}}\n{TURN}\n").as_bytes());
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(
        printed,
        format!("{READY}{MOVE}{READY}{MOVE}"),
        "nothing after quit"
    );
}

#[test]
fn what_changes_nothing_is_tolerated() {
    let unknown = r#"{"type":"weather","id":"x"}"#;
    let field = TURN.replace("\"id\":7", "\"later\":[{}],\"id\":7");
    for input in [
        format!("{HELLO}\n{TURN}\n"),
        format!("{HELLO}\r\n{TURN}\r\n"),
        format!("\u{feff}{HELLO}\n{TURN}\n"),
        format!("\n \n{HELLO}\n\r\n\t{TURN}  \n\n"),
        format!("{unknown}\n{HELLO}\n{unknown}\n{TURN}\n{unknown}\n"),
        format!("{HELLO}\n{field}\n"),
        format!("{HELLO}\n{TURN}"),
    ] {
        let (result, printed) = dialogue(input.as_bytes());
        assert!(result.is_ok(), "{input:?}: {result:?}");
        assert_eq!(printed, format!("{READY}{MOVE}"), "{input:?}");
    }
}

/// Each line of `misread.txt` has the part of a bad line that the error shows, and the reason in the error.
#[test]
fn what_is_not_understood_is_named_with_the_reason() {
    for [sent, from, to, line, why] in rows(include_str!("misread.txt")) {
        let to = to.replace("\\ufeff", "\u{feff}");
        let input = match sent {
            "hello" => HELLO.replace(from, &to),
            "lone turn" => TURN.to_owned(),
            "turn" => format!("{HELLO}\n{}", TURN.replace(from, &to)),
            _ => to,
        };
        let (result, printed) = dialogue(format!("{input}\n").as_bytes());
        let error = result.expect_err(&input);
        assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{input}");
        let text = error.to_string();
        assert!(text.starts_with("cannot understand "), "{input}: {text}");
        assert!(text.contains(line) && text.contains(why), "{input}: {text}");
        assert!(!printed.contains("move"), "{input}: {printed}");
    }
}

#[test]
fn a_line_that_is_not_utf_8_is_not_understood() {
    let error = dialogue(b"\"\xff\"\n").0.expect_err("not UTF-8");
    assert!(error.to_string().contains("cannot understand"), "{error}");
}

#[test]
fn a_line_over_the_limit_is_refused_without_being_kept() {
    let longest = format!("{HELLO}{}", " ".repeat(MAX_LINE - HELLO.len()));
    let (result, printed) = dialogue(format!("{longest}\n").as_bytes());
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(printed, READY);
    let error = dialogue(format!("{longest} \n").as_bytes()).0.unwrap_err();
    assert_eq!(error.to_string(), "a line of more than 65536 bytes");
    // Without a limit, reading this line would never end.
    let endless = BufReader::new(io::repeat(b'x'));
    let error = serve(&mut First, endless, io::sink()).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
}

#[test]
fn a_reader_that_is_gone_is_an_error() {
    let mut full = [0_u8; 4];
    let input = format!("{HELLO}\n");
    let error = serve(&mut First, input.as_bytes(), &mut full[..]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::WriteZero);
}
