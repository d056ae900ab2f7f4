//! The same talk with an engine that speaks Gomocup.

use super::*;

/// An engine of Gomocup that is greeted for a game on 15×15.
fn engine_greeted(start: Instant) -> Conversation {
    let mut talk = Conversation::new(Protocol::Gomocup.dialect(&[]));
    let game = games::Game::new("gomoku", None, None).expect("a game");
    let hello = protocol::Start {
        move_time: Some(MOVE),
        ..protocol::Start::untimed(game, games::Side::Black)
    };
    talk.dialect().hello(&hello, &mut Vec::new());
    talk.greet(HANDSHAKE, start);
    talk.on(Event::Written, start);
    talk
}

#[test]
fn an_engine_that_does_not_answer_is_shown_with_what_was_sent_and_what_came() {
    let start = Instant::now();
    let gone = Exit::Status(3);
    let silent = r#"did not answer "START 15" within 10 s"#;
    let last = |line: &str| format!("{silent}; its last line was {line:?}");
    let ended = r#"did not start: ended before it answered "START 15": exit status 3"#;
    let wrote = r#"wrote "ERROR no": in answer to "START 15""#;
    let refusal = "name=\"first\"\r\nERROR no\r\n";
    for (output, event, at, expected) in [
        ("", Event::Tick, HANDSHAKE, silent),
        (
            "First 1.0\r\rready\r",
            Event::Tick,
            HANDSHAKE,
            &last("ready"),
        ),
        ("", Event::Exited(gone), ms(1), ended),
        (refusal, Event::Tick, ms(1), wrote),
        // Of what was sent before, for all that can be known.
        ("ERROR no\r\n", Event::Tick, HANDSHAKE, &last("ERROR no")),
    ] {
        let mut talk = engine_greeted(start);
        let mut step = talk.on(Event::Output(output.as_bytes()), start);
        if let Step::Wait(_) = step {
            step = talk.on(event, start + at);
        }
        assert_eq!(said(step), expected, "{output:?}");
    }
}

#[test]
fn an_engine_may_chatter_but_not_answer_unasked() {
    let start = Instant::now();
    for (between, expected) in [
        ("MESSAGE mate in 3\r\nDEB", "answer i9"),
        ("", "answer i9"),
        ("\r\r", "answer i9"),
        ("9,9\r\n", "unasked-output"),
    ] {
        let mut talk = engine_greeted(start);
        let ready = heard(&mut talk, b"MESSAGE hello\rOK\r", start);
        assert_eq!(ready, "ready ");
        talk.ask(allowance(), start);
        talk.on(Event::Written, start);
        assert_eq!(heard(&mut talk, b"7,7\r", start), "answer h8");
        talk.on(Event::Output(between.as_bytes()), start);
        let mut step = talk.ask(allowance(), start);
        if let Step::Wait(_) = step {
            talk.on(Event::Written, start);
            let rest = b"\nMESSAGE depth 9 ev -3\n8,8\n";
            step = talk.on(Event::Output(rest), start + ms(7));
        }
        assert_eq!(word(&step), expected, "{between:?}");
    }
}

/// The clock of a question goes on while it is sent again, and what is there already is read.
#[test]
fn a_lost_question_is_sent_again_in_time() {
    let start = Instant::now();
    let lost = "ERROR Unknown command: 6,6\r\n";
    let wrote = r#"wrote "ERROR Unknown command: 6,6": in answer to "TURN 6,6""#;
    for (after, expected) in [
        (Some("8,8\r\n"), "answer i9"),
        (Some(lost), wrote),
        (None, "used 120.0 ms of the 100.0 ms it had for the move"),
    ] {
        let mut talk = engine_in_its_second_turn(start);
        let again = heard(&mut talk, lost.as_bytes(), start + ms(30));
        assert_eq!(again, "write \"TURN 6,6\\r\\n\"");
        let written = talk.on(Event::Written, start + ms(31));
        let same_clock = start + MOVE + MARGIN;
        assert_eq!(written, Step::Wait(Some(same_clock)));
        let step = match after {
            Some(line) => talk.on(Event::Output(line.as_bytes()), start + ms(40)),
            None => talk.on(Event::Tick, start + MOVE + MARGIN),
        };
        assert_eq!(said(step), expected);
    }
}

/// An answer that refuses nobody knows what is waited out, and named when nothing better came.
#[test]
fn a_refusal_in_doubt_is_charged_when_the_flag_falls() {
    let start = Instant::now();
    let wrote = r#"wrote "UNKNOWN": in answer to "TURN 6,6""#;
    for (after, at, expected) in [("8,8\n", ms(40), "answer i9"), ("", MOVE + MARGIN, wrote)] {
        let mut talk = engine_in_its_second_turn(start);
        let doubtful = talk.on(Event::Output(b"UNKNOWN\n"), start + ms(30));
        assert_eq!(doubtful, Step::Wait(Some(start + MOVE + MARGIN)));
        let mut step = talk.on(Event::Output(after.as_bytes()), start + at);
        if let Step::Wait(_) = step {
            step = talk.on(Event::Tick, start + at);
        }
        assert_eq!(said(step), expected);
    }
}

/// An engine that has answered h8 and is asked again.
fn engine_in_its_second_turn(start: Instant) -> Conversation {
    let mut talk = engine_greeted(start);
    talk.on(Event::Output(b"OK\n"), start);
    asked_for(&mut talk, &["h8"], start);
    assert_eq!(heard(&mut talk, b"9,9\n", start), "answer j10");
    asked_for(&mut talk, &["h8", "j10", "g7"], start);
    talk
}

/// Asks for a move after these.
fn asked_for(talk: &mut Conversation, moves: &[&str], now: Instant) {
    let game = games::Game::new("gomoku", None, None).expect("a game");
    let (moves, board) = games::parse_transcript(game, &moves.concat()).expect("legal");
    talk.ask(allowance(), now);
    let question = crate::dialect::Question {
        board: &board,
        legal: &[],
        moves: &moves,
        left_ms: [0; 2],
        moves_to_go: None,
    };
    let id = talk.id();
    talk.dialect().turn(id, &question, &mut Vec::new());
    talk.on(Event::Written, now);
}
