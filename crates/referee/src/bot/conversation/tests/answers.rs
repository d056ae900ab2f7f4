//! What counts as an answer or a greeting, and what is wrong with what does not.

use super::*;

#[test]
fn answers_and_the_deviations_that_are_tolerated() {
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
        (r#"{"move":"d3","mood":{"in":[1,{"x":null}]}}"#, "answer d3"),
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
    let shown = said(step);
    assert!(shown.contains(r"\u{1b}[2J\u{202e}=cmd()"), "{shown}");
    assert!(shown.contains("not UTF-8"), "{shown}");
    assert!(!shown.contains(|c: char| c.is_control()), "{shown}");

    let shown = said(answer(b"{\"id\":3,\"move\":\"d3\"}\n"));
    let why = "it answers question 3, but 1 was asked";
    assert!(shown.ends_with(why), "{shown}");
}

#[test]
fn a_line_is_too_long_before_it_ends() {
    for (filler, length, end, expected) in [
        ("x", MAX_LINE, "", "wait"),
        ("x", MAX_LINE + 1, "", "line-too-long"),
        ("x", MAX_LINE + 1, "\n", "line-too-long"),
        ("x", MAX_LINE, "\n", "bad-message"),
        // White space counts: a line is what stands before the newline.
        (" ", MAX_LINE + 1, "", "line-too-long"),
    ] {
        let output = filler.repeat(length) + end;
        assert_eq!(word(&answer(output.as_bytes())), expected, "{length}");
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
          {\"type\":\"info\",\"depth\":9,\"nodes\":1e30,\"time_ms\":12.5,\"pv\":[\"d3\",\"PASS\",\"c5\"]}\n\
          {\"move\":\"d3\"}\n",
    );
    let pv = ["d3", "pass", "c5"].map(|text| text.parse().expect("a move"));
    let answer = Answer {
        played: "d3".to_owned(),
        used: ms(7),
        thought: Thought {
            depth: Some(9),
            score: Some(-1.5),
            nodes: Some(10),
            time: Some(Duration::from_micros(12_500)),
            pv: pv.to_vec(),
        },
    };
    assert_eq!(step, Step::Answer(answer));
}

/// What is told of the principal variation loses no game.
#[test]
fn a_principal_variation_ends_where_it_is_no_moves() {
    let long = vec![r#""d3""#; 100].join(",");
    for (pv, expected) in [
        (r#"["D3","c5"]"#, "d3 c5".to_owned()),
        (r#"["d3","x","c5"]"#, "d3".to_owned()),
        (r#"["d3",4,"c5"]"#, "d3".to_owned()),
        (r#"["d3",null]"#, "d3".to_owned()),
        ("[]", String::new()),
        ("null", String::new()),
        (r#""d3 c5""#, String::new()),
        ("7", String::new()),
        (r#"{"a":["d3"]}"#, String::new()),
        (&format!("[{long}]"), ["d3"; 64].join(" ")),
    ] {
        let told =
            format!("{{\"type\":\"info\",\"pv\":{pv},\"time_ms\":\"?\"}}\n{{\"move\":\"d3\"}}\n");
        let step = answer(told.as_bytes());
        let Step::Answer(answer) = step else {
            panic!("{pv}: {step:?}")
        };
        let told: Vec<String> = answer.thought.pv.iter().map(ToString::to_string).collect();
        assert_eq!(told.join(" "), expected, "{pv}");
        assert_eq!(answer.thought.time, None);
    }
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
    let Step::Answer(answer) = talk.on(Event::Output(b"{\"id\":2,\"move\":\"c4\"}\n"), start)
    else {
        panic!("question 2 was answered")
    };
    assert_eq!(answer.thought, Thought::default());
}
