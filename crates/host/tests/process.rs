//! A process as any program may use it: started directly, since a test cannot be started again.
//! The programs are shell scripts; `windows.rs` has the same without a shell.
#![cfg(unix)]

use std::fs;
use std::time::{Duration, Instant};

use host::{Crew, Exit, Piece, Process, Program, Refusal, StartError, Streams, Written};

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(120);

fn shell(script: &str) -> Program {
    Program {
        path: "sh".into(),
        arguments: ["-c".into(), script.into()].into(),
        variables: vec!["PATH"],
        ..Program::default()
    }
}

fn start(script: &str) -> Process {
    Process::start(&shell(script), Streams::Dialogue, &Crew::new()).expect("sh is there")
}

/// All that it writes until it closes its output.
fn output(process: &mut Process) -> String {
    let (mut text, until) = (Vec::new(), Instant::now() + LONG);
    loop {
        let now = Instant::now();
        assert!(now < until, "it hangs");
        process.wait(Some(until), now, false).expect("a wait");
        match process.read_output(|bytes| text.extend_from_slice(bytes)) {
            Ok(Piece::End) => return String::from_utf8(text).expect("text"),
            other => drop(other.expect("a read")),
        }
    }
}

#[test]
fn it_hears_answers_and_says_how_it_ended() {
    let mut process = start("read line; echo \"got $line\"; exit 7");
    assert_eq!(process.write(b"it\n"), Written::Bytes(3));
    assert_eq!(output(&mut process), "got it\n");
    assert!(process.wait_for_end(Instant::now() + LONG).expect("a wait"));
    assert_eq!(process.end().expect("it has ended"), Exit::Status(7));
    assert_eq!(process.exit(), Some(Exit::Status(7)));
    let mut killed = start("kill -s KILL $$");
    assert!(killed.wait_for_end(Instant::now() + LONG).expect("a wait"));
    // As signal(7) numbers it on every Linux.
    assert_eq!(killed.end().expect("it has ended"), Exit::BySystem(9));
}

#[test]
fn a_report_has_both_outputs_in_order_and_no_input() {
    let script = "cat; echo one; echo two >&2; echo three";
    let report = Process::start(&shell(script), Streams::Report, &Crew::new());
    let mut report = report.expect("sh is there");
    assert!(!report.has_input());
    assert_eq!(output(&mut report), "one\ntwo\nthree\n");
}

#[test]
fn it_sees_the_variables_that_it_names_and_its_tag() {
    // Cargo sets it for every test.
    assert!(std::env::var_os("CARGO_PKG_NAME").is_some());
    let mut program = shell("env");
    let mut seen = |variables: Vec<&'static str>| {
        program.variables = variables;
        let process = Process::start(&program, Streams::Report, &Crew::new());
        output(&mut process.expect("sh is there"))
    };
    assert!(!seen(vec!["PATH"]).contains("CARGO_PKG_NAME"));
    assert!(seen(vec!["PATH", "CARGO_PKG_NAME"]).contains("CARGO_PKG_NAME=host\n"));
}

#[test]
fn a_crew_ends_together_and_takes_nobody_in_afterwards() {
    let (crew, other) = (Crew::new(), Crew::new());
    let start = |crew: &Crew| {
        let process = Process::start(&shell("exec sleep 600"), Streams::Dialogue, crew);
        process.expect("sh is there")
    };
    let (mut one, mut two, stays) = (start(&crew), start(&crew), start(&other));
    crew.kill_all();
    for process in [&mut one, &mut two] {
        assert!(process.wait_for_end(Instant::now() + LONG).expect("a wait"));
        assert_eq!(process.end().expect("it has ended"), Exit::BySystem(9));
    }
    assert!(!stays.wait_for_end(Instant::now()).expect("a wait"));
    let late = Process::start(&shell("exit"), Streams::Dialogue, &crew);
    assert!(matches!(late, Err(StartError::GivenUp)), "{late:?}");
}

#[test]
fn a_program_that_cannot_be_started_is_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("text"), "text").expect("a file");
    let refusal = |program: Program| match Process::start(&program, Streams::Dialogue, &Crew::new())
    {
        Err(StartError::Refused(refusal, _)) => refusal,
        other => panic!("{other:?}"),
    };
    let at = |name| Program {
        path: path(name),
        ..Program::default()
    };
    assert_eq!(refusal(at("nothing")), Refusal::NotFound);
    assert_eq!(refusal(at("text/inside")), Refusal::NotFound);
    assert_eq!(refusal(at("text")), Refusal::NotAllowed);
    assert!(!host::is_program(&path("text")));
    let elsewhere = Program {
        folder: Some(path("nowhere")),
        ..shell("exit")
    };
    assert_eq!(refusal(elsewhere), Refusal::NotFound);
}

#[test]
fn who_is_frozen_does_nothing_until_it_is_thawed() {
    let mut process = start("read line; echo done");
    process.freeze();
    assert_eq!(process.write(b"\n"), Written::Bytes(1));
    // Its input would let it go on.
    let until = Instant::now();
    assert!(!process.wait_for_end(until).expect("a wait"));
    process.thaw();
    assert_eq!(output(&mut process), "done\n");
}

/// A child that gets no core does not use CPU time either.
#[test]
fn a_child_that_computes_is_at_work_while_the_program_waits_for_it() {
    let mut process = start("while :; do :; done & read line; kill $!");
    let is_so = |so: &dyn Fn() -> bool| {
        let end = Instant::now() + Duration::from_secs(60);
        while !so() {
            assert!(Instant::now() < end, "waited in vain");
        }
    };
    is_so(&|| process.is_at_work() && !process.is_ready());
    assert!((0..100).all(|_| process.is_at_work()));
    process.freeze();
    is_so(&|| !process.is_at_work());
    process.thaw();
    is_so(&|| process.is_at_work() && !process.is_ready());
    assert_eq!(process.write(b"\n"), Written::Bytes(1));
    assert_eq!(output(&mut process), "");
}

/// Linux may leave a child stopped that was forked between the two signals. This one stops itself instead, after them.
#[cfg(target_os = "linux")]
#[test]
fn a_child_that_missed_the_thaw_goes_on() {
    let mut process = start("read line; sh -c 'kill -s STOP $$; echo late'");
    process.freeze();
    process.thaw();
    assert_eq!(process.write(b"\n"), Written::Bytes(1));
    assert_eq!(output(&mut process), "late\n");
}
