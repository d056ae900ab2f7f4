//! What a bot says when nobody asked, how it goes, and what it may say after a game or a fault.

use super::*;

#[test]
fn output_that_nobody_asked_for() {
    let start = Instant::now();
    for (rest, expected) in [
        ("", "wait"),
        ("\r\n  \n", "wait"),
        ("{\"move\":\"e6\"}\n", "unasked-output"),
        ("{\"move\":", "unasked-output"),
        ("{\"type\":\"info\",\"depth\":1}\n", "unasked-output"),
        ("x", "unasked-output"),
    ] {
        // In one piece with the answer, or while the opponent thinks: it is the same.
        for apart in [false, true] {
            let mut talk = asked(start);
            let (answer, rest) = ("{\"move\":\"d3\"}\n", rest.as_bytes());
            let first: &[u8] = if apart { b"" } else { rest };
            let first = heard(&mut talk, &[answer.as_bytes(), first].concat(), start);
            assert_eq!(first, "answer d3", "{rest:?}");
            if apart {
                let later = talk.on(Event::Output(rest), start);
                assert_eq!(later, Step::Wait(None));
            }
            let next = word(&talk.ask(allowance(), start));
            assert_eq!(next, expected, "{rest:?} apart: {apart}");
        }
    }
}

#[test]
fn half_a_line_before_the_question_is_held_against_the_bot_and_half_after_it_is_not() {
    let start = Instant::now();
    let mut talk = Conversation::default();
    talk.ask(allowance(), start);
    // The question is in the pipe, in part: what comes now may be its answer.
    assert_eq!(heard(&mut talk, b"{\"move\":", start), "wait");
    assert_eq!(word(&talk.on(Event::Written, start + ms(1))), "wait");
    let whole = heard(&mut talk, b"\"d3\"}\n", start + ms(2));
    assert_eq!(whole, "answer d3");
}

#[test]
fn a_flood_while_the_question_is_being_written_is_not_gathered() {
    let start = Instant::now();
    let mut talk = Conversation::default();
    talk.ask(allowance(), start);
    let piece = vec![b'\n'; MAX_LINE];
    assert_eq!(heard(&mut talk, &piece, start), "wait");
    assert_eq!(heard(&mut talk, b"\n", start), "unasked-output");
}

#[test]
fn a_bot_that_is_gone() {
    let start = Instant::now();
    let exit = Exit::Status(3);
    let killed = Exit::Signal(11);
    let crashed = |status| Step::Fault(Fault::Crashed { status });
    let closing = Step::Wait(Some(start + CLOSING));

    // In the middle of a question, by its status or a signal, with or without its output closed
    // first.
    assert_eq!(asked(start).on(Event::Exited(exit), start), crashed(exit));
    let mut talk = asked(start);
    assert_eq!(talk.on(Event::OutputClosed, start), closing);
    let ended = talk.on(Event::Exited(killed), start + ms(1));
    assert_eq!(ended, crashed(killed));

    // The output alone: a moment later that is a fault of its own.
    let mut talk = asked(start);
    talk.on(Event::OutputClosed, start);
    let fallen = falls_at(&mut talk, start + CLOSING);
    assert_eq!(fallen, Step::Fault(Fault::ClosedOutput));

    // Before ready it never was a player.
    for event in [Event::Exited(exit), Event::OutputClosed] {
        let mut talk = greeted(start);
        let step = match talk.on(event, start) {
            Step::Wait(Some(until)) => talk.on(Event::Tick, until),
            step => step,
        };
        assert_eq!(word(&step), "start-failed", "{event:?}");
    }

    // Its answer counts, its end is seen when it is next asked.
    let mut talk = asked(start);
    let answer = heard(&mut talk, b"{\"move\":\"d3\"}\n", start);
    assert_eq!(answer, "answer d3");
    assert_eq!(talk.on(Event::OutputClosed, start), closing);
    assert_eq!(talk.ask(allowance(), start + ms(1)), closing);
    assert_eq!(talk.on(Event::Exited(exit), start), crashed(exit));
}

#[test]
fn a_bot_at_fault_is_not_heard_again() {
    let start = Instant::now();
    let mut talk = asked(start);
    assert_eq!(heard(&mut talk, b"nonsense\n", start), "bad-message");
    for event in [
        Event::Output(b"{\"move\":\"d3\"}\n"),
        Event::Written,
        Event::OutputClosed,
        Event::Exited(Exit::Status(0)),
        Event::Tick,
    ] {
        let later = talk.on(event, start + MOVE * 9);
        assert_eq!(later, Step::Wait(None), "{event:?}");
    }
    assert_eq!(talk.ask(allowance(), start), Step::Wait(None));
}

#[test]
fn ids_rise_by_one_and_go_on_from_game_to_game() {
    let start = Instant::now();
    let mut talk = Conversation::default();
    for id in 1..=3 {
        talk.ask(allowance(), start);
        assert_eq!(talk.id(), id);
        talk.on(Event::Written, start);
        let line = format!("{{\"id\":{id},\"move\":\"d3\"}}\n");
        let answer = heard(&mut talk, line.as_bytes(), start);
        assert_eq!(answer, "answer d3");
    }
    talk.greet(HANDSHAKE, start);
    talk.on(Event::Output(b"{\"type\":\"ready\"}\n"), start);
    talk.ask(allowance(), start);
    assert_eq!(talk.id(), 4);
}
