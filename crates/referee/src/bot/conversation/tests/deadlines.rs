//! When the clock runs, and when it is up.

use super::*;

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
