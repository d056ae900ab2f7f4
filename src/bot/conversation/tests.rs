//! The talk as a table: what a bot does and when, and what the arena makes of it. Time is invented,
//! so every deadline is tested to the nanosecond.
//!
//! The verdicts are those of the protocol's own text ("Whose fault" in the design) and of the list
//! of misbehaving bots in `tests/bots/misbehave.py`, which does the same with real processes.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

const MOVE: Duration = Duration::from_millis(100);
const MARGIN: Duration = Duration::from_millis(20);
const HANDSHAKE: Duration = Duration::from_secs(10);
const NANOSECOND: Duration = Duration::from_nanos(1);

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn just_before(time: Instant) -> Instant {
    time.checked_sub(NANOSECOND).expect("a clock that runs")
}

fn allowance() -> Allowance {
    Allowance {
        limit: Some(MOVE),
        margin: MARGIN,
    }
}

/// A bot that was asked question 1 at `start`; the question was written at once.
fn asked(start: Instant) -> Conversation {
    let mut talk = Conversation::default();
    assert_eq!(
        talk.ask(allowance(), start),
        Step::Wait(Some(start + MOVE + MARGIN))
    );
    assert_eq!(
        talk.on(Event::Written, start),
        Step::Wait(Some(start + MOVE + MARGIN))
    );
    talk
}

/// What becomes of `output` as the answer to question 1, 7 ms after it was asked.
fn answer(output: &[u8]) -> Step {
    let start = Instant::now();
    asked(start).on(Event::Output(output), start + ms(7))
}

fn greeting(output: &[u8]) -> Step {
    let start = Instant::now();
    let mut talk = Conversation::default();
    talk.greet(HANDSHAKE, start);
    talk.on(Event::Written, start);
    talk.on(Event::Output(output), start + ms(7))
}

/// The fault's word, or the move, or `wait`.
fn word(step: &Step) -> String {
    match step {
        Step::Wait(_) => "wait".to_owned(),
        Step::Ready { name, .. } => format!("ready {name}"),
        Step::Answer(reply) => format!("answer {}", reply.played),
        Step::Fault(fault) => fault.word().to_owned(),
        Step::ArenaLate { .. } => "arena late".to_owned(),
    }
}

#[test]
fn answers_and_the_habits_that_are_borne() {
    let mark = "\u{feff}{\"move\":\"d3\"}\n";
    for (output, expected) in [
        (r#"{"type":"move","id":1,"move":"d3"}"#, "answer d3"),
        (r#"{"move":"d3"}"#, "answer d3"),
        (r#"{"id":1,"move":"d3"}"#, "answer d3"),
        (r#"{"type":"move","move":"d3"}"#, "answer d3"),
        (r#"{"type":null,"id":null,"move":"d3"}"#, "answer d3"),
        (r#"{"move":"resign"}"#, "answer resign"),
        (r#"{"move":""}"#, "answer "),
        // Whether a move can be played is the referee's to say.
        (r#"{"move":"zz99"}"#, "answer zz99"),
        (r#"{"move":"\u0064\u0033"}"#, "answer d3"),
        ("{\"move\":\"d3\"}\r", "answer d3"),
        ("  \t{\"move\":\"d3\"}   ", "answer d3"),
        ("\n\r\n   \n{\"move\":\"d3\"}", "answer d3"),
        (mark.trim_end(), "answer d3"),
        // What version 1 may grow by.
        (
            r#"{"move":"d3","mood":{"deep":[1,2,{"x":null}]}}"#,
            "answer d3",
        ),
        (r#"{"move":"d3","mood":1e999}"#, "answer d3"),
        (r#"{"move":"d3","mood":1,"mood":2}"#, "answer d3"),
        // Anything told with the move itself is not an info.
        (r#"{"move":"d3","depth":5}"#, "answer d3"),
    ] {
        let step = answer(format!("{output}\n").as_bytes());
        assert_eq!(word(&step), expected, "{output:?}");
    }
}

#[test]
fn lines_that_are_no_answer() {
    let brackets = "[".repeat(60_000);
    let nested = format!("{{\"move\":\"d3\",\"mood\":{}", "[".repeat(60_000));
    let deep = format!(
        "{{\"type\":\"info\",\"text\":{}{}}}",
        "[".repeat(30_000),
        "]".repeat(30_000)
    );
    for (output, expected) in [
        ("hello", "bad-message"),
        ("Traceback (most recent call last):", "bad-message"),
        ("{", "bad-message"),
        ("{}", "bad-message"),
        ("null", "bad-message"),
        ("\"d3\"", "bad-message"),
        ("17", "bad-message"),
        // serde would take a struct's fields from a list, too; the protocol knows objects alone.
        (r#"["move",1,"d3",null,null,null,null,null]"#, "bad-message"),
        (r#"{"move":"d3"} {"move":"d3"}"#, "bad-message"),
        (r#"{"move":"d3"}}"#, "bad-message"),
        (r#"{"move":"d3",}"#, "bad-message"),
        ("{'move':'d3'}", "bad-message"),
        (r#"{"move":19}"#, "bad-message"),
        (r#"{"move":["d3"]}"#, "bad-message"),
        (r#"{"move":null}"#, "bad-message"),
        (r#"{"move":{"column":"d"}}"#, "bad-message"),
        (r#"{"type":"move"}"#, "bad-message"),
        (r#"{"type":"ready","name":"again"}"#, "bad-message"),
        (r#"{"type":"ready","move":"d3"}"#, "bad-message"),
        (r#"{"type":"quit"}"#, "bad-message"),
        (r#"{"type":"Move","move":"d3"}"#, "bad-message"),
        (r#"{"type":7,"move":"d3"}"#, "bad-message"),
        (r#"{"move":"d3","move":"d3"}"#, "bad-message"),
        (r#"{"id":1,"id":1,"move":"d3"}"#, "bad-message"),
        (r#"{"id":2,"move":"d3"}"#, "bad-message"),
        (r#"{"id":0,"move":"d3"}"#, "bad-message"),
        (r#"{"id":-1,"move":"d3"}"#, "bad-message"),
        (r#"{"id":1.0,"move":"d3"}"#, "bad-message"),
        (r#"{"id":"1","move":"d3"}"#, "bad-message"),
        (r#"{"id":18446744073709551617,"move":"d3"}"#, "bad-message"),
        (r#"{"type":"info","score":NaN}"#, "bad-message"),
        (r#"{"type":"info","score":1e999}"#, "bad-message"),
        (r#"{"type":"info","depth":"9"}"#, "bad-message"),
        (&brackets, "bad-message"),
        (&nested, "bad-message"),
        (&deep, "wait"),
    ] {
        let step = answer(format!("{output}\n").as_bytes());
        let shown: String = output.chars().take(60).collect();
        assert_eq!(word(&step), expected, "{shown:?}");
    }
    assert_eq!(word(&answer(b"\xff\xfe{\"move\":\"d3\"}\n")), "bad-message");
    assert_eq!(word(&answer(b"{\"move\":\"d\xc3\"}\n")), "bad-message");
}

#[test]
fn a_bad_message_shows_its_author_the_line_and_what_is_wrong_with_it() {
    let step = answer(b"\x1b[2J\xe2\x80\xae=cmd()\xff\n");
    let Step::Fault(fault) = step else {
        panic!("{step:?}")
    };
    let shown = fault.to_string();
    assert!(shown.contains(r"\u{1b}[2J\u{202e}=cmd()"), "{shown}");
    assert!(shown.contains("not UTF-8"), "{shown}");
    assert!(!shown.contains(|c: char| c.is_control()), "{shown}");

    let Step::Fault(fault) = answer(b"{\"id\":3,\"move\":\"d3\"}\n") else {
        panic!("question 1 was asked")
    };
    let shown = fault.to_string();
    assert!(
        shown.ends_with("it answers question 3, but 1 was asked"),
        "{shown}"
    );
}

#[test]
fn a_line_is_too_long_before_it_ends() {
    for (output, expected) in [
        (vec![b'x'; MAX_LINE], "wait"),
        (vec![b'x'; MAX_LINE + 1], "line-too-long"),
        (
            [vec![b'x'; MAX_LINE + 1], vec![b'\n']].concat(),
            "line-too-long",
        ),
        ([vec![b'x'; MAX_LINE], vec![b'\n']].concat(), "bad-message"),
        // White space counts: a line is what stands before the newline.
        (vec![b' '; MAX_LINE + 1], "line-too-long"),
    ] {
        assert_eq!(word(&answer(&output)), expected, "{} bytes", output.len());
    }
}

#[test]
fn greetings() {
    for (output, expected) in [
        (r#"{"type":"ready","name":"x","version":"1"}"#, "ready x"),
        (r#"{"type":"ready"}"#, "ready "),
        (r#"{"type":"ready","name":null}"#, "ready "),
        (r#"{"type":"info","text":"loading"}"#, "wait"),
        (r#"{"type":"move","move":"d3"}"#, "bad-message"),
        (r#"{"name":"x"}"#, "bad-message"),
        (r#"{"type":"ready","name":7}"#, "bad-message"),
        ("ready", "bad-message"),
    ] {
        let step = greeting(format!("{output}\n").as_bytes());
        assert_eq!(word(&step), expected, "{output:?}");
    }
}

#[test]
fn infos_gather_and_the_last_word_counts() {
    let step = answer(
        b"{\"type\":\"info\",\"depth\":3,\"score\":-1.5,\"nodes\":10}\n\
          {\"type\":\"info\",\"text\":\"hm\"}\n\
          {\"type\":\"info\",\"depth\":9,\"nodes\":1e30}\n\
          {\"move\":\"d3\"}\n",
    );
    let reply = Reply {
        played: "d3".to_owned(),
        used: ms(7),
        thoughts: Thoughts {
            depth: Some(9),
            score: Some(-1.5),
            nodes: Some(u64::MAX),
        },
    };
    assert_eq!(step, Step::Answer(reply));
}

#[test]
fn what_was_told_of_one_move_is_not_told_of_the_next() {
    let start = Instant::now();
    let mut talk = asked(start);
    talk.on(
        Event::Output(b"{\"type\":\"info\",\"depth\":3}\n{\"move\":\"d3\"}\n"),
        start,
    );
    talk.ask(allowance(), start);
    talk.on(Event::Written, start);
    let Step::Answer(reply) = talk.on(Event::Output(b"{\"id\":2,\"move\":\"c4\"}\n"), start) else {
        panic!("question 2 was answered")
    };
    assert_eq!(reply.thoughts.depth, None);
}

#[test]
fn the_clock_starts_when_the_question_is_written_and_ends_at_the_newline() {
    let start = Instant::now();
    let mut talk = Conversation::default();
    talk.ask(allowance(), start);
    talk.on(Event::Written, start + ms(30));
    assert_eq!(
        talk.on(Event::Output(b"{\"move\":"), start + ms(40)),
        Step::Wait(Some(start + ms(30) + MOVE + MARGIN)),
        "half a line does not move the flag"
    );
    let Step::Answer(reply) = talk.on(Event::Output(b"\"d3\"}\n"), start + ms(95)) else {
        panic!("in time")
    };
    assert_eq!(reply.used, ms(65));
}

#[test]
fn deadlines_to_the_nanosecond() {
    let start = Instant::now();
    let flag = start + MOVE + MARGIN;
    let fault = |used| {
        Step::Fault(Fault::OutOfTime {
            used,
            allowed: MOVE,
        })
    };
    let line = Event::Output(b"{\"move\":\"d3\"}\n");

    assert_eq!(
        asked(start).on(Event::Tick, just_before(flag)),
        Step::Wait(Some(flag))
    );
    assert_eq!(asked(start).on(Event::Tick, flag), fault(MOVE + MARGIN));
    assert_eq!(word(&asked(start).on(line, just_before(flag))), "answer d3");
    assert_eq!(asked(start).on(line, flag), fault(MOVE + MARGIN));
    let late = flag + LATE;
    assert_eq!(
        asked(start).on(line, just_before(late)),
        fault(MOVE + MARGIN + LATE.saturating_sub(NANOSECOND))
    );
    assert_eq!(
        asked(start).on(line, late),
        Step::ArenaLate { by: LATE },
        "the arena was to look at the flag"
    );

    let mut talk = Conversation::default();
    talk.greet(HANDSHAKE, start);
    let due = start + HANDSHAKE;
    assert_eq!(
        talk.on(Event::Tick, just_before(due)),
        Step::Wait(Some(due))
    );
    assert_eq!(
        talk.on(Event::Tick, due),
        Step::Fault(Fault::HandshakeTimeout {
            allowed: HANDSHAKE,
            unanswered: String::new(),
            last: String::new(),
        })
    );
}

#[test]
fn writing_has_the_deadline_of_the_move() {
    let start = Instant::now();
    let mut talk = Conversation::default();
    talk.ask(allowance(), start);
    let flag = start + MOVE + MARGIN;
    assert_eq!(
        talk.on(Event::Tick, just_before(flag)),
        Step::Wait(Some(flag))
    );
    assert_eq!(word(&talk.on(Event::Tick, flag)), "out-of-time");
}

#[test]
fn without_a_limit_nobody_is_late() {
    let start = Instant::now();
    let mut talk = Conversation::default();
    let none = Allowance {
        limit: None,
        margin: MARGIN,
    };
    assert_eq!(talk.ask(none, start), Step::Wait(None));
    assert_eq!(talk.on(Event::Written, start), Step::Wait(None));
    let day = start + Duration::from_hours(24);
    assert_eq!(talk.on(Event::Tick, day), Step::Wait(None));
    let answer = talk.on(Event::Output(b"{\"move\":\"d3\"}\n"), day);
    assert_eq!(word(&answer), "answer d3");
}

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
            let answer = b"{\"move\":\"d3\"}\n".as_slice();
            let step = if apart {
                let step = talk.on(Event::Output(answer), start);
                assert_eq!(
                    talk.on(Event::Output(rest.as_bytes()), start),
                    Step::Wait(None)
                );
                step
            } else {
                talk.on(Event::Output(&[answer, rest.as_bytes()].concat()), start)
            };
            assert_eq!(word(&step), "answer d3", "{rest:?}");
            assert_eq!(
                word(&talk.ask(allowance(), start)),
                expected,
                "{rest:?} apart: {apart}"
            );
        }
    }
}

#[test]
fn half_a_line_before_the_question_is_held_against_the_bot_and_half_after_it_is_not() {
    let start = Instant::now();
    let mut talk = Conversation::default();
    talk.ask(allowance(), start);
    // The question is in the pipe, in part: what comes now may be its answer.
    assert_eq!(word(&talk.on(Event::Output(b"{\"move\":"), start)), "wait");
    assert_eq!(word(&talk.on(Event::Written, start + ms(1))), "wait");
    let step = talk.on(Event::Output(b"\"d3\"}\n"), start + ms(2));
    assert_eq!(word(&step), "answer d3");
}

#[test]
fn a_flood_while_the_question_is_being_written_is_not_gathered() {
    let start = Instant::now();
    let mut talk = Conversation::default();
    talk.ask(allowance(), start);
    let piece = vec![b'\n'; MAX_LINE];
    assert_eq!(word(&talk.on(Event::Output(&piece), start)), "wait");
    assert_eq!(
        word(&talk.on(Event::Output(b"\n"), start)),
        "unasked-output"
    );
}

#[test]
fn a_bot_that_is_gone() {
    let start = Instant::now();
    let exit = Exit::Status(3);
    let killed = Exit::Signal(11);
    let crashed = |status| Step::Fault(Fault::Crashed { status });

    // In the middle of a question, by its status or a signal, with or without its output closed
    // first.
    assert_eq!(asked(start).on(Event::Exited(exit), start), crashed(exit));
    let mut talk = asked(start);
    assert_eq!(
        talk.on(Event::OutputClosed, start),
        Step::Wait(Some(start + CLOSING))
    );
    assert_eq!(
        talk.on(Event::Exited(killed), start + ms(1)),
        crashed(killed)
    );

    // The output alone: a moment later that is a fault of its own.
    let mut talk = asked(start);
    talk.on(Event::OutputClosed, start);
    let closed = start + CLOSING;
    assert_eq!(
        talk.on(Event::Tick, just_before(closed)),
        Step::Wait(Some(closed))
    );
    assert_eq!(
        talk.on(Event::Tick, closed),
        Step::Fault(Fault::ClosedOutput)
    );

    // Before ready it never was a player.
    for event in [Event::Exited(exit), Event::OutputClosed] {
        let mut talk = Conversation::default();
        talk.greet(HANDSHAKE, start);
        let step = match talk.on(event, start) {
            Step::Wait(Some(until)) => talk.on(Event::Tick, until),
            step => step,
        };
        assert_eq!(word(&step), "start-failed", "{event:?}");
    }

    // Its answer counts, its end is seen when it is next asked.
    let mut talk = asked(start);
    let step = talk.on(Event::Output(b"{\"move\":\"d3\"}\n"), start);
    assert_eq!(word(&step), "answer d3");
    assert_eq!(
        talk.on(Event::OutputClosed, start),
        Step::Wait(Some(start + CLOSING))
    );
    assert_eq!(
        talk.ask(allowance(), start + ms(1)),
        Step::Wait(Some(start + CLOSING))
    );
    assert_eq!(talk.on(Event::Exited(exit), start), crashed(exit));
}

#[test]
fn a_bot_at_fault_is_not_heard_again() {
    let start = Instant::now();
    let mut talk = asked(start);
    assert_eq!(
        word(&talk.on(Event::Output(b"nonsense\n"), start)),
        "bad-message"
    );
    for event in [
        Event::Output(b"{\"move\":\"d3\"}\n"),
        Event::Written,
        Event::OutputClosed,
        Event::Exited(Exit::Status(0)),
        Event::Tick,
    ] {
        assert_eq!(
            talk.on(event, start + MOVE * 9),
            Step::Wait(None),
            "{event:?}"
        );
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
        assert_eq!(
            word(&talk.on(Event::Output(line.as_bytes()), start)),
            "answer d3"
        );
    }
    talk.greet(HANDSHAKE, start);
    talk.on(Event::Output(b"{\"type\":\"ready\"}\n"), start);
    talk.ask(allowance(), start);
    assert_eq!(talk.id(), 4);
}

fn lines() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        Just("{\"move\":\"d3\"}".to_owned()),
        Just("{\"type\":\"info\",\"depth\":4,\"score\":2}".to_owned()),
        Just("{\"type\":\"ready\",\"name\":\"x\"}".to_owned()),
        Just("  \r".to_owned()),
        Just("\u{feff}".to_owned()),
        "[{}\"a-z:,0-9 ]{0,12}",
    ];
    let end = prop_oneof![Just(""), Just("\n")];
    (proptest::collection::vec(line, 0..6), end)
        .prop_map(|(lines, end)| (lines.join("\n") + end).into_bytes())
}

proptest! {
    #[test]
    fn what_a_bot_says_does_not_depend_on_how_its_bytes_arrive(
        bytes in lines(),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
        greeted in any::<bool>(),
    ) {
        let start = Instant::now();
        let begin = || {
            if greeted {
                return asked(start);
            }
            let mut talk = Conversation::default();
            talk.greet(HANDSHAKE, start);
            talk
        };
        let mut whole = begin();
        let expected = whole.on(Event::Output(&bytes), start);

        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        cuts.push(bytes.len());
        let (mut talk, mut from, mut step) = (begin(), 0, None);
        for cut in cuts {
            let next = talk.on(Event::Output(&bytes[from..cut]), start);
            from = cut;
            if !matches!(step, Some(Step::Ready { .. } | Step::Answer(_) | Step::Fault(_))) {
                step = Some(next);
            }
        }
        prop_assert_eq!(step, Some(expected));
        prop_assert_eq!(talk.unread(), whole.unread());
    }

    #[test]
    fn no_bytes_at_all_make_the_arena_fail(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = answer(&bytes);
        let _ = greeting(&bytes);
    }
}

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
