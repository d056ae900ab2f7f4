//! Turns a fault and its evidence into a finding with its fix.
//!
//! [`diagnose`] explains the fault; [`line`] explains a wrong line. Only [`diagnose_in_scene`] reads files, the bot's
//! sources; all else is pure, so that a table can test it.

use std::fs;
use std::path::PathBuf;

use games::Theme;
use message::{Message, message};

use super::Subject;
use super::error_output::{INVALID_MEMORY, runtime_advice};
use super::evidence::{Evidence, Moment, Silence};
use super::language::Language;
use super::line;
use super::report::{Code, Finding, Severity};
use super::session::Scene;
use referee::bot::Build;
use referee::dialect::Protocol;
use referee::record::{Exit, Fault};

/// Returns the finding for a fault. `spoken`: the bot's protocol.
pub fn diagnose(evidence: &Evidence, language: Language, spoken: Protocol) -> Finding {
    let finding = match &evidence.fault {
        Fault::StartFailed { why } => diagnose_start(evidence, why),
        Fault::HandshakeTimeout { .. } | Fault::OutOfTime { .. } => {
            diagnose_silence(evidence, language)
        }
        Fault::BadMessage { line, why } => {
            line::diagnose_bad_line(line, why, evidence.moment, language, spoken)
        }
        Fault::UnaskedOutput { text } => {
            line::diagnose_unasked_output(text, evidence.moment, language, spoken)
        }
        Fault::LineTooLong => Finding::new(
            Code::LineTooLong,
            "It wrote more than 64 KiB without a newline.",
            "End every message with a newline, and write nothing but messages.",
        ),
        Fault::Crashed { status } => diagnose_crash(evidence, *status),
        Fault::ClosedOutput => Finding::new(
            Code::ClosedOutput,
            "It is still running, but closed its standard output.",
            "Leave standard output open until the program ends.",
        ),
        fault => Finding::new(
            Code::Crashes,
            message!("It {fault}."),
            "See the reason above.",
        ),
    };
    finding.seen(evidence.shown())
}

/// Advice for a program that does not start.
const CHECK_THE_COMMAND: &str = if cfg!(windows) {
    "Check the command: write ./my_bot for my_bot.exe, my_bot.bat or my_bot.py next to bot.toml, and \
     for any other script the program that reads it first, such as node my_bot.js."
} else {
    "Check the command: write ./my_bot for a program next to bot.toml, make it executable (chmod +x), \
     and begin a script with a line such as #!/usr/bin/env python3."
};

fn diagnose_start(evidence: &Evidence, why: &Message) -> Finding {
    match evidence.exit {
        _ if evidence.moment == Moment::Launch => Finding::new(
            Code::DoesNotStart,
            message!("The system could not start it: {why}."),
            CHECK_THE_COMMAND,
        ),
        None => Finding::new(
            Code::ClosedOutput,
            "It closed its standard output before it sent ready.",
            "Leave standard output open until the program ends.",
        ),
        Some(exit) => {
            let known = runtime_advice(&evidence.stderr).or_else(|| signal_advice(exit));
            let fix = known.unwrap_or_else(|| {
                "Run the command by hand in the bot's folder: it should wait for input.".into()
            });
            let what = match exit {
                Exit::Status(0) => {
                    "It ended without an error before it sent ready. A bot must wait for lines on \
                     its standard input until quit comes: perhaps its main function is never called."
                        .into()
                }
                Exit::Status(_) => message!("It ended with {exit} before it sent ready."),
                Exit::Signal(_) => message!("It was {exit} before it sent ready."),
            };
            Finding::new(Code::CrashesAtStart, what, fix)
        }
    }
}

fn diagnose_silence(evidence: &Evidence, language: Language) -> Finding {
    let at_start = matches!(evidence.moment, Moment::Start | Moment::Again);
    let (due, no_answer) = if at_start {
        (Message::from("ready"), Code::NoReady)
    } else {
        (Message::from("its move"), Code::NoAnswer)
    };
    let given = format!("{:.1} s", evidence.given.as_secs_f64());
    match &evidence.silence {
        Some(Silence::Unended(text)) => Finding::new(
            Code::NoNewline,
            message!("It wrote {text:?} and no newline, so that the line never ended."),
            "End every message with a newline, and flush it.",
        )
        .example(language.idioms().flush),
        Some(Silence::Held(text)) => Finding::new(
            Code::NotFlushed,
            message!(
                "It had read the question and was idle, but wrote nothing for {given}. When the \
                 arena closed its input, it wrote {text:?}: {due} was in a buffer."
            ),
            "Flush standard output after every message. If you already do, read one line at a time: \
             read() and readlines() wait for the end of the input.",
        )
        .example(language.idioms().flush),
        Some(Silence::Late(text)) => Finding::new(
            Code::TooSlow,
            message!("It computed for more than {given} before it wrote {text:?}."),
            "Look at the clock while you search, and stop in time: left_ms of the question says \
             how much time is left.",
        ),
        Some(Silence::Busy) if at_start => Finding::new(
            Code::NoReady,
            message!("After {given} it was still computing and had not sent ready."),
            "Send ready sooner: load less, or compute it before and store it in a file. If it never \
             stops computing, look for an endless loop before the first line is read.",
        ),
        Some(Silence::Busy) => Finding::new(
            Code::TooSlow,
            message!("After {given} it was still computing."),
            "Look at the clock while you search, and stop in time: left_ms of the question says \
             how much time is left. Or search less deep.",
        ),
        Some(Silence::Loading(after)) => Finding::new(
            Code::LoadsTooLong,
            message!(
                "It read the first message only after {:.1} s; it has {given} from its start to \
                 ready. Until then it was loading: imports, files, tables.",
                after.as_secs_f64()
            ),
            "Send ready first, and load the rest after it: that counts as time of the first move. \
             Import less (python3 -X importtime shows what takes long), or compute tables before and \
             store them in a file.",
        ),
        Some(Silence::NotReading) if at_start => Finding::new(
            no_answer,
            message!(
                "For {given} it did not read what the arena sent: it was still loading, or waits for \
                 something else."
            ),
            "Read standard input, one line at a time, for as long as there are lines, and load \
             nothing that takes long before the first one.",
        )
        .example(language.idioms().main_loop),
        Some(Silence::NotReading) => Finding::new(
            no_answer,
            message!("For {given} it did not even read what the arena sent."),
            "Read standard input, one line at a time, for as long as there are lines.",
        )
        .example(language.idioms().main_loop),
        Some(Silence::Idle) | None => Finding::new(
            no_answer,
            message!(
                "It read the message, but did not send {due} for {given}; it is idle."
            ),
            if at_start {
                "Answer every hello with {\"type\":\"ready\"}, also the second one of a process. If \
                 it is an engine with another protocol, write the protocol before its command: \
                 gomocup:, gtp: or nboard:. If it does write ready, the line is in a buffer: flush it."
            } else {
                "Answer every turn with a move. Look for a case in which the program prints none. If it \
                 does print one, the line is in a buffer: flush it."
            },
        )
        .example(language.idioms().main_loop),
    }
}

fn diagnose_crash(evidence: &Evidence, status: Exit) -> Finding {
    let known = runtime_advice(&evidence.stderr).or_else(|| signal_advice(status));
    let fix = known.unwrap_or_else(|| {
        match status {
            Exit::Status(0) => {
                "Read the lines of standard input in a loop until quit comes. The program ended by \
                 itself, without an error."
            }
            _ if evidence.stderr.trim().is_empty() => {
                "It wrote nothing to standard error. Look for the places where it exits with an error."
            }
            _ => "See its standard error, which is shown above.",
        }
        .into()
    });
    Finding::new(
        Code::Crashes,
        message!("It ended in the middle of a game: {status}."),
        fix,
    )
}

fn signal_advice(exit: Exit) -> Option<Message> {
    Some(match exit {
        Exit::Signal(11 | 6 | 7) => Message::sentences([
            INVALID_MEMORY.into(),
            "A recursion without end looks the same.".into(),
        ]),
        Exit::Signal(9) => {
            "Something killed it. The system does that if memory runs out: use less memory.".into()
        }
        Exit::Signal(8) => "It probably divided by zero: check its divisions.".into(),
        _ => return None,
    })
}

/// Returns the finding for a fault in a scene; the bot's sources may show the cause. `is_special`: the earlier scenes
/// had no problem.
pub fn diagnose_in_scene(
    evidence: &Evidence,
    subject: &Subject,
    scene: &Scene,
    is_special: bool,
) -> Finding {
    let language = Language::of(&subject.launch);
    let mut finding = diagnose(evidence, language, subject.launch.protocol);
    if finding.code == Code::NotFlushed && reads_all_at_once(subject) {
        finding = finding.example(language.idioms().main_loop);
        let fix = "Read standard input line by line, and answer each line before you read the next. A program \
                   that reads all input at once waits until the input ends.";
        finding.fix = fix.into();
        finding.code = Code::ReadsToTheEnd;
    }
    if evidence.silence == Some(Silence::Idle) && writes_into_a_buffer(subject) {
        finding.code = Code::NotFlushed;
        let why = "Its source writes through a PrintWriter or the like, and never calls flush().";
        finding.what = Message::sentences([finding.what, why.into()]);
        let fix = "Call flush() after every message, or write with System.out. What is in the buffer of a \
                   PrintWriter or BufferedWriter is lost if the program ends.";
        finding.fix = fix.into();
        finding = finding.example(language.idioms().flush);
    }
    match theme_code(scene.theme).filter(|_| is_special) {
        None => finding,
        Some(Code::AfterAPass) => recoded(
            finding,
            Code::AfterAPass,
            "In this position a side has just passed: \"moves\" ends with \"pass\", and the \
             same side moves again.",
        ),
        Some(code) => {
            let why = message!("It plays on other boards, but not {}.", scene.game);
            recoded(finding, code, why)
        }
    }
}

/// Returns the finding for a fault in a later game of a process which does not occur in the first one.
pub fn diagnose_in_further_game(evidence: &Evidence, subject: &Subject) -> Finding {
    let language = Language::of(&subject.launch);
    let why = "A new process plays this position without a problem, but a process that has \
               played a game before does not.";
    let mut finding = recoded(
        diagnose(evidence, language, subject.launch.protocol),
        Code::SecondGame,
        why,
    );
    if runtime_advice(&evidence.stderr).is_none() {
        finding.fix =
            "Each hello begins a new game: forget the last game, and answer ready again.".into();
    }
    finding.example(language.idioms().main_loop)
}

fn reads_all_at_once(subject: &Subject) -> bool {
    const ALL: [&str; 4] = [
        "stdin.read()",
        "stdin.readlines()",
        "load(sys.stdin",
        "readFileSync(",
    ];
    const LINE: [&str; 4] = ["in sys.stdin:", "readline(", "input()", "createInterface("];
    let mut texts = texts(subject.launch.files());
    texts.any(|text| is_in(&text, &ALL) && !is_in(&text, &LINE))
}

/// Returns whether a Java program writes into a buffer that it never flushes. The buffer is lost at the end of the
/// program, so only the source shows it.
fn writes_into_a_buffer(subject: &Subject) -> bool {
    const BUFFERS: [&str; 4] = [
        "PrintWriter(",
        "BufferedWriter(",
        "OutputStreamWriter(",
        "BufferedOutputStream(",
    ];
    const EMPTIED: [&str; 1] = ["flush("];
    let build = subject.build.iter();
    let sources = build.flat_map(Build::sources).collect();
    let mut texts = texts(sources);
    texts.any(|text| is_in(&text, &BUFFERS) && !is_in(&text, &EMPTIED))
}

fn texts(files: Vec<PathBuf>) -> impl Iterator<Item = String> {
    let files = files.into_iter();
    let small = files.filter(|path| path.metadata().is_ok_and(|file| file.len() < 1 << 20));
    small.filter_map(|path| fs::read_to_string(path).ok())
}

fn is_in(text: &str, ways: &[&str]) -> bool {
    ways.iter().any(|way| text.contains(way))
}

/// Returns the code of a fault that occurs only in this kind of position; `None` if every game has such positions.
pub fn theme_code(theme: Theme) -> Option<Code> {
    match theme {
        Theme::Beginning | Theme::OneMove | Theme::End => None,
        Theme::AfterPass => Some(Code::AfterAPass),
        Theme::Forbidden | Theme::LongLine | Theme::SmallBoard => Some(Code::BoardSize),
    }
}

/// Gives a finding the code of its cause, and puts `why` before the symptom.
pub fn recoded(finding: Finding, code: Code, why: impl Into<Message>) -> Finding {
    Finding {
        code,
        severity: Severity::max(code.severity(), Severity::Warning),
        what: Message::sentences([why.into(), finding.what]),
        ..finding
    }
}

/// Rewrites a finding about messages for the engine's protocol: its author must not be advised to answer in JSON.
pub fn for_protocol(finding: Finding, protocol: Protocol) -> Finding {
    let Some(help) = protocol_help(protocol) else {
        return finding;
    };
    let mut finding = Finding {
        example: None,
        ..finding
    };
    match finding.code {
        Code::NoReady
        | Code::NoAnswer
        | Code::StrayOutput
        | Code::NotJson
        | Code::BareMove
        | Code::WrongMessage
        | Code::EarlyAnswer
        | Code::SecondAnswer
        | Code::SecondGame => finding.fix = help.into(),
        _ => {}
    }
    finding
}

fn protocol_help(protocol: Protocol) -> Option<&'static str> {
    match protocol {
        Protocol::Arena => None,
        Protocol::Gomocup => Some(
            "Answer START and RESTART with OK, and BEGIN, TURN and the DONE of a BOARD with x,y. By \
             hand: type START 15, then BEGIN. See docs/engines.md for the other commands.",
        ),
        Protocol::Gtp => Some(
            "Answer every command with = or ? and end the answer with an empty line. By hand: type \
             boardsize and clear_board, then genmove black. See docs/engines.md for the other \
             commands.",
        ),
        Protocol::Columbia => Some(
            "Print your name first, read your colour (1 or 2), then answer SCORE and the board with \
             column and row. By hand: type 1, then SCORE 2 2 and a board. See docs/courses.md.",
        ),
        Protocol::Botzone => Some(
            "Read one line of JSON with requests and responses, and answer with one line such as \
             {\"response\":{\"x\":2,\"y\":3}}; then end, or write \
             >>>BOTZONE_REQUEST_KEEP_RUNNING<<<. See docs/engines.md.",
        ),
        Protocol::BotzoneText => Some(
            "Read the number of the turn, then requests and responses in turn, each column and row; \
             answer with column and row; then end, or write >>>BOTZONE_REQUEST_KEEP_RUNNING<<<. See \
             docs/engines.md.",
        ),
        Protocol::Nboard => Some(
            "Answer ping n with pong n, and go with === and a move. By hand: type nboard 2, set \
             depth 2, go. See docs/engines.md for the other commands.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn code(fault: Fault, moment: Moment, silence: Option<Silence>) -> &'static str {
        let evidence = Evidence {
            fault,
            moment,
            silence,
            exit: None,
            exchange: Vec::new(),
            stderr: String::new(),
            given: Duration::from_secs(1),
        };
        diagnose(&evidence, Language::Python, Protocol::Arena)
            .code
            .word()
    }

    #[test]
    fn silence_is_named_by_what_was_behind_it() {
        let text = || "{}".to_owned();
        for (silence, at_start, later) in [
            (Silence::Held(text()), "not-flushed", "not-flushed"),
            (Silence::Unended(text()), "no-newline", "no-newline"),
            (Silence::Late(text()), "too-slow", "too-slow"),
            (Silence::Busy, "no-ready", "too-slow"),
            (Silence::NotReading, "no-ready", "no-answer"),
            (Silence::Idle, "no-ready", "no-answer"),
        ] {
            let allowed = Duration::from_secs(1);
            let fault = Fault::HandshakeTimeout {
                allowed,
                unanswered: String::new(),
                last: String::new(),
            };
            assert_eq!(code(fault, Moment::Start, Some(silence.clone())), at_start);
            let fault = Fault::OutOfTime {
                used: allowed,
                allowed,
            };
            assert_eq!(code(fault, Moment::Question, Some(silence)), later);
        }
    }

    #[test]
    fn the_fix_for_an_engine_is_in_its_own_protocol() {
        let finding = || {
            let what = "It printed \"ERROR size\" where another answer was expected.";
            Finding::new(Code::StrayOutput, what, "Print to stderr.").example("print()")
        };
        let rewritten = for_protocol(finding(), Protocol::Gomocup);
        let fix = rewritten.fix.to_string();
        assert!(fix.contains("START"), "{fix}");
        assert_eq!(rewritten.example, None);
        assert_eq!(for_protocol(finding(), Protocol::Arena), finding());
    }
}
