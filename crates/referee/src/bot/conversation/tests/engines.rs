//! The same talk with an engine that speaks Gomocup.

use super::*;

/// An engine of Gomocup that is greeted for a game on 15×15.
fn engine_greeted(start: Instant) -> Conversation {
    let mut talk = Conversation::new(Protocol::Gomocup.dialect(&[]));
    let game = games::Game::new("gomoku", None, None).expect("a game");
    let hello = protocol::Start {
        game,
        you: games::Side::Black,
        move_time: Some(MOVE),
        game_time: None,
        increment: Duration::ZERO,
        memory_mib: None,
        seed: 1,
    };
    talk.dialect().hello(&hello, &mut Vec::new());
    talk.greet(HANDSHAKE, start);
    talk.on(Event::Written, start);
    talk
}

fn said(step: Step) -> String {
    match step {
        Step::Fault(fault) => fault.to_string(),
        other => word(&other),
    }
}

#[test]
fn an_engine_that_does_not_answer_is_shown_with_what_was_sent_and_what_came() {
    let start = Instant::now();
    let gone = Exit::Status(3);
    for (output, event, at, expected) in [
        (
            "",
            Event::Tick,
            HANDSHAKE,
            "did not answer \"START 15\" within 10 s",
        ),
        (
            "First 1.0\r\rready\r",
            Event::Tick,
            HANDSHAKE,
            "did not answer \"START 15\" within 10 s; the last it wrote was \"ready\"",
        ),
        (
            "",
            Event::Exited(gone),
            ms(1),
            "did not start: ended before it answered \"START 15\": exit status 3",
        ),
        (
            "ERROR no\r\n",
            Event::Tick,
            ms(1),
            "wrote \"ERROR no\": in answer to \"START 15\"",
        ),
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
        let ready = talk.on(Event::Output(b"MESSAGE hello\rOK\r"), start);
        assert_eq!(word(&ready), "ready ");
        talk.ask(allowance(), start);
        talk.on(Event::Written, start);
        assert_eq!(word(&talk.on(Event::Output(b"7,7\r"), start)), "answer h8");
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
