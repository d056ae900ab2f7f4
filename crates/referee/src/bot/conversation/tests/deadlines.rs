//! When the clock runs, and when it is up.

use super::*;

#[test]
fn the_clock_starts_when_the_question_is_written_and_ends_at_the_newline() {
    let start = Instant::now();
    let mut talk = Conversation::default();
    talk.ask(allowance(), start);
    talk.on(Event::Written, start + ms(30));
    // Half a line does not move the flag.
    let half = talk.on(Event::Output(b"{\"move\":"), start + ms(40));
    assert_eq!(half, Step::Wait(Some(start + ms(30) + MOVE + MARGIN)));
    let Step::Answer(reply) = talk.on(Event::Output(b"\"d3\"}\n"), start + ms(95)) else {
        panic!("in time")
    };
    assert_eq!(reply.used, ms(65));
}

#[test]
fn deadlines_to_the_nanosecond() {
    let start = Instant::now();
    let flag = start + MOVE + MARGIN;
    let allowed = MOVE;
    let fault = |used| Step::Fault(Fault::OutOfTime { used, allowed });
    let line = Event::Output(b"{\"move\":\"d3\"}\n");

    let mut talk = asked(start);
    let used = MOVE + MARGIN;
    let overdue = Step::Overdue(Fault::OutOfTime { used, allowed });
    assert_eq!(falls_at(&mut talk, flag), overdue);
    // The caller may wait on.
    assert_eq!(talk.on(line, flag + ms(4)), fault(used + ms(4)));
    assert_eq!(word(&asked(start).on(line, just_before(flag))), "answer d3");
    assert_eq!(asked(start).on(line, flag), fault(MOVE + MARGIN));
    // When it was written does not count, and nothing here knows it.
    assert_eq!(
        asked(start).on(line, flag + ms(9)),
        fault(MOVE + MARGIN + ms(9))
    );

    let silent = Fault::HandshakeTimeout {
        allowed: HANDSHAKE,
        unanswered: String::new(),
        last: String::new(),
    };
    let fallen = falls_at(&mut greeted(start), start + HANDSHAKE);
    assert_eq!(fallen, Step::Fault(silent));
}

#[test]
fn writing_has_the_deadline_of_the_move() {
    let start = Instant::now();
    let mut talk = Conversation::default();
    talk.ask(allowance(), start);
    let fallen = falls_at(&mut talk, start + MOVE + MARGIN);
    assert_eq!(word(&fallen), "out-of-time");
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
    let day = start + Duration::from_secs(86400);
    assert_eq!(talk.on(Event::Tick, day), Step::Wait(None));
    let answer = heard(&mut talk, b"{\"move\":\"d3\"}\n", day);
    assert_eq!(answer, "answer d3");
}
