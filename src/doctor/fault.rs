//! Turns a fault and its evidence into a finding with its fix.
//!
//! [`diagnose`] explains the fault; [`wrong_line`] explains a wrong line. A fault without a known cause is shown with
//! its evidence: the last messages, the exit, and the error that ended the bot, with the line of source.

use std::time::Duration;

use games::Theme;
use message::{Message, message};

use super::Subject;
use super::evidence::{Evidence, Moment, Silence};
use super::language::BotLanguage;
use super::packages::program_missing;
use super::report::{Code, Finding, Severity};
use super::traceback::{INVALID_MEMORY, Traceback, foreign_text, own_files};
use super::wrong_line;
use referee::bot::Build;
use referee::dialect::Protocol;
use referee::record::{Exit, Fault};

pub fn diagnose(evidence: &Evidence, subject: &Subject) -> Finding {
    let (language, spoken) = (BotLanguage::of(&subject.launch), subject.launch.protocol);
    let finding = match &evidence.fault {
        Fault::StartFailed { why } => diagnose_start(evidence, why, subject),
        Fault::HandshakeTimeout { .. } | Fault::OutOfTime { .. } => {
            diagnose_silence(evidence, language)
        }
        Fault::BadMessage { line, why } => {
            wrong_line::diagnose_bad_line(line, why, evidence.moment, language, spoken)
        }
        Fault::UnaskedOutput { text } => {
            wrong_line::diagnose_unasked_output(text, evidence.moment, language, spoken)
        }
        Fault::LineTooLong => Finding::new(
            Code::LineTooLong,
            "It wrote more than 64 KiB without a newline.",
            "End every message with a newline, and write nothing but messages.",
        ),
        Fault::Crashed { status } => {
            let at = match (evidence.moment, evidence.asked) {
                (Moment::Again, _) => "in answer to the next hello".into(),
                (_, 0) => "in the middle of a game".into(),
                (_, asked) => message!("in a game, at turn {asked}"),
            };
            let what = message!("It ended {at}: {status}.");
            ended(Code::Crashes, what, *status, evidence, subject)
        }
        Fault::OutOfMemory { .. } => Finding::new(
            Code::Memory,
            message!("It {}.", Message::from(&evidence.fault)),
            "Store less, and limit its tables: hello has the limit (memory_mib).",
        ),
        Fault::ClosedOutput => Finding::new(
            Code::ClosedOutput,
            "It is still running, but closed its standard output.",
            "Leave standard output open until the program ends.",
        ),
        fault => Finding::new(
            Code::Crashes,
            message!("It {fault}."),
            "Fix the cause that the sentence above names.",
        ),
    };
    for_author(finding.seen(evidence.shown()), subject)
}

const CHECK_THE_COMMAND: &str = if cfg!(windows) {
    "Check the command: write ./my_bot for my_bot.exe, my_bot.bat or my_bot.py next to bot.toml, and \
     for any other script the program that reads it first, such as node my_bot.js."
} else {
    "Check the command: write ./my_bot for a program next to bot.toml, make it executable (chmod +x), \
     and begin a script with a line such as #!/usr/bin/env python3."
};

fn diagnose_start(evidence: &Evidence, why: &Message, subject: &Subject) -> Finding {
    match evidence.exit {
        _ if evidence.moment == Moment::Launch => {
            let program = subject.launch.program.to_string_lossy();
            let is_looked_for =
                !program.contains(['/', '\\']) && why.to_string().contains("no program");
            let missing = is_looked_for.then(|| program_missing(&program));
            let fix = Message::sentences(missing.into_iter().chain([CHECK_THE_COMMAND.into()]));
            let what = message!("The system could not start it: {why}.");
            Finding::new(Code::DoesNotStart, what, fix)
        }
        None => Finding::new(
            Code::ClosedOutput,
            "It closed its standard output before it sent ready.",
            "Leave standard output open until the program ends.",
        ),
        Some(exit) => {
            let what = match exit {
                Exit::Status(0) if subject.launch.protocol != Protocol::Arena => {
                    "It ended without an error before its greeting was complete.".into()
                }
                Exit::Status(0) if wrote(evidence) => {
                    "It wrote something else than ready, and ended without an error.".into()
                }
                Exit::Status(0) => {
                    "It ended without an error before it sent ready. A bot must wait for lines on \
                     its standard input until quit comes: perhaps its main function is never called."
                        .into()
                }
                Exit::Status(_) => message!("It ended with {exit} before it sent ready."),
                Exit::Signal(_) => message!("It was {exit} before it sent ready."),
            };
            ended(Code::CrashesAtStart, what, exit, evidence, subject)
        }
    }
}

fn wrote(evidence: &Evidence) -> bool {
    evidence.exchange.len() > 1
}

fn ended(code: Code, what: Message, exit: Exit, evidence: &Evidence, subject: &Subject) -> Finding {
    let traceback = Traceback::read(&evidence.stderr, &subject.launch);
    let foreign = foreign_text(&sources(subject)).filter(|_| evidence.asked == 0);
    let known = traceback.as_ref().and_then(Traceback::fix);
    let known = foreign.or(known).or_else(|| signal_advice(exit));
    let fix = known.unwrap_or_else(|| {
        match exit {
            Exit::Status(0) if subject.launch.protocol == Protocol::Arena && wrote(evidence) => {
                "If it is written for another platform, name its protocol or its form, such as botzone-text: \
                 before its name: docs/courses.md lists them. A bot of the arena reads lines until quit comes."
            }
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
    let what = traceback
        .as_ref()
        .map_or(what.clone(), |error| error.before(what));
    Finding::new(code, what, fix).seen(traceback.and_then(|error| error.source()))
}

/// Returns the files that the bot's author wrote, as far as the command and the build name them.
pub fn sources(subject: &Subject) -> Vec<std::path::PathBuf> {
    let command = own_files(&subject.launch).into_iter();
    command
        .chain(subject.build.iter().flat_map(Build::sources))
        .collect()
}

fn diagnose_silence(evidence: &Evidence, language: BotLanguage) -> Finding {
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
            message!("It wrote {text:?} without a newline, so the line never ended."),
            "End every message with a newline, and flush it.",
        )
        .example(language.idioms().flush),
        Some(Silence::Held(text)) => Finding::new(
            Code::NotFlushed,
            message!(
                "It had read the question and was idle, but wrote nothing for {given}. When the \
                 arena closed its input, it wrote {text:?}: {due} was in a buffer."
            ),
            FLUSH,
        )
        .example(language.idioms().flush),
        Some(Silence::Ahead(text)) => Finding::new(
            Code::ReadsAhead,
            message!(
                "It was silent for {given}. When one more line came, a message of a type that no bot knows, it \
                 wrote {text:?}."
            ),
            "Answer each line before you read the next: every message is one line, and the next one may come only \
             after your answer.",
        )
        .example(language.idioms().main_loop),
        Some(Silence::Late(text)) if at_start && text.contains("ready") => Finding::new(
            Code::LoadsTooLong,
            message!("It wrote {text:?} only after {given}."),
            LOAD_LATER,
        ),
        Some(Silence::Late(text)) => too_slow(
            message!("It wrote {text:?} only after {given}."),
            evidence.given,
        ),
        Some(Silence::Busy) if at_start => Finding::new(
            Code::NoReady,
            message!("After {given} it was still computing and had not sent ready."),
            "Send ready sooner: load less, or compute it beforehand and store it in a file. If it never \
             stops computing, look for an endless loop before the first line is read.",
        ),
        Some(Silence::Busy) => Finding::new(
            Code::TooSlow,
            message!("After {given} it was still computing the answer to turn {}.", evidence.asked),
            Message::sentences([LOOK_AT_THE_CLOCK, LEFT_MS, ENDLESS].map(Message::from)),
        ),
        Some(Silence::Loading(after)) => Finding::new(
            Code::LoadsTooLong,
            message!(
                "It read the first message only after {:.1} s; it has {given} from its start to \
                 ready. Until then it was loading: imports, files, tables.",
                after.as_secs_f64()
            ),
            LOAD_LATER,
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

const LOAD_LATER: &str = "Send ready first, and load the rest after it: that counts as time of the first move. \
     Import less (python3 -X importtime shows what takes long), or compute tables beforehand and store \
     them in a file.";

pub const FLUSH: &str = "Flush standard output after every message.";

const LOOK_AT_THE_CLOCK: &str =
    "Look at the clock while you search, and stop in time, or search less deep.";
const LEFT_MS: &str = "In the arena's protocol, left_ms says how much time is left.";
const ENDLESS: &str = "Or look for a loop without an end.";

/// Returns the finding about a move that took too long, with advice and a limit that would suffice.
pub fn too_slow(what: Message, took: Duration) -> Finding {
    let clock = [LOOK_AT_THE_CLOCK, LEFT_MS].map(Message::from);
    let fix = Message::sentences(clock.into_iter().chain([more_time(took)]));
    Finding {
        took,
        ..Finding::new(Code::TooSlow, what, fix)
    }
}

fn more_time(time: Duration) -> Message {
    const STEP: u64 = 500;
    let enough = (time.as_millis() as u64 * 11 / 10).div_ceil(STEP) * STEP;
    message!(
        "If it does not think longer when it has more time, --move-ms {enough} would be enough."
    )
}

fn signal_advice(exit: Exit) -> Option<Message> {
    Some(match exit {
        Exit::Signal(6) => {
            "It ended itself with abort(), as assert and the C library do: compile with -g \
             -fsanitize=address,undefined and check again; standard error then names the line."
                .into()
        }
        Exit::Signal(11 | 7) => Message::sentences([
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

/// Returns the code of a fault that occurs only in this kind of position; `None` if every game has such positions.
pub fn theme_code(theme: Theme) -> Option<Code> {
    match theme {
        Theme::Beginning | Theme::OneMove | Theme::End => None,
        Theme::AfterPass => Some(Code::AfterAPass),
        Theme::Forbidden | Theme::LongLine | Theme::SmallBoard => Some(Code::BoardSize),
        Theme::Opening => Some(Code::OpeningRule),
    }
}

/// Gives a finding the code of its cause, makes it at least a warning, and puts `why` before the symptom.
pub fn recoded(finding: Finding, code: Code, why: impl Into<Message>) -> Finding {
    Finding {
        code,
        severity: Severity::max(code.severity(), Severity::Warning),
        what: Message::sentences([why.into(), finding.what]),
        ..finding
    }
}

/// Rewrites the advice for an author whose program does not speak the arena's protocol.
pub fn for_author(finding: Finding, subject: &Subject) -> Finding {
    if subject.speaks_our_protocol() {
        return finding;
    }
    let mut finding = Finding {
        example: None,
        ..finding
    };
    let of_protocol = protocol_help(subject.launch.protocol);
    match finding.code {
        Code::IllegalMove | Code::OtherColour | Code::AfterAPass => {
            finding.fix = "Compare the position that it thinks of with the one shown above: it may have missed a move, \
                           or play on a board of another size."
                .into();
        }
        Code::TooSlow => {
            let more = match finding.took {
                Duration::ZERO => ENDLESS.into(),
                took => more_time(took),
            };
            finding.fix = Message::sentences([LOOK_AT_THE_CLOCK.into(), more]);
        }
        Code::BoardSize if subject.launch.protocol == Protocol::Arena => {
            finding.fix = "If it is written for one size, name that size: check, match and tournament files have one \
                           (--size 15)."
                .into();
        }
        Code::IgnoresQuit | Code::IgnoresEndOfInput | Code::ExitStatus | Code::DiesOnOver => {
            finding.fix = "When its protocol says that the game is over, or when there are no more lines to read, end \
                           the program with exit status 0."
                .into();
        }
        Code::NotASquare => {
            let of_form =
                "Answer in the way that its form asks for: docs/courses.md describes each.";
            finding.fix = of_protocol.unwrap_or(of_form).into();
        }
        Code::NoReady
        | Code::NoAnswer
        | Code::StrayOutput
        | Code::NotJson
        | Code::BareMove
        | Code::WrongMessage
        | Code::EarlyAnswer
        | Code::SecondAnswer
        | Code::SecondGame => {
            finding.fix = of_protocol.map_or(finding.fix, Message::from);
        }
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

    fn subject() -> Subject {
        Subject {
            name: "bot".to_owned(),
            taken_for: None,
            launch: referee::bot::Launch::default(),
            build: None,
            restart: referee::bot::Restart::default(),
            memory_mib: None,
            most_mib: 1024,
        }
    }

    fn code(fault: Fault, moment: Moment, silence: Option<Silence>) -> &'static str {
        let evidence = Evidence {
            fault,
            moment,
            asked: 1,
            position: None,
            silence,
            exit: None,
            exchange: Vec::new(),
            stderr: String::new(),
            given: Duration::from_secs(1),
        };
        diagnose(&evidence, &subject()).code.word()
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
        let mut engine = subject();
        engine.launch.protocol = Protocol::Gomocup;
        let rewritten = for_author(finding(), &engine);
        let fix = rewritten.fix.to_string();
        assert!(fix.contains("START"), "{fix}");
        assert_eq!(rewritten.example, None);
        assert_eq!(for_author(finding(), &subject()), finding());
        // If the bot has a course's form, a program of the arena asks it.
        let mut form = subject();
        let frame = referee::bot::cache("frames").join("0/course_bot.py");
        form.launch.arguments = vec![frame.into(), "nthu".into()];
        let illegal = Finding::new(
            Code::IllegalMove,
            "It answered \"a1\".",
            "Play one of \"legal\".",
        );
        let fix = for_author(illegal, &form).fix.to_string();
        assert!(!fix.contains("legal"), "{fix}");
    }
}
