//! A process on Windows. There is no shell to count on, so this test is also the program that it
//! starts; elsewhere it does nothing.

use std::io::{BufRead, Read, Write};
use std::time::{Duration, Instant};

use host::{Crew, Exit, Piece, Process, Program, Refusal, StartError, Streams, Written};

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(120);

fn main() {
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() == Some("be") {
        return be(
            &words.next().unwrap_or_default(),
            &words.collect::<Vec<_>>(),
        );
    }
    if !cfg!(windows) {
        return;
    }
    host::take_role_if_asked();
    for (name, test) in TESTS {
        println!("{name}");
        test();
    }
}

const TESTS: [(&str, fn()); 9] = [
    (
        "it hears, answers and says how it ended",
        it_hears_and_answers,
    ),
    ("arguments arrive as they are", arguments_arrive_as_they_are),
    (
        "a report has both outputs in order",
        a_report_has_both_outputs,
    ),
    (
        "a full pipe is told, and what is read makes room",
        a_full_pipe_is_told,
    ),
    (
        "what was written before the end is read",
        what_was_written_is_read,
    ),
    ("who is frozen does nothing", who_is_frozen_does_nothing),
    (
        "what it has started ends with it",
        what_it_has_started_ends_with_it,
    ),
    ("a crew ends together", a_crew_ends_together),
    (
        "what cannot be started is told apart",
        what_cannot_be_started,
    ),
];

/// The program that is started.
fn be(what: &str, words: &[String]) {
    let read_line = || {
        let mut line = String::new();
        std::io::stdin()
            .lock()
            .read_line(&mut line)
            .expect("a line");
        line
    };
    match what {
        "an echo" => {
            print!("got {}", read_line());
            std::process::exit(7);
        }
        "words" => print!("{words:?}"),
        "a report" => {
            let mut input = String::new();
            std::io::stdin()
                .read_to_string(&mut input)
                .expect("its end");
            println!("one{input}");
            eprintln!("two");
            println!("three");
        }
        "a reader" => {
            read_line();
            let mut all = Vec::new();
            std::io::stdin().read_to_end(&mut all).expect("its end");
            print!("{}", all.len());
        }
        "a counter" => {
            println!("begun");
            let mut out = std::io::stdout();
            loop {
                writeln!(out, "on").expect("a reader");
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        "a parent" => {
            let ourselves = std::env::current_exe().expect("ourselves");
            let mut child = std::process::Command::new(ourselves);
            let mut child = child.args(["be", "a sleeper"]).spawn().expect("a child");
            println!("begun");
            read_line();
            // It is to outlive this program, unless somebody ends it.
            assert!(child.try_wait().expect("a child").is_none());
        }
        _ => std::thread::sleep(LONG),
    }
}

fn program(what: &str, words: &[&str]) -> Program {
    let words = ["be", what].into_iter().chain(words.iter().copied());
    Program {
        path: std::env::current_exe().expect("ourselves"),
        arguments: words.map(Into::into).collect(),
        variables: vec!["SYSTEMROOT", "PATH"],
        ..Program::default()
    }
}

fn start(what: &str) -> Process {
    start_with(what, &[], Streams::Dialogue)
}

fn start_with(what: &str, words: &[&str], streams: Streams) -> Process {
    Process::start(&program(what, words), streams, &Crew::new()).expect("it starts")
}

/// What it writes until this is so, or it closes its output.
fn output_until(process: &mut Process, is_enough: impl Fn(&str) -> bool) -> String {
    let (mut text, until) = (Vec::new(), Instant::now() + LONG);
    loop {
        let said = String::from_utf8(text.clone()).expect("text");
        if is_enough(&said) {
            return said;
        }
        let now = Instant::now();
        assert!(now < until, "it hangs");
        process.wait(Some(until), now, false).expect("a wait");
        match process.read_output(|bytes| text.extend_from_slice(bytes)) {
            Ok(Piece::End) => return String::from_utf8(text).expect("text"),
            other => drop(other.expect("a read")),
        }
    }
}

fn output(process: &mut Process) -> String {
    output_until(process, |_| false)
}

fn ends(process: &mut Process) -> Exit {
    assert!(process.wait_for_end(Instant::now() + LONG).expect("a wait"));
    process.end().expect("it has ended")
}

fn it_hears_and_answers() {
    let mut process = start("an echo");
    assert!(process.cpu_time().is_some() && process.peak_memory_kib() > Some(0));
    assert_eq!(process.write(b"it\n"), Written::Bytes(3));
    assert_eq!(output(&mut process), "got it\n");
    assert_eq!(ends(&mut process), Exit::Status(7));
    assert_eq!(process.cpu_time(), None);
}

fn arguments_arrive_as_they_are() {
    let words = ["", "a b", r"C:\my bots\", "say \"hm\"", "\\", "ä 五"];
    let mut process = start_with("words", &words, Streams::Dialogue);
    assert_eq!(output(&mut process), format!("{words:?}"));
}

fn a_report_has_both_outputs() {
    let mut report = start_with("a report", &[], Streams::Report);
    assert!(!report.has_input());
    assert_eq!(output(&mut report), "one\ntwo\nthree\n");
}

fn a_full_pipe_is_told() {
    let mut process = start("a reader");
    let mut written = 0;
    // As much as a pipe of Linux takes.
    while let Written::Bytes(bytes) = process.write(&vec![b'x'; 50_000]) {
        written += bytes;
    }
    assert_eq!(written, 65536);
    assert!(!process.has_read_everything());
    assert_eq!(process.write(b"x"), Written::Full);
    process.end().expect("it is killed");
    let mut process = start("a reader");
    assert_eq!(process.write(b"first\n"), Written::Bytes(6));
    let (mut left, until) = (1_000_000, Instant::now() + LONG);
    while left > 0 {
        let now = Instant::now();
        assert!(now < until, "it reads");
        let news = process.wait(Some(until), now, true).expect("a wait");
        if news.writable
            && let Written::Bytes(bytes) = process.write(&vec![b'x'; left])
        {
            left -= bytes;
        }
    }
    // What still lies in the pipe is not lost.
    process.close_input();
    assert_eq!(output(&mut process), "1000000");
}

fn what_was_written_is_read() {
    let mut process = start_with("words", &["last"], Streams::Dialogue);
    assert_eq!(ends(&mut process), Exit::Status(0));
    assert_eq!(output(&mut process), "[\"last\"]");
}

fn who_is_frozen_does_nothing() {
    let mut process = start("a counter");
    output_until(&mut process, |said| said.contains("on\non\n"));
    process.freeze();
    // The system stops its threads one after the other, and what it wrote before may still come.
    let quiet = |process: &mut Process| {
        let (until, mut read) = (Instant::now() + Duration::from_millis(100), 0);
        while Instant::now() < until {
            process
                .wait(Some(until), Instant::now(), false)
                .expect("a wait");
            if let Piece::Bytes(bytes) = process.read_output(<[u8]>::len).expect("a read") {
                read += bytes;
            }
        }
        read == 0
    };
    let start = Instant::now();
    while !quiet(&mut process) {
        assert!(start.elapsed() < LONG, "it goes on");
    }
    process.thaw();
    output_until(&mut process, |said| said.contains("on\n"));
}

fn what_it_has_started_ends_with_it() {
    let mut process = start("a parent");
    output_until(&mut process, |said| said.contains("begun"));
    assert_eq!(process.children(), 1);
    assert_eq!(process.write(b"\n"), Written::Bytes(1));
    assert!(process.wait_for_end(Instant::now() + LONG).expect("a wait"));
    // It has the other end of our pipe, which ends with it.
    assert_eq!(process.end().expect("it has ended"), Exit::Status(0));
    output(&mut process);
    assert_eq!(process.children(), 0);
}

fn a_crew_ends_together() {
    let (crew, other) = (Crew::new(), Crew::new());
    let start = |crew: &Crew| {
        let process = Process::start(&program("a sleeper", &[]), Streams::Dialogue, crew);
        process.expect("it starts")
    };
    let (mut one, mut two, stays) = (start(&crew), start(&crew), start(&other));
    crew.kill_all();
    for process in [&mut one, &mut two] {
        assert_eq!(ends(process), Exit::BySystem(9));
    }
    assert!(!stays.wait_for_end(Instant::now()).expect("a wait"));
    let late = Process::start(&program("a sleeper", &[]), Streams::Dialogue, &crew);
    assert!(matches!(late, Err(StartError::GivenUp)), "{late:?}");
}

fn what_cannot_be_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("text"), "text").expect("a file");
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
    assert_eq!(refusal(at("text")), Refusal::NotAProgram);
    assert!(!host::is_program(&path("text")));
    let elsewhere = Program {
        folder: Some(path("nowhere")),
        ..program("an echo", &[])
    };
    assert_eq!(refusal(elsewhere), Refusal::NotFound);
}
