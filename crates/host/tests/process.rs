//! Tests of processes. This program starts itself, because not every system has a shell.

use std::io::{BufRead, Read, Write};
use std::time::{Duration, Instant};

use host::{
    Exit, Process, ProcessGroup, Program, ReadResult, Refusal, StartError, Streams, WriteResult,
};

const LONG: Duration = Duration::from_secs(120);

fn main() {
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() == Some("be") {
        return be(
            &words.next().unwrap_or_default(),
            &words.collect::<Vec<_>>(),
        );
    }
    // On Unix, a program without this step starts processes directly. The test of sandboxes takes the step itself.
    let is_role = std::env::args()
        .nth(1)
        .is_some_and(|word| word.starts_with("__"));
    if cfg!(windows) || is_role {
        host::take_role_if_asked();
    }
    for (name, test) in TESTS.iter().chain(OF_THIS_SYSTEM) {
        println!("{name}");
        test();
    }
}

macro_rules! tests {
    ($($test:path),* $(,)?) => { &[$((stringify!($test), $test)),*] };
}

type Tests = &'static [(&'static str, fn())];

const TESTS: Tests = tests![
    it_hears_and_answers,
    arguments_arrive_as_they_are,
    a_report_has_both_outputs,
    a_full_pipe_accepts_no_byte,
    output_can_be_read_after_the_end,
    a_group_ends_together,
    what_cannot_be_started,
];
#[cfg(windows)]
const OF_THIS_SYSTEM: Tests = tests![a_frozen_process_does_nothing, its_descendants_end_with_it];
#[cfg(unix)]
const OF_THIS_SYSTEM: Tests = tests![
    unix::it_says_which_signal_ended_it,
    unix::it_sees_the_variables_that_it_names,
    unix::a_frozen_process_does_nothing,
    unix::a_child_that_computes_is_at_work_while_the_program_waits_for_it,
    unix::a_child_that_missed_the_thaw_goes_on,
    unix::the_usage_of_a_program_in_a_sandbox_is_known_once_it_is_up,
    unix::a_sandbox_that_is_killed_while_it_starts_ends,
];

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
        variables: ["SYSTEMROOT", "PATH"].map(str::to_owned).into(),
        ..Program::default()
    }
}

fn start(what: &str) -> Process {
    start_with(what, &[], Streams::Dialogue)
}

fn start_with(what: &str, words: &[&str], streams: Streams) -> Process {
    Process::start(&program(what, words), streams, &ProcessGroup::new()).expect("it starts")
}

fn output_until(process: &mut Process, is_enough: impl Fn(&str) -> bool) -> String {
    let (mut text, until) = (Vec::new(), Instant::now() + LONG);
    loop {
        let printed = String::from_utf8(text.clone()).expect("text");
        if is_enough(&printed) {
            return printed;
        }
        let now = Instant::now();
        assert!(now < until, "the process hangs");
        process.wait(Some(until), now, false).expect("a wait");
        match process.read_output(|bytes| text.extend_from_slice(bytes)) {
            Ok(ReadResult::End) => return String::from_utf8(text).expect("text"),
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
    assert_eq!(process.write(b"it\n"), WriteResult::Bytes(3));
    assert_eq!(output(&mut process), "got it\n");
    assert_eq!(ends(&mut process), Exit::Status(7));
    assert_eq!(process.exit(), Some(Exit::Status(7)));
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

fn a_full_pipe_accepts_no_byte() {
    let mut process = start("a reader");
    let mut written = 0;
    while let WriteResult::Bytes(bytes) = process.write(&vec![b'x'; 50_000]) {
        written += bytes;
    }
    // Our pipes on Windows hold 64 KiB. A pipe on Linux may hold less, because Linux counts whole pages.
    assert!(written == 65536 || cfg!(unix), "{written}");
    assert!(!process.has_read_everything());
    assert_eq!(process.write(b"x"), WriteResult::Full);
    process.end().expect("it is killed");
    let mut process = start("a reader");
    assert_eq!(process.write(b"first\n"), WriteResult::Bytes(6));
    let (mut left, until) = (1_000_000, Instant::now() + LONG);
    while left > 0 {
        let now = Instant::now();
        assert!(now < until, "it reads");
        let seen = process.wait(Some(until), now, true).expect("a wait");
        if seen.writable
            && let WriteResult::Bytes(bytes) = process.write(&vec![b'x'; left])
        {
            left -= bytes;
        }
    }
    // The bytes that are still in the pipe are not lost.
    process.close_input();
    assert_eq!(output(&mut process), "1000000");
}

fn output_can_be_read_after_the_end() {
    let mut process = start_with("words", &["last"], Streams::Dialogue);
    assert_eq!(ends(&mut process), Exit::Status(0));
    assert_eq!(output(&mut process), "[\"last\"]");
}

#[cfg(windows)]
fn a_frozen_process_does_nothing() {
    let mut process = start("a counter");
    output_until(&mut process, |printed| printed.contains("on\non\n"));
    process.freeze();
    // The system stops the threads one after the other, so some output may still come.
    let quiet = |process: &mut Process| {
        let (until, mut read) = (Instant::now() + Duration::from_millis(100), 0);
        while Instant::now() < until {
            process
                .wait(Some(until), Instant::now(), false)
                .expect("a wait");
            if let ReadResult::Bytes(bytes) = process.read_output(<[u8]>::len).expect("a read") {
                read += bytes;
            }
        }
        read == 0
    };
    let start = Instant::now();
    while !quiet(&mut process) {
        assert!(start.elapsed() < LONG, "the process still writes");
    }
    process.thaw();
    output_until(&mut process, |printed| printed.contains("on\n"));
}

#[cfg(windows)]
fn its_descendants_end_with_it() {
    let mut process = start("a parent");
    output_until(&mut process, |printed| printed.contains("begun"));
    assert_eq!(process.children(), 1);
    assert_eq!(process.write(b"\n"), WriteResult::Bytes(1));
    assert!(process.wait_for_end(Instant::now() + LONG).expect("a wait"));
    // The child has the other end of our pipe, so the output ends when the child has ended.
    assert_eq!(process.end().expect("it has ended"), Exit::Status(0));
    output(&mut process);
    assert_eq!(process.children(), 0);
}

fn a_group_ends_together() {
    let (group, other) = (ProcessGroup::new(), ProcessGroup::new());
    let start = |group: &ProcessGroup| {
        let process = Process::start(&program("a sleeper", &[]), Streams::Dialogue, group);
        process.expect("it starts")
    };
    let (mut one, mut two, stays) = (start(&group), start(&group), start(&other));
    group.kill_all();
    for process in [&mut one, &mut two] {
        assert_eq!(ends(process), Exit::BySystem(9));
    }
    assert!(!stays.wait_for_end(Instant::now()).expect("a wait"));
    let late = Process::start(&program("a sleeper", &[]), Streams::Dialogue, &group);
    assert!(matches!(late, Err(StartError::GroupKilled)), "{late:?}");
}

fn what_cannot_be_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("text"), "text").expect("a file");
    let refusal = |program: Program| match Process::start(
        &program,
        Streams::Dialogue,
        &ProcessGroup::new(),
    ) {
        Err(StartError::Refused(refusal, _)) => refusal,
        other => panic!("{other:?}"),
    };
    let at = |name| Program {
        path: path(name),
        ..Program::default()
    };
    assert_eq!(refusal(at("nothing")), Refusal::NotFound);
    assert_eq!(refusal(at("text/inside")), Refusal::NotFound);
    let of_text = if cfg!(windows) {
        Refusal::NotAProgram
    } else {
        Refusal::NotAllowed
    };
    assert_eq!(refusal(at("text")), of_text);
    assert!(!host::is_program(&path("text")));
    let elsewhere = Program {
        folder: Some(path("nowhere")),
        ..program("an echo", &[])
    };
    assert_eq!(refusal(elsewhere), Refusal::NotFound);
}

#[cfg(unix)]
mod unix {
    use std::time::Duration;

    use host::{Sandbox, Tier};

    use super::{
        Exit, Instant, Process, ProcessGroup, Program, Streams, WriteResult, ends, output,
    };

    fn shell(script: &str) -> Program {
        Program {
            path: "sh".into(),
            arguments: ["-c".into(), script.into()].into(),
            variables: vec!["PATH".to_owned()],
            ..Program::default()
        }
    }

    fn start(script: &str) -> Process {
        Process::start(&shell(script), Streams::Dialogue, &ProcessGroup::new()).expect("sh exists")
    }

    pub fn it_says_which_signal_ended_it() {
        assert_eq!(ends(&mut start("kill -s KILL $$")), Exit::BySystem(9));
    }

    pub fn it_sees_the_variables_that_it_names() {
        assert!(std::env::var_os("CARGO_PKG_NAME").is_some());
        let mut program = shell("env");
        let mut seen = |variables: Vec<&'static str>| {
            program.variables = variables.into_iter().map(str::to_owned).collect();
            let process = Process::start(&program, Streams::Report, &ProcessGroup::new());
            output(&mut process.expect("sh exists"))
        };
        assert!(!seen(vec!["PATH"]).contains("CARGO_PKG_NAME"));
        assert!(seen(vec!["PATH", "CARGO_PKG_NAME"]).contains("CARGO_PKG_NAME=host\n"));
    }

    pub fn a_frozen_process_does_nothing() {
        let mut process = start("read line; echo done");
        process.freeze();
        assert_eq!(process.write(b"\n"), WriteResult::Bytes(1));
        // The input would let it continue if it were not frozen.
        let until = Instant::now();
        assert!(!process.wait_for_end(until).expect("a wait"));
        process.thaw();
        assert_eq!(output(&mut process), "done\n");
    }

    /// Starts a program that waits for input, in each sandbox that this machine has.
    fn in_sandboxes(group: &ProcessGroup) -> Vec<Process> {
        host::take_role_if_asked();
        let look = host::look();
        let lacks = [
            (Tier::Strict, look.no_strict),
            (Tier::Standard, look.no_standard),
        ];
        let tiers = lacks.into_iter().filter(|(_, lack)| lack.is_none());
        let start = |(tier, _)| {
            let mut program = shell("read line");
            program.sandbox = Some(Sandbox::new(tier));
            Process::start(&program, Streams::Dialogue, group).expect("a sandbox")
        };
        tiers.map(start).collect()
    }

    pub fn the_usage_of_a_program_in_a_sandbox_is_known_once_it_is_up() {
        for process in in_sandboxes(&ProcessGroup::new()) {
            process.wait_until_up();
            assert!(process.usage().first[0].ran > Duration::ZERO);
        }
    }

    /// A process is in its control group only a moment after it was started.
    pub fn a_sandbox_that_is_killed_while_it_starts_ends() {
        for _ in 0..20 {
            let group = ProcessGroup::new();
            let mut processes = in_sandboxes(&group);
            group.kill_all();
            for process in &mut processes {
                ends(process);
            }
        }
    }

    /// Linux may leave a child stopped if it is forked during SIGSTOP and SIGCONT. Here a child stops itself.
    pub fn a_child_that_missed_the_thaw_goes_on() {
        if !cfg!(target_os = "linux") {
            return;
        }
        let mut process = start("read line; sh -c 'kill -s STOP $$; echo late'");
        process.freeze();
        process.thaw();
        assert_eq!(process.write(b"\n"), WriteResult::Bytes(1));
        assert_eq!(output(&mut process), "late\n");
    }

    /// A child may be waiting for a core, so CPU time alone does not show that it works.
    pub fn a_child_that_computes_is_at_work_while_the_program_waits_for_it() {
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
        assert_eq!(process.write(b"\n"), WriteResult::Bytes(1));
        assert_eq!(output(&mut process), "");
    }
}
